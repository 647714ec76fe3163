import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextLine } from "../../../../src/ui/app/theme/text-line.ts";
import { lineWidth, textLine } from "../../../../src/ui/app/theme/text-line.ts";
import { type ListStatus, statusLine, topLine } from "../../../../src/ui/widgets/list/status.ts";

const PLAIN: ListStatus = {
  hiddenColumns: 0,
  scrollKey: "l",
  rowCount: 40,
  rowsBefore: 40,
  total: 12_345,
  isTruncated: false,
  page: 2,
  filters: [],
  filter: "",
  matches: 40,
  problem: undefined,
  sort: undefined,
  isPageSort: true,
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
    expect(textOf(statusLine({ ...busy, isPageSort: false }, 120))).toContain("sorted by VALUE ↓, by the API");
  });

  it("shows the filters of the request, abbreviated if necessary", () => {
    const filtered = { ...PLAIN, filters: ["token EPjF…Dt1v", "flow in", "from time 7d"] };
    expect(textOf(statusLine(filtered, 100))).toContain("12,345 · token EPjF…Dt1v, flow in, from time 7d · page 2");
    expect(textOf(statusLine(filtered, 60))).toContain("12,345 · 3 filters · page 2");
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
