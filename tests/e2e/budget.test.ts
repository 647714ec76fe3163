/** The shared rate limit on the command line: which processes share it, and messages of runs that must wait. */
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type CountingOptions, type CountingServer, countingServer } from "../support/counting-server.ts";
import { runInProcess } from "../support/in-process.ts";
import { describeWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder, solx } from "../support/solx.ts";
import { tlsServer } from "../support/workers.ts";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const META = ["token", "meta", MINT, "-o", "json"];
const EXPORT = ["account", "transfer-export", "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1"];

async function counting(options: Partial<CountingOptions> = {}): Promise<CountingServer> {
  const server = await countingServer({ requests: 1000, seconds: 60, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Returns the environment of runs with a server and a separate home folder. */
function home(server: CountingServer, env: Record<string, string> = {}) {
  return { SOLX_HOME: createTempFolder(), SOLX_BASE_URL: server.url, SOLX_CACHE: "off", ...env };
}

it("all processes of the machine share one rate limit", async () => {
  const server = await counting({ requests: 4, seconds: 2 });
  const env = home(server, { SOLX_RATE: "4/2" });
  const runs = await Promise.all(Array.from({ length: 10 }, () => solx(META, { env })));
  for (const { code, stderr } of runs) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await server.received()).map(({ refused }) => refused)).toEqual(new Array(10).fill(false));
  expect(statSync(join(env.SOLX_HOME, "state", "budget.sqlite")).mode & 0o777).toBe(0o600);
});

it("does not retry with --max-wait 0: the first failure is the result", async () => {
  const server = await serve((_, response) => sendJson(response, "{}", 503));
  onTestFinished(() => server.close());
  const env = { SOLX_BASE_URL: server.url, SOLX_BUDGET: "process" };
  const { code, stderr } = await runInProcess([...META, "--max-wait", "0"], { env });
  expect([code, server.requests.length]).toEqual([8, 1]);
  expect(stderr).not.toContain("tried");
});

it("does not wait with --max-wait 0, and sends no request then", async () => {
  const server = await counting();
  const env = home(server, { SOLX_RATE: "1/60" });
  expect(await runInProcess(META, { env })).toMatchObject({ code: 0 });
  const { code, stderr } = await runInProcess([...META, "--max-wait", "0"], { env });
  expect(code).toBe(6);
  expect(JSON.parse(stderr).errors).toMatchObject({ code: "RATE", retryable: true });
  expect(await runInProcess([...META, "SOLX_RATE=off", "--max-wait", "0"], { env })).toMatchObject({ code: 0 });
  const other = { ...env, SOLX_API_KEY: "another-key-0123456789" };
  expect(await runInProcess([...META, "--max-wait", "0"], { env: other })).toMatchObject({ code: 0 });
  expect(await server.received()).toHaveLength(3);
});

it("starts one export per minute, from any process", async () => {
  const server = await counting();
  const env = home(server);
  await runInProcess(EXPORT, { env });
  const refused = await runInProcess([...EXPORT, "--max-wait", "0"], { env });
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain("Exports are limited to one per minute");
  expect(await runInProcess([...EXPORT, "--max-wait", "5"], { env })).toMatchObject({ code: 6 });
  expect(await server.received()).toHaveLength(1);
});

it("continues with a note if the state folder is not writable", async () => {
  const server = await counting();
  const env = home(server);
  mkdirSync(env.SOLX_HOME, { recursive: true });
  writeFileSync(join(env.SOLX_HOME, "state"), "a file in its place");
  const { code, stderr } = await runInProcess(META, { env });
  expect(code).toBe(0);
  expect(
    stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).note),
  ).toEqual([expect.stringMatching(/^The rate limit is not shared with other processes: /)]);
  const alone = await runInProcess([...META, "SOLX_BUDGET=process"], { env });
  expect(alone).toMatchObject({ code: 0, stderr: "" });
});

it("continues with a note if the Redis server is unreachable, and prints no password", async () => {
  const server = await counting();
  const env = home(server, { SOLX_BUDGET: "redis://someone:hush-hush@127.0.0.1:1" });
  const { code, stderr } = await runInProcess(META, { env });
  expect(code).toBe(0);
  expect(stderr).toContain("The rate limit is not shared with other machines: redis://127.0.0.1:1: ");
  expect(existsSync(join(env.SOLX_HOME, "state", "budget.sqlite"))).toBe(true);
  for (const args of [
    ["config", "list", "-o", "json"],
    ["config", "get", "rate"],
  ]) {
    const { stdout } = await runInProcess(args, { env });
    expect(stdout).toContain("redis://someone:***@127.0.0.1:1");
    expect(stdout + stderr).not.toContain("hush");
  }
});

describeWith("redis-server", "openssl")("a shared rate limit over TLS", () => {
  it("trusts the certificates of the setting ca-cert", async () => {
    const [server, { url, cert }] = [await counting(), await tlsServer(createTempFolder())];
    const env = home(server, { SOLX_BUDGET: url });
    expect(await runInProcess([...META, `SOLX_CA_CERT=${cert}`], { env })).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = await runInProcess([...META, "--cache", "fresh"], { env });
    expect([code, stderr]).toEqual([0, expect.stringContaining("self-signed certificate")]);
  });
});
