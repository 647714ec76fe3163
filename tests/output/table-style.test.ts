/** Tables with lines around them: borders, ASCII and Markdown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { anyRow, pages, rows, USDC, WALLET, written } from "./helpers.ts";

const list: Json[] = [
  { name: "USD Coin", amount: 12, address: USDC },
  { name: "日本 | [x](http://y)", amount: 3, address: WALLET },
];
const terminal = { format: "table", isTerminal: true, width: 80 } as const;
const table = async (options = {}) => (await written(rows(list), { ...terminal, ...options })).text;

describe("--table-style", () => {
  it("border draws rounded corners and one line below the headings", async () => {
    expect(await table({ tableStyle: "border", width: 60 })).toBe(
      [
        "╭──────────────────────┬────────┬───────────╮",
        "│ NAME                 │ AMOUNT │ ADDRESS   │",
        "├──────────────────────┼────────┼───────────┤",
        "│ USD Coin             │     12 │ EPjF…Dt1v │",
        "│ 日本 | [x](http://y) │      3 │ 5Q54…e4j1 │",
        "╰──────────────────────┴────────┴───────────╯",
        "",
      ].join("\n"),
    );
  });

  it("border uses ASCII where the terminal has nothing else", async () => {
    const text = await table({ tableStyle: "border", width: 60, unicode: false });
    expect(text.split("\n")[0]).toBe("+----------------------+--------+-----------+");
    expect(text.replaceAll(/日本/g, "")).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("markdown aligns numbers and escapes what Markdown would obey", async () => {
    expect(await table({ format: "markdown", isTerminal: false, width: Number.POSITIVE_INFINITY })).toBe(
      [
        "| NAME                    | AMOUNT | ADDRESS                                      |",
        "|-------------------------|-------:|----------------------------------------------|",
        "| USD Coin                |     12 | EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v |",
        "| 日本 \\| \\[x\\](http://y) |      3 | 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1 |",
        "",
      ].join("\n"),
    );
  });

  it("auto draws a border only where columns, texts and whole identifiers stay", async () => {
    const plain = await table({ width: 100 });
    expect(await table({ width: 100, tableStyle: "auto" })).toBe(await table({ width: 100, tableStyle: "border" }));
    const widest = Math.max(...plain.split("\n").map(textWidth));
    expect(await table({ width: widest + 2, tableStyle: "auto" })).toBe(plain);
  });

  it("falls back to plain where there is no width for lines", async () => {
    expect(await table({ width: 15, tableStyle: "border" })).toBe(await table({ width: 15 }));
  });

  it("prints pages as they arrive, inside one frame", async () => {
    const content = () => ({ kind: "rows", pages: pages(list.slice(0, 1), list.slice(1)) }) as const;
    const { chunks, text } = await written(content(), { ...terminal, tableStyle: "border" });
    expect(chunks).toHaveLength(3);
    expect(text.match(/[╭╰]/g)).toEqual(["╭", "╰"]);
    expect((await written(content(), { ...terminal, format: "markdown" })).text.match(/^\|---/gm)).toHaveLength(1);
  });

  it("draws more rows than cli-table3 gets at once", async () => {
    const many = Array.from({ length: 123 }, (_, n) => ({ n }));
    const { text } = await written(rows(many, 123), { ...terminal, tableStyle: "border" });
    expect(text.trimEnd().split("\n")).toHaveLength(123 + 4);
  });

  it.each(["border", "markdown"] as const)(
    "%s has lines of equal width, never wider than the terminal",
    async (tableStyle) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRow, { minLength: 1, maxLength: 5 }),
          fc.integer({ min: 16, max: 120 }),
          async (any, width) => {
            const { text } = await written(rows(any), { ...terminal, tableStyle, width });
            const lines = text.split("\n").filter((line) => /^[│|╭├╰]/.test(line));
            expect(new Set(lines.map(textWidth)).size).toBe(1);
            expect(textWidth(lines[0] ?? "")).toBeLessThanOrEqual(width);
          },
        ),
        { numRuns: 200 },
      );
    },
  );
});

describe("a record", () => {
  const record = { name: "USD Coin", decimals: 6, holders: [{ owner: WALLET, share: 5 }] };
  const text = async (options = {}) =>
    (await written({ kind: "object", value: record }, { ...terminal, ...options })).text;

  it("has a border when one is chosen, and none by default", async () => {
    expect(await text({ tableStyle: "border" })).toBe(
      [
        "╭──────────┬──────────╮",
        "│ FIELD    │ VALUE    │",
        "├──────────┼──────────┤",
        "│ name     │ USD Coin │",
        "│ decimals │ 6        │",
        "╰──────────┴──────────╯",
        "",
        "holders (1)",
        "╭──────────────────────────────────────────────┬───────╮",
        "│ OWNER                                        │ SHARE │",
        "├──────────────────────────────────────────────┼───────┤",
        "│ 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1 │     5 │",
        "╰──────────────────────────────────────────────┴───────╯",
        "",
      ].join("\n"),
    );
    expect((await text({ tableStyle: "auto" })).split("\n").slice(0, 2)).toEqual(["name      USD Coin", "decimals  6"]);
  });

  it("is Markdown with blank lines around its tables", async () => {
    expect((await text({ tableStyle: "markdown" })).split("\n").slice(0, 7)).toEqual([
      "| FIELD    | VALUE    |",
      "|----------|----------|",
      "| name     | USD Coin |",
      "| decimals | 6        |",
      "",
      "holders (1)",
      "",
    ]);
  });
});
