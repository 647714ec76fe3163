/** The pages of a program and of an NFT collection. */
import { describe, expect, test } from "vitest";
import { countInstructions } from "../../../src/ui/pages/program/page.tsx";
import { activityOf, platformOf, programFacts } from "../../../src/ui/pages/program/record.ts";
import { fakeData, renderExplorer } from "../support.tsx";
import { CLOCK, textOf } from "./transaction/fixture.ts";

const RAYDIUM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8";
const COLLECTION = "379049a2aa989f41301850d2a826413e02c728350d21e79721aacd6bbd4aca84";
const PLATFORM = {
  platform_id: "raydium",
  platform_name: "Raydium",
  program_ids: [RAYDIUM],
  website: "https://raydium.io",
  description: "An exchange.",
};
const ACTIVITY = {
  program: RAYDIUM,
  number_transactions: 5523,
  number_transactions_success: 4812,
  number_interaction_volume: 31946207.03,
  success_rate: 87.13,
  last_24h_active_users: 111,
};

describe("a program", () => {
  test("is shown with its platform and its rank", async () => {
    const data = fakeData({
      "v2-account-detail": { account: RAYDIUM, lamports: 1141440 },
      "v2-account-metadata": { account_address: RAYDIUM, account_label: "Raydium Pool V4" },
      "v2-program-list": { data: [{ ...ACTIVITY, program: "other" }, ACTIVITY], total: 2 },
      "v2-program-popular-platforms": [PLATFORM],
      "v2-account-transactions": [],
    });
    const window = renderExplorer({
      route: { kind: "entity", entity: "program", id: RAYDIUM },
      data,
      width: 120,
      height: 30,
    });
    await window.waitFor(/transactions 5,523 in 90 days/);
    expect(window.frame()).toContain("Raydium Pool V4");
    expect(window.frame()).toContain("#2 by transactions");
    await window.press("A");
    await window.waitFor(/account Raydium AMM/);
  });

  const ANALYTICS = {
    program_id: RAYDIUM,
    days: 30,
    num_trans: 3000,
    num_trans_success: 2400,
    interaction_volume: 1_500_000,
    last_24h_active_users: 111,
    active_users_change_24: "-19.00",
    data: Array.from({ length: 30 }, (_, at) => ({
      day: `2025-06-${String(at + 1).padStart(2, "0")}`,
      day_unix: Date.UTC(2025, 5, at + 1) / 1000,
      num_trans: 100,
      num_trans_success: 80,
      interaction_volume: 50_000,
      active_users: 20 + at,
      insts: { swapBaseIn: 90, "Other\u202E Instructions": 10 },
    })),
  };

  test("is shown with its activity by day and the shares of its instructions", async () => {
    const data = fakeData({ "v2-account-detail": { account: RAYDIUM }, "v2-program-analytics": ANALYTICS });
    const window = renderExplorer({
      route: { kind: "entity", entity: "program", id: RAYDIUM, tab: "activity" },
      data,
      width: 120,
      height: 40,
    });
    const frame = await window.waitFor(/30 days +transactions ~?3K? *.*successful 80%/);
    expect(frame).toMatch(/users 24h 111 +▼ 19%/);
    expect(frame).toMatch(/swapBaseIn +2,700 +90\.0% █+/);
    expect(frame).toMatch(/Other‹U\+202E› Instructions +300 +10\.0% [▊█]+░/);
    expect(frame).not.toContain("\u202E");
    await window.resize(72, 24);
    // What does not fit is left out, not cut.
    await window.waitFor(/30 days +transactions [^\n]*successful 80% +volume [^\n…]*\n/);
    expect(frame).toMatch(/users +49/);
    await window.press("-");
    await expect
      .poll(() =>
        data.requests
          .filter(({ endpoint }) => endpoint.route === "v2-program-analytics")
          .map(({ params }) => params.range),
      )
      .toEqual([30, 7]);
    await window.press("x");
    await window.waitFor(/active users change 24 +▼ 19%/);
  });

  test("counts its instructions over all days, the most frequent first", () => {
    expect(countInstructions(ANALYTICS).map(({ name, count }) => [name.slice(0, 5), count])).toEqual([
      ["swapB", 2700],
      ["Other", 300],
    ]);
    expect(countInstructions({ data: [{ insts: null }, 7, { insts: { b: 1, a: 1, c: "x" } }] })).toEqual([
      { name: "a", count: 1 },
      { name: "b", count: 1 },
    ]);
  });

  test("that is not among the busiest is labelled so", () => {
    const program = { account: undefined, metadata: undefined, platform: undefined, activity: undefined };
    const facts = programFacts(program, 40, CLOCK).map(({ label, value }) => `${label} ${textOf(value)}`);
    expect(facts).toContain("rank not among the busiest 40");
    expect(activityOf([ACTIVITY], "another")).toBeUndefined();
    expect(platformOf([PLATFORM, null], "another")).toBeUndefined();
  });
});

describe("a collection", () => {
  const row = {
    collection_id: COLLECTION,
    name: "Boryoku\u202E Dragonz",
    symbol: null,
    floor_price: 0.94,
    items: 130,
    marketplaces: [RAYDIUM],
    volumes: 2.474,
    volumes_change_24h: "-55.33",
  };
  const open = (rows: readonly (typeof row)[]) => {
    const data = fakeData({
      "v2-nft-collection-lists": ({ range }) => rows.map((each) => ({ ...each, volumes: Number(range) * 10 })),
      "v2-nft-collection-items": [],
      "v2-nft-activities": [],
    });
    const route = { kind: "entity", entity: "collection", id: COLLECTION } as const;
    return { data, window: renderExplorer({ route, data, width: 120, height: 30 }) };
  };

  test("is shown with its floor price and its volume, for other periods on request", async () => {
    const { window, data } = open([row]);
    await window.waitFor(/floor 0\.94 SOL/);
    expect(window.frame()).toContain("Boryoku‹U+202E› Dragonz");
    expect(window.frame()).toMatch(/▼ 55\.33%/);
    await window.press("+");
    await window.waitFor(/70 SOL in 7 days/);
    await window.press("2");
    await expect.poll(() => data.requests.some(({ endpoint }) => endpoint.route === "v2-nft-activities")).toBe(true);
  });

  test("that the API does not list is reported", async () => {
    const { window } = open([]);
    await window.waitFor("The API lists no collection with this identifier.");
  });
});
