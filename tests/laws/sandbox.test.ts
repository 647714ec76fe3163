/**
 * The law of lists for the sandbox over HTTP: transfers arrive between the pages, and requests fail. Each row that was
 * there all the time is read once and in order, or the reading ends with an error.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SolxError } from "../../src/base/index.ts";
import { positionalOf } from "../../src/catalogue/index.ts";
import { OTHER_WALLET } from "../../src/catalogue/samples.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/sources/index.ts";
import { addressFor } from "../support/chain.ts";
import { worldsFolder } from "../support/ledger.ts";
import { sandboxFaults } from "./faults.ts";
import { CASES_EACH, checkReading, ENDLESS, endpointOf, readAll, UNLIMITED } from "./readings.ts";

/** Transfers that a wallet has before its first reading, and those after which another wallet is read. */
const [TRANSFERS, MOST] = [35, 200];

let sandbox: RunningSandbox;
let wallets = 0;
let wallet = "";
/** The transfers of the wallet, oldest first. */
let sent: string[] = [];
async function send(): Promise<void> {
  // The first one pays for the account.
  const amount = `${sent.length === 0 ? "0.001" : "0.00000"}${1 + (sent.length % 9)}`;
  const { signature } = await sandbox.send({ from: OTHER_WALLET, to: wallet, amount });
  sent.push(signature);
}
async function startWallet(): Promise<void> {
  [wallet, sent] = [addressFor(`law wallet ${++wallets}`), []];
  for (let at = 0; at < TRANSFERS; at++) await send();
}

let requests = 0;
let arrivals: readonly number[] = [];

beforeAll(async () => {
  const now = Date.UTC(2024, 6, 5, 12) / 1000;
  sandbox = await startSandbox({ seed: "test", size: 0.05, now, port: 0, folder: worldsFolder() });
  await startWallet();
});
afterAll(() => sandbox.close());

describe("the sandbox over HTTP", () => {
  test.each([
    ["v2-account-transfer", { page_size: 10 }],
    ["v2-account-transfer", { page_size: 10, sort_order: "asc" }],
    ["v2-account-transactions", { limit: 10 }],
    ["v2-account-balance-change", { page_size: 10 }],
    ["v2-account-transfer-export", {}],
    ["account-sol-transfers", { limit: 10 }],
  ] as const)("%s %j", async (route, params) => {
    const endpoint = endpointOf(route);
    const [name = ""] = positionalOf(endpoint) ?? [];
    const run = async (what: readonly string[], grows: readonly number[], retries: number) => {
      if (sent.length > MOST) await startWallet();
      sandbox.setFaults(what);
      [requests, arrivals] = [0, grows];
      const stop = new AbortController();
      const client = createClient({
        ...{ baseUrl: sandbox.url, key: sandbox.key, rateLimiter: UNLIMITED, retries, sleep: async () => {} },
        now: () => sandbox.now(),
        onEvent: (event) => event.type === "request" && onRequest(stop),
      });
      const steady = [...sent];
      const reading = await readAll(client, endpoint, { ...params, [name]: wallet }, stop.signal);
      expect(stop.signal.aborted, "endless").toBe(false);
      await Promise.all(pending);
      await client.close();
      if (reading.error !== undefined && what.length > 0) return void expect(reading.error).toBeInstanceOf(SolxError);
      const order = (rows: readonly string[]) => ("sort_order" in params ? rows : rows.toReversed());
      checkReading(reading, { all: order(sent), steady: order(steady), isDoubtful: false });
      if (grows.length === 0) expect(reading.error).toBeUndefined();
    };
    const pending: Promise<void>[] = [];
    /** Sends a transfer while a request is on its way. */
    const onRequest = (stop: AbortController) => {
      if (requests > ENDLESS) stop.abort();
      if (arrivals.includes(requests++)) pending.push((pending.at(-1) ?? Promise.resolve()).then(send));
    };
    await run([], [], 1);
    const numbers = fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 2 });
    // The server closes idle connections, also one that a request was just written to: one retry is usual.
    await fc.assert(fc.asyncProperty(sandboxFaults, numbers, fc.constantFrom(1, 3), run), { numRuns: CASES_EACH });
  });
});
