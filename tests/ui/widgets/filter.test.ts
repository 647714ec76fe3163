import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFilter, parseFilter } from "../../../src/ui/widgets/filter.ts";
import { searchTexts } from "../../../src/ui/widgets/list/table.ts";
import { CLOCK, transfer, transferTable, USDC, WSOL } from "./list/samples.ts";

const rows = [
  transfer({ flow: "in", token_address: USDC, amount: 1_500_000 }),
  transfer({ flow: "out", token_address: WSOL, amount: 2_000_000_000, token_decimals: 9 }),
  transfer({ flow: "out", token_address: USDC, amount: 12_345_678_000_000 }),
];
const texts = searchTexts(transferTable(rows), CLOCK);
const matchesOf = (typed: string) => applyFilter(parseFilter(typed), texts).matches;

describe("a row filter", () => {
  it("matches text in any case, inverted by an exclamation mark", () => {
    expect(matchesOf("epjf")).toEqual([0, 2]);
    expect(matchesOf("!epjf")).toEqual([1]);
    expect(matchesOf("")).toEqual([0, 1, 2]);
    expect(matchesOf("!")).toEqual([0, 1, 2]);
    expect(matchesOf("nothing of it")).toEqual([]);
  });

  it("matches formatted values, raw values, and times as dates", () => {
    expect(matchesOf("12.35M")).toEqual([2]);
    expect(matchesOf("12,345,678")).toEqual([2]);
    expect(matchesOf("12345678000000")).toEqual([2]);
    expect(matchesOf("10m ago")).toEqual([0, 1, 2]);
    expect(matchesOf("2024-07-05T09:27")).toEqual([0, 1, 2]);
  });

  it("accepts patterns after ~ or between slashes, for each cell separately", () => {
    expect(matchesOf("~^in$")).toEqual([0]);
    expect(matchesOf("/^OUT$/")).toEqual([1, 2]);
    expect(matchesOf("!/^out$")).toEqual([0]);
    expect(matchesOf("~epjf|so111")).toEqual([0, 1, 2]);
  });

  it("matches characters in their order after -f, in one cell, and leaves the order of the rows", () => {
    const cells = ["other", "my treasury", "treasury", `Bonk\n${WSOL}`, `other\nB${"2".repeat(20)}n${"2".repeat(20)}k`];
    const fuzzyMatches = (typed: string) => applyFilter(parseFilter(typed), cells).matches;
    expect(fuzzyMatches("-f trsry")).toEqual([1, 2]);
    expect(fuzzyMatches("!-f trsry")).toEqual([0, 3, 4]);
    expect(fuzzyMatches("-f bnk")).toEqual([3]);
    expect(fuzzyMatches("-f so1111")).toEqual([3]);
    expect(matchesOf("-f ")).toEqual([0, 1, 2]);
    expect(matchesOf("-f")).toEqual([0, 1, 2]);
    expect(matchesOf("-force")).toEqual([]);
  });

  it("treats the special characters of patterns as text otherwise", () => {
    expect(parseFilter("1.5")).toEqual({ kind: "text", text: "1.5", isInverse: false });
    expect(matchesOf("1.5")).toEqual([0]);
  });

  it("reports an invalid pattern and matches all rows", () => {
    const { matches, problem } = applyFilter(parseFilter("~(usd"), texts);
    expect(matches).toEqual([0, 1, 2]);
    expect(problem).toBe("(usd is not a valid regular expression");
  });

  it("interrupts a pattern that takes too long and reports it", () => {
    const long = Array.from({ length: 5000 }, () => `${"a".repeat(60)}!`);
    const { matches, problem } = applyFilter(parseFilter("~^(a+)+$"), long);
    expect(matches).toHaveLength(5000);
    expect(problem).toMatch(/takes too long/);
  });

  it("and its inverse partition the rows", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), fc.string({ minLength: 1 }), (lines, typed) => {
        fc.pre(!/^[!~/]/.test(typed));
        const matching = applyFilter(parseFilter(typed), lines).matches;
        const others = applyFilter(parseFilter(`!${typed}`), lines).matches;
        expect([...matching, ...others].sort((a, b) => a - b)).toEqual(lines.map((_line, index) => index));
      }),
    );
  });
});
