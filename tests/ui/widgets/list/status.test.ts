import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListSort } from "../../../../src/ui/navigation/list-settings.ts";
import { lineWidth, type TextLine, textLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { INITIAL_ROWS } from "../../../../src/ui/widgets/list/rows.ts";
import { listStatus, type StatusPart, statusLine, topLine } from "../../../../src/ui/widgets/list/status.ts";
import { TRANSFERS } from "./samples.ts";

const PLAIN = {
  count: 40,
  rowsBefore: 40,
  total: 12_345 as number | undefined,
  scope: "this page",
  filter: "",
  matches: 40,
  sort: undefined as ListSort | undefined,
  marked: 0,
  fresh: 0,
  hiddenColumns: 0,
  scrollKey: "l" as string | undefined,
  requests: 3,
  loaded: undefined as { isComplete: boolean } | undefined,
  totals: undefined as StatusPart | undefined,
  autoRefresh: undefined as string | undefined,
  incomplete: undefined as string | undefined,
};
const BY_VALUE: ListSort = { column: "value", isDescending: true, api: undefined };

/** Returns the status of a list with these numbers of rows, columns and requests. */
function statusOf(facts: Partial<typeof PLAIN>) {
  const all = { ...PLAIN, ...facts };
  const items = (count: number) => Array.from({ length: count }, (_, at) => at);
  const list = {
    table: { rows: items(all.count), columns: [{ key: "value", head: "VALUE" }, ...items(all.hiddenColumns)] },
    sort: all.sort,
    rowsBefore: all.rowsBefore,
    total: all.total,
    nextPage: undefined,
    load: { rows: all.loaded ? items(all.count) : [], isComplete: all.loaded?.isComplete, requests: 0, units: 0 },
    visible: { matches: items(all.matches), problem: undefined },
    displayed: {
      request: { endpoint: TRANSFERS, params: { page: 2 } },
      answer: { coverage: { incomplete: all.incomplete } },
    },
    state: {
      rows: { ...INITIAL_ROWS, filter: all.filter, sort: all.sort, marks: new Set(items(all.marked)) },
      answers: { requests: all.requests, units: all.requests * 100, newKeys: new Set(items(all.fresh)) },
    },
  } as unknown as Parameters<typeof listStatus>[0];
  const columns = { visible: [{ index: 0, width: 8 }], firstScrolled: 1, hasHiddenLeft: false, hasHiddenRight: true };
  const { scope, totals, autoRefresh } = all;
  const keyOf = () => all.scrollKey;
  return listStatus(list, { columns }, { ...OPTIONS, scope, totals, autoRefresh, keyOf });
}
const OPTIONS = { unicode: true, chargesUnits: true, isWalk: false };
const statusText = (facts: Partial<typeof PLAIN>, width: number) => textOf(statusLine(statusOf(facts), width));
const textOf = (spans: TextLine) =>
  spans
    .map(({ text }) => text)
    .join("")
    .trimEnd();

describe("the status line of a list", () => {
  it("says first why rows are missing, shortly where there is little space", () => {
    const incomplete = "The history of the index begins at slot 7: older rows are missing.";
    expect(statusText({ incomplete }, 120)).toMatch(`rows 41–80 of 12,345 · ${incomplete} · page 2`);
    expect(statusText({ incomplete }, 50)).toMatch("rows 41–80 of 12,345 · rows missing · page 2");
  });

  it("shows rows, pages and cost", () => {
    expect(statusText({}, 80)).toMatch(/^rows 41–80 of 12,345 · page 2 +3 requests, 300 units$/);
    expect(statusText({ rowsBefore: 0, total: 40 }, 80)).toMatch(/^40 rows /);
    expect(statusText({ count: 0, matches: 0, rowsBefore: 0, total: undefined, requests: 0 }, 80)).toBe("no rows");
  });

  it("always states that a filter and an order apply to this page", () => {
    const busy = { filter: "usdc", matches: 3, sort: BY_VALUE, marked: 2 };
    expect(statusText(busy, 120)).toContain("filter usdc: 3 of 40 rows, this page");
    expect(statusText(busy, 120)).toContain("sorted by VALUE ↓, this page · 2 marked");
    expect(statusText(busy, 80)).toContain("VALUE ↓, this page");
    expect(statusText({ ...busy, sort: { ...BY_VALUE, api: "value" } }, 120)).toContain(
      "sorted by VALUE ↓, by the API",
    );
  });

  it("states how many rows match filters by cell, which are named in their own line", () => {
    expect(statusText({ sort: BY_VALUE, matches: 3 }, 120)).toContain("of 12,345 · 3 of 40 rows, this page · sorted");
    expect(statusText({ sort: BY_VALUE }, 120)).not.toContain("of 40 rows");
  });

  it("states how much of a long list is loaded, and that filters and orders apply to that", () => {
    const loaded = { count: 3000, rowsBefore: 0, scope: "3,000 loaded rows", filter: "usdc" };
    const line = statusText({ ...loaded, matches: 7, loaded: { isComplete: false } }, 120);
    expect(line).toMatch(/^3,000 loaded of 12,345 · filter usdc: 7 of 3,000 rows, 3,000 loaded rows/);
    const all = { ...loaded, total: 3000, scope: "all 3,000 rows", loaded: { isComplete: true }, sort: BY_VALUE };
    expect(statusText(all, 120)).toMatch(/^all 3,000 rows · .* · sorted by VALUE ↓, all 3,000 rows/);
  });

  it("shows totals, of one unit where there is little space", () => {
    const totals = { full: textLine("Σ amount 1 SOL + 2 USDC"), short: textLine("Σ amount 1 SOL") };
    expect(statusText({ totals }, 120)).toContain("Σ amount 1 SOL + 2 USDC · page 2");
    expect(statusText({ totals }, 50)).toContain("12,345 · Σ amount 1 SOL");
  });

  it("shows the number of hidden columns and the key that scrolls to them, where there is space", () => {
    expect(statusText({ hiddenColumns: 3 }, 80)).toMatch(/page 2 · \+3 columns l +3 requests, 300 units$/);
    expect(statusText({ hiddenColumns: 1, scrollKey: undefined }, 80)).toMatch(/ · \+1 column +3 requests/);
    expect(statusText({ hiddenColumns: 3 }, 60)).toMatch(/page 2 +3 requests, 300 units$/);
    expect(statusText({}, 120)).not.toContain("column");
  });

  it("is shortened by a notice and fits any width", () => {
    expect(textOf(topLine(statusOf({}), textLine("Loading…"), 60))).toMatch(
      /^rows 41–80 of 12,345 · page 2 +Loading…$/,
    );
    expect(textOf(topLine(statusOf({}), textLine("x".repeat(50)), 60))).toBe("x".repeat(50));
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.string(), fc.nat(9), (width, filter, marked) => {
        const status = { filter, marked, sort: BY_VALUE, autoRefresh: "every 30s · 12,000 units/h", fresh: 3 };
        expect(lineWidth(statusLine(statusOf(status), width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
