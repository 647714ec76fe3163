/** `solx usage` as used for monitoring, with a server that returns numbers of the test. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import parsePrometheus from "parse-prometheus-text-format";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageResult } from "../../src/commands/usage/derived.ts";
import { runInProcess } from "../support/in-process.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { sendJson, serve, type TestServer } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder } from "../support/solx.ts";

const DAY = 86_400_000;
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
let server: TestServer;
let isDown = false;
const used = 16_400_000;

/** Usage in the middle of a billing period. */
const usage = () => ({
  email: "owner@example.com",
  renew_date: new Date(Date.now() - 15 * DAY).toISOString(),
  end_date: new Date(Date.now() + 15 * DAY).toISOString(),
  last_cu_reset_date: new Date(Date.now() - 15 * DAY).toISOString(),
  remaining_cus: 20_000_000 - used,
  usage_cus: used,
  total_requests_24h: 100,
  success_rate_24h: 99.5,
  total_cu_24h: 10_000,
});

beforeAll(async () => {
  server = await serve(({ url = "" }, response) => {
    if (url.includes("/token/holders"))
      sendJson(response, '{"success":false,"errors":{"code":500,"message":"no"}}', 500);
    else if (!url.includes("/monitor/usage")) sendJson(response, '{"success":true,"data":{"ok":true}}');
    else if (isDown) sendJson(response, '{"success":false,"errors":{"code":503,"message":"down"}}', 503);
    else sendJson(response, JSON.stringify({ success: true, data: usage() }));
  });
});
afterAll(() => server.close());

const env = (home: string) => ({ SOLX_HOME: home, SOLX_BASE_URL: server.url, SOLX_RETRIES: "0", LANG: "C.UTF-8" });

describe("solx usage", () => {
  it("prints, checks, and falls back to the last known numbers when the API is down", async () => {
    const options = { env: env(createTempFolder()) };
    const first = await runInProcess(["usage", "--fail-over", "80%", "--fail-under-units", "10M"], options);
    expect(first.code).toBe(11);
    expect(JSON.parse(first.stdout)).toMatchObject({
      email: "owner@example.com",
      remaining_cus: 3_600_000,
      derived: { plan: "lite", used_percent: 82, state: "short", stale: false },
    });
    expect(first.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(first.stderr).errors.message).toMatch(/^82% .* more than 80%; 3,600,000 units are left, .*\.$/);

    isDown = true;
    const stale = await runInProcess(["usage", "--fail-over", "80%"], options);
    isDown = false;
    expect(stale.code).toBe(8);
    expect(JSON.parse(stale.stdout)).toMatchObject({ remaining_cus: 3_600_000, derived: { stale: true } });
    expect(JSON.parse(stale.stderr).errors).toMatchObject({ status: 503, retryable: true });

    const selected = await runInProcess(["usage", "-q", "--jq", ".remaining_cus"], options);
    expect(selected).toMatchObject({ code: 0, stdout: "3600000\n" });

    const quiet = await runInProcess(["usage", "-q", "--fail-over", "82%"], options);
    expect(quiet).toMatchObject({ code: 0, stdout: "", stderr: "" });

    const text = await runInProcess(["usage"], { env: { ...options.env, SOLX_FORCE_TTY: "70", NO_COLOR: "1" } });
    expect(text.stdout).toContain("SHORT: At this pace the units end on");
    expect(text.stdout).toMatch(/monitor usage +│ +4 │ +1 │ +300/);
    expect(text.stdout).not.toContain("\u001b");
  });

  it("fails without earlier numbers when the API is down, instead of printing zeros", async () => {
    isDown = true;
    const [plain, metrics] = await Promise.all([
      runInProcess(["usage"], { env: env(createTempFolder()) }),
      runInProcess(["usage", "-o", "prometheus"], { env: env(createTempFolder()) }),
    ]);
    isDown = false;
    expect(plain).toMatchObject({ code: 8, stdout: "" });
    expect(metrics.code).toBe(8);
    expect(parsePrometheus(metrics.stdout)).toMatchObject([{ name: "solx_usage_up", metrics: [{ value: "0" }] }]);
  });

  it("works as a plugin for a caller that reads the first line and the exit code", async () => {
    const folder = createTempFolder();
    const check = join(folder, "check");
    // Nagios and similar systems run a check like this.
    writeFileSync(
      check,
      `#!/bin/sh\nout=$("${process.execPath}" "${BIN}" usage -o nagios "$@" 2>/dev/null)\necho "$?:\${out%%-*}"\n`,
      {
        mode: 0o755,
      },
    );
    const call = async (...args: string[]) =>
      (await promisify(execFile)(check, args, { env: cleanEnv(env(folder)) })).stdout.trim();
    const calls = [["--warn-over", "90%"], ["--warn-over", "70%"], ["--fail-before-renewal"], ["--fail-over", "lots"]];
    expect(await Promise.all([...calls, ["--no-such-option"]].map((args) => call(...args)))).toEqual([
      "0:OK",
      "1:WARNING",
      "2:CRITICAL",
      "3:UNKNOWN",
      "3:UNKNOWN",
    ]);
    isDown = true;
    expect(await call("--fail-over", "90%")).toBe("3:UNKNOWN");
    isDown = false;
    // A full disk, if the system has a device for it.
    if (existsSync("/dev/full")) {
      const full = `"${process.execPath}" "${BIN}" usage -o nagios > /dev/full`;
      const failed = await promisify(execFile)("sh", ["-c", full], { env: cleanEnv(env(folder)) }).catch(
        (error) => error,
      );
      expect(failed).toMatchObject({ code: 3, stderr: expect.stringMatching(/^UNKNOWN - .*disk is full\.\n$/) });
    }
  });

  it("counts the requests of all processes, and stores nothing but counts", async () => {
    const home = createTempFolder();
    const options = { env: env(home) };
    const commands = [
      ...[1, 2, 3].map(() => ["token", "meta", MINT]),
      ["token", "holders", MINT],
      ["api", `/some/thing/${MINT}`],
    ];
    await Promise.all(commands.map((args) => runInProcess(args, options)));
    await runInProcess(["token", "meta", MINT], { env: { ...options.env, SOLX_REQUEST_LOG: "off" } });
    const { stdout } = await runInProcess(["usage", "--jq", ".derived.local_endpoints"], options);
    expect(JSON.parse(stdout)).toEqual([
      { endpoint: "token meta", requests: 3, failed: 0, units: 300 },
      expect.objectContaining({ endpoint: "other", requests: 1 }),
      { endpoint: "token holders", requests: 1, failed: 1, units: 0 },
    ]);
    const state = join(home, "state");
    expect(readdirSync(state)).toContain("usage.sqlite");
    const bytes = readFileSync(join(state, "usage.sqlite")).toString("latin1");
    for (const secret of [MINT, "test-key", "127.0.0.1", "owner@example.com", "/some"]) {
      expect(bytes).not.toContain(secret);
    }
  });
});

describe("docs/usage.md", () => {
  const text = readFileSync(new URL("../../docs/usage.md", import.meta.url), "utf8");
  const recipes = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = ""]) => script);

  it("has recipes that run unchanged with the sandbox", async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "solx"), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`, { mode: 0o755 });
    const PATH = `${folder}:${process.env.PATH}`;
    const { stdout } = await promisify(execFile)("sh", ["-euc", recipes.join("\n")], {
      cwd: folder,
      env: { ...cleanEnv(sandboxEnv()), PATH },
    });
    expect(recipes.length).toBeGreaterThanOrEqual(6);
    expect(stdout).toContain("OK - ");
    expect(readFileSync(join(folder, "transfers.csv"), "utf8").split("\n").length).toBeGreaterThan(100);
    const names = parsePrometheus(readFileSync(join(folder, "solx.prom"), "utf8")).map(({ name }) => name);
    expect(names).toContain("solx_compute_units_remaining");
    expect(names.filter((name) => !text.includes(name) && !/_(remaining|limit)$/.test(name))).toEqual([]);
  });

  it("documents every field", () => {
    for (const name of Object.keys(UsageResult.shape.derived.shape)) expect(text).toContain(`\`${name}\``);
  });
});
