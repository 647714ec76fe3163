import { expect, it } from "vitest";
import type { Bookmark } from "../../../src/ui/navigation/view.ts";
import { fakeData, fakeServices, renderExplorer } from "../support.tsx";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

it("the leaderboard lists the richest accounts, bookmarks keep their order, and Enter opens one", async () => {
  const data = fakeData({
    "v2-account-leaderboard": {
      total: 1,
      data: [{ account: WALLET, total_values: 5_000_000, sol_values: 1, token_values: 2, stake_values: 3 }],
    },
  });
  let saved: readonly Bookmark[] = [];
  const memory = {
    ...fakeServices().memory,
    bookmarks: () => saved,
    setBookmarks: async (all: readonly Bookmark[]) => {
      saved = all;
    },
  };
  const window = renderExplorer({ route: { kind: "page", page: "leaderboard" }, data, services: { memory } });
  const frame = await window.waitFor("$5M");
  expect(frame).toContain("Richest accounts");
  await window.press("b");
  await window.waitFor("Bookmarked leaderboard");
  await window.press("l", "s");
  expect(await window.waitFor(/SOL↓/)).toMatch(/Richest accounts · s sort by column *$/m);
  await window.press("b", "enter");
  await window.waitFor("Updated leaderboard");
  expect(saved).toMatchObject([
    {
      route: { kind: "page", page: "leaderboard" },
      state: { leaderboard: { sort: { column: "sol_values|lamports", isDescending: true, api: "sol_values" } } },
    },
  ]);
  await window.press("enter");
  await window.waitFor(/account 5Q54…e4j1/);
});
