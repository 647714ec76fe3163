/** The action that requests names: what it states, sends, counts and reports. */

import { describe, expect, onTestFinished, test } from "vitest";
import { nodeSupportOf } from "../../../src/catalogue/index.ts";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { ClientEvent } from "../../../src/client/index.ts";
import { createClient, describeSource } from "../../../src/sources/index.ts";
import { createDataStore } from "../../../src/ui/data/query-store.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { SANDBOX_NOW, useSandbox } from "../../support/running-sandbox.ts";
import { waitFor } from "../../support/wait-for.ts";
import { fakeServices, renderExplorer } from "../support.tsx";

const sandbox = useSandbox();

/** The largest holders of a token: wallets, exchanges and pools. */
const HOLDERS: Route = { kind: "endpoint", endpointRoute: "v2-token-holders", params: { address: USDC } };

/** Opens a list of the sandbox with a client whose requests are recorded. */
function openList(route: Route, { unitsPerDay }: { readonly unitsPerDay?: number } = {}) {
  const listeners = new Set<(event: ClientEvent) => void>();
  const urls: URL[] = [];
  const client = createClient({
    baseUrl: sandbox.url,
    key: sandbox.key,
    now: () => SANDBOX_NOW * 1000,
    ...(unitsPerDay !== undefined && { unitsPerDay }),
    onEvent(event) {
      if (event.type === "request") urls.push(new URL(event.url));
      for (const listener of listeners) listener(event);
    },
  });
  const services = fakeServices({
    client: async () => client,
    now: () => SANDBOX_NOW * 1000,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const data = createDataStore(services);
  const window = renderExplorer({ route, data, services, width: 120, height: 36 });
  const nameRequests = () => urls.filter(({ pathname }) => /\/(account\/metadata|token\/meta)\/multi$/.test(pathname));
  return { window, data, nameRequests };
}

describe("fetch names", () => {
  test("states the cost, requests the names of the addresses on the screen, and counts what it spends", async () => {
    const { window, data, nameRequests } = openList(HOLDERS);
    await window.waitFor(/rows 1–/);
    expect(window.frame()).toMatch(/N fetch names/);
    await window.press("N");
    const [, addresses = "", requests = "", units = ""] =
      /Names of (\d+) addresses on the screen[\s\S]*?(\d+) requests?, ([\d,]+) units/.exec(window.frame()) ?? [];
    expect(Number(addresses)).toBeGreaterThan(1);
    expect(Number(units.replace(",", ""))).toBe(Number(addresses) * 100);
    expect(nameRequests()).toEqual([]);
    // The list, the next page in advance and the usage of the key have all been answered.
    await waitFor(() => expect(data.sessionUsage().units).toBe(data.sessionUsage().requests * 100));
    const before = data.sessionUsage();
    await window.press("enter");
    await waitFor(() => expect(window.toasts.at(-1)).toMatch(/^\d+ of /));
    expect(nameRequests()).toHaveLength(Number(requests));
    expect(data.sessionUsage()).toEqual({
      requests: before.requests + Number(requests),
      units: before.units + Number(addresses) * 100,
    });
    const [named = ""] = /^\d+/.exec(window.toasts.at(-1) ?? "") ?? [];
    expect(Number(named)).toBeGreaterThan(0);
    expect(window.toasts.at(-1)).toContain(`of ${addresses} addresses have names · ${requests} request`);
  });

  test("sends nothing when it is canceled", async () => {
    const { window, nameRequests } = openList(HOLDERS);
    await window.waitFor(/rows 1–/);
    await window.press("N", "esc");
    expect(window.frame()).not.toMatch(/Fetch names/);
    expect(nameRequests()).toEqual([]);
  });

  test("requests no address twice, and is not offered where all addresses were requested", async () => {
    const { window, nameRequests } = openList(HOLDERS);
    await window.waitFor(/rows 1–/);
    await window.press("N", "enter");
    await waitFor(() => expect(window.toasts.at(-1)).toMatch(/^\d+ of /));
    const count = nameRequests().length;
    await window.press("N");
    expect(window.frame()).not.toMatch(/Names of/);
    expect(nameRequests()).toHaveLength(count);
    await window.press("?", ..."names");
    expect(window.frame()).not.toMatch(/fetch names/);
  });

  test("names a single address at once, for what a page costs", async () => {
    const { window, data, nameRequests } = openList({
      kind: "endpoint",
      endpointRoute: "v2-account-detail",
      params: { address: WALLET },
    });
    await window.waitFor(/N fetch names/);
    expect(data.nameLoads.plan([{ id: WALLET, role: "account" }])).toMatchObject({ addresses: 1, units: 100 });
    await window.press("N");
    await waitFor(() =>
      expect(nameRequests().map(({ search }) => decodeURIComponent(search))).toEqual([expect.stringContaining(WALLET)]),
    );
    expect(window.toasts[0]).toBe("Requesting names of 1 address: 1 request, 100 units");
  });

  test("stops at the spending limit, and says so", async () => {
    const { window, nameRequests } = openList(HOLDERS, { unitsPerDay: 300 });
    await window.waitFor(/N fetch names/);
    await window.press("N", "enter");
    await waitFor(() => expect(window.toasts.at(-1)).toMatch(/^0 of .*0 requests, 0 units · .*limit/));
    expect(nameRequests()).toEqual([]);
    // They can be requested again.
    await window.waitFor(/N fetch names/);
  });
});

describe("fetch names of a node", () => {
  const shared = useScenario();

  test("requests the symbols of tokens at once, without units", async () => {
    const { mint, alice } = shared.scenario.addresses;
    const client = createClient({ rpc: shared.node.url });
    onTestFinished(() => client.close());
    const window = renderExplorer({
      route: { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: alice, token: mint } },
      client,
      width: 160,
      height: 36,
      services: {
        source: describeSource({ kind: "rpc", name: "test node" }),
        supports: (endpoint) => nodeSupportOf(endpoint).level !== "none",
      },
    });
    await window.waitFor(/N fetch names/);
    expect(window.frame()).not.toMatch(/SCUSD/);
    await window.press("N");
    await waitFor(() =>
      expect(window.toasts.at(-1)).toMatch(/^[1-9]\d* of \d+ addresses have names · [12] requests?$/),
    );
    expect(window.toasts.join()).not.toMatch(/unit/);
    expect(window.frame()).toMatch(/SCUSD/);
  });

  test("names the NFTs of an account without being asked", async () => {
    const { alice } = shared.scenario.addresses;
    const client = createClient({ rpc: shared.node.url });
    onTestFinished(() => client.close());
    const window = renderExplorer({
      route: { kind: "entity", entity: "account", id: alice, tab: "nfts" },
      client,
      width: 100,
      services: {
        source: describeSource({ kind: "rpc", name: "test node" }),
        supports: (endpoint) => nodeSupportOf(endpoint).level !== "none",
      },
    });
    await window.waitFor(/Scenario #1/);
    expect(window.toasts).toEqual([]);
  });
});
