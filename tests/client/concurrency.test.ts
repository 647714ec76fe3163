/** The option `concurrency`: how many requests are in flight at a time. */

import { describe, expect, it } from "vitest";
import { endpointByPath } from "../../src/catalogue/index.ts";
import type { Transport } from "../../src/sources/api/http/message.ts";
import { createClient } from "../../src/sources/index.ts";
import { USDC, WALLET } from "./servers.ts";

const IDS = [USDC, WALLET, "So11111111111111111111111111111111111111112", "11111111111111111111111111111111"];

/** A transport that answers every request in a later turn, with the most requests that were in flight. */
function countingTransport(data: unknown) {
  const state = { running: 0, most: 0, total: 0 };
  const transport: Transport = {
    async send({ url }) {
      state.running += 1;
      state.total += 1;
      state.most = Math.max(state.most, state.running);
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      state.running -= 1;
      return { url, status: 200, headers: {}, body: JSON.stringify({ success: true, data }) };
    },
    close: async () => {},
  };
  return { state, transport };
}

describe("concurrency", () => {
  it.each([2, 1])("%j: at most so many requests for many identifiers", async (concurrency) => {
    const { state, transport } = countingTransport({ account: USDC });
    await using client = createClient({ transport, concurrency, key: "x", rate: "off" });
    const endpoint = endpointByPath("v2", "/account/detail");
    if (!endpoint) throw new Error("no endpoint");
    const items = [];
    for await (const item of client.many(endpoint, IDS)) items.push(item.input);
    expect(items).toEqual(IDS);
    expect(state).toMatchObject({ most: concurrency, total: IDS.length });
  });

  it("bounds the pages of a list", async () => {
    const page = Array.from({ length: 100 }, (_, at) => ({ address: `${at}` }));
    let count = 0;
    const { state, transport } = countingTransport(undefined);
    const send: Transport["send"] = async (...request) => {
      const { url } = await transport.send(...request);
      count += 1;
      const data = page.map(({ address }) => ({ address: `${count} ${address}` }));
      return { url, status: 200, headers: {}, body: JSON.stringify({ success: true, data }) };
    };
    await using client = createClient({ transport: { ...transport, send }, concurrency: 1, key: "x", rate: "off" });
    const endpoint = endpointByPath("v2", "/token/list");
    if (!endpoint) throw new Error("no endpoint");
    let rows = 0;
    for await (const read of client.pages(endpoint, {}, { limit: 1000 })) rows += read.rows.length;
    expect(rows).toBe(1000);
    expect(state).toMatchObject({ most: 1, total: 10 });
  });

  it("is a whole number from 1", () => {
    for (const concurrency of [0, -1, 1.5]) expect(() => createClient({ concurrency })).toThrow(/concurrency/);
  });
});
