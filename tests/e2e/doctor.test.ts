/** `solx doctor`, and home directories that are not writable. */
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { pem } from "../client/servers.ts";
import { runInProcess } from "../support/in-process.ts";
import { testWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder, solx, startSolx } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

const KEY = "doctor-key-0123456789abcdef";
const USAGE =
  '{"success":true,"data":{"remaining_cus":19000000,"usage_cus":1000000,"end_date":"2030-01-01T00:00:00Z"}}';
const CHAIN = '{"success":true,"data":{"blockHeight":1,"currentEpoch":2,"absoluteSlot":3,"transactionCount":4}}';

interface Finding {
  readonly area: string;
  readonly check: string;
  readonly level: string;
  readonly value: unknown;
  readonly message: string;
  readonly hint: string | null;
}

const findingsOf = (stdout: string) => JSON.parse(stdout) as readonly Finding[];

function finding(stdout: string, check: string, area?: string): Finding | undefined {
  return findingsOf(stdout).find((one) => one.check === check && (area === undefined || one.area === area));
}

/** Starts a server with a self-signed certificate; returns its port. */
async function selfSigned(): Promise<number> {
  const server = createServer({ key: pem("server.key"), cert: pem("self-signed") });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** An API server that accepts one key, with the given date in its responses. */
const api = (date?: string) =>
  serve((request, response) => {
    const head = date === undefined ? undefined : { date };
    if (request.url === "/chaininfo") return sendJson(response, CHAIN, 200, head);
    if (request.headers.token === KEY) return sendJson(response, USAGE, 200, head);
    sendJson(response, '{"success":false,"errors":{"code":401,"message":"Token is missing"}}', 401, head);
  });

describe("solx doctor", () => {
  test("reports no problem in a healthy setup, costs one request, and never prints the key", async () => {
    const { url, requests } = await api();
    const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: KEY, SOLX_BASE_URL: url, SOLX_PLAN: "lite" };
    const { code, stdout, stderr } = await solx(["doctor", "-v"], { env });
    expect(findingsOf(stdout).filter(({ level }) => level === "problem" || level === "warning")).toEqual([]);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(KEY);
    expect(finding(stdout, "found")?.value).toEqual({ key: "****cdef", source: "environment SOLX_API_KEY" });
    expect(finding(stdout, "accepted")?.value).toMatchObject({ remaining: 19_000_000, used: 1_000_000 });
    expect(findingsOf(stdout)).toContainEqual(expect.objectContaining({ area: "key", check: "plan", value: "lite" }));
    expect(finding(stdout, "v2")).toMatchObject({ level: "ok", value: { status: 401 } });
    expect(finding(stdout, "clock")?.level).toBe("ok");
    expect(finding(stdout, "base-url")?.value).toEqual({ value: url, source: "environment SOLX_BASE_URL" });
    for (const check of ["solx", "Node", "SQLite", "jq"]) expect(finding(stdout, check)?.level).toBe("ok");
    expect(requests.filter(({ headers }) => headers.token !== undefined).map((one) => one.url)).toEqual([
      "/v2.0/monitor/usage",
    ]);
  });

  test("reports a wrong clock, undocumented answers and the cost of comparing, and exits with 11", async () => {
    const { url } = await api(new Date(Date.now() - 3_600_000).toUTCString());
    const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: KEY, SOLX_BASE_URL: url };
    const { code, stdout, stderr } = await solx(["doctor", "--drift"], { env });
    expect(finding(stdout, "clock")).toMatchObject({ level: "problem", message: expect.stringMatching(/ahead of/) });
    expect(finding(stdout, "clock")?.value).toBeGreaterThan(3590);
    expect(finding(stdout, "clock")?.hint).toBeTruthy();
    expect(code).toBe(11);
    const [note = "", failure = ""] = stderr.trim().split("\n");
    expect(JSON.parse(note).note).toMatch(/^Comparing \d+ answers costs \d+ compute units\.$/);
    expect(JSON.parse(failure).errors).toMatchObject({
      code: "CHECK",
      message: expect.stringMatching(/^found 1 problem/),
    });
    expect(finding(stdout, "account detail")).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/^differs from the documentation: .*expected/),
      hint: expect.stringContaining("solx docs v2-account-detail"),
    });
  });

  test("distinguishes servers that are no API, refuse connections or are not trusted", async () => {
    const page = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
    });
    const port = await selfSigned();
    const { code, stdout } = await runInProcess(["doctor"], {
      env: {
        SOLX_HOME: createTempFolder(),
        SOLX_API_KEY: KEY,
        SOLX_BASE_URL_PUBLIC: page.url,
        SOLX_BASE_URL_LEGACY: "http://127.0.0.1:1",
        SOLX_BASE_URL_V2: `https://localhost:${port}`,
        SOLX_BUDGET: "redis://:hunter2@127.0.0.1:1",
      },
    });
    expect(code).toBe(11);
    expect(finding(stdout, "public")).toMatchObject({ level: "problem", message: expect.stringMatching(/HTML/) });
    expect(finding(stdout, "legacy")).toMatchObject({ level: "problem", value: { code: "REFUSED" } });
    expect(finding(stdout, "v2")).toMatchObject({
      level: "problem",
      value: { code: "TLS_UNTRUSTED" },
      hint: expect.stringMatching(/solx config set ca-cert/),
    });
    expect(finding(stdout, "accepted")?.level).toBe("note");
    expect(finding(stdout, "rate", "budget")).toMatchObject({
      level: "warning",
      value: { shared: "redis://127.0.0.1:1" },
    });
    expect(stdout).not.toContain("hunter2");
    for (const { level, hint } of findingsOf(stdout)) if (level === "problem") expect(hint).toBeTruthy();
  });

  test("runs with a broken settings file and names the line; sends no request with --offline", async () => {
    const { url, requests } = await api();
    const home = createTempFolder();
    writeFileSync(join(home, "config.json"), '{\n  "profiles": {,}\n}\n');
    const env = { SOLX_HOME: home, SOLX_API_KEY: KEY, SOLX_BASE_URL: url, SOLX_TIMEOUT: "soon", SOLX_RETRIE: "1" };
    const { code, stdout } = await runInProcess(["doctor", "--offline", "--profile", "missing"], { env });
    expect(code).toBe(11);
    const problem = finding(stdout, "file");
    expect(problem?.level).toBe("problem");
    expect(problem?.message).toContain(join(home, "config.json"));
    expect(problem?.message).toContain("line 2");
    expect(finding(stdout, "SOLX_TIMEOUT")).toMatchObject({ level: "problem" });
    expect(finding(stdout, "SOLX_RETRIE")).toMatchObject({ level: "warning", hint: "Did you mean SOLX_RETRIES?" });
    expect(finding(stdout, "offline")).toMatchObject({ level: "note" });
    expect(requests).toEqual([]);
  });

  test("a profile that does not exist is a finding", async () => {
    const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: KEY, SOLX_PROFILE: "missing" };
    const { code, stdout } = await runInProcess(["doctor", "--offline", "-o", "table"], { env });
    expect(code).toBe(11);
    expect(stdout).toMatch(/✗ problem {2}profile .*unknown profile "missing"/);
    expect(stdout).toMatch(/→ Profiles: default, sandbox/);
  });

  test("an invalid address is reported once, and not listed as a value", async () => {
    const home = createTempFolder();
    writeFileSync(join(home, "config.json"), '{"profiles":{"default":{"base-url":"ftp://name:word@x/?key=1"}}}');
    const { code, stdout } = await runInProcess(["doctor"], { env: { SOLX_HOME: home, SOLX_API_KEY: KEY } });
    expect(code).toBe(11);
    const reports = findingsOf(stdout).filter(({ message }) => message.includes('"ftp://x/"'));
    expect(reports.map(({ check, level }) => [check, level])).toEqual([["file", "problem"]]);
    expect(findingsOf(stdout).filter(({ check }) => check.startsWith("base-url"))).toEqual([]);
    expect(finding(stdout, "v2")).toMatchObject({
      level: "note",
      message: expect.stringMatching(/^not checked: see/),
    });
  });

  test("with a rejected key nothing is compared and no cost is printed", async () => {
    const { url, requests } = await api();
    const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: "another-key-0123456789", SOLX_BASE_URL: url };
    const { code, stdout, stderr } = await runInProcess(["doctor", "--drift"], { env });
    expect(code).toBe(11);
    expect(stderr).not.toContain("compute units");
    const drift = findingsOf(stdout).filter(({ area }) => area === "drift");
    expect(drift).toMatchObject([{ check: "answers", level: "note", message: expect.stringMatching(/^not compared/) }]);
    expect(requests.filter(({ headers }) => headers.token !== undefined)).toHaveLength(1);
  });

  test("a response that never ends times out after the time limit of a step", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 100);
      response.on("close", () => clearInterval(drip));
    });
    const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: KEY, SOLX_BASE_URL: url };
    const { stdout } = await runInProcess(["doctor", "--timeout", "1"], { env });
    expect(finding(stdout, "v2")).toMatchObject({
      value: { code: "TIMEOUT" },
      message: expect.stringContaining("2.5 s"),
    });
  });

  test("Ctrl-C stops it while a server does not respond", async () => {
    const received = Promise.withResolvers<void>();
    const { url } = await serve(() => received.resolve());
    const child = startSolx(["doctor"], {
      env: { SOLX_HOME: createTempFolder(), SOLX_API_KEY: KEY, SOLX_BASE_URL: url },
    });
    const ended = new Promise((done) => child.on("close", done));
    await received.promise;
    child.kill("SIGINT");
    expect(await ended).toBe(130);
  });

  test("an invalid option is rejected before any check runs", async () => {
    const { code, stdout } = await runInProcess(["doctor", "--timeout", "soon"]);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("answers of the sandbox match the documentation, without key or network", async () => {
    const { code, stdout } = await runInProcess(["doctor", "--sandbox", "--drift"], { env: sandboxEnv() });
    const compared = findingsOf(stdout).filter(({ area }) => area === "drift");
    expect(compared.length).toBeGreaterThan(5);
    for (const one of compared) expect(one).toMatchObject({ level: "ok", message: "as documented" });
    expect(code).toBe(0);
  });

  test("a report contains neither the key nor names of folders, users and servers", async () => {
    const home = join(createTempFolder(), userInfo().username);
    const env = {
      SOLX_HOME: undefined,
      HOME: home,
      SOLX_API_KEY: KEY,
      SOLX_BASE_URL_LEGACY: "https://gateway.corp.example/v1.0",
      HTTPS_PROXY: "http://someone:hunter2@proxy.corp.example:1",
    };
    const { code, stdout, stderr } = await runInProcess(["doctor", "--report", "--offline"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^### solx doctor\n/);
    expect(stdout).toContain("<details>");
    expect(stdout).toMatch(/- ✓ ok \*\*base-url\*\*: legacy=&lt;server&gt;,/);
    for (const secret of [KEY, "cdef-", home, "hunter2", "corp.example"]) expect(stdout + stderr).not.toContain(secret);
  });
});

testWith("tmux")("a narrow window has every section below its heading", async () => {
  const window = new Terminal(["doctor", "--offline"], {
    width: 50,
    height: 100,
    env: { SOLX_HOME: createTempFolder() },
  });
  onTestFinished(closeTerminals);
  const screen = await window.waitFor(/exit \d+/);
  for (const heading of ["Program", "Settings", "Files", "Key", "Network", "Budget", "Terminal", "Parts", "Answers"]) {
    expect(screen).toMatch(new RegExp(`^${heading}$`, "m"));
  }
  expect(screen).toMatch(/note {5}screen\n {4}50 × 100/);
  expect(screen).toContain("exit 0");
});

describe.skipIf(!existsSync("/proc/1"))("a home directory that is not writable", () => {
  const SOLX_HOME = "/proc/1/x";

  test("config set reports it", async () => {
    const { code, stderr } = await runInProcess(["config", "set", "output", "table"], { env: { SOLX_HOME } });
    expect(code).toBe(2);
    expect(JSON.parse(stderr).errors.message).toMatch(/^\/proc\/1\/x cannot be written/);
  });

  test("requests work without shared rate limit and cache", async () => {
    const { url } = await api();
    const env = { SOLX_HOME, SOLX_API_KEY: KEY, SOLX_BASE_URL: url, SOLX_CACHE: "on" };
    const { code, stdout, stderr } = await runInProcess(["chaininfo"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ currentEpoch: 2 });
    expect(stderr).toMatch(/rate limit is not shared/);
  });

  test("the sandbox works, and the doctor reports the folders", async () => {
    const env = sandboxEnv({ SOLX_HOME, SOLX_SANDBOX_SIZE: "0.02" });
    const { code, stdout } = await solx(["doctor", "--sandbox"], { env });
    expect(code).toBe(0);
    expect(finding(stdout, "accepted")?.level).toBe("ok");
    for (const folder of ["config", "state", "cache"]) {
      expect(finding(stdout, folder)).toMatchObject({ level: "warning", value: { writable: false } });
    }
  });
});
