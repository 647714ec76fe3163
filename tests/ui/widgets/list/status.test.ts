import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { lineWidth, textLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { type ListStatus, statusLine, topLine } from "../../../../src/ui/widgets/list/status.ts";

const PLAIN: ListStatus = {
  hiddenColumns: 0,
  scrollKey: "l",
  rowCount: 40,
  rowsBefore: 40,
  total: 12_345,
  isTruncated: false,
  page: 2,
  scope: "this page",
  filter: "",
  matches: 40,
  problem: undefined,
  sort: undefined,
  isApiSort: false,
  markedCount: 0,
  newCount: 0,
  autoRefresh: undefined,
  requests: 3,
  units: 300,
};
const textOf = (spans: TextLine) =>
  spans
    .map(({ text }) => text)
    .join("")
    .trimEnd();

describe("the status line of a list", () => {
  it("shows rows, pages and cost", () => {
    expect(textOf(statusLine(PLAIN, 80))).toMatch(/^rows 41–80 of 12,345 · page 2 +3 requests, 300 units$/);
    expect(textOf(statusLine({ ...PLAIN, rowsBefore: 0, total: 40, page: undefined }, 80))).toMatch(/^40 rows /);
    expect(textOf(statusLine({ ...PLAIN, rowCount: 0, total: undefined, page: undefined, requests: 0 }, 80))).toBe(
      "no rows",
    );
  });

  it("always states that a filter and an order apply to this page", () => {
    const busy = { ...PLAIN, filter: "usdc", matches: 3, sort: "VALUE ↓", markedCount: 2 };
    expect(textOf(statusLine(busy, 120))).toContain("filter usdc: 3 of 40 rows, this page");
    expect(textOf(statusLine(busy, 120))).toContain("sorted by VALUE ↓, this page · 2 marked");
    expect(textOf(statusLine(busy, 80))).toContain("VALUE ↓, this page");
    expect(textOf(statusLine({ ...busy, isApiSort: true }, 120))).toContain("sorted by VALUE ↓, by the API");
  });

  it("states how many rows match filters by cell, which are named in their own line", () => {
    const sorted = { ...PLAIN, sort: "VALUE ↓" };
    expect(textOf(statusLine({ ...sorted, matches: 3 }, 120))).toContain(
      "of 12,345 · 3 of 40 rows, this page · sorted",
    );
    expect(textOf(statusLine(sorted, 120))).not.toContain("of 40 rows");
  });

  it("states how much of a long list is loaded, and that filters and orders apply to that", () => {
    const loaded = {
      ...PLAIN,
      rowCount: 3000,
      rowsBefore: 0,
      page: undefined,
      scope: "3,000 loaded rows",
      filter: "usdc",
    };
    const line = textOf(statusLine({ ...loaded, matches: 7, loaded: { isComplete: false } }, 120));
    expect(line).toMatch(/^3,000 loaded of 12,345 · filter usdc: 7 of 3,000 rows, 3,000 loaded rows/);
    const all = { ...loaded, total: 3000, scope: "all 3,000 rows", loaded: { isComplete: true }, sort: "VALUE ↓" };
    expect(textOf(statusLine(all, 120))).toMatch(/^all 3,000 rows · .* · sorted by VALUE ↓, all 3,000 rows/);
  });

  it("shows totals, of one unit where there is little space", () => {
    const totals = { full: textLine("Σ amount 1 SOL + 2 USDC"), short: textLine("Σ amount 1 SOL") };
    expect(textOf(statusLine({ ...PLAIN, totals }, 120))).toContain("Σ amount 1 SOL + 2 USDC · page 2");
    expect(textOf(statusLine({ ...PLAIN, totals }, 50))).toContain("12,345 · Σ amount 1 SOL");
  });

  it("shows the number of hidden columns and the key that scrolls to them, where there is space", () => {
    const wide = { ...PLAIN, hiddenColumns: 3 };
    expect(textOf(statusLine(wide, 80))).toMatch(/page 2 · \+3 columns l +3 requests, 300 units$/);
    expect(textOf(statusLine({ ...wide, hiddenColumns: 1, scrollKey: undefined }, 80))).toMatch(
      / · \+1 column +3 requests/,
    );
    expect(textOf(statusLine(wide, 60))).toMatch(/page 2 +3 requests, 300 units$/);
    expect(textOf(statusLine(PLAIN, 120))).not.toContain("column");
  });

  it("is shortened by a notice and fits any width", () => {
    expect(textOf(topLine(PLAIN, textLine("Loading…"), 60))).toMatch(/^rows 41–80 of 12,345 · page 2 +Loading…$/);
    expect(textOf(topLine(PLAIN, textLine("x".repeat(50)), 60))).toBe("x".repeat(50));
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.string(), fc.nat(9), (width, filter, markedCount) => {
        const autoRefresh = "every 30s · 12,000 units/h";
        const status = { ...PLAIN, filter, markedCount, sort: "TOTAL VOLUME 24H ↓", autoRefresh, newCount: 3 };
        expect(lineWidth(statusLine(status, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
