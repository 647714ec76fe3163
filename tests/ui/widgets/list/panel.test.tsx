import { describe, expect, it } from "vitest";
import { SolxError } from "../../../../src/base/errors.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { ParameterValues } from "../../../../src/catalogue/index.ts";
import type { Route } from "../../../../src/ui/app/route.ts";
import { type FakeAnswer, fakeData, renderExplorer } from "../../support.tsx";
import { OTHER, SIGNATURE, transfer, USDC, WALLET, WSOL } from "./samples.ts";

const ROUTE = "v2-account-transfer";
const LIST_ROUTE: Route = { kind: "endpoint", endpointRoute: ROUTE, params: { address: WALLET, page_size: 40 } };

/** Pages of transfers: amounts decrease over all pages, and every third transfer is outgoing. */
const pagesOf =
  (last: number, more: (index: number) => JsonObject = () => ({})): FakeAnswer =>
  (params: ParameterValues) => {
    const size = Number(params.page_size);
    const from = (Number(params.page ?? 1) - 1) * size;
    return Array.from({ length: Math.min(size, last - from) }, (_one, at) => {
      const index = from + at;
      const flow = index % 3 === 0 ? "out" : "in";
      return transfer({
        amount: (1000 - index) * 1_000_000,
        block_id: index,
        flow,
        trans_id: `tx ${index}`,
        ...more(index),
      });
    });
  };

const open = (answer: FakeAnswer = pagesOf(100), size: { width?: number; height?: number } = {}) => {
  const data = fakeData({ [ROUTE]: answer });
  return { data, ...renderExplorer({ route: LIST_ROUTE, data, width: 120, height: 24, ...size }) };
};

/** Returns the line of the cursor, recognised by its inverse colours. */
function cursorLine(styled: string): string {
  const line = styled.split("\n").find((one) => /\u001B\[(\d+;)*7m {2}|\u001B\[(\d+;)*7m[✓•] /.test(one));
  return (line ?? "").replace(/\u001B\[[\d;]*m/g, "");
}

describe("a list", () => {
  it("shows rows with units, counts them, and requests pages that fill the window", async () => {
    const { waitFor, data } = open();
    const frame = await waitFor("BLOCK TIME");
    expect(frame).toContain("rows 1–40 · page 1");
    expect(frame).toMatch(/in +999 +EPjF…Dt1v/);
    expect(data.requests.map(({ params }) => params)).toEqual([{ address: WALLET, page_size: 40 }]);
  });

  it("names the key that scrolls to hidden columns", async () => {
    const { waitFor, press } = open(pagesOf(100), { width: 80 });
    await waitFor(/ · \+\d columns? l /);
    await press("lllllllll");
    await waitFor(/ · \+\d columns? h /);
  });

  it("moves by row, by half a screen and to the ends, at any speed", async () => {
    const { waitFor, press, styled } = open();
    await waitFor("BLOCK TIME");
    await press("jjjk");
    expect(cursorLine(styled())).toContain("998");
    await press("G");
    expect(cursorLine(styled())).toContain("961");
    await press("ctrl+u", "g", "down");
    expect(cursorLine(styled())).toContain("999");
  });

  it("opens pages in both directions and by number", async () => {
    const { waitFor, press } = open(pagesOf(100));
    await waitFor("rows 1–40");
    await press("n");
    await waitFor("rows 41–80 · page 2");
    await press("n");
    await waitFor("rows 81–100 of 100 · page 3");
    await press("p");
    await waitFor("rows 41–80");
    await press("P1", "enter");
    await waitFor("rows 1–40");
    await press("P", "3", "enter");
    await waitFor("rows 81–100");
    await press("p");
    await waitFor("rows 1–40");
  });

  it("reports a page after the last one", async () => {
    const { waitFor, press } = open();
    await waitFor("rows 1–40");
    await press("P", "9", "enter");
    await waitFor("Page 9 does not exist: the list ends before it.");
    await press("p");
    await waitFor("rows 1–40");
  });

  it("prefetches the next page only once it is likely to be opened", async () => {
    const { waitFor, press, data } = open();
    await waitFor("rows 1–40");
    expect(data.requests).toHaveLength(1);
    await press("G");
    expect(data.requests.at(-1)?.params).toMatchObject({ page: 2 });
    await press("n");
    await waitFor("rows 41–80");
    expect(data.requests.filter(({ params }) => params.page === 2)).toHaveLength(1);
  });

  it("keeps the rows while another page loads, and ignores keys for a missing page", async () => {
    let isSlow = false;
    const { waitFor, press, data, frame } = open((params) => {
      const rows = pagesOf(100);
      return isSlow ? undefined : typeof rows === "function" ? rows(params) : rows;
    });
    await waitFor("rows 1–40");
    isSlow = true;
    await press("n", "n", "n");
    expect(frame()).toContain("Loading");
    expect(frame()).toMatch(/1,000 +EPjF/);
    isSlow = false;
    data.setAnswers({});
    await waitFor("rows 41–80 · page 2");
  });

  it("filters while typing, and Esc clears the filter before it goes back", async () => {
    const { waitFor, press, frame } = open();
    await waitFor("rows 1–40");
    await press("/~^out$", "enter");
    expect(frame()).toContain("filter ~^out$: 14 of 40 rows, this page");
    expect(frame()).not.toMatch(/ in +999 /);
    await press("/", "backspace", "!");
    expect(frame()).toMatch(/this page/);
    await press("esc");
    expect(frame()).not.toContain("filter ~");
    expect(frame()).toContain("rows 1–40");
  });

  it("reports that no row matches, and an invalid pattern", async () => {
    const { waitFor, press, frame } = open();
    await waitFor("rows 1–40");
    await press("/zzz");
    expect(frame()).toMatch(/No rows on this page match zzz\./);
    expect(frame()).toContain("0 of 40");
    await press("ctrl+u", "~(", "enter");
    expect(frame()).toContain("( is not a valid regular expression");
  });

  it("cycles the order of the page and labels it", async () => {
    const { waitFor, press, frame, styled } = open();
    await waitFor("rows 1–40");
    await press("l", "l", "s");
    expect(frame()).toContain("sorted by AMOUNT ↓, this page");
    expect(cursorLine(styled())).toMatch(/1,000 /);
    await press("s");
    expect(frame()).toContain("AMOUNT↑");
    expect(cursorLine(styled())).toMatch(/ 961 /);
    await press("s");
    expect(frame()).not.toContain("sorted by");
  });

  it("requests an order that the API supports", async () => {
    const { waitFor, press, data } = open();
    await waitFor("rows 1–40");
    await press("s");
    expect(data.requests).toHaveLength(1);
    await press("s");
    await waitFor("sorted by BLOCK TIME ↑, by the API");
    expect(data.requests.at(-1)?.params).toMatchObject({ address: WALLET, sort_order: "asc" });
  });

  it("opens the link of the cell, otherwise a menu of the links of the row", async () => {
    const { waitFor, press, frame } = open(pagesOf(1, () => ({ trans_id: SIGNATURE })));
    await waitFor("1 row");
    await press("j", "enter");
    expect(frame()).toMatch(/Open.*\n.*1 transaction 4AU5…CC4f {2}trans id/);
    await press("esc", "l", "l", "l", "enter");
    await waitFor("token EPjF…Dt1v");
    await press("esc");
    await waitFor("1 row");
    await press("h", "enter", "enter");
    await waitFor("› transaction 4AU5…CC4f");
  });

  it("restores its state", async () => {
    const { waitFor, press, frame, styled } = open(
      pagesOf(100, (index) => ({ from_address: index === 45 ? OTHER : WALLET })),
    );
    await waitFor("rows 1–40");
    await press("n");
    await waitFor("rows 41–80");
    await press("l", "l", "s", "jjjjj", "l", "enter");
    await waitFor("token EPjF…Dt1v");
    await press("esc");
    await waitFor("rows 41–80 · sorted by AMOUNT ↓, this page");
    expect(cursorLine(styled())).toContain("955");
    expect(frame()).toContain("page 2");
  });

  it("keeps the selected row during a refresh and marks new rows", async () => {
    const list = (from: number) =>
      Array.from({ length: 5 }, (_one, at) =>
        transfer({ amount: (from - at) * 1_000_000, trans_id: `tx ${from - at}` }),
      );
    const { waitFor, press, data, styled, frame } = open(list(500));
    await waitFor("5 rows");
    await press("j", "j");
    expect(cursorLine(styled())).toContain(" 498 ");
    data.setAnswers({ [ROUTE]: list(502) });
    await press("r");
    await waitFor(" 502 ");
    expect(cursorLine(styled())).toContain(" 498 ");
    expect(frame()).toContain("2 new");
    expect(frame()).toMatch(/• .* 502 /);
  });

  it("keeps the rows when a refresh fails and reports it", async () => {
    const { waitFor, press, data } = open();
    await waitFor("rows 1–40");
    data.setAnswers({ [ROUTE]: new SolxError("network", "The connection was refused.") });
    await press("r");
    const frame = await waitFor("last refresh failed");
    expect(frame).toMatch(/1,000 +EPjF/);
  });

  it("distinguishes an empty answer from a failure", async () => {
    const empty = open([]);
    await empty.waitFor("No transfers of 5Q54…e4j1 · r refresh");
    const failed = open(new SolxError("network", "The connection was refused."));
    expect(await failed.waitFor("The API cannot be reached")).toContain("r retry");
  });

  it("keeps marks across pages", async () => {
    const { waitFor, press, frame } = open();
    await waitFor("rows 1–40");
    await press("space", "space", "n");
    await waitFor("rows 41–80");
    expect(frame()).toContain("2 marked");
    await press("space", "p");
    await waitFor("rows 1–40");
    expect(frame()).toContain("3 marked");
    expect(frame().match(/✓/g)).toHaveLength(2);
  });

  it("shows the preview to the right, or below in a narrow window", async () => {
    const wide = open();
    await wide.waitFor("rows 1–40");
    await wide.press("v", "j");
    expect(wide.frame()).toMatch(/│ amount +999/);
    const narrow = open(pagesOf(100), { width: 80 });
    await narrow.waitFor("rows 1–40");
    await narrow.press("v");
    expect(narrow.frame()).toMatch(/─{80}\nblock id/);
    await narrow.press("/zzz");
    expect(narrow.frame()).toMatch(/\/zzz .*\nEnter apply filter/);
  });

  it("shows the columns that the user chose, also in the next session", async () => {
    let saved: Readonly<Record<string, readonly string[]>> = {};
    const memory = {
      bookmarks: () => [],
      setBookmarks: async () => {},
      recent: () => [],
      setRecent: async () => {},
      columns: () => saved,
      setColumns: async (columns: Readonly<Record<string, readonly string[]>>) => {
        saved = columns;
      },
    };
    const show = () =>
      renderExplorer({ route: LIST_ROUTE, data: fakeData({ [ROUTE]: pagesOf(3) }), width: 120, services: { memory } });
    const first = show();
    await first.waitFor("BLOCK TIME");
    await first.press("C", "j", "space", "j", "J", "enter");
    expect(first.frame()).toMatch(/BLOCK TIME +TOKEN ADDRESS +AMOUNT/);
    expect(first.frame()).not.toContain("FLOW");
    expect(saved[ROUTE]?.slice(0, 3)).toEqual(["block_time", "token_address", "amount"]);
    const second = show();
    expect(await second.waitFor("AMOUNT")).toMatch(/BLOCK TIME +TOKEN ADDRESS +AMOUNT/);
    await second.press("C", "R", "enter");
    expect(second.frame()).toContain("FLOW");
    expect(saved).toEqual({});
  });

  it("scrolls horizontally with a frozen column and shows what is hidden", async () => {
    const { waitFor, press, frame } = open(pagesOf(100), { width: 60, height: 15 });
    await waitFor("rows 1–40");
    expect(frame()).toMatch(/BLOCK TIME +FLOW.* ›\n/);
    await press("l", "l", "l", "l", "l", "l", "l");
    expect(frame()).toMatch(/BLOCK TIME +‹.*TRANS ID *\n/);
    for (const line of frame().split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });

  it("marks lookalike addresses", async () => {
    const twin = `${USDC.slice(0, 4)}${WSOL.slice(4, 40)}${USDC.slice(-4)}`;
    const { waitFor } = open([transfer(), transfer({ token_address: twin, trans_id: "other" })]);
    const frame = await waitFor("2 rows");
    expect(frame.match(/≈/g)).toHaveLength(2);
  });
});
