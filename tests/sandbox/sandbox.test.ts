import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { findQuery } from "../../src/chain/ledger/queries/index.ts";
import { openSandbox, type SandboxOptions, type ServerOptions, startSandbox } from "../../src/sandbox/index.ts";
import { worldsFolder } from "../support/ledger.ts";
import { folder, NOW, USDC } from "./api.ts";

/** A small world, in a folder that all tests share. */
const WORLD = { seed: "test", size: 0.05, folder: worldsFolder() } as const;
const META = `/v2.0/token/meta?address=${USDC}`;

async function open(options: SandboxOptions = {}) {
  const sandbox = await openSandbox({ ...WORLD, ...options });
  onTestFinished(() => sandbox.close());
  const get = async (url: string, headers: Record<string, string> = { token: sandbox.key }) => {
    const { status, body } = await sandbox.handle({ method: "GET", url, headers });
    return { status, text: body, body: JSON.parse(body) };
  };
  return { sandbox, get };
}

async function start(options: ServerOptions = {}) {
  const sandbox = await startSandbox({ ...WORLD, port: 0, ...options });
  onTestFinished(() => sandbox.close());
  const get = async (path: string) => {
    const answer = await fetch(sandbox.url + path, { headers: { token: sandbox.key } });
    return { status: answer.status, body: (await answer.json()) as ReturnType<typeof JSON.parse> };
  };
  return { sandbox, get };
}

test.each(endpoints.map(({ route }) => route))("%s has a query", async (route) => {
  expect(await findQuery(route)).toBeTypeOf("function");
  expect(findQuery(route)).toBeTypeOf("function");
});

test("unknown routes have no query", async () => {
  for (const route of ["", "v2-token-", "constructor", "v2-token-constructor"]) {
    expect(await findQuery(route)).toBeUndefined();
  }
});

describe("in process", () => {
  test("accepts only its own key", async () => {
    const { sandbox, get } = await open();
    expect(sandbox.key).toBe("sandbox-key-test");
    expect((await get(META)).body.data).toMatchObject({ address: USDC, symbol: "USDC" });
    expect((await get(META, { token: "sandbox-key-solx" })).status).toBe(401);
    expect(sandbox.requests()).toMatchObject([{ status: 200 }, { status: 401 }]);
  });

  test("ends at the current time, rounded down to ten minutes", async () => {
    const clock = () => NOW + 599_000;
    const { sandbox } = await open({ clock });
    expect(sandbox.info()).toMatchObject({ seed: "test", size: 0.05, end: NOW / 1000, plan: null, faults: [] });
    expect((await open({ clock: () => NOW + 600_000 })).sandbox.info().end).toBe(NOW / 1000 + 600);
  });

  test("a fixed time gives identical answers", async () => {
    const texts: string[] = [];
    for (const clock of [() => NOW, () => NOW + 1e9]) {
      const { get } = await open({ now: 1_700_000_000, clock });
      texts.push((await get("/v2.0/block/last")).text + (await get("/v2.0/monitor/usage")).text);
    }
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain("1700000000");
    expect(texts[0]).toContain('"renew_date":"2023-11-01T00:00:00.000Z"');
  });

  test("sandboxes share a usage file", async () => {
    const usage = join(folder(), "a", "usage.db");
    for (const before of [0, 1]) {
      const { sandbox, get } = await open({ usage });
      expect((await get("/v2.0/monitor/usage")).body.data.total_requests_24h).toBe(before);
      await sandbox.close();
    }
  });

  test("sets faults and usage", async () => {
    const { sandbox, get } = await open({ faults: ["500#1"], plan: "lite" });
    expect([(await get(META)).status, (await get(META)).status]).toEqual([500, 200]);
    sandbox.setFaults(["503"]);
    expect(sandbox.info().faults).toEqual(["503"]);
    expect((await get(META)).status).toBe(503);
    sandbox.setFaults([]);
    sandbox.setUsage(20_000_000);
    expect((await get(META)).status).toBe(429);
  });

  test.each([
    { size: 0 },
    { size: 11 },
    { size: Number.NaN },
    { plan: "gold" as "lite" },
    { plan: "constructor" as "lite" },
    { key: "with space" },
    { key: "" },
    { faults: ["oops"] },
    { rate: { requests: 1, seconds: 0 } },
    { rate: { requests: 1e15, seconds: 1 } },
    { units: -1 },
    { now: 1.5 },
    { live: 0 },
  ])("refuses %o", async (options) => {
    await expect(open(options)).rejects.toMatchObject({ name: "UsageError" });
  });

  test("amounts beyond signed integers are exact in every answer", async () => {
    const { get } = await open({ hostile: true });
    const [token] = (await get("/v2.0/token/search?keyword=Maximum")).body.data.items;
    expect(token).toMatchObject({ supply: "18446744073709551615", holder: 2 });
    const holders = await get(`/v2.0/token/holders?address=${token.address}`);
    expect(holders.text).toContain('"amount":18446744073709551614,');
    const [{ owner }] = holders.body.data.items;
    for (const path of [
      `/v2.0/account/token-accounts?address=${owner}&type=token&page_size=40`,
      `/v2.0/account/transfer?address=${owner}&token=${token.address}`,
      `/v2.0/account/balance_change?address=${owner}&token=${token.address}`,
      `/v2.0/account/portfolio?address=${owner}`,
    ]) {
      expect((await get(path)).text).toContain("18446744073709551614");
    }
  });

  test("an aborted signal interrupts the opening", async () => {
    await expect(open({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("any seed gives a valid key", async () => {
    const { sandbox, get } = await open({ seed: 'ünï "seed"\n', size: 0.02, folder: folder() });
    expect(sandbox.key).toBe("sandbox-key-_n___seed__");
    expect((await get(META)).status).toBe(200);
  });
});

describe("over HTTP", () => {
  test("returns the same answers as in process", async () => {
    const now = 1_700_000_000;
    const [{ get: over, sandbox }, { get: inside }] = [await start({ now }), await open({ now })];
    for (const path of [META, "/v2.0/transaction/last", "/chaininfo", "/v1.0/block/last", "/v2.0/token/meta"]) {
      const { status, body } = await inside(path);
      expect(await over(path)).toEqual({ status, body });
    }
    expect(await (await fetch(`${sandbox.url}/_sandbox`)).json()).toEqual({
      version: expect.any(String),
      ...{ seed: "test", size: 0.05, hostile: false, live: false, plan: null, end: now, now, frozen: true, faults: [] },
    });
  });

  test("a signal closes the server", async () => {
    const stop = new AbortController();
    const { sandbox } = await start({ signal: stop.signal });
    stop.abort();
    await sandbox.close();
    await expect(fetch(sandbox.url)).rejects.toThrow();
    await expect(start({ signal: stop.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("refuses a port in use, and an address for other machines without a key", async () => {
    const { sandbox } = await start();
    await expect(start({ port: sandbox.port })).rejects.toMatchObject({ code: "PORT_TAKEN" });
    await expect(start({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "KEY_REQUIRED" });
    const { sandbox: open } = await start({ host: "0.0.0.0", key: "a-key", allowedHosts: ["sandbox"] });
    expect(open.url).toBe(`http://127.0.0.1:${open.port}`);
  });

  test("adds live blocks", async () => {
    const { get, sandbox } = await start({ live: 5, size: 0.02, folder: folder() });
    const slot = async () => (await get("/chaininfo")).body.data.absoluteSlot as number;
    const first = await slot();
    await expect.poll(slot, { interval: 50 }).toBeGreaterThan(first + 2);
    expect(sandbox.info().live).toBe(true);
  });
});
