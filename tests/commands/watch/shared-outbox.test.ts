/** Leases of rules in a Redis server, and what is stored with them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { expect, it, onTestFinished } from "vitest";
import { LEASES_SCRIPT, Leases } from "../../../src/commands/watch/leases.ts";
import { openRedisScript } from "../../../src/sources/api/rate-limit/redis-store.ts";
import { runInProcess } from "../../support/in-process.ts";
import { describeWith } from "../../support/programs.ts";
import { sendJson, serve } from "../../support/server.ts";
import { createTempFolder } from "../../support/solx.ts";
import { waitFor } from "../../support/wait-for.ts";
import { redisServer, tlsServer } from "../../support/workers.ts";

async function toList<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const UNITS = ["a #1", "b #2", "c #3"];

describeWith("redis-server")("leases", () => {
  async function open(port: number) {
    const leases = new Leases(openRedisScript(`redis://127.0.0.1:${port}`, LEASES_SCRIPT), "test");
    onTestFinished(leases.close);
    return leases;
  }
  const unitsOf = async (leases: Leases) => [...(await leases.claim(UNITS)).leases.keys()].toSorted();

  it("are divided evenly, given back above the share, and taken over when an instance leaves", async () => {
    const { port } = await redisServer();
    const [one, other] = [await open(port), await open(port)];
    expect(await unitsOf(one)).toEqual(UNITS);
    expect(await unitsOf(other)).toEqual([]);
    const { surplus, leases } = await one.claim(UNITS);
    expect(surplus).toBe(1);
    await one.release([...leases].slice(0, 1));
    expect(await unitsOf(other)).toEqual(["a #1"]);
    expect(await unitsOf(one)).toEqual(["b #2", "c #3"]);
    await other.release((await other.claim(UNITS)).leases, true);
    expect(await unitsOf(one)).toEqual(UNITS);
  });

  it("are needed to store, and what is repeated is stored once", async () => {
    const { port } = await redisServer();
    const [one, other] = [await open(port), await open(port)];
    const { leases } = await one.claim(UNITS);
    const id = leases.get("a #1") ?? "";
    const step = { write: "n1", add: ['{"x":1}', '{"x":2}'], cursor: ["a x#1", '{"at":1}'] };
    expect(await other.write("a #1", id, step)).toBeUndefined();
    expect([await one.write("a #1", id, step), await one.write("a #1", id, step)]).toEqual([1, 1]);
    await one.write("a #1", id, { remove: "1", count: "delivered x" });
    expect(await toList(other.deliveries("a #1"))).toEqual([[2, '{"x":2}']]);
    expect(await toList(other.cursors("a #1"))).toEqual([["a x#1", '{"at":1}']]);
    expect(await other.counts()).toEqual(new Map([["delivered x", "1"]]));
  });

  it.each(["TLS", "Sentinel"])("through %s: a rule is watched, and its status is read", async (way) => {
    const folder = createTempFolder();
    let budget: Record<string, string>;
    if (way === "TLS") {
      const { url } = await tlsServer(folder);
      budget = { SOLX_BUDGET: url, SOLX_CA_CERT: join(folder, "tls.crt") };
    } else {
      const { port } = await redisServer();
      const sentinel = join(folder, "sentinel.conf");
      writeFileSync(sentinel, `sentinel monitor main 127.0.0.1 ${port} 1\n`);
      const { port: sentinelPort } = await redisServer(undefined, onTestFinished, ["--sentinel"], sentinel);
      budget = { SOLX_BUDGET: `redis+sentinel://127.0.0.1:${sentinelPort}/main` };
    }
    let rows = 1;
    const api = await serve((_, response) => {
      const data = Array.from({ length: rows }, (_, at) => ({ trans_id: `t${rows - at}`, block_time: 1 + rows - at }));
      sendJson(response, JSON.stringify({ success: true, data }));
    });
    onTestFinished(api.close);
    const [file, log] = [join(folder, "rules.yaml"), join(folder, "log")];
    const what = "account transfer EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    writeFileSync(file, `rules:\n  moves:\n    what: ${what}\n    every: 2s\n    then: [{ file: ${log} }]\n`);
    const env = { SOLX_BASE_URL: api.url, SOLX_API_KEY: "key", SOLX_RATE: "off", SOLX_HOME: folder, ...budget };
    const stop = new AbortController();
    const ended = runInProcess(["watch", file], { env, signal: stop.signal });
    const status = async () => {
      const { stdout, stderr } = await runInProcess(["watch", "status", file], { env });
      return { rows: JSON.parse(stdout || "[]") as readonly { readonly delivered: number }[], stderr };
    };
    await waitFor(() => expect(api.requests.length).toBeGreaterThan(1));
    rows = 3;
    await waitFor(() => expect(readFileSync(log, "utf8").trimEnd().split("\n")).toHaveLength(2));
    await waitFor(async () => expect(await status()).toMatchObject({ rows: [{ delivered: 2 }] }));
    stop.abort();
    expect((await ended).stderr).not.toContain("cannot be reached");
  });

  it("that the server has lost are noted, since events may be missing", async () => {
    const { port } = await redisServer();
    const redis = createClient({ url: `redis://127.0.0.1:${port}` });
    await redis.connect();
    onTestFinished(() => redis.destroy());
    const api = await serve((_, response) =>
      sendJson(response, JSON.stringify({ success: true, data: [{ trans_id: "a", block_time: 1 }] })),
    );
    onTestFinished(api.close);
    const folder = createTempFolder();
    const file = join(folder, "rules.yaml");
    const what = "account transfer EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    writeFileSync(file, `rules:\n  moves:\n    what: ${what}\n    every: 2s\n    then: [{ print: true }]\n`);
    const stop = new AbortController();
    const env = { SOLX_BASE_URL: api.url, SOLX_API_KEY: "key", SOLX_RATE: "off", SOLX_HOME: folder };
    const budget = { SOLX_BUDGET: `redis://127.0.0.1:${port}` };
    const ended = runInProcess(["watch", file], { env: { ...env, ...budget }, signal: stop.signal });
    const isStored = () => waitFor(async () => expect((await redis.keys("*cursors:*")).length).toBe(1));
    await isStored();
    await redis.flushAll();
    await isStored();
    stop.abort();
    expect((await ended).stderr).toMatch(/127\.0\.0\.1:\d+ has lost where .*account transfer was read to/);
  });
});
