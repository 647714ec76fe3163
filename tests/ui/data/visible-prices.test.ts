import { describe, expect, it } from "vitest";
import { type Json, SolxError } from "../../../src/base/index.ts";
import type { Answer } from "../../../src/client/index.ts";
import type { ConnectedClient } from "../../../src/sources/index.ts";
import { LATEST_PRICES, PRICE_TRENDS, VisiblePriceStore } from "../../../src/ui/data/visible-prices.ts";
import type { QuotaView } from "../../../src/ui/navigation/data-store.ts";
import { HandClock } from "./setup.ts";

const UNITS = 20_000_000;
const mint = (n: number) => `mint${n}`;
const mints = (count: number) => Array.from({ length: count }, (_, n) => mint(n));
const ample: QuotaView = {
  requests: { remaining: 900, limit: 1000 },
  units: { remaining: UNITS / 2, limit: UNITS, at: 0 },
  waitingUntil: undefined,
};

/** Prices whose requests are recorded, and answered by `reply`. */
function open(
  options: {
    quota?: () => QuotaView;
    reply?: (mints: readonly string[]) => Json[];
    units?: number;
    off?: boolean;
  } = {},
) {
  const clock = new HandClock();
  const requests: (readonly string[])[] = [];
  const switches: unknown[] = [];
  const reply =
    options.reply ?? ((mints) => mints.map((one) => ({ token_address: one, prices: [{ price: 1 }, { price: 2 }] })));
  const client = {
    fetch: async (_endpoint: unknown, { address }: { address: readonly string[] }) => {
      requests.push(address);
      return { rows: reply(address) } as unknown as Answer;
    },
  } as unknown as ConnectedClient;
  const services = {
    client: async () => client,
    identity: { units: options.units ?? UNITS },
    memory: {
      switches: () => (options.off ? { trends: false } : {}),
      setSwitch: async (...change: unknown[]) => void switches.push(change),
    },
    now: () => clock.now,
    supports: () => true,
  } as unknown as ConstructorParameters<typeof VisiblePriceStore>[1]["services"];
  const context = { services, timing: clock, quota: options.quota ?? (() => ample) };
  const trends = new VisiblePriceStore(PRICE_TRENDS, context);
  const prices = new VisiblePriceStore(LATEST_PRICES, context);
  /** Lets the delay pass and the answers arrive. */
  const settle = async () => {
    clock.advance(1000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { trends, prices, clock, requests, switches, settle };
}

describe("prices of tokens in view", () => {
  it("are requested in batches, after the list, and once an hour", async () => {
    const { trends, clock, requests, settle } = open();
    trends.show("list", mints(30));
    expect(requests).toEqual([]);
    await settle();
    expect(requests.map((mints) => mints.length)).toEqual([20, 10]);
    expect(trends.of(mint(25))).toEqual([1, 2]);
    trends.show("list", [...mints(30), "other"]);
    await settle();
    expect(requests.slice(2)).toEqual([["other"]]);
    clock.advance(3_600_000);
    trends.show("list", mints(3));
    await settle();
    expect(requests.slice(3)).toEqual([mints(3)]);
  });

  it("are requested for all parts of the screen together, and not for those that are left at once", async () => {
    const { trends, requests, settle } = open();
    trends.show("trending", ["a", "b"]);
    trends.show("passed", ["c"]);
    trends.show("passed", []);
    trends.show("top", ["b", "d"]);
    await settle();
    expect(requests).toEqual([["a", "b", "d"]]);
  });

  it.each<[string, QuotaView]>([
    ["few requests are left", { ...ample, requests: { remaining: 400, limit: 1000 } }],
    ["few units are left", { ...ample, units: { remaining: UNITS / 20, limit: UNITS, at: 0 } }],
    ["requests wait", { ...ample, waitingUntil: 1 }],
  ])("are not requested while %s", async (_case, quota) => {
    const { trends, requests, settle } = open({ quota: () => quota });
    trends.show("list", mints(3));
    await settle();
    expect(requests).toEqual([]);
  });

  it("cost at most a thousandth of the plan in a session", async () => {
    const { trends, requests, settle } = open({ units: 4_000_000 });
    for (let page = 0; page < 10; page += 1) {
      trends.show(
        "list",
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => mint(page * 10 + n)),
      );
      await settle();
    }
    expect(requests.flat()).toHaveLength(40);
  });

  it("stay away after a refusal, and tokens without prices are not requested again", async () => {
    const refused = open({
      reply: () => {
        throw new SolxError("permission", "not in this plan");
      },
    });
    refused.trends.show("list", ["a"]);
    await refused.settle();
    expect(refused.trends.isAvailable()).toBe(false);
    const unknown = open({ reply: () => [] });
    unknown.trends.show("list", ["a"]);
    await unknown.settle();
    unknown.trends.show("list", ["a", "b"]);
    await unknown.settle();
    expect(unknown.requests).toEqual([["a"], ["b"]]);
    expect(unknown.trends.of("a")).toBeUndefined();
  });

  it("are those of the latest prices, too", async () => {
    const { prices, settle } = open({ reply: (mints) => mints.map((address) => ({ address, price: 3 })) });
    prices.show("list", ["a"]);
    await settle();
    expect([prices.isOn(), prices.of("a"), prices.of("b")]).toEqual([true, 3, undefined]);
  });

  it("can be turned off, which is remembered", async () => {
    const { trends, requests, switches, settle } = open({ off: true });
    trends.show("list", ["a"]);
    await settle();
    expect([trends.isOn(), requests]).toEqual([false, []]);
    trends.toggle();
    await settle();
    expect([trends.isOn(), requests, switches]).toEqual([true, [["a"]], [["trends", true]]]);
  });
});
