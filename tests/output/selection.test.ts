import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { AccountDetail, DefiActivity, Transfer } from "../../src/catalogue/entities/index.ts";
import { parsePath, valueAt } from "../../src/output/fields/paths.ts";
import { parseFields, parsePaths } from "../../src/output/fields/selection.ts";
import { FORMAT_NAMES, type Format } from "../../src/output/index.ts";
import { rows, written } from "./helpers.ts";

const ROW = { a: 1, b: { c: "x", d: "y" }, list: [{ n: 1, m: 2 }, { n: 3 }], "odd.key": true };

describe("parsePath and valueAt", () => {
  it.each([
    ["a", 1],
    ["b.c", "x"],
    ["list[1].n", 3],
    ["list[].n", [1, 3]],
    ["list.n", [1, 3]],
    ["list.m", [2, null]],
    ['["odd.key"]', true],
    ['b["c"]', "x"],
    ["missing", undefined],
    ["a.b", undefined],
    ["list[7].n", undefined],
  ])("%s leads to %j", (path, value) => {
    expect(valueAt(ROW, parsePath(path))).toEqual(value);
  });

  it.each(["", ".", ".a", "a.", "a..b", "a[", "a[x]", "a[-1]", "[][0]", 'a["b'])("refuses %j", (path) => {
    expect(() => parsePath(path)).toThrow(UsageError);
  });

  it("does not read prototypes", () => {
    expect(valueAt(ROW, parsePath("constructor.name"))).toBeUndefined();
    expect(valueAt(ROW, parsePath("__proto__"))).toBeUndefined();
  });
});

describe("parseFields and parsePaths", () => {
  it("split at commas outside of brackets, and remove duplicates", () => {
    for (const [text, paths] of [
      ["a, b.c ,a", ["a", "b.c"]],
      ['["a,b"],c', ['["a,b"]', "c"]],
      ["Effective Slot,Epoch", ["Effective Slot", "Epoch"]],
    ] as const) {
      expect(parsePaths(text, "--changes")).toEqual(paths);
      expect(parseFields(text)).toEqual(paths.map((path) => ({ path })));
    }
  });

  it("read headings before paths; a colon in quotes is none", () => {
    expect(parseFields('WHEN:block_time,from_address, A B : b.c,["a:b"],C:["a:b"].c')).toEqual([
      { head: "WHEN", path: "block_time" },
      { path: "from_address" },
      { head: "A B", path: "b.c" },
      { path: '["a:b"]' },
      { head: "C", path: '["a:b"].c' },
    ]);
  });

  it.each(["", ",", " "])("refuse empty text: %j", (text) => {
    expect(() => parseFields(text)).toThrow("--fields is empty.");
    expect(() => parsePaths(text, "--changes")).toThrow("--changes is empty.");
  });

  it.each([
    ["A:x,A:y", "the heading A twice"],
    ["x,x:y", "the heading x twice"],
    ["A:", 'invalid value "A:" for --fields: expected FIELD or HEADING:FIELD'],
    [":x", 'invalid value ":x" for --fields'],
    ["A:b:c", 'invalid value "A:b:c" for --fields'],
    ["A:x..y", 'invalid path "x..y"'],
  ])("refuse %j", (text, message) => {
    expect(() => parseFields(text)).toThrow(message);
  });
});

describe("--fields", () => {
  const fields = ["b.d", "a", "list[1].n"];

  it.each<[Format, string]>([
    ["ndjson", '{"b":{"d":"y"},"a":1,"list":[{"n":3}]}\n'],
    ["csv", "b.d,a,list[1].n\ny,1,3\n"],
    ["tsv", "b.d\ta\tlist[1].n\ny\t1\t3\n"],
    ["yaml", '- b:\n    d: "y"\n  a: 1\n  list:\n    - "n": 3\n'],
    ["table", "D  A  N\ny  1  3\n"],
  ])("is the same in %s", async (format, text) => {
    expect((await written(rows([ROW]), { format, fields })).text).toBe(text);
  });

  it("selects from one object too", async () => {
    const content = { kind: "object", value: ROW } as const;
    expect((await written(content, { format: "ndjson", fields })).text).toBe(
      '{"b":{"d":"y"},"a":1,"list":[{"n":3}]}\n',
    );
    expect((await written(content, { format: "table", fields })).text).toBe(
      "b.d        y\na          1\nlist[1].n  3\n",
    );
  });

  it("gives all rows the same shape", async () => {
    const { text } = await written(rows([ROW, { a: 2 }, { b: null }]), { format: "ndjson", fields: ["a", "b.c"] });
    expect(text).toBe('{"a":1,"b":{"c":"x"}}\n{"a":2,"b":{"c":null}}\n{"a":null,"b":{"c":null}}\n');
  });

  it("selects a field of each item of a list", async () => {
    const { text } = await written(rows([ROW]), { format: "ndjson", fields: ["list[].n", "b", "b.c"] });
    expect(text).toBe('{"list":[{"n":1},{"n":3}],"b":{"c":"x","d":"y"}}\n');
  });

  it("refuses an unknown field with the nearest and all fields", async () => {
    const attempt = written(rows([{ block_id: 1 }]), { fields: ["amout"] }, { entity: Transfer });
    const error = await attempt.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      message: 'The answer has no field "amout".',
      hint: expect.stringMatching(/^Did you mean amount\? The fields are block_id, trans_id, .*flow\.$/),
    });
  });

  it.each([
    ["from", "from_address"],
    ["Signature", "trans_id"],
    ["slot", "block_id"],
  ])("suggests the field with the heading %s", async (heading, field) => {
    const attempt = written(rows([{ block_id: 1 }]), { fields: [heading] }, { entity: Transfer });
    await expect(attempt).rejects.toMatchObject({
      hint: expect.stringMatching(`^Did you mean ${field}\\? The fields`),
    });
  });

  it("suggests the field of a label", async () => {
    const attempt = written(rows([{ lamports: 1 }]), { fields: ["balance"] }, { entity: AccountDetail });
    await expect(attempt).rejects.toMatchObject({ hint: expect.stringMatching(/^Did you mean lamports\? /) });
  });

  it("suggests none where none is near", async () => {
    const attempt = written(rows([{ block_id: 1 }]), { fields: ["nosuch"] }, { entity: Transfer });
    await expect(attempt).rejects.toMatchObject({ hint: expect.stringMatching(/^The fields are block_id/) });
  });

  it("checks nested entities", async () => {
    const { text } = await written(
      rows([{}]),
      { format: "csv", fields: ["amount_info.token1"] },
      { entity: DefiActivity },
    );
    expect(text).toBe('amount_info.token1\n""\n');
    await expect(
      written(rows([{}]), { fields: ["amount_info.tokne1"] }, { entity: DefiActivity }),
    ).rejects.toMatchObject({
      message: '"amount_info" has no field "tokne1".',
      hint: expect.stringContaining("Did you mean token1?"),
    });
    await expect(written(rows([{}]), { fields: ["block_id.x"] }, { entity: DefiActivity })).rejects.toThrow(UsageError);
  });

  it("accepts a field that only the data has", async () => {
    const { text } = await written(
      rows([{ brand_new: 7 }]),
      { format: "csv", fields: ["brand_new"] },
      { entity: Transfer },
    );
    expect(text).toBe("brand_new\n7\n");
  });

  it("checks against the entity when there are no rows", async () => {
    expect((await written(rows([]), { format: "csv", fields: ["amount"] }, { entity: Transfer })).text).toBe(
      "amount\n",
    );
    await expect(written(rows([]), { format: "csv", fields: ["amout"] }, { entity: Transfer })).rejects.toThrow(
      UsageError,
    );
    expect((await written(rows([]), { format: "csv", fields: ["anything"] })).text).toBe("anything\n");
  });

  it("writes nothing before the fields are checked", async () => {
    for (const format of FORMAT_NAMES) {
      const chunks: string[] = [];
      const sink = { write: async (chunk: string) => void chunks.push(chunk) };
      const { write } = await import("../../src/output/index.ts");
      const options = { format, fields: [{ path: "nope" }], width: 80, isTerminal: false, now: 0 };
      await expect(write(rows([ROW]), {}, options, sink)).rejects.toThrow(UsageError);
      expect(chunks).toEqual([]);
    }
  });
});

describe("--fields with headings", () => {
  const fields = parseFields("When:a,Who:b.c,b.d");

  it.each<[Format, string]>([
    ["ndjson", '{"When":1,"Who":"x","b.d":"y"}\n'],
    ["csv", "When,Who,b.d\n1,x,y\n"],
    ["tsv", "When\tWho\tb.d\n1\tx\ty\n"],
    ["yaml", '- When: 1\n  Who: "x"\n  "b.d": "y"\n'],
    ["table", "When  Who  D\n   1  x    y\n"],
  ])("uses them as names in %s", async (format, text) => {
    expect((await written(rows([ROW]), { format, fields })).text).toBe(text);
  });
});

describe("fields of one list inside an object", () => {
  const value = {
    total: 7,
    list: [{ n: 1, m: "x" }, { n: 2 }],
    inner: { rows: [{ a: 1 }] },
    plain: ["a", "b"],
    none: [],
  };
  const csv = async (
    options: { fields: readonly (string | { head: string; path: string })[] },
    format: Format = "csv",
  ) => (await written({ kind: "object", value }, { format, ...options })).text;

  it.each([
    [["list"], "n,m\n1,x\n2,\n"],
    [["list[]"], "n,m\n1,x\n2,\n"],
    [["list[].m", "list.n"], "list[].m,list.n\nx,1\n,2\n"],
    [["inner.rows"], "a\n1\n"],
    [["total", "list.n"], 'total,list.n\n7,"[1,2]"\n'],
    [["list[1].n"], "list[1].n\n2\n"],
    [["plain"], 'plain\n"[""a"",""b""]"\n'],
    [["none"], "none\n[]\n"],
  ])("are rows of CSV: %j", async (fields, text) => {
    expect(await csv({ fields })).toBe(text);
  });

  it("take headings, and are lines of -o name", async () => {
    expect(await csv({ fields: [{ head: "N", path: "list.n" }] })).toBe("N\n1\n2\n");
    expect(await csv({ fields: [{ head: "ITEM", path: "list" }] })).toContain('ITEM\n"{""n"":1,');
    expect(await csv({ fields: ["list.n"] }, "name")).toBe("1\n2\n");
  });

  it("are counted, and keep their structure in JSON", async () => {
    const object = { kind: "object", value } as const;
    expect((await written(object, { format: "csv", fields: ["list"] })).rows).toBe(2);
    expect(JSON.parse((await written(object, { fields: ["list.n"] })).text)).toEqual({ list: [{ n: 1 }, { n: 2 }] });
  });

  it("are named where the whole object is one row", async () => {
    const { notes } = await written({ kind: "object", value }, { format: "csv" });
    expect(notes).toEqual(["The list list is JSON in a cell. To print a row for each item: --fields list"]);
    expect((await written({ kind: "object", value: { a: 1, plain: ["a"] } }, { format: "csv" })).notes).toEqual([]);
    expect((await written({ kind: "object", value }, { format: "csv", fields: ["total", "list"] })).notes).toEqual([]);
  });
});
