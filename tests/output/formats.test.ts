import { parse as parseCsv } from "csv-parse/sync";
import { stringify as stringifyCsv } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Document, isScalar, parseDocument, Scalar, type ScalarTag, visit } from "yaml";
import {
  isNumeric,
  isRawNumber,
  type Json,
  type JsonObject,
  type Numeric,
  numericText,
  parseJson,
  stringifyJson,
  toNumeric,
} from "../../src/base/json.ts";
import { Transfer } from "../../src/catalogue/entities/index.ts";
import { escapeJson, FORMAT_NAMES, type Format, isTable, safeCell } from "../../src/output/index.ts";
import { escapeYaml, revealControls } from "../../src/output/text/safe.ts";
import { anyJson, anyRow, HARD_NUMBERS, hostileText, pages, rows, written } from "./helpers.ts";

const manyRows = fc.array(anyRow, { maxLength: 6 });
const hard = parseJson(`[${HARD_NUMBERS.map((number) => `{"n":${number}}`)}]`) as readonly Json[];

describe.each(FORMAT_NAMES.filter((format) => !isTable(format) && format !== "parquet"))("%s", (format) => {
  it("writes exact digits", async () => {
    const { text } = await written(rows(hard), { format });
    const numbers = text.match(/-?\d[\d.eE+-]*/g);
    expect(numbers).toEqual(HARD_NUMBERS);
  });

  it("writes a header or an empty list when there are no rows", async () => {
    const empty = { json: "[]\n", ndjson: "", csv: "a,b\n", tsv: "a\tb\n", yaml: "[]\n", name: "" }[format as string];
    const { text, rows: count } = await written(rows([]), { format, fields: ["a", "b"] });
    expect([text, count]).toEqual([empty, 0]);
  });
});

describe("a large page", () => {
  const row = (at: number): JsonObject => ({ at, parts: Array.from({ length: 500 }, (_, n) => ({ n, text: "text" })) });
  const large = Array.from({ length: 120 }, (_, at) => row(at));

  it.each(FORMAT_NAMES)("is written in parts: %s", async (format) => {
    const { text, chunks, rows: count } = await written(rows(large, large.length), { format });
    expect(count).toBe(large.length);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_000_000);
    // The parts are those of small pages.
    if (!isTable(format) && format !== "parquet") expect(text).toBe((await written(rows(large, 1), { format })).text);
  });
});

describe("json", () => {
  it("is the same in pages as in one piece", async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, fc.integer({ min: 1, max: 3 }), async (list, size) => {
        const { text } = await written(rows(list, size));
        expect(text).toBe((await written({ kind: "object", value: list })).text);
        expect(stringifyJson(parseJson(text))).toBe(stringifyJson(list));
        expect(text.split("\n")).toHaveLength(list.length > 0 ? list.length + 3 : 2);
      }),
    );
  });

  it("is indented on a terminal, also in pages", async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, fc.integer({ min: 1, max: 3 }), async (list, size) => {
        const { text } = await written(rows(list, size), { isTerminal: true });
        expect(text).toBe(`${escapeJson(stringifyJson(list, 2))}\n`);
      }),
    );
  });

  it("writes the envelope around all rows", async () => {
    const value = parseJson('{"before":18446744073709551615,"items":[{"x":1}],"after":{"items":[]}}') as JsonObject;
    const frame = { value, path: ["items"] };
    const { text } = await written({ kind: "rows", pages: pages([{ x: 1 }], [{ x: 2 }]), envelope: frame });
    expect(text).toBe(
      '{\n  "before": 18446744073709551615,\n  "items": [\n{"x":1},\n{"x":2}\n  ],\n  "after": {\n    "items": []\n  }\n}\n',
    );
    const empty = await written({ kind: "rows", pages: pages([]), envelope: frame });
    expect(parseJson(empty.text)).toEqual({ ...value, items: [] });
  });

  it("prints one value, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, async (value) => {
        const { text } = await written({ kind: "object", value });
        expect(stringifyJson(parseJson(text))).toBe(stringifyJson(value));
      }),
    );
  });

  it("contains nothing that a terminal obeys", async () => {
    const { text } = await written(
      { kind: "object", value: "\u009b2J\u202e\u{e0041}\u001b]0;x\u0007" },
      { isTerminal: true },
    );
    expect(text).toBe('"\\u009b2J\\u202e\\udb40\\udc41\\u001b]0;x\\u0007"\n');
  });
});

describe("ndjson", () => {
  it("is one record per line for any text", async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, async (list) => {
        const { text } = await written(rows(list), { format: "ndjson" });
        const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/).slice(0, -1);
        expect(lines.map((line) => stringifyJson(parseJson(line)))).toEqual(list.map((row) => stringifyJson(row)));
      }),
    );
  });
});

/** Parses YAML text to JSON, with numbers as written. */
function yamlAsJson(text: string): unknown {
  const document = parseDocument(text, { merge: false });
  expect(document.errors).toEqual([]);
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === "number" || typeof node.value === "bigint") node.value = { number: node.source };
    },
  });
  return document.toJS();
}

/** Formats a value with the library that the writer has to equal. */
function yamlByLibrary(value: Json): string {
  const stringify = ({ value: number }: { readonly value?: unknown }) => numericText(number as Numeric);
  const rawNumber: ScalarTag = {
    tag: "tag:yaml.org,2002:float",
    default: true,
    identify: isRawNumber,
    resolve: String,
    stringify,
  };
  const document = new Document(value, { customTags: (tags) => [rawNumber, ...tags], aliasDuplicateObjects: false });
  const isPlain = (key: string) =>
    /^[a-z_][a-z0-9_-]*$/i.test(key) && !/^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i.test(key);
  visit(document, {
    Pair: (_at, { key }) => {
      if (isScalar(key) && isPlain(String(key.value))) key.type = Scalar.PLAIN;
    },
  });
  const quoted = { defaultStringType: Scalar.QUOTE_DOUBLE, defaultKeyType: Scalar.QUOTE_DOUBLE } as const;
  return escapeYaml(document.toString({ ...quoted, blockQuote: false, doubleQuotedAsJSON: true, lineWidth: 0 }));
}

function wordsOf(value: Json): unknown {
  if (isNumeric(value)) return { number: numericText(value) };
  if (Array.isArray(value)) return value.map(wordsOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wordsOf(inner)]));
}

describe("yaml", () => {
  it("has no character that YAML forbids", async () => {
    const { text } = await written({ kind: "object", value: "a\ufffe\uffff" }, { format: "yaml" });
    expect(text).toBe('"a\\uFFFE\\uFFFF"\n');
  });

  it("preserves digits and strings", async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, fc.integer({ min: 1, max: 3 }), async (list, size) => {
        const { text } = await written(rows(list, size), { format: "yaml" });
        expect(yamlAsJson(text)).toEqual(wordsOf(list));
      }),
    );
  });

  it("is what the library writes", async () => {
    const key = fc.oneof(hostileText, fc.constantFrom("a", "b_1", "null", "", "- x", "a: b", "k".repeat(1025)));
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        hostileText,
        fc.constantFrom(null, true, ...HARD_NUMBERS.map(toNumeric)),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        fc.pre(!Array.isArray(value));
        expect((await written({ kind: "object", value }, { format: "yaml" })).text).toBe(yamlByLibrary(value));
        expect((await written(rows([value, value], 1), { format: "yaml" })).text).toBe(yamlByLibrary([value, value]));
      }),
      { numRuns: 300 },
    );
  });

  it("has strings that no loader takes for something else", async () => {
    const words = [
      "yes",
      "no",
      "on",
      "null",
      "~",
      "1e5",
      "0x1f",
      "12:30:45",
      "2024-07-05",
      "1_000",
      "=",
      "<<",
      ".5",
      "",
    ];
    const value = Object.fromEntries(words.map((word) => [word, word]));
    const { text } = await written({ kind: "object", value }, { format: "yaml" });
    for (const line of text.trimEnd().split("\n")) expect(line).toMatch(/^"(.*)": "\1"$/);
  });

  it("contains nothing that a terminal obeys", async () => {
    const value = { "\u009b": "\u009b2J\u202e\u2028\u{e0041}\u001b" };
    const { text } = await written({ kind: "object", value }, { format: "yaml" });
    expect(text).toBe('"\\u009B": "\\u009B2J\\u202E\\u2028\\U000E0041\\u001b"\n');
  });

  it("writes the envelope around rows", async () => {
    const frame = { value: { total: 2, items: [], more: true }, path: ["items"] };
    const { text } = await written(
      { kind: "rows", pages: pages([{ x: ["a"] }], [{ x: [] }]), envelope: frame },
      { format: "yaml" },
    );
    expect(text).toBe('total: 2\nitems:\n  - x:\n      - "a"\n  - x: []\nmore: true\n');
    const empty = await written({ kind: "rows", pages: pages(), envelope: frame }, { format: "yaml" });
    expect(empty.text).toBe("total: 2\nitems: []\nmore: true\n");
  });
});

/** The cell of a value in CSV and, before its escapes, in TSV. */
function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return isNumeric(value) ? numericText(value) : JSON.stringify(JSON.parse(stringifyJson(value)));
}

/** Removes the protection from formulas. */
const undefused = (cell: string) =>
  /^'[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^'[\t\r\n]/u.test(cell) ? cell.slice(1) : cell;

const flatRow = fc.record({ a: anyJson, b: anyJson, "odd key": anyJson });

describe("csv and tsv", () => {
  const isPlain = (value: Json | undefined) => typeof value !== "object" || value === null || isNumeric(value);

  it("csv preserves digits and strings, without control characters unless --raw-text is given", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(flatRow, { minLength: 1, maxLength: 5 }), fc.boolean(), async (list, rawText) => {
        const { text } = await written(rows(list), { format: "csv", rawText });
        const records = parseCsv(text, { relax_column_count: false });
        expect(records).toHaveLength(list.length + 1);
        for (const [index, row] of list.entries()) {
          for (const [at, name] of (["a", "b", "odd key"] as const).entries()) {
            const cell = records[index + 1]?.[at] ?? "";
            const value = row[name];
            if (!isPlain(value)) expect(stringifyJson(parseJson(cell))).toBe(stringifyJson(value));
            else if (rawText) expect(cell).toBe(cellOf(value).toWellFormed());
            else expect([cell, undefused(cell)]).toContain(revealControls(cellOf(value)).toWellFormed());
          }
        }
      }),
    );
  });

  it("tsv has one record per line and preserves strings", async () => {
    const meanings: Record<string, string> = { "\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\" };
    await fc.assert(
      fc.asyncProperty(fc.array(flatRow, { minLength: 1, maxLength: 5 }), fc.boolean(), async (list, rawText) => {
        const { text } = await written(rows(list), { format: "tsv", rawText });
        const records = text
          .split("\n")
          .slice(0, -1)
          .map((line) => line.split("\t"));
        expect(records.map((record) => record.length)).toEqual(new Array(list.length + 1).fill(3));
        for (const [index, row] of list.entries()) {
          const cell = (records[index + 1]?.[0] ?? "").replace(
            /\\(?:[tnr\\]|x(..))/g,
            (code, hex) => meanings[code] ?? String.fromCharCode(Number.parseInt(hex, 16)),
          );
          if (isPlain(row.a)) expect([cell, rawText ? cell : undefused(cell)]).toContain(cellOf(row.a));
        }
      }),
    );
  });

  it("csv quotes only what needs quotes", async () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("", '"', ",", "\n", "\r", "\r\n", ";", "\t", 'a"b,c', " a "));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1 }), async (list) => {
        const content = rows(list.map(([a, b]) => ({ a, b })));
        const cells = list.map((row) => row.map((cell) => safeCell(revealControls(cell))));
        const expected = stringifyCsv([["a", "b"], ...cells], { record_delimiter: "\n", quoted_match: /\r/ });
        expect((await written(content, { format: "csv" })).text).toBe(expected);
      }),
    );
  });

  it.each<Format>(["csv", "tsv"])("%s writes a row in the same way whatever the row before has", async (format) => {
    const value = fc.constantFrom<Json>(null, "", "x", "a,b", "=1", 0, 1, "1", true, "true", ...hard, [1], { b: 1 });
    const row = fc.record({ a: value, b: value }, { requiredKeys: [] });
    const options = { format, fields: ["a", "b"], headers: false } as const;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (list) => {
        // The fields have to be in the first row.
        const textOf = async (some: readonly Json[]) => (await written(rows([{ a: 0, b: 0 }, ...some]), options)).text;
        const { length } = await textOf([]);
        const alone = await Promise.all(list.map(async (one) => (await textOf([one])).slice(length)));
        expect((await textOf(list)).slice(length)).toBe(alone.join(""));
      }),
    );
  });

  it("a single empty cell is a record", async () => {
    const { text } = await written(rows([{ a: null }, { a: "" }, { a: 1 }]), { format: "csv" });
    expect(text).toBe('a\n""\n""\n1\n');
  });

  it("a carriage return stays inside its cell", async () => {
    const { text } = await written(rows([{ a: "x\ry", b: 1 }]), { format: "csv" });
    expect(text).toBe('a,b\n"x\ry",1\n');
  });

  it("defuses formulas in values and in headers", async () => {
    const { text } = await written(rows([{ "=x": '=HYPERLINK("http://evil")', n: "-30" }]), { format: "csv" });
    expect(text).toBe(`'=x,n\n"'=HYPERLINK(""http://evil"")",-30\n`);
  });

  it.each<Format>(["csv", "tsv"])(
    "%s has the entity's fields first and what else the first page has",
    async (format) => {
      const { text } = await written(rows([{ extra: 1, amount: 2 }]), { format }, { entity: Transfer });
      const header = text.split("\n")[0]?.split(/[,\t]/) ?? [];
      expect(header.slice(0, 3)).toEqual(["block_id", "trans_id", "block_time"]);
      expect(header.at(-1)).toBe("extra");
      const empty = await written(rows([]), { format }, { entity: Transfer });
      expect(empty.text.split(/[,\t]/)).toContain("activity_type");
    },
  );

  it("reports fields without a column", async () => {
    const { text, notes } = await written(rows([{ a: 1 }, { a: 2, late: 3 }], 1), { format: "csv" });
    expect(text).toBe("a\n1\n2\n");
    expect(notes).toEqual(["Later rows have fields without a column: late; use -o json to see all fields."]);
  });

  it("puts plain values among objects into a separate column", async () => {
    const list = [{ a: 1 }, 5, "x", [6], null, { a: 2 }];
    expect((await written(rows(list, 10), { format: "csv" })).text).toBe("a,value\n1,\n,5\n,x\n,[6]\n,\n2,\n");
    const later = await written(rows([{ a: 1 }, 5, { a: 2 }, "x"], 1), { format: "tsv" });
    expect(later.text).toBe("a\n1\n\n2\n\n");
    expect(later.notes).toEqual(["2 later rows are not objects and were left out; use -o json to see all rows."]);
    const chosen = await written(rows(list, 10), { format: "csv", fields: ["a"] });
    expect([chosen.text.split("\n")[0], chosen.notes]).toEqual(["a", []]);
  });

  it.each<Format>(["csv", "tsv", "parquet"])("%s refuses rows of more fields than any answer has", async (format) => {
    const row = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`field_${at}`, at]));
    await expect(written(rows([row]), { format })).rejects.toMatchObject({ code: "TOO_MANY_COLUMNS", exit: "usage" });
    expect((await written(rows([row]), { format, fields: ["field_7"] })).rows).toBe(1);
  });

  it("writes no lines for rows without fields, with a note", async () => {
    const note = "The rows have no fields; nothing was written.";
    expect(await written(rows([{}, {}], 1), { format: "csv" })).toMatchObject({ text: "", rows: 2, notes: [note] });
    expect(await written(rows([]), { format: "csv" })).toMatchObject({ text: "", notes: [] });
    const later = await written(rows([{}, { a: 1 }], 1), { format: "tsv" });
    expect([later.text, later.notes]).toEqual(["", [expect.stringContaining("without a column: a")]]);
  });

  it("writes raw times, unless a style is set", async () => {
    const row = { block_time: 1720171655, time: "2024-07-05T09:27:35.000Z", amount: 1720171655 };
    const fields = ["block_time", "time", "amount"];
    const line = async (time?: "iso" | "relative" | "unix") => {
      const { text } = await written(rows([row]), { format: "csv", fields, time }, { entity: Transfer });
      return text.split("\n")[1];
    };
    expect(await line()).toBe("1720171655,2024-07-05T09:27:35.000Z,1720171655");
    expect(await line("iso")).toBe("2024-07-05T09:27:35Z,2024-07-05T09:27:35Z,1720171655");
    expect(await line("relative")).toBe("3m ago,3m ago,1720171655");
  });

  it("contains no control characters, in a file or pipe either", async () => {
    const row = { name: "\u001b[2Jx\u202e" };
    expect((await written(rows([row]), { format: "csv", isTerminal: true })).text).toBe("name\n‹U+001B›[2Jx‹U+202E›\n");
    expect((await written(rows([row]), { format: "csv" })).text).toBe("name\n‹U+001B›[2Jx\u202e\n");
    expect((await written(rows([row]), { format: "tsv" })).text).toBe("name\n\\x1b[2Jx\u202e\n");
    expect((await written(rows([row]), { format: "name" })).text).toBe("\\x1b[2Jx\u202e\n");
  });

  /** Control characters, what spreadsheets calculate, and what ends a cell or a line. */
  const RAW = '=\u001b]52;c;QUFB\u0007"x",\n\t\\\u009b2J';

  it.each<[Format, string]>([
    ["csv", `name\n"${RAW.replaceAll('"', '""')}"\n`],
    ["tsv", 'name\n=\u001b]52;c;QUFB\u0007"x",\\n\\t\\\\\u009b2J\n'],
    ["name", '=\u001b]52;c;QUFB\u0007"x",\\n\\t\\\\\u009b2J\n'],
  ])("contains text as it is with --raw-text, not on a terminal: %s", async (format, text) => {
    const options = { format, rawText: true };
    expect((await written(rows([{ name: RAW }]), options)).text).toBe(text);
    await expect(written(rows([{ name: RAW }]), { ...options, isTerminal: true })).rejects.toThrow("on a terminal");
  });

  it.each(FORMAT_NAMES.filter((format) => !["csv", "tsv", "name"].includes(format)))(
    "alone take --raw-text: %s does not",
    async (format) => {
      await expect(written(rows([]), { format, rawText: true })).rejects.toThrow(
        `--raw-text cannot be used with -o ${format}`,
      );
    },
  );

  it("writes an object as one row and a plain value as a cell", async () => {
    expect((await written({ kind: "object", value: { a: 1, b: true } }, { format: "csv" })).text).toBe("a,b\n1,true\n");
    expect((await written({ kind: "object", value: 1554 }, { format: "csv" })).text).toBe("value\n1554\n");
  });
});
