import { describe, expect, it } from "vitest";
import { SolxError } from "../../../../src/base/errors.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { ParameterValues } from "../../../../src/catalogue/index.ts";
import type { ListSettings } from "../../../../src/ui/navigation/list-settings.ts";
import type { Route } from "../../../../src/ui/navigation/route.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { type FakeAnswer, fakeData, fakeServices, renderExplorer } from "../../support.tsx";
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
    const frame = await waitFor(/ {2}time /);
    expect(frame).toContain("rows 1–40 · Σ amount 39,220 USDC · page 1");
    expect(frame).toMatch(/in +999 +USDC/);
    expect(data.requests.map(({ params }) => params)).toEqual([{ address: WALLET, page_size: 40 }]);
  });

  it.each([
    ["1000", "value ≥ 1000 ✕"],
    ["1000..", "value ≥ 1000 ✕"],
    ["..5", "value ≤ 5 ✕"],
    [[1, 100], "value in 1..100 ✕"],
  ])("says what a range of %j is", async (value, chip) => {
    const route: Route = { kind: "endpoint", endpointRoute: ROUTE, params: { address: WALLET, value } };
    await renderExplorer({ route, data: fakeData({ [ROUTE]: [transfer({})] }), width: 120, height: 24 }).waitFor(chip);
  });

  it("shows the column by which the API filters, in any window", async () => {
    const route: Route = { kind: "endpoint", endpointRoute: ROUTE, params: { address: WALLET, value: [1000, null] } };
    for (const width of [80, 120, 200]) {
      const data = fakeData({ [ROUTE]: [transfer({ value: 1234.5 })] });
      const window = renderExplorer({ route, data, width, height: 24 });
      expect(await window.waitFor(/ {2}time /), `${width}`).toMatch(/ value [\s\S]*1,?234\.5/);
      window.unmount();
    }
  });

  it("shows transfers that are filtered by value with their values, largest first on `s`", async () => {
    const route: Route = { kind: "endpoint", endpointRoute: ROUTE, params: { address: WALLET, value: "1.." } };
    const amounts = [1_500_000, 40_000_000, 7_000_000];
    const rows = [...amounts.map((amount) => transfer({ amount })), transfer({ token_address: OTHER })];
    const data = fakeData({ [ROUTE]: rows });
    const shown: (readonly string[])[] = [];
    const prices = {
      ...data.prices,
      isOn: () => true,
      of: (mint: string) => (mint === USDC ? 2 : undefined),
      show: (_part: string, mints: readonly string[]) => void shown.push(mints),
    };
    const { waitFor, press } = renderExplorer({ route, data: Object.assign(data, { prices }), width: 120, height: 24 });
    const values = (frame: string) => [...frame.matchAll(/Z +(\$[\d.]+|-) +in/g)].map(([, value]) => value);
    expect(values(await waitFor(/ value now /))).toEqual(["$3.00", "$80.00", "$14.00", "-"]);
    expect(shown.at(-1)).toEqual([USDC, OTHER]);
    await press("s");
    expect(values(await waitFor(/sorted by value now/))).toEqual(["$80.00", "$14.00", "$3.00", "-"]);
    await press("!");
    await waitFor(/--with[\s\S]*value --sort-by value_usd:desc/);
  });

  it("names the key that scrolls to hidden columns", async () => {
    const { waitFor, press } = open(pagesOf(100), { width: 80 });
    await waitFor(/ · \+\d columns? l /);
    await press("lllllllll");
    await waitFor(/ · \+\d columns? h /);
  });

  it("hints at keys where they help: preview of hidden columns, refresh of new rows, page numbers", async () => {
    const { waitFor, press } = open(pagesOf(100), { width: 80 });
    await waitFor(/s sort {2}v preview/);
    const wide = open(pagesOf(100), { width: 140 });
    await wide.waitFor(/F filter form {2}a auto refresh/);
    await wide.press("n");
    await wide.waitFor(/page 2/);
    expect(await wide.waitFor(/P jump to page/)).not.toMatch(/a auto refresh/);
    await press("lllll");
    await waitFor(/v preview/);
  });

  it("moves by row, by half a screen and to the ends, at any speed", async () => {
    const { waitFor, press, styled } = open();
    await waitFor(/ {2}time /);
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
    await waitFor(/rows 41–80 .* page 2/);
    await press("n");
    await waitFor(/rows 81–100 of 100 .* page 3/);
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

  it("prefetches nothing while it refreshes by itself", async () => {
    const { waitFor, press, data } = open();
    await waitFor("rows 1–40");
    await press("a", "G");
    await waitFor("stop auto refresh");
    expect(data.requests.filter(({ params }) => params.page === 2)).toEqual([]);
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
    expect(frame()).toMatch(/1,000 +USDC/);
    isSlow = false;
    data.setAnswers({});
    await waitFor(/rows 41–80 .* page 2/);
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
    expect(frame()).toMatch(/No rows match the filters: zzz \(this page\)\./);
    expect(frame()).toContain("0 of 40");
    await press("ctrl+u", "~(", "enter");
    expect(frame()).toContain("( is not a valid regular expression");
  });

  it("sorts by the amount first, reverses the order and ends it, and says over what", async () => {
    const { waitFor, press, frame, styled } = open();
    await waitFor("rows 1–40");
    await press("s");
    expect(frame()).toContain("sorted by amount ↓, this page");
    expect(cursorLine(styled())).toMatch(/1,000 /);
    await press("s");
    expect(frame()).toContain("amount↑");
    expect(cursorLine(styled())).toMatch(/ 961 /);
    await press("s");
    expect(frame()).not.toContain("sorted by");
  });

  it("sorts by the column that the cursor was moved to, or whose heading is clicked", async () => {
    const { waitFor, press, frame, mouse } = open();
    await waitFor("rows 1–40");
    await press("h", "s");
    expect(frame()).toContain("sorted by flow ↑, this page");
    await mouse("click", "amount  token");
    expect(frame()).toContain("sorted by amount ↓, this page");
  });

  it("requests an order that the API supports", async () => {
    const { waitFor, press, data } = open();
    await waitFor("rows 1–40");
    await press("h", "h", "s");
    expect(data.requests).toHaveLength(1);
    await press("s");
    await waitFor("sorted by time ↑, by the API");
    expect(data.requests.at(-1)?.params).toMatchObject({ address: WALLET, sort_order: "asc" });
  });

  it("opens what the row is about at once, or the link of the cell that the cursor was moved to", async () => {
    const { waitFor, press, frame } = open(pagesOf(1, () => ({ trans_id: SIGNATURE })));
    await waitFor("1 row");
    expect(frame()).toContain("Enter open transaction");
    await press("enter");
    await waitFor("› transaction 4AU5…CC4f");
    await press("esc");
    await waitFor("1 row");
    await press("l");
    expect(frame()).toContain("Enter open token");
    await press("enter");
    await waitFor("› token USDC");
  });

  it("has a menu of all links of the row", async () => {
    const { waitFor, press, frame } = open(pagesOf(1, () => ({ trans_id: SIGNATURE })));
    await waitFor("1 row");
    await press("O");
    expect(frame()).toMatch(/Open.*\n.*1 transaction 4AU5…CC4f {2}/);
    await press("2");
    await waitFor(/› block/);
  });

  it("restores its state", async () => {
    const { waitFor, press, frame, styled } = open(
      pagesOf(100, (index) => ({ from_address: index === 45 ? OTHER : WALLET })),
    );
    await waitFor("rows 1–40");
    await press("n");
    await waitFor("rows 41–80");
    await press("s", "jjjjj", "l", "enter");
    await waitFor("› token USDC");
    await press("esc");
    await waitFor("rows 41–80 · sorted by amount ↓, this page");
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
    const frame = await waitFor("Refresh failed");
    expect(frame).toMatch(/1,000 +USDC/);
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
    expect(wide.frame()).toMatch(/│ {3}amount +999/);
    const narrow = open(pagesOf(100), { width: 80 });
    await narrow.waitFor("rows 1–40");
    await narrow.press("v");
    expect(narrow.frame()).toMatch(/─{80}\n {2}block id/);
    await narrow.press("/zzz");
    expect(narrow.frame()).toMatch(/\/zzz .*\nEnter apply filter/);
  });

  it("shows the columns that the user chose, also in the next session", async () => {
    let saved: Readonly<Record<string, ListSettings>> = {};
    const memory = {
      ...fakeServices().memory,
      bookmarks: () => [],
      setBookmarks: async () => {},
      recent: () => [],
      setRecent: async () => {},
      lists: () => saved,
      setLists: async (lists: Readonly<Record<string, ListSettings>>) => {
        saved = lists;
      },
    };
    const show = () =>
      renderExplorer({ route: LIST_ROUTE, data: fakeData({ [ROUTE]: pagesOf(3) }), width: 120, services: { memory } });
    const first = show();
    await first.waitFor(/ {2}time /);
    await first.press("C", "j", "space", "j", "J", "enter");
    expect(first.frame()).toMatch(/time +token +amount/);
    expect(first.frame()).not.toMatch(/ flow /);
    expect(saved[ROUTE]?.columns?.slice(0, 3)).toEqual(["block_time", "token_address", "amount"]);
    const second = show();
    expect(await second.waitFor(/ amount /)).toMatch(/time +token +amount/);
    await second.press("C", "R", "enter");
    expect(second.frame()).toMatch(/ flow /);
    expect(saved).toEqual({});
  });

  it("keeps the widths and the order that the user chose, for all lists of the endpoint", async () => {
    let saved: Readonly<Record<string, ListSettings>> = {};
    const memory = {
      ...fakeServices().memory,
      lists: () => saved,
      setLists: async (lists: typeof saved) => {
        saved = lists;
      },
    };
    const show = () =>
      renderExplorer({ route: LIST_ROUTE, data: fakeData({ [ROUTE]: pagesOf(3) }), width: 120, services: { memory } });
    const widthOf = (frame: string) => /time +(flow[ ↑↓]+)/.exec(frame)?.[1]?.length ?? 0;
    const first = show();
    const before = widthOf(await first.waitFor(/ {2}time /));
    await first.press(..."hhhhhhhhl}}}");
    expect(widthOf(first.frame())).toBe(before + 6);
    await first.press("s");
    await waitFor(() =>
      expect(saved[ROUTE]).toEqual({
        widths: { flow: expect.any(Number) },
        sort: { column: "flow", isDescending: false },
      }),
    );
    const second = show();
    const frame = await second.waitFor(/sorted by flow/);
    expect(widthOf(frame)).toBe(before + 6);
    await second.press("C", "j", "right");
    expect(second.frame()).toMatch(/\[✓\] flow +\d+ /);
    await second.press("R", "enter", "l", "s", "s");
    await waitFor(() => expect(saved).toEqual({}));
    expect(widthOf(second.frame())).toBe(before);
  });

  it("scrolls horizontally with a frozen column and shows what is hidden", async () => {
    const { waitFor, press, frame } = open(pagesOf(100), { width: 60, height: 15 });
    await waitFor("rows 1–40");
    expect(frame()).toMatch(/time +flow.* ›\n/);
    await press("l", "l", "l", "l", "l", "l", "l");
    expect(frame()).toMatch(/time +‹.*signature *\n/);
    for (const line of frame().split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });

  it("marks lookalike addresses", async () => {
    const twin = `${USDC.slice(0, 4)}${WSOL.slice(4, 40)}${USDC.slice(-4)}`;
    const { waitFor } = open([transfer(), transfer({ token_address: twin, trans_id: "other" })]);
    const frame = await waitFor("2 rows");
    // The name of the genuine one is built in: only the other one is suspicious.
    expect(frame.match(/≈/g)).toHaveLength(1);
    expect(frame).toMatch(/≈EPjF/);
  });
});
