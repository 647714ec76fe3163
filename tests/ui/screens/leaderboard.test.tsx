import { expect, it } from "vitest";
import { fakeData, renderExplorer } from "../support.tsx";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

it("the leaderboard lists the richest accounts, and Enter opens one", async () => {
  const data = fakeData({
    "v2-account-leaderboard": {
      total: 1,
      data: [{ account: WALLET, total_values: 5_000_000, sol_values: 1, token_values: 2, stake_values: 3 }],
    },
  });
  const window = renderExplorer({ place: { kind: "hall", hall: "leaderboard" }, data });
  const frame = await window.waitFor("$5,000,000.00");
  expect(frame).toContain("The richest accounts");
  await window.press("enter");
  await window.waitFor(/account 5Q54…e4j1/);
});
