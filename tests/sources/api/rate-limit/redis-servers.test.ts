/** The ways to reach a Redis server: Unix socket, TLS, ACL users, Sentinel and Cluster, with real servers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { displayRedisAddress, parseRedisAddress } from "../../../../src/sources/api/rate-limit/redis-address.ts";
import { openRedisStore, readUsers } from "../../../../src/sources/api/rate-limit/redis-store.ts";
import { EMPTY_STEP, type RateLimitStore } from "../../../../src/sources/api/rate-limit/store.ts";
import { describeWith } from "../../../support/programs.ts";
import { createTempFolder } from "../../../support/solx.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { freePort, redisServer, tlsServer } from "../../../support/workers.ts";

const root = createTempFolder();
mkdirSync(root, { recursive: true });
const BUCKET = { account: "account", owner: 1, requests: 3, window: 60_000, unitsPerDay: undefined };
let ids = 0;

async function open(url: string, caCert?: string): Promise<RateLimitStore> {
  const store = await openRedisStore(url, { caCert });
  onTestFinished(() => store.close());
  return store;
}

/** Requests permits in a bucket of three; returns how many were granted. */
async function take(store: RateLimitStore, count: number, account = BUCKET.account): Promise<number> {
  const interactive = Array.from({ length: count }, () => ({ id: ++ids, cost: 0 }));
  const request = { interactive, background: [], released: [], units: 0, pause: 0 };
  return (await store.step({ ...BUCKET, account }, request)).interactive;
}

/** Runs commands on a server. */
async function run(port: number, ...commands: string[][]): Promise<unknown[]> {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  await client.connect();
  const replies = [];
  for (const command of commands) replies.push(await client.sendCommand(command));
  client.destroy();
  return replies;
}

describeWith("redis-server")("permits are shared through", () => {
  it("a Unix socket and TCP alike, and through a connection that the server has closed", async () => {
    const socket = join(root, "redis.sock");
    const { port } = await redisServer(undefined, onTestFinished, ["--unixsocket", socket]);
    const [one, other] = [await open(`unix://${socket}?db=2`), await open(`valkey://127.0.0.1:${port}/2`)];
    expect([await take(one, 2), await take(other, 2)]).toEqual([2, 1]);
    await run(port, ["CLIENT", "KILL", "TYPE", "normal"]).catch(() => {});
    await waitFor(async () => expect(await take(one, 1)).toBe(0));
  });

  it("a server that counts what each user of an account used, on all machines", async () => {
    const { port } = await redisServer();
    const url = `redis://127.0.0.1:${port}`;
    const [one, other] = [await open(url), await open(url)];
    const spend = (store: RateLimitStore, user: string, costs: readonly number[], units = 0) => {
      const interactive = costs.map((cost) => ({ id: ++ids, cost }));
      return store.step({ ...BUCKET, requests: 100, user }, { ...EMPTY_STEP, interactive, units });
    };
    await spend(one, "watch on a", [100, 100]);
    await spend(other, "export on b", [500]);
    // A request without an answer is not charged.
    await spend(one, "watch on a", [], -100);
    await take(other, 1, "another account");
    const users = await readUsers(url, { account: BUCKET.account, now: Date.now() });
    expect(users.toSorted()).toEqual([
      ["export on b", 1, 500],
      ["watch on a", 2, 100],
    ]);
  });

  it("an ACL user with the documented rights; others are denied with the reason", async () => {
    const { port } = await redisServer();
    const rights = ["~solx:*", "+@read", "+@write", "+@scripting", "+@connection", "+time"];
    await run(
      port,
      ["ACL", "SETUSER", "solx", "on", ">p@ss", ...rights],
      ["ACL", "SETUSER", "guest", "on", ">guest", "+ping"],
    );
    const store = await open(`redis://solx:p%40ss@127.0.0.1:${port}`);
    expect(await take(store, 4)).toBe(3);
    await expect(openRedisStore(`redis://guest:guest@127.0.0.1:${port}`)).rejects.toThrow(/NOPERM/);
    await expect(openRedisStore(`redis://solx:wrong@127.0.0.1:${port}`)).rejects.toThrow(/WRONGPASS/);
  });

  it("Sentinel, also when it promotes another server", async () => {
    const [master, replica] = [await redisServer(), await redisServer()];
    await run(replica.port, ["REPLICAOF", "127.0.0.1", `${master.port}`]);
    const file = join(root, "sentinel.conf");
    writeFileSync(
      file,
      `sentinel monitor main 127.0.0.1 ${master.port} 1\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 5000\n`,
    );
    const sentinel = await redisServer(undefined, onTestFinished, ["--sentinel"], file);
    const url = `redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel.port}/main`;
    const store = await open(url);
    expect(await take(store, 2)).toBe(2);
    await waitFor(async () => {
      const [info] = await run(sentinel.port, ["SENTINEL", "REPLICAS", "main"]);
      expect(JSON.stringify(info)).toContain(`${replica.port}`);
    });
    await expect(openRedisStore(url.replace("/main", "/other"))).rejects.toThrow("knows no server named other");
    master.child.kill("SIGKILL");
    await expect(take(store, 1)).rejects.toThrow();
    const promoted = await waitFor(async () => {
      const next = await open(url);
      return { granted: await take(next, 1) };
    });
    expect(promoted.granted).toBe(1);
  });

  it("a cluster, wherever the keys of an account are", async () => {
    const nodes: { port: number; options: string[] }[] = [];
    for (const node of [1, 2]) {
      const folder = join(root, `node-${node}`);
      mkdirSync(folder);
      const options = ["--cluster-enabled", "yes", "--dir", folder, "--cluster-port", `${await freePort()}`];
      nodes.push({ ...(await redisServer(undefined, onTestFinished, options)), options });
    }
    const [one, other] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
    await run(
      one.port,
      ["CLUSTER", "ADDSLOTSRANGE", "0", "8000"],
      ["CLUSTER", "MEET", "127.0.0.1", `${other.port}`, other.options.at(-1) ?? ""],
    );
    await run(other.port, ["CLUSTER", "ADDSLOTSRANGE", "8001", "16383"]);
    await waitFor(async () => {
      for (const { port } of nodes) {
        const [info] = await run(port, ["CLUSTER", "INFO"]);
        expect(String(info)).toMatch(/cluster_state:ok.*cluster_known_nodes:2/s);
      }
    });
    const store = await open(`redis+cluster://127.0.0.1:1,127.0.0.1:${one.port}`);
    for (const account of ["a", "b", "c", "d", "e", "f"]) expect(await take(store, 4, account)).toBe(3);
  });
});

describeWith("redis-server", "openssl")("permits are shared through TLS", () => {
  it("with a certificate that is trusted, and only then", async () => {
    const { url, cert } = await tlsServer(root);
    expect(await take(await open(url, readFileSync(cert, "utf8")), 4)).toBe(3);
    await expect(openRedisStore(url)).rejects.toThrow(/self-signed certificate/);
  });
});

describe("an address", () => {
  test.each([
    "redis://one,two",
    "redis://host/name",
    "redis+sentinel://host",
    "redis+sentinel://host/0",
    "unix://host/socket",
    "http://host",
  ])("%s is none", (text) => {
    expect(() => parseRedisAddress(text)).toThrow("Not the address of a Redis or Valkey server.");
  });

  test("is displayed without credentials", () => {
    expect(displayRedisAddress("redis+sentinel://u:hush@a:1,b/name/2?sentinel-password=hush")).toBe(
      "redis+sentinel://a:1,b/name/2",
    );
  });
});
