/** Rows written in two runs are the bytes of one run, wherever the first was cut. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../src/base/json.ts";
import {
  type Content,
  canResume,
  type Envelope,
  FORMAT_NAMES,
  type OutputOptions,
  write,
} from "../../src/output/index.ts";
import { anyJson, anyRow, PIPE, pages, written } from "./helpers.ts";

const RESUMABLE = FORMAT_NAMES.filter((format) => canResume({ format }));

/** What a run had written when it could have been cut after a page. */
interface Cut {
  readonly text: string;
  readonly state: JsonObject;
}

const contentOf = (list: readonly (readonly Json[])[], frame?: Envelope): Content => ({
  kind: "rows",
  pages: pages(...list),
  ...(frame ? { envelope: frame } : {}),
});

/** Writes everything, and keeps every cut. */
async function whole(content: Content, options: Partial<OutputOptions>) {
  const found: Cut[] = [];
  let text = "";
  const sink = {
    write: async (chunk: string | Uint8Array) => {
      text += String(chunk);
    },
  };
  const onRows: OutputOptions["onRows"] = async (state) => void found.push({ text, state: state() });
  const { rows, notes } = await write(content, {}, { ...PIPE, ...options, onRows }, sink);
  return { text, rows, notes, cuts: found };
}

/** What a later process reads of a state. */
const kept = (state: JsonObject) => parseJson(stringifyJson(state)) as JsonObject;

const anyPages = fc.array(fc.array(fc.oneof({ weight: 4, arbitrary: anyRow }, anyJson), { maxLength: 4 }), {
  maxLength: 5,
});
const anyFrame = fc.option(
  fc
    .tuple(anyRow, fc.constantFrom(["items"], ["data"], ["data", "items"]))
    .map(([row, at]): Envelope => ({ value: { total: 7, ...(row as JsonObject) }, path: at })),
  { nil: undefined },
);

describe.each(RESUMABLE)("%s in two runs", (format) => {
  it("is the bytes, the count and the remarks of one run, wherever it was cut", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyFrame, async (list, frame) => {
        const plain = await written(contentOf(list, frame), { format });
        const all = await whole(contentOf(list, frame), { format });
        expect(all.text).toBe(plain.text);
        expect(all.cuts).toHaveLength(list.length);
        for (const [at, { text, state }] of all.cuts.entries()) {
          const rest = await written(contentOf(list.slice(at + 1)), { format, resume: kept(state) });
          expect(text + rest.text).toBe(all.text);
          expect({ rows: rest.rows, notes: rest.notes }).toEqual({ rows: all.rows, notes: all.notes });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("can be cut again and again", async () => {
    const list = [[{ a: 1, b: "x" }], [{ a: 2 }, 7], [], [{ c: 3 }], [{ a: 4, d: 1 }]];
    const all = await whole(contentOf(list), { format });
    let text = "";
    let state: JsonObject | undefined;
    for (const page of list) {
      const { cuts } = await whole(contentOf([page]), { format, ...(state ? { resume: state } : {}) });
      text += cuts[0]?.text;
      state = kept(cuts[0]?.state ?? {});
    }
    const end = await written(contentOf([]), { format, ...(state ? { resume: state } : {}) });
    expect(text + end.text).toBe(all.text);
    expect(end.notes).toEqual(all.notes);
  });

  it("keeps to the fields that were found on the first page", async () => {
    const list = [[{ a: { b: "18446744073709551615" }, c: 1 }], [{ c: 2 }], [{ a: 1 }]];
    for (const chosen of [{ fields: ["a.b", "c"] }, { columns: [{ head: "X", path: "a.b" }] }]) {
      const all = await whole(contentOf(list), { format, ...chosen });
      const [first] = all.cuts;
      const rest = await written(contentOf(list.slice(1)), { format, ...chosen, resume: kept(first?.state ?? {}) });
      expect(`${first?.text}${rest.text}`).toBe(all.text);
    }
  });

  it("closes nothing when the source fails, so that it can go on", async () => {
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
      state = kept(now());
    };
    const run = write({ kind: "rows", pages: source() }, {}, { ...PIPE, format, onRows }, sink);
    await expect(run).rejects.toThrow("the network is gone");
    const rest = await written(contentOf([[{ a: 3 }]]), { format, resume: state });
    const one = await written(contentOf([[{ a: 1 }], [{ a: 2 }], [{ a: 3 }]]), { format });
    expect(text + rest.text).toBe(one.text);
  });
});

describe("the state of a file", () => {
  it("is small: the rows that came with the first answer are not in it", async () => {
    const items = Array.from({ length: 1000 }, (_, n) => ({ n, text: "x".repeat(100) }));
    const frame: Envelope = { value: { success: true, data: { total: 5, items } }, path: ["data", "items"] };
    const { cuts } = await whole(contentOf([items], frame), { format: "json" });
    expect(stringifyJson(cuts[0]?.state ?? {}).length).toBeLessThan(200);
  });

  it("keeps the digits of what stands around the rows", async () => {
    const value = parseJson('{"total":18446744073709551615,"price":0.10,"items":[]}') as JsonObject;
    const list = [[{ a: 1 }], [{ a: 2 }]];
    const { text, cuts } = await whole(contentOf(list, { value, path: ["items"] }), { format: "json" });
    const rest = await written(contentOf(list.slice(1)), { format: "json", resume: kept(cuts[0]?.state ?? {}) });
    expect(`${cuts[0]?.text}${rest.text}`).toBe(text);
    expect(text).toContain("18446744073709551615");
  });
});

it("only formats that are written row by row can be gone on with", () => {
  expect(RESUMABLE).toEqual(["json", "ndjson", "csv", "tsv"]);
  expect(canResume({ format: "json", jq: "." })).toBe(false);
});
