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
const found = (typed: string) => applyFilter(parseFilter(typed), texts).matches;

describe("the filter of a page", () => {
  it("finds text in any case, inverted after an exclamation mark", () => {
    expect(found("epjf")).toEqual([0, 2]);
    expect(found("!epjf")).toEqual([1]);
    expect(found("")).toEqual([0, 1, 2]);
    expect(found("!")).toEqual([0, 1, 2]);
    expect(found("nothing of it")).toEqual([]);
  });

  it("sees what is shown, what came, and times as dates", () => {
    expect(found("12,345,678")).toEqual([2]);
    expect(found("12345678000000")).toEqual([2]);
    expect(found("10m ago")).toEqual([0, 1, 2]);
    expect(found("2024-07-05T09:27")).toEqual([0, 1, 2]);
  });

  it("takes patterns after ~ or between slashes, on each cell alone", () => {
    expect(found("~^in$")).toEqual([0]);
    expect(found("/^OUT$/")).toEqual([1, 2]);
    expect(found("!/^out$")).toEqual([0]);
    expect(found("~epjf|so111")).toEqual([0, 1, 2]);
  });

  it("takes the signs of patterns as text elsewhere", () => {
    expect(parseFilter("1.5")).toEqual({ kind: "text", text: "1.5", isInverse: false });
    expect(found("1.5")).toEqual([0]);
  });

  it("says what is no pattern, and leaves all rows", () => {
    const { matches, problem } = applyFilter(parseFilter("~(usd"), texts);
    expect(matches).toEqual([0, 1, 2]);
    expect(problem).toBe("(usd is not a valid regular expression");
  });

  it("gives up a pattern that would take for ever, and says so", () => {
    const long = Array.from({ length: 5000 }, () => `${"a".repeat(60)}!`);
    const { matches, problem } = applyFilter(parseFilter("~^(a+)+$"), long);
    expect(matches).toHaveLength(5000);
    expect(problem).toMatch(/takes too long/);
  });

  it("and its inverse share out the rows", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), fc.string({ minLength: 1 }), (lines, typed) => {
        fc.pre(!/^[!~/]/.test(typed));
        const kept = applyFilter(parseFilter(typed), lines).matches;
        const others = applyFilter(parseFilter(`!${typed}`), lines).matches;
        expect([...kept, ...others].sort((a, b) => a - b)).toEqual(lines.map((_line, index) => index));
      }),
    );
  });
});
