/** What bookmarks show now, and since the last look. */
import { describe, expect, test } from "vitest";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { IDLE_QUERY } from "../../../src/ui/navigation/data-store.ts";
import type { Bookmark, Look } from "../../../src/ui/navigation/view.ts";
import { parseLook } from "../../../src/ui/navigation/view.ts";
import { summarizeView } from "../../../src/ui/pages/bookmarks/looks.ts";
import { endpointAt } from "../../../src/ui/widgets/cells.ts";
import { answerOf, fakeData, NOW, renderExplorer } from "../support.tsx";

const HOUR = 3_600_000;
const transfer = (at: number) => ({
  ...{ trans_id: `id${at}`, block_time: 1_749_988_800 + at, from_address: WALLET, to_address: USDC },
  ...{ token_address: USDC, token_decimals: 6, amount: at, flow: "out", activity_type: "ACTIVITY_SPL_TRANSFER" },
});
const ANSWERS = {
  "v2-token-meta": { address: USDC, symbol: "USDC", name: "USDC", decimals: 6, price: 1.5 },
  "v2-account-transfer": [transfer(3), transfer(2), transfer(1)],
};
const price = (seen?: Look): Bookmark => ({
  ...{ name: "a price", route: { kind: "entity", entity: "token", id: USDC }, seen },
});
const feed = (seen?: Look): Bookmark => ({
  name: "a feed",
  route: { kind: "entity", entity: "account", id: WALLET, tab: "transfers" },
  state: { transfers: { params: { flow: "out" } } },
  seen,
});

function open(bookmarks: readonly Bookmark[], { units = 1000, answers = ANSWERS } = {}) {
  let kept = bookmarks;
  const data = fakeData(answers);
  data.setQuota({ units: { limit: 1000, remaining: units, at: NOW } });
  const memory = {
    ...{ bookmarks: () => kept, recent: () => [], setRecent: async () => {}, lists: () => ({}), switches: () => ({}) },
    ...{ setLists: async () => {}, setSwitch: async () => {} },
    setBookmarks: async (all: readonly Bookmark[]) => {
      kept = all;
    },
  };
  const route = { kind: "page", page: "bookmarks" } as const;
  const window = renderExplorer({ route, data, width: 120, height: 30, services: { memory } });
  return { window, data, kept: () => kept };
}
const lineOf = (frame: string, name: string) => frame.split("\n").find((line) => line.includes(name)) ?? "";

describe("the board of bookmarks", () => {
  test("shows numbers and what is new since the last look, which is remembered when it is left", async () => {
    const seen = { at: NOW - 2 * HOUR, points: [1, 1.2, 1.25] };
    const first = open([price(seen), feed()]);
    await first.window.waitFor("3 rows");
    expect(lineOf(first.window.frame(), "a price")).toMatch(/[\u2800-\u28ff]+ +price \$1\.50 +▲ 20% in 2h/);
    await first.window.press("H");
    await first.window.waitFor(/^solx home/);
    const kept = first.kept();
    expect(kept.map((one) => one.seen)).toEqual([
      { at: NOW, points: [1, 1.2, 1.25, 1.5] },
      { at: NOW, points: expect.any(Array), key: expect.stringContaining("id3") },
    ]);
    const newer = [transfer(5), transfer(4), ...ANSWERS["v2-account-transfer"]];
    const { window } = open(kept, { answers: { ...ANSWERS, "v2-account-transfer": newer } });
    const frame = await window.waitFor(/2 new in/);
    expect(lineOf(frame, "a price")).toMatch(/ 0% in/);
    expect(lineOf(frame, "a feed")).toMatch(/5 rows +2 new in/);
  });

  test("requests each view with its filters", async () => {
    const { window, data } = open([feed()]);
    await window.waitFor("3 rows");
    expect(data.requests.map(({ params }) => params)).toEqual([
      expect.objectContaining({ address: WALLET, flow: "out" }),
    ]);
  });

  test("requests nothing while little is left of the quota", async () => {
    const { window, data } = open([price()], { units: 5 });
    await window.waitFor("a price");
    expect(data.requests).toEqual([]);
    expect(window.frame()).toContain(USDC);
  });
});

test("a page whose list may continue is no total", () => {
  const request = { endpoint: endpointAt("/account/transfer"), params: {} };
  const state = { ...IDLE_QUERY, answer: answerOf(request, ANSWERS["v2-account-transfer"]) };
  const clock = { style: "relative", now: NOW, timeZone: "UTC" } as const;
  expect(summarizeView(request, { ...state, hasMore: true }, clock)?.text).toBe("at least 3 rows");
  expect(summarizeView(request, { ...state, hasMore: undefined }, clock)?.text).toBe("at least 3 rows");
  expect(summarizeView(request, { ...state, hasMore: false }, clock)?.text).toBe("3 rows");
});

test("what a file has in place of a look is no look", () => {
  expect(parseLook({ at: 1, points: [1, 2], key: "x" })).toEqual({ at: 1, points: [1, 2], key: "x" });
  for (const json of [undefined, null, 3, { at: "x", points: [] }, { at: 1 }, { at: 1, points: ["1"] }])
    expect(parseLook(json)).toBeUndefined();
});
