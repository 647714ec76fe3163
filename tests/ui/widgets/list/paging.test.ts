import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import { IDLE_QUERY } from "../../../../src/ui/navigation/data-store.ts";
import {
  countRowsBefore,
  FIRST_PAGE,
  isTruncatedExport,
  nextPageRef,
  pageNumber,
  pageSizeParam,
  parsePageRef,
  totalRows,
} from "../../../../src/ui/widgets/list/paging.ts";
import { answerOf } from "../../support.tsx";
import { route, TRANSFERS, transfer, WALLET } from "./samples.ts";

const entryOf = (name: string, data: Json, more = {}) => ({
  ...IDLE_QUERY,
  answer: answerOf({ endpoint: route(name), params: {} }, data),
  ...more,
});

describe("the size of a page", () => {
  it("is the smallest permitted one that fills the window, and 100 rows where possible", () => {
    expect(pageSizeParam(TRANSFERS, {}, 10)).toEqual({ page_size: 100 });
    expect(pageSizeParam(TRANSFERS, {}, 500)).toEqual({ page_size: 100 });
    expect(pageSizeParam(route("v2-token-holders"), {}, 10)).toEqual({ page_size: 40 });
  });

  it("is not changed when the caller chose one or there is none", () => {
    expect(pageSizeParam(TRANSFERS, { page_size: 10 }, 50)).toEqual({});
    expect(pageSizeParam(route("account-tokens"), {}, 50)).toEqual({});
  });
});

describe("the position of a page", () => {
  it("follows from its number, its offset, or the previous pages", () => {
    expect(countRowsBefore(TRANSFERS, { page: 3, page_size: 40 }, FIRST_PAGE)).toBe(80);
    expect(countRowsBefore(route("token-holders"), { offset: 20, limit: 10 }, FIRST_PAGE)).toBe(20);
    expect(countRowsBefore(route("v2-account-transactions"), {}, { params: {}, rowsBefore: 80 })).toBe(80);
    expect(pageNumber(route("v2-account-transactions"), {})).toBeUndefined();
  });

  it("determines the parameters of the next page", () => {
    const entry = entryOf("v2-account-transfer", [transfer(), transfer()], {
      next: { address: WALLET, page: 2, page_size: 40 },
      hasMore: true,
    });
    expect(nextPageRef({ address: WALLET, page_size: 40 }, entry, 0)).toEqual({ params: { page: 2 }, rowsBefore: 2 });
    expect(nextPageRef({ address: WALLET }, { ...entry, hasMore: false }, 0)).toBeUndefined();
  });

  it("can be entered where pages have numbers", () => {
    expect(parsePageRef(TRANSFERS, "7")).toEqual({ params: { page: 7 }, rowsBefore: 0 });
    for (const typed of ["0", "", "x", "-1", "1.5"]) expect(parsePageRef(TRANSFERS, typed)).toBeUndefined();
    expect(parsePageRef(route("v2-account-transactions"), "2")).toBeUndefined();
  });
});

describe("the total number of rows", () => {
  it("is reported by the API or known at the end of the list", () => {
    expect(totalRows(route("v2-token-holders"), entryOf("v2-token-holders", { total: 613, items: [{}] }), 0)).toBe(613);
    expect(totalRows(TRANSFERS, entryOf("v2-account-transfer", [transfer()], { hasMore: false }), 40)).toBe(41);
    expect(totalRows(TRANSFERS, entryOf("v2-account-transfer", [transfer()]), 0)).toBeUndefined();
    expect(totalRows(TRANSFERS, entryOf("v2-account-transfer", [], { hasMore: false }), 3920)).toBeUndefined();
  });

  it("is unknown for a truncated export", () => {
    const name = "v2-account-transfer-export";
    const entry = entryOf(
      name,
      Array.from({ length: 5000 }, () => ({})),
      { hasMore: false },
    );
    expect(isTruncatedExport(route(name), entry)).toBe(true);
    expect(totalRows(route(name), entry, 0)).toBeUndefined();
  });
});
