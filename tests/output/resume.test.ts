/** Rows written in two runs are the bytes of one run, for any interruption of the first. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../src/base/json.ts";
import {
  type Content,
  canResume,
  type Envelope,
  FORMAT_NAMES,
  formatInfo,
  type OutputOptions,
  write,
} from "../../src/output/index.ts";
import { anyJson, anyRow, PIPE, pages, written } from "./helpers.ts";

const RESUMABLE = FORMAT_NAMES.filter((format) => canResume({ format }));
/** Those whose writers continue; rows of the others are collected as NDJSON. */
const APPENDABLE = RESUMABLE.filter((format) => !formatInfo(format).isSpooled);

/** The output of a run at a possible interruption after a page. */
interface Cut {
  readonly text: string;
  readonly state: JsonObject;
}

const contentOf = (list: readonly (readonly Json[])[], frame?: Envelope): Content => ({
  kind: "rows",
  pages: pages(...list),
  ...(frame ? { envelope: frame } : {}),
});

/** Writes everything, and returns every possible interruption. */
async function whole(content: Content, options: Partial<OutputOptions>) {
  const cuts: Cut[] = [];
  let text = "";
  const sink = {
    write: async (chunk: string | Uint8Array) => {
      text += String(chunk);
    },
  };
  const onRows: OutputOptions["onRows"] = async (state) => void cuts.push({ text, state: state() });
  const { rows, notes } = await write(content, {}, { ...PIPE, ...options, onRows }, sink);
  return { text, rows, notes, cuts };
}

/** A state as a later process reads it. */
const reload = (state: JsonObject) => parseJson(stringifyJson(state)) as JsonObject;

const anyPages = fc.array(fc.array(fc.oneof({ weight: 4, arbitrary: anyRow }, anyJson), { maxLength: 4 }), {
  maxLength: 5,
});
const anyFrame = fc.option(
  fc
    .tuple(anyRow, fc.constantFrom(["items"], ["data"], ["data", "items"]))
    .map(([row, at]): Envelope => ({ value: { total: 7, ...(row as JsonObject) }, path: at })),
  { nil: undefined },
);

describe.each(APPENDABLE)("%s in two runs", (format) => {
  it("has the bytes, count and notes of one run after any interruption", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyFrame, async (list, frame) => {
        const plain = await written(contentOf(list, frame), { format });
        const all = await whole(contentOf(list, frame), { format });
        expect(all.text).toBe(plain.text);
        expect(all.cuts).toHaveLength(list.length);
        for (const [at, { text, state }] of all.cuts.entries()) {
          const rest = await written(contentOf(list.slice(at + 1)), { format, resume: reload(state) });
          expect(text + rest.text).toBe(all.text);
          expect({ rows: rest.rows, notes: rest.notes }).toEqual({ rows: all.rows, notes: all.notes });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("can be interrupted repeatedly", async () => {
    const list = [[{ a: 1, b: "x" }], [{ a: 2 }, 7], [], [{ c: 3 }], [{ a: 4, d: 1 }]];
    const all = await whole(contentOf(list), { format });
    let text = "";
    let state: JsonObject | undefined;
    for (const page of list) {
      const { cuts } = await whole(contentOf([page]), { format, ...(state ? { resume: state } : {}) });
      text += cuts[0]?.text;
      state = reload(cuts[0]?.state ?? {});
    }
    const end = await written(contentOf([]), { format, ...(state ? { resume: state } : {}) });
    expect(text + end.text).toBe(all.text);
    expect(end.notes).toEqual(all.notes);
  });

  it("uses the fields of the first page", async () => {
    const list = [[{ a: { b: "18446744073709551615" }, c: 1 }], [{ c: 2 }], [{ a: 1 }]];
    for (const chosen of [{ fields: [{ path: "a.b" }, { path: "c" }] }, { fields: [{ head: "X", path: "a.b" }] }]) {
      const all = await whole(contentOf(list), { format, ...chosen });
      const [first] = all.cuts;
      const rest = await written(contentOf(list.slice(1)), { format, ...chosen, resume: reload(first?.state ?? {}) });
      expect(`${first?.text}${rest.text}`).toBe(all.text);
    }
  });

  it("does not complete the output when the source fails, so that it can be resumed", async () => {
    const source = async function* () {
      yield [{ a: 1 }];
      yield [{ a: 2 }];
      throw new Error("the network is gone");
    };
    let state: JsonObject = {};
    let text = "";
    const sink = {
      write: async (chunk: string | Uint8Array) => {
        text += String(chunk);
      },
    };
    const onRows: OutputOptions["onRows"] = async (now) => {
      state = reload(now());
    };
    const run = write({ kind: "rows", pages: source() }, {}, { ...PIPE, format, onRows }, sink);
    await expect(run).rejects.toThrow("the network is gone");
    const rest = await written(contentOf([[{ a: 3 }]]), { format, resume: state });
    const one = await written(contentOf([[{ a: 1 }], [{ a: 2 }], [{ a: 3 }]]), { format });
    expect(text + rest.text).toBe(one.text);
  });
});

describe("the state of a file", () => {
  it("does not contain the rows of the first page", async () => {
    const items = Array.from({ length: 1000 }, (_, n) => ({ n, text: "x".repeat(100) }));
    const frame: Envelope = { value: { success: true, data: { total: 5, items } }, path: ["data", "items"] };
    const { cuts } = await whole(contentOf([items], frame), { format: "json" });
    expect(stringifyJson(cuts[0]?.state ?? {}).length).toBeLessThan(200);
  });

  it("preserves the digits of the envelope", async () => {
    const value = parseJson('{"total":18446744073709551615,"price":0.10,"items":[]}') as JsonObject;
    const list = [[{ a: 1 }], [{ a: 2 }]];
    const { text, cuts } = await whole(contentOf(list, { value, path: ["items"] }), { format: "json" });
    const rest = await written(contentOf(list.slice(1)), { format: "json", resume: reload(cuts[0]?.state ?? {}) });
    expect(`${cuts[0]?.text}${rest.text}`).toBe(text);
    expect(text).toContain("18446744073709551615");
  });
});

it("only formats that are written row by row can be resumed", () => {
  expect(RESUMABLE).toEqual(["json", "ndjson", "csv", "tsv", "parquet", "name"]);
  expect(canResume({ format: "json", jq: "." })).toBe(false);
  expect(canResume({ format: "csv", sortBy: [{ path: "a", isDescending: false }] })).toBe(false);
});
