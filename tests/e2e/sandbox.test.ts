/** The sandbox: in process, as a server, as a library, and where it is suggested. */

import type { ChildProcess } from "node:child_process";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/base/sqlite.ts";
import { OTHER_SIGNATURE } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { sendJson, serve } from "../support/server.ts";
import { cleanEnv, createTempFolder, type RunOptions, solx, startSolx } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WSOL = "So11111111111111111111111111111111111111112";
const WALLET = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
const REAL_KEY = "real-key-0123456789abcdef";
const META = ["token", "meta", USDC] as const;

const inSandbox = (args: readonly string[], env: RunOptions["env"] = {}) =>
  runInProcess(args, { env: sandboxEnv(env) });
const inProgram = (args: readonly string[], env: RunOptions["env"] = {}) => solx(args, { env: sandboxEnv(env) });

// The first run creates the ledger for all others.
beforeAll(async () => {
  const { code, stderr } = await inSandbox(["--sandbox", ...META]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

describe("in process", () => {
  test.each([
    ["--sandbox first", ["--sandbox", ...META], {}],
    ["--sandbox in the middle", ["token", "--sandbox", "meta", USDC], {}],
    ["--sandbox last", [...META, "--sandbox"], {}],
    ["the variable", META, { SOLX_SANDBOX: "1" }],
    ["the profile", [...META, "--profile", "sandbox"], {}],
    ["the profile's variable", META, { SOLX_PROFILE: "sandbox" }],
  ])("%s: answers without a key and a network", async (_how, args, env) => {
    const { code, stdout, stderr } = await inSandbox(args, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ address: USDC, symbol: "USDC", decimals: 6 });
  });

  test("returns the same data for the same seed and time", async () => {
    const ask = (env: RunOptions["env"]) =>
      inSandbox(["transaction", "last", "--limit", "20", "--sandbox"], { SOLX_SANDBOX_NOW: "2024-07-05", ...env });
    const [one, two, other] = await Promise.all([ask({}), ask({ TZ: "Asia/Tokyo" }), ask({ SOLX_SANDBOX_SEED: "b" })]);
    expect(one.code).toBe(0);
    expect(two.stdout).toBe(one.stdout);
    expect(other.stdout).not.toBe(one.stdout);
    const times = (JSON.parse(one.stdout) as { block_time: number }[]).map(({ block_time }) => block_time);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.UTC(2024, 6, 5) / 1000);
    expect(Math.max(...times)).toBeGreaterThan(Date.UTC(2024, 6, 4) / 1000);
  });

  test("fails like the API", async () => {
    const { code, stderr } = await inSandbox([
      "transaction",
      "detail",
      OTHER_SIGNATURE.replace("AgK3w24", "AgK3w25"),
      "--sandbox",
    ]);
    expect([code, JSON.parse(stderr).errors.status]).toEqual([5, 404]);
  });

  test("pages, batches and formats work", async () => {
    const list = await inSandbox(["token", "transfer", USDC, "--limit", "150", "-o", "ndjson", "--sandbox"]);
    expect(list.stdout.trimEnd().split("\n")).toHaveLength(150);
    const many = await inSandbox(["token", "meta", USDC, WSOL, "-o", "csv", "--fields", "address,symbol", "--sandbox"]);
    expect(many.stdout.replaceAll("\r", "")).toMatch(/^address,symbol\nEPjF\w+,USDC\nSo1\w+,\w*SOL\n$/);
  });

  test("uses no key of the user and sends nothing to a server", async () => {
    const server = await serve((_, response) => sendJson(response, "{}"));
    const env = { SOLX_API_KEY: REAL_KEY, SOLX_BASE_URL: server.url };
    const run = await inSandbox([...META, "--sandbox", "-v"], env);
    expect([run.code, server.requests]).toEqual([0, []]);
    expect(run.stdout + run.stderr).not.toContain(REAL_KEY);
    expect(run.stderr).toContain("http://127.0.0.1:8787/v2.0/token/meta");
  });

  test("conflicting options are usage errors", async () => {
    const runs = await Promise.all([
      inSandbox([...META, "--sandbox", "--profile", "default"]),
      inSandbox(META, { SOLX_SANDBOX: "maybe" }),
      inSandbox([...META, "--sandbox"], { SOLX_SANDBOX_NOW: "soon" }),
      inSandbox([...META, "--sandbox"], { SOLX_SANDBOX_SIZE: "99" }),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(runs[2]?.stderr).toContain("for SOLX_SANDBOX_NOW: expected a duration");
  });

  test("requests are printed with its address", async () => {
    const curl = await inSandbox([...META, "--sandbox", "--curl"]);
    const url = `http://127.0.0.1:8787/v2.0/token/meta?address=${USDC}`;
    expect(curl.stdout).toBe(`curl --compressed -H "token: sandbox-key-solx" '${url}'\n`);
    expect(curl.stderr).toContain("To start it: solx sandbox");
    const dry = await inSandbox([...META, "--sandbox", "--dry-run"]);
    expect(JSON.parse(dry.stdout)).toMatchObject({ url, headers: { token: "sandbox-key-solx" } });
  });

  test("auth reports that no key is needed, and prints one for other clients", async () => {
    const [status, login, token] = await Promise.all([
      inSandbox(["auth", "status", "--sandbox"], { SOLX_API_KEY: REAL_KEY }),
      inSandbox(["auth", "login", "--sandbox"]),
      inSandbox(["auth", "token", "--sandbox"], { SOLX_API_KEY: REAL_KEY }),
    ]);
    expect([status.code, login.code, token.code]).toEqual([0, 0, 0]);
    expect(status.stderr).toContain("needs no key");
    expect(login.stderr).toContain("needs no key");
    expect(token.stdout).toBe("sandbox-key-solx\n");
  });

  test("the limits of a plan apply if requested", async () => {
    const path = `/token/meta/multi?address[]=${USDC}`;
    const free = await inSandbox(["api", path, "--sandbox"]);
    expect(free.code).toBe(0);
    const lite = await inSandbox(["api", path, "--sandbox", "SOLX_PLAN=lite"], { SOLX_SANDBOX_SEED: "limited" });
    expect(lite.code).toBe(4);
  });
});

describe("faults in process", () => {
  const struck = (faults: string, ...args: string[]) =>
    inSandbox([...META, "--sandbox", ...args], { SOLX_SANDBOX_FAULTS: faults });

  test.each([
    ["503#1, latency=1ms", [], 0],
    ["503", ["SOLX_RETRIES=0"], 8],
    ["429", ["SOLX_RETRIES=0"], 6],
    ["reset", ["SOLX_RETRIES=0"], 9],
    ["truncate", ["SOLX_RETRIES=0"], 8],
    ["bad-gzip", ["SOLX_RETRIES=0"], 8],
    ["hang", ["--timeout", "0.3", "SOLX_RETRIES=0"], 9],
    ["drip=10s", ["--timeout", "0.3", "SOLX_RETRIES=0"], 9],
    ["latency=1m", ["--timeout", "0.3", "SOLX_RETRIES=0"], 9],
    ["nonsense", [], 2],
    [" ", [], 0],
  ] as const)("%s %j ends with %i", async (faults, args, code) => {
    const run = await struck(faults, ...args);
    expect([run.code, run.stdout !== ""]).toEqual([code, code === 0]);
  });

  test("Ctrl-C ends a hanging request", async () => {
    const child = startSolx([...META, "--sandbox", "-v"], { env: sandboxEnv({ SOLX_SANDBOX_FAULTS: "hang" }) });
    // The request, which is sent once it is printed.
    await once(child.stderr, "data");
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
  });

  test("invalid faults are not saved as a setting", async () => {
    const env = { SOLX_HOME: createTempFolder(), SOLX_SANDBOX: "1" };
    const set = (value: string) => inSandbox(["config", "set", "sandbox", `faults=${value}`], env);
    expect((await set("oops")).code).toBe(2);
    expect((await set("503:10% latency=200ms")).code).toBe(0);
  });
});

/** Overwrites the first page of each table and index except the metadata of the ledger. */
function spoilTables(path: string): void {
  const db = openDatabase(path);
  const { page_size: size } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  const roots = db.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name <> 'meta' AND rootpage > 1").all();
  db.close();
  const bytes = readFileSync(path);
  for (const { rootpage } of roots) bytes.fill(0xff, (Number(rootpage) - 1) * size, Number(rootpage) * size);
  writeFileSync(path, bytes);
}

describe("requirements", () => {
  test("needs no connection, and loads only what a request needs if the ledger exists", () => {
    const hook = `
      const { registerHooks } = process.getBuiltinModule("module");
      const loads = [];
      registerHooks({ load: (url, context, next) => (loads.push(url), next(url, context)) });
      for (const [module, names] of [["net", ["connect", "createServer"]], ["dns", ["lookup"]]]) {
        for (const name of names) process.getBuiltinModule(module)[name] = () => loads.push("network " + name);
      }
      process.getBuiltinModule("net").Socket.prototype.connect = () => loads.push("network connect");
      process.on("exit", () => process.getBuiltinModule("fs").writeSync(2, loads.join(" ")));
    `;
    const args = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, join(ROOT, "bin/solx.js")];
    const run = (...command: string[]) =>
      spawnSync(process.execPath, [...args, ...command, "--sandbox", "-o", "json"], {
        env: cleanEnv(sandboxEnv()),
        encoding: "utf8",
      });
    for (const command of [META, ["account", "transfer", WALLET], ["overview"]]) {
      const { status, stderr } = run(...command);
      expect([command, status, stderr.match(/Error.*/)?.[0]]).toEqual([command, 0, undefined]);
      expect(stderr).toContain("dist/main.js");
      expect(stderr).not.toMatch(/network \w|node_modules|\/(world|writer|server|live)-/);
    }
  });

  test("a damaged ledger is reported with a remedy, without retries", async () => {
    const env = { SOLX_HOME: createTempFolder(), SOLX_SANDBOX_SIZE: "0.02" };
    expect((await inSandbox([...META, "--sandbox"], env)).code).toBe(0);
    const [ledger = ""] = JSON.parse((await inSandbox(["sandbox", "info"], env)).stdout).ledgers;
    spoilTables(ledger.path);
    const { code, stderr } = await inSandbox([...META, "--sandbox"], env);
    expect([code, JSON.parse(stderr).errors]).toEqual([8, expect.objectContaining({ retryable: false })]);
    expect(stderr).toContain("solx sandbox reset");
    expect((await inSandbox(["sandbox", "reset"], env)).code).toBe(0);
    expect((await inSandbox([...META, "--sandbox"], env)).code).toBe(0);
  });
});

describe("suggestions", () => {
  test("a command without a key suggests the sandbox", async () => {
    const args = ["token", "price", USDC, "--time", "20240701..20240705", "--profile", "default"];
    const { code, stderr } = await runInProcess(args, { env: { SOLX_API_KEY: undefined } });
    expect(code).toBe(3);
    const { hint } = JSON.parse(stderr).errors;
    expect(hint).toContain(`solx --sandbox token price ${USDC} --time 20240701..20240705`);
    expect(hint).not.toContain("--profile");
  });

  test("a refused key does not suggest it", async () => {
    const server = await serve((_, response) => sendJson(response, '{"success":false,"errors":{"code":401}}', 401));
    const { code, stderr } = await runInProcess([...META, `SOLX_BASE_URL=${server.url}`]);
    expect(code).toBe(3);
    expect(stderr).not.toContain("--sandbox");
  });

  test("help and profiles mention it", async () => {
    const [help, profiles] = await Promise.all([runInProcess(["--help"]), runInProcess(["config", "profiles"])]);
    expect(help.stdout).toContain("solx --sandbox token meta");
    expect(JSON.parse(profiles.stdout)).toContainEqual(expect.objectContaining({ name: "sandbox", active: false }));
  });
});

/** A running server, its output lines, and its end. */
async function running(args: readonly string[] = [], env: RunOptions["env"] = {}) {
  const child = startSolx(["sandbox", "--port", "0", ...args], { env: sandboxEnv(env) });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const first = (await next()) as { url: string; key: string; seed: string };
  return { child, next, first, ended: ended(child), stderr: () => stderr };
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, "close");
  return code;
}

describe("as a server", () => {
  test("serves the OpenAPI document with itself as the only server", async () => {
    const { child, first } = await running();
    const document = (await (await fetch(`${first.url}/openapi.json`)).json()) as ReturnType<typeof JSON.parse>;
    child.kill();
    const { url } = document.servers[0];
    expect([document.servers.length, new URL(url, `${first.url}/openapi.json`).href]).toEqual([1, `${first.url}/`]);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(["/v2.0/account/transfer", "/chaininfo"]));
    expect(JSON.stringify(document.paths)).not.toContain('"servers"');
  });

  test("a change names the sandbox that it reached, and is refused where several run", async () => {
    const env = { SOLX_HOME: createTempFolder() };
    const change = (...args: string[]) => runInProcess(["sandbox", "faults", "503:10%", ...args], { env });
    const one = await running(["-q"], env);
    const only = await change();
    expect([only.code, JSON.parse(only.stderr)]).toEqual([0, expect.objectContaining({ url: one.first.url })]);
    const other = await running(["-q", "--seed", "b"], env);
    const refused = await change();
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr).errors).toMatchObject({
      code: "SEVERAL_SANDBOXES",
      message: expect.stringContaining(`${other.first.url} ("b")`),
      hint: expect.stringContaining("--url http://127.0.0.1:"),
    });
    expect(JSON.parse((await change("--url", other.first.url)).stderr).url).toBe(other.first.url);
    // A killed server leaves its record behind.
    one.child.kill("SIGKILL");
    await one.ended;
    expect(JSON.parse((await change()).stderr).url).toBe(other.first.url);
    other.child.kill();
    expect(await other.ended).toBe(0);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`prints its address, logs requests and succeeds on ${signal}`, async () => {
      const { child, next, first, ended, stderr } = await running();
      const { url, key, seed } = first;
      expect(first).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), key, seed: "solx" });
      expect(key).toBe(`sandbox-key-${seed}`);
      const path = `/v2.0/token/meta?address=${USDC}`;
      const good = await fetch(url + path, { headers: { token: key } });
      expect([good.status, ((await good.json()) as { data: { symbol: string } }).data.symbol]).toEqual([200, "USDC"]);
      expect(await next()).toMatchObject({ method: "GET", path, status: 200, ms: expect.any(Number) });
      const bad = await fetch(`${url}/v2.0/account/detail?address=${key}`, { headers: { token: "other-key-1234" } });
      expect(bad.status).toBe(401);
      const line = await next();
      expect(line).toMatchObject({ status: 401 });
      expect(JSON.stringify(line)).not.toMatch(/other-key|sandbox-key/);
      child.kill(signal);
      expect([await ended, stderr()]).toEqual([0, ""]);
    });
  }

  test("solx works with it by changing only the address", async () => {
    const { child, first, ended } = await running();
    const env = { SOLX_BASE_URL: first.url, SOLX_API_KEY: first.key };
    const args = ["account", "leaderboard", "--limit", "5"];
    const [remote, here] = await Promise.all([runInProcess(args, { env }), inSandbox([...args, "--sandbox"])]);
    expect(remote.code).toBe(0);
    expect(remote.stdout).toBe(here.stdout);
    child.kill();
    await ended;
  });

  test("has its own limits: a rate and compute units", async () => {
    const { child, first, ended } = await running(["-q", "--rate", "4/60", "--units", "100"]);
    const ask = async () => {
      const answer = await fetch(`${first.url}/v2.0/token/meta?address=${USDC}`, { headers: { token: first.key } });
      return [answer.status, /units/.test(await answer.text())];
    };
    expect(await ask()).toEqual([200, false]);
    expect(await ask()).toEqual([429, true]);
    await Promise.all([ask(), ask()]);
    expect(await ask()).toEqual([429, false]);
    child.kill();
    expect(await ended).toBe(0);
  });

  test("options: seed, size, time, key, plan, faults, quiet", async () => {
    const args = ["--seed", "b", "--now", "2024-07-05", "--key", "mine-0123456789", "--plan", "lite", "-q"];
    const { child, first, ended } = await running([...args, "--fault", "503@v2-token-trending"]);
    const { url, key, seed } = first;
    expect([key, seed]).toEqual(["mine-0123456789", "b"]);
    const ask = async (path: string) => (await fetch(url + path, { headers: { token: key } })).status;
    expect(await ask("/v2.0/token/trending")).toBe(503);
    expect(await ask(`/v2.0/token/meta/multi?address[]=${USDC}`)).toBe(403);
    expect(await ask("/chaininfo")).toBe(200);
    child.kill();
    expect(await ended).toBe(0);
  });

  test("--host: reachable by other machines, with a chosen key and accepted names only", async () => {
    const args = ["--host", "0.0.0.0", "--allow-host", "sandbox", "--key", "mine-0123456789"];
    const { child, next, first, ended } = await running(args);
    expect(first).toMatchObject({ url: expect.stringContaining("http://127.0.0.1:"), key: "mine-0123456789" });
    const statusFor = (host: string, key = first.key) =>
      new Promise((resolve) => {
        const headers = { host, token: key };
        get(`${first.url}/v2.0/token/meta?address=${USDC}`, { headers }, ({ statusCode }) => resolve(statusCode));
      });
    expect([await statusFor("sandbox:8787"), await statusFor("10.1.2.3"), await statusFor("a.page")]).toEqual([
      200, 200, 403,
    ]);
    expect(await statusFor("sandbox:8787", "sandbox-key-solx")).toBe(401);
    expect(await next()).toMatchObject({ status: 200 });
    child.kill();
    expect(await ended).toBe(0);
  });

  test("faults of one client: the base URL with its name", async () => {
    const { child, first, ended } = await running(["-q", "--fault", "500@client=ann"]);
    const run = (client: string) =>
      runInProcess([...META, `SOLX_BASE_URL=${first.url}${client}`, `SOLX_API_KEY=${first.key}`]);
    const runs = await Promise.all([run("/_client/ann"), run("/_client/bob"), run("")]);
    expect(runs.map(({ code }) => code)).toEqual([8, 0, 0]);
    child.kill();
    expect(await ended).toBe(0);
  });

  test("--live: blocks arrive while clients send requests", async ({ expect }) => {
    const { child, first, ended } = await running(["--live", "0.2", "-q"]);
    const slot = async () => {
      const answer = await fetch(`${first.url}/chaininfo`, { headers: { token: first.key } });
      return ((await answer.json()) as { data: { absoluteSlot: number } }).data.absoluteSlot;
    };
    const before = await slot();
    await expect.poll(slot).toBeGreaterThan(before);
    child.kill();
    expect(await ended).toBe(0);
  });

  test("invalid options are refused", async () => {
    const lines = [
      ["--port", "70000"],
      ["--port", "http"],
      ["--host", "example.com"],
      ["--host", "0.0.0.0"],
      ["--size", "0"],
      ["--seed", "a b"],
      ["--now", "soon"],
      ["--live", "never"],
      ["--key", "two words"],
      ["--fault", "nonsense"],
      ["--rate", "200"],
      ["--rate", "3/0"],
      ["--rate", "1000001/1"],
      ["--units", "some"],
      ["--plan", "gold"],
      ["--dry-run"],
      ["elsewhere"],
    ];
    const runs = await Promise.all(lines.map((args) => inSandbox(["sandbox", ...args])));
    expect(runs.map(({ code }, at) => [lines[at]?.join(" "), code])).toEqual(lines.map((args) => [args.join(" "), 2]));
  });

  test("a port in use is reported with a remedy", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr, stdout } = await inSandbox(["sandbox", "--port", String(port)]);
    other.close();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`port ${port} is in use`);
    expect(stderr).toContain("--port 0");
  });

  test("ends silently when the reader of its log has gone", async ({ expect }) => {
    const { child, first, ended, stderr } = await running();
    child.stdout.destroy();
    const ask = () => fetch(`${first.url}/chaininfo`, { headers: { token: first.key } }).catch(() => undefined);
    await expect.poll(async () => (await ask()) === undefined || child.exitCode !== null).toBe(true);
    expect([await ended, stderr()]).toEqual([0, ""]);
  });

  test("help contains examples and the names of faults", async () => {
    const { stdout } = await runInProcess(["sandbox", "--help-all"]);
    for (const text of ["Examples:", "--port", "--shape", "500:10%", "info", "reset"]) {
      expect(stdout).toContain(text);
    }
  });
});

describe("its files", () => {
  const home = createTempFolder();
  const env = { SOLX_HOME: home, SOLX_SANDBOX_SIZE: "0.02" };

  test("info lists ledgers, reset removes them", async () => {
    const none = await inSandbox(["sandbox", "info"], env);
    expect(JSON.parse(none.stdout)).toEqual({ folder: join(home, "cache", "sandbox"), bytes: 0, ledgers: [] });
    expect((await inSandbox(["--sandbox", ...META], env)).code).toBe(0);
    const info = JSON.parse((await inSandbox(["sandbox", "info"], env)).stdout);
    expect(info).toMatchObject({ ledgers: [{ seed: "solx", size: 0.02, hostile: false, bytes: expect.any(Number) }] });
    expect(info.bytes).toBeGreaterThan(100_000);
    const reset = await inSandbox(["sandbox", "reset"], env);
    expect(JSON.parse(reset.stdout)).toMatchObject({ removed: 1, bytes: expect.any(Number) });
    expect(existsSync(join(home, "cache", "sandbox")) && readdirSync(join(home, "cache", "sandbox"))).toBe(false);
  });

  test("Ctrl-C while a ledger is created leaves no files", async () => {
    const home = createTempFolder();
    const child = startSolx(["--sandbox", ...META], { env: sandboxEnv({ SOLX_HOME: home, SOLX_SANDBOX_SIZE: "3" }) });
    const folder = join(home, "cache", "sandbox");
    await expect.poll(() => existsSync(folder) && readdirSync(folder).length > 0).toBe(true);
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("as a library", () => {
  const LIBRARY = new URL("../../dist/library/index.js", import.meta.url).href;
  const SANDBOX = new URL("../../dist/library/sandbox.js", import.meta.url).href;
  const run = (program: string) =>
    spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      env: cleanEnv(sandboxEnv({ NODE_NO_WARNINGS: "1" })),
      encoding: "utf8",
    });

  test("starts several servers on different ports", () => {
    const { stdout, stderr } = run(`
      import { createClient } from ${JSON.stringify(LIBRARY)};
      import { startSandbox } from ${JSON.stringify(SANDBOX)};
      const options = { size: 0.05, now: 1720137600, faults: ["500@v2-token-trending#1"] };
      const [one, two] = await Promise.all([startSandbox(options), startSandbox(options)]);
      const client = createClient({ baseUrl: one.url, key: one.key, retries: 0 });
      const meta = await client.token.meta({ address: ${JSON.stringify(USDC)} });
      const failure = await client.token.trending().then(() => undefined, (error) => error);
      const rows = [];
      for await (const row of client.account.leaderboard().rows({ limit: 15 })) rows.push(row);
      await client.close();
      const requests = one.requests().length;
      await Promise.all([one.close(), two.close()]);
      console.log(JSON.stringify([meta.symbol, failure.exit, rows.length, requests, one.url !== two.url]));
    `);
    expect({ stdout, stderr }).toEqual({ stdout: '["USDC","server",15,3,true]\n', stderr: "" });
  });

  test("loads nothing until it starts", () => {
    const { stdout } = run(`
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      await import(${JSON.stringify(LIBRARY)});
      const names = loaded.map((url) => url.split("/").at(-1));
      console.log(names.filter((name) => /sandbox|sqlite|world|^server-/.test(name)).length);
    `);
    expect(stdout).toBe("0\n");
  });
});

describe("overview", () => {
  test("prints one object for programs", async () => {
    const { code, stdout, stderr } = await inProgram(["overview", "--sandbox"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const view = JSON.parse(stdout);
    expect(Object.keys(view)).toEqual(["chain", "blocks", "trending", "top", "wallet", "next"]);
    expect(view.chain.absoluteSlot).toBe(view.blocks[0].current_slot);
    expect(view.trending[0].price).toBeGreaterThan(0);
    expect(view.wallet).toMatch(/^\w{32,44}$/);
  });

  test("suggests commands that work as printed", async () => {
    const { stdout } = await inProgram(["overview", "--sandbox"]);
    const lines: string[] = JSON.parse(stdout).next;
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) {
      const { status, stderr } = spawnSync("sh", ["-c", `${line} --quiet`], {
        cwd: process.cwd(),
        env: cleanEnv(sandboxEnv()),
        encoding: "utf8",
      });
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: "" });
    }
  });

  test.each([60, 80, 120])("fits a terminal of %i columns and 24 lines", async (columns) => {
    const { code, stdout } = await inProgram(["overview", "--sandbox"], { SOLX_FORCE_TTY: String(columns) });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(18);
    if (columns >= 80)
      expect(Math.max(...lines.map((line) => stripVTControlCharacters(line).length))).toBeLessThanOrEqual(columns);
    expect(lines[lines.findIndex((line) => line.startsWith("Next")) + 1]).toMatch(/ show \w{32,44} --sandbox$/);
    for (const word of ["LATEST BLOCKS", "TRENDING", "TOP TOKENS", "Next"]) expect(stdout).toContain(word);
  });

  test("prints the requested number of rows, and does not support --all", async () => {
    const { stdout } = await inProgram(["overview", "--sandbox", "--limit", "2"]);
    const { blocks, trending, top } = JSON.parse(stdout);
    expect([blocks.length, trending.length, top.length]).toEqual([2, 2, 2]);
    for (const wrong of [["--all"], ["--limit", "0"], ["--limit", "11"]]) {
      expect((await inProgram(["overview", "--sandbox", ...wrong])).code).toBe(2);
    }
  });

  test("suggests commands for the shell when run from an npm script", async () => {
    const env = { npm_lifecycle_event: "start", INIT_CWD: join(ROOT, "docs") };
    const { stdout } = await inProgram(["overview", "--sandbox"], env);
    expect(JSON.parse(stdout).next[0]).toMatch(/^node \.\.\/bin\/solx\.js show /);
  });

  test("needs a key for the real API, and suggests the sandbox", async () => {
    const { code, stderr } = await solx(["overview"], { env: sandboxEnv({ HTTPS_PROXY: undefined }) });
    expect(code).toBe(3);
    expect(stderr).toContain("solx --sandbox overview");
  });

  test("is printed at the end of npm start", async () => {
    const { status, stdout } = spawnSync("npm", ["start", "--silent"], {
      cwd: ROOT,
      env: cleanEnv(sandboxEnv()),
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Sandbox[\s\S]*\nLATEST BLOCKS[\s\S]*\nNext/);
    const overview = await inProgram(["explore", "--sandbox", "--or-text", "-o", "json"]);
    expect(JSON.parse(overview.stdout).blocks.length).toBeGreaterThan(0);
  });
});
