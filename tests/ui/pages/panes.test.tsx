/** Pages of several panes: what they request, and how their keys zoom. */
import { describe, expect, test } from "vitest";
import { toNumeric } from "../../../src/base/json.ts";
import { WALLET } from "../../../src/catalogue/samples.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const FUNDER = "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re";
const transfer = (flow: "in" | "out", amount: number, token_address: string) => ({
  trans_id: `${flow}${amount}`,
  block_time: 1749988800,
  from_address: flow === "in" ? FUNDER : WALLET,
  to_address: flow === "in" ? WALLET : FUNDER,
  token_decimals: 6,
  ...{ amount, token_address, flow },
});
const ANSWERS = {
  "v2-account-detail": { account: WALLET, lamports: 5, owner_program: "11111111111111111111111111111111" },
  "v2-account-portfolio": {
    native_balance: { balance: 1, token_symbol: "SOL", token_price: 100, value: 100 },
    tokens: [{ token_address: "usd", token_symbol: "USD", balance: 3, token_price: 2, value: 6 }],
    positions: [{ position_id: "p", position_value: 70, is_position_in_range: false }],
  },
  "v2-account-transfer": [transfer("in", 5_000_000, "usd"), transfer("out", 1_000_000, "usd"), transfer("in", 9, "x")],
};
const route = { kind: "entity", entity: "account", id: WALLET } as const;
const open = (width: number, height: number, answers: Parameters<typeof fakeData>[0] = ANSWERS) => {
  const data = fakeData(answers);
  return { data, window: renderExplorer({ route, data, width, height }) };
};

describe("a wallet", () => {
  test("shows its panes beside each other, with the values of transfers and their sums", async () => {
    const { window } = open(200, 60);
    const frame = await window.waitFor(/out of range/);
    expect(frame).toMatch(/1 portfolio .*3 transfers|3 transfers/);
    expect(frame).toMatch(/\+5 +\w+ +\$10\.00 +43GS/);
    expect(frame).toMatch(/43GS\S* +\$10\.00 +\$2\.00 .* 3 /);
  });

  test("shows amounts of more digits than a double has", async () => {
    const large = { ...transfer("in", 1, "usd"), amount: toNumeric("50387176063313281") };
    const { window } = open(200, 60, { ...ANSWERS, "v2-account-transfer": [large] });
    expect(await window.waitFor(/out of range/)).toMatch(/\+50\.39B +\w+ /);
  });

  test("requests nothing twice for them, and nothing more for a zoomed one", async () => {
    const { data, window } = open(200, 60);
    await window.waitFor(/out of range/);
    const routes = () => data.requests.map(({ endpoint }) => endpoint.route);
    expect([...routes()].sort()).toEqual([...new Set(routes())].sort());
    const count = routes().length;
    await window.press("4");
    await window.waitFor(/1 counterparty of the latest 3 transfers/);
    expect(window.frame()).not.toContain("SOL balance");
    await window.press("4");
    await window.waitFor(/out of range/);
    expect(routes().length).toBe(count);
  });

  test("moves between panes with Tab, whose digit is then the first hint", async () => {
    const { window } = open(160, 40);
    await window.waitFor(/1 zoom/);
    await window.press("tab");
    await window.waitFor(/2 zoom/);
    await window.press("shift+tab", "1");
    await window.waitFor(/1 all panes/);
  });

  test("shows one tab where there is no space", async () => {
    const { data, window } = open(80, 24);
    await window.waitFor(/SOL and 1 token/);
    expect(data.requests.map(({ endpoint }) => endpoint.route)).not.toContain("v2-account-transfer");
  });

  test("does not load panes while little is left of the quota", async () => {
    const data = fakeData(ANSWERS);
    data.setQuota({ units: { limit: 1000, remaining: 10, at: 0 } });
    const window = renderExplorer({ route, data, width: 200, height: 60 });
    await window.waitFor(/3 loads it: little is left of the quota/);
    expect(data.requests.map(({ endpoint }) => endpoint.route)).not.toContain("v2-account-transfer");
  });
});
