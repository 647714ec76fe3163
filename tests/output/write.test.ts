import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { InterruptedError, RateLimitError, UsageError } from "../../src/base/errors.ts";
import { type Json, parseJson } from "../../src/base/json.ts";
import { FORMAT_NAMES, type Format, PipeClosed, write } from "../../src/output/index.ts";
import { PIPE, pages, rows, written } from "./helpers.ts";

/** Pages that count how many were read, and detect being closed. */
function watched(list: readonly (readonly Json[])[], failure?: Error) {
  const seen = { taken: 0, closed: false };
  const source = (async function* () {
    try {
      for (const page of list) {
        seen.taken += 1;
        yield page;
      }
      if (failure) throw failure;
    } finally {
      seen.closed = true;
    }
  })();
  return { seen, content: { kind: "rows", pages: source } as const };
}

const three = [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]];

describe.each(FORMAT_NAMES)("write, %s", (format: Format) => {
  it("reads the next page only when the last one is written", async () => {
    const { seen, content } = watched(three);
    const moments: number[] = [];
    const sink = { write: async () => void moments.push(seen.taken) };
    await write(content, {}, { ...PIPE, format }, sink);
    expect(moments[0]).toBe(1);
    expect(seen).toEqual({ taken: 3, closed: true });
  });

  it("closes the source when the reader closes the pipe", async () => {
    const { seen, content } = watched(three);
    const sink = {
      write: async () => {
        throw new PipeClosed();
      },
    };
    await expect(write(content, {}, { ...PIPE, format }, sink)).rejects.toBeInstanceOf(PipeClosed);
    expect(seen).toEqual({ taken: 1, closed: true });
  });

  it("completes the output when the source fails midway, and rethrows", async () => {
    const { content } = watched(three, new RateLimitError("Too many requests."));
    const chunks: string[] = [];
    const sink = { write: async (chunk: string) => void chunks.push(chunk) };
    await expect(write(content, {}, { ...PIPE, format }, sink)).rejects.toThrow("Too many requests.");
    const whole = await written(rows(three.flat(), 1), { format });
    expect(chunks.join("")).toBe(whole.text);
  });

  it("reports the failure of the source also when the pipe is closed", async () => {
    const { content, seen } = watched(three, new RateLimitError("Too many requests."));
    const sink = {
      write: async () => {
        if (seen.closed) throw new PipeClosed();
      },
    };
    await expect(write(content, {}, { ...PIPE, format }, sink)).rejects.toThrow("Too many requests.");
  });

  it("writes nothing when the source fails at once", async () => {
    const { content } = watched([], new RateLimitError("Too many requests."));
    const chunks: string[] = [];
    const sink = { write: async (chunk: string) => void chunks.push(chunk) };
    await expect(write(content, {}, { ...PIPE, format }, sink)).rejects.toThrow("Too many requests.");
    expect(chunks).toEqual([]);
  });

  it("skips empty pages and counts rows", async () => {
    const content = { kind: "rows", pages: pages([], [{ n: 1 }], [], [{ n: 2 }], []) } as const;
    const { text, rows: count } = await written(content, { format });
    expect([text, count]).toEqual([(await written(rows([{ n: 1 }, { n: 2 }], 1), { format })).text, 2]);
  });

  it("writes a list the same whether it comes as an object or as rows", async () => {
    const list = three.flat();
    const { text, rows: count } = await written({ kind: "object", value: list }, { format });
    expect([text, count]).toEqual([(await written(rows(list, 10), { format })).text, 3]);
  });

  it("has no undefined and no NaN", async () => {
    const list = [{ a: null, b: [], c: {}, d: "" }, {}, { a: [null], b: { x: null } }];
    const { text } = await written(rows(list, 5), { format });
    expect(text).not.toMatch(/undefined|NaN|\[object/);
    if (format === "table") expect(text).not.toMatch(/null(?![\]}])/);
  });

  it.each([1500, 100_000])("writes %i levels of nesting or reports TOO_DEEP", async (levels) => {
    const deep = Array.from({ length: levels }).reduce<Json>((inner) => ({ a: inner }), 1);
    const failures = [rows([{ deep }]), { kind: "object", value: { deep } } as const].map(async (content) =>
      written(content, { format }).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    for (const failure of await Promise.all(failures)) {
      if (failure === undefined) continue;
      expect(failure).toBeInstanceOf(UsageError);
      expect(failure).toMatchObject({ code: "TOO_DEEP" });
    }
  });

  it("passes the signal to every wait", async () => {
    const { signal } = new AbortController();
    const signals = new Set<unknown>();
    const sink = { write: async (_chunk: string, content?: AbortSignal) => void signals.add(content) };
    await write(rows(three.flat()), {}, { ...PIPE, format, signal }, sink);
    expect(signals).toEqual(new Set([signal]));
  });
});

describe("an interrupted source", () => {
  it("ends the JSON array", async () => {
    const { content } = watched(three, new InterruptedError());
    const chunks: string[] = [];
    const sink = { write: async (chunk: string) => void chunks.push(chunk) };
    await expect(write(content, {}, PIPE, sink)).rejects.toBeInstanceOf(InterruptedError);
    expect(parseJson(chunks.join(""))).toEqual(three.flat());
  });
});

describe("start-up", () => {
  const entry = new URL("../../src/output/write.ts", import.meta.url).href;
  const loadedBy = (format: Format) => {
    const source = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      const { write } = await import(${JSON.stringify(entry)});
      async function* pages() { yield [{ a: 1, s: "text" }]; }
      const options = { format: ${JSON.stringify(format)}, width: 80, isTerminal: false, now: 0 };
      await write({ kind: "rows", pages: pages() }, {}, options, { write: async () => {} });
      process.stdout.write(JSON.stringify(loaded));
    `;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
    const names = (JSON.parse(out) as string[]).map((url) => /node_modules\/([^/]+)\//.exec(url)?.[1]);
    // What base alone needs for suggestions is not loaded in the build until there is one.
    return [...new Set(names.filter((name) => name !== undefined && name !== "fastest-levenshtein"))];
  };

  it.each<[Format, string[]]>([
    ["json", []],
    ["ndjson", []],
    ["tsv", []],
    ["csv", []],
    ["yaml", []],
  ])("%s loads no package but %j", (format, packages) => {
    expect(loadedBy(format)).toEqual(packages);
  });

  it("a table without an entity loads no schema library", () => {
    expect(loadedBy("table")).not.toContain("zod");
  });
});

const recorded = new URL("../../../shared/recorded/", import.meta.url);

describe.skipIf(!existsSync(recorded))("recorded answers", () => {
  const files = existsSync(recorded) ? readdirSync(recorded) : [];
  it.each(files)("%s is written in every format", async (file) => {
    const record = parseJson(readFileSync(new URL(file, recorded), "utf8")) as Record<string, Json>;
    const body = (record.body ?? record.fragment ?? record.body_text ?? null) as Json;
    const value = ((body as Record<string, Json> | null)?.data ?? body) as Json;
    for (const format of FORMAT_NAMES) {
      for (const width of [20, 80, 200]) {
        const { text } = await written({ kind: "object", value }, { format, width, isTerminal: true });
        expect(text).not.toMatch(/undefined|NaN|\[object/);
        if (format === "json") expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }
    }
  });
});
