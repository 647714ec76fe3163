/** What an answer does not cover, on the pages of single objects. */
import { expect, test } from "vitest";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SIGNATURE = "4dqr5SruMWyv6z31Xp2DCmeyEGwaewvqCe8shfxKXRhUqaF8naGq7TTyVafHz7WDABM5ZAvhsh3GJAwc9JNySGrG";
const OLDER = "The history of the index begins at slot 7: older rows are missing.";
const RECORDED = "A page was recorded before the page before it: rows between them may be missing.";

const OBJECTS: readonly (readonly [string, Route, Parameters<typeof fakeData>[0]])[] = [
  [
    "an account",
    { kind: "entity", entity: "account", id: WALLET },
    { "v2-account-detail": { account: WALLET, lamports: 7 } },
  ],
  [
    "a token",
    { kind: "entity", entity: "token", id: MINT },
    { "v2-token-meta": { address: MINT, supply: "7", decimals: 6 } },
  ],
  [
    "a transaction",
    { kind: "entity", entity: "transaction", id: SIGNATURE },
    { "v2-transaction-detail": { tx_hash: SIGNATURE, block_id: 7, status: 1, fee: 5000 } },
  ],
  ["a block", { kind: "entity", entity: "block", id: "7" }, { "v2-block-detail": { block_height: 7, parent_slot: 6 } }],
];

test.each(OBJECTS)("the page of %s says what its source does not have", async (_, route, answers) => {
  for (const incomplete of [OLDER, RECORDED]) {
    const window = renderExplorer({
      route,
      data: fakeData(answers, { missing: [], incomplete }),
      width: 120,
      height: 30,
    });
    await window.waitFor(incomplete);
  }
  const whole = renderExplorer({ route, data: fakeData(answers, { missing: [] }), width: 120, height: 30 });
  await whole.waitFor("? help");
  expect(whole.frame()).not.toContain("missing.");
});
