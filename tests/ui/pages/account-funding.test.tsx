/** Tabs of an account: funders, rewards of a stake account, and the number of transfers. */
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { NotFoundError } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const account = (number: number) => base58.encode(new Uint8Array(32).fill(7).with(0, 10 + number));
const short = (number: number) => `${account(number).slice(0, 4)}…${account(number).slice(-4)}`;
const DETAIL: JsonObject = { account: account(0), lamports: 1, type: "system_account", owner_program: "1".repeat(32) };
const BASE = { "v2-account-detail": DETAIL, "v2-account-metadata": {} };

/** Answers `/account/funded-by`: each account was funded by the one with the given number. */
const fundedBy =
  (funders: readonly (number | undefined)[]) =>
  ({ address }: Readonly<Record<string, unknown>>): JsonObject[] => {
    const number = funders.findIndex((_, at) => account(at) === String(address));
    const funder = funders[number];
    return funder === undefined
      ? []
      : [
          {
            address: account(number),
            funded_by: account(funder),
            tx_hash: `hash ${number}`,
            block_time: 1_700_000_000,
          },
        ];
  };

const openTab = (tab: string, answers: Parameters<typeof fakeData>[0], height = 30) => {
  const data = fakeData({ ...BASE, ...answers });
  const route = { kind: "entity", entity: "account", id: account(0), tab } as const;
  return { data, window: renderExplorer({ route, data, width: 140, height }) };
};
const requestsOf = ({ requests }: ReturnType<typeof fakeData>, route: string) =>
  requests.filter(({ endpoint }) => endpoint.route === route);

describe("the funders of an account", () => {
  it("are followed until one has no known funder, and open on Enter", async () => {
    const { data, window } = openTab("funders", { "v2-account-funded-by": fundedBy([1, 2, undefined]) });
    const frame = await window.waitFor("2 funders · nothing is known of the funding before");
    expect(frame).toMatch(new RegExp(`1 +${short(1)} +${short(0)} `));
    expect(frame).toMatch(new RegExp(`2 +${short(2)} +${short(1)} `));
    // The preview has the address in full.
    expect(frame).toContain(`│ ${account(1)}`);
    expect(requestsOf(data, "v2-account-funded-by")).toHaveLength(3);
    await window.press("j", "enter");
    await window.waitFor(new RegExp(`account ${short(2)}`));
  });

  it("have their names, where they are known", async () => {
    const { data, window } = openTab("funders", { "v2-account-funded-by": fundedBy([1]) });
    data.setName("Kestrel Exchange", account(1));
    await window.waitFor(/funder +name/);
    await window.waitFor("Kestrel Exchange");
  });

  it("that fund each other are listed once", async () => {
    const { data, window } = openTab("funders", { "v2-account-funded-by": fundedBy([1, 2, 0]) });
    await window.waitFor("3 funders · the last one was funded by this chain itself");
    expect(requestsOf(data, "v2-account-funded-by")).toHaveLength(3);
  });

  it("are followed to a limit", async () => {
    const chain = Array.from({ length: 20 }, (_, at) => at + 1);
    const { data, window } = openTab("funders", { "v2-account-funded-by": fundedBy(chain) });
    await window.waitFor("8 funders · open the last one to go further back");
    expect(requestsOf(data, "v2-account-funded-by")).toHaveLength(8);
  });

  it("may be unknown", async () => {
    const { window } = openTab("funders", { "v2-account-funded-by": fundedBy([]) });
    await window.waitFor("The first funding of this account is unknown.");
  });
});

describe("the rewards of a stake account", () => {
  const reward = { address: account(0), epoch: 902, effective_time: 1, amount: 5, post_balance: 9, commission: 5 };

  it("are its first tab", async () => {
    const stake = { ...DETAIL, owner_program: "Stake11111111111111111111111111111111111111" };
    const { window } = openTab("rewards", { "v2-account-detail": stake, "v2-account-stake-reward": [reward] });
    const frame = await window.waitFor("902");
    expect(frame).toContain("1 rewards  2 portfolio");
  });

  it("are no tab of a wallet", async () => {
    const { data, window } = openTab("about", {});
    expect(await window.waitFor("5 stakes")).not.toContain("rewards");
    expect(requestsOf(data, "v2-account-stake-reward")).toEqual([]);
  });
});

describe("the number of transfers", () => {
  it("is above the list", async () => {
    const { window } = openTab("transfers", { "v2-account-transfer": [], "v2-account-transfer-total": 1554 });
    await window.waitFor("1,554 transfers in the last three weeks");
  });

  it("is left out where the server does not count them", async () => {
    const missing = new NotFoundError("Not found.");
    const { window } = openTab("transfers", { "v2-account-transfer": [], "v2-account-transfer-total": missing });
    expect(await window.waitFor("No transfers")).not.toContain("three weeks");
  });
});
