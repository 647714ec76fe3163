/** The daily limit of compute units: what it stops, what it reports, and how it is lifted. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BONK, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { SANDBOX_NOW, useSandbox } from "../support/running-sandbox.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { createTempFolder } from "../support/solx.ts";

const sandbox = useSandbox();

/** Runs on one machine: they share what is spent. */
function machine() {
  const home = createTempFolder();
  const env = {
    SOLX_HOME: home,
    SOLX_BASE_URL: sandbox.url,
    SOLX_API_KEY: sandbox.key,
    SOLX_CACHE: "off",
    SOLX_SANDBOX_NOW: String(SANDBOX_NOW),
    SOLX_RATE: "1000/1",
  };
  const solx = (...argv: string[]) => runInProcess(argv, { env });
  return { home, env, solx };
}

const META = ["token", "meta", USDC, "-o", "json"];
const LIST = ["account", "transfer", WALLET, "--limit", "500"];

test("a setting of the profile stops requests with exit 7, and the hint lifts it", async () => {
  const { solx, env } = machine();
  expect(await solx("config", "set", "units", "day=200")).toMatchObject({ code: 0 });
  expect((await solx("config", "get", "units")).stdout).toContain("200");
  expect((await solx("config", "list", "-o", "csv")).stdout).toMatch(/units,day=200,profile default/);
  for (let count = 0; count < 2; count += 1) expect(await solx(...META)).toMatchObject({ code: 0, stderr: "" });
  const before = sandbox.requests().length;
  const { code, stdout, stderr } = await solx(...META);
  expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
  const { errors } = JSON.parse(stderr);
  expect(errors).toMatchObject({ code: "UNITS_PER_DAY", retryable: false });
  expect(errors.message).toContain("200 of 200 compute units are spent today");
  expect(errors.hint).toContain("solx config set units day=");
  expect(sandbox.requests()).toHaveLength(before);
  expect(await solx(...META, "SOLX_UNITS_PER_DAY=off")).toMatchObject({ code: 0 });
  expect(await runInProcess(META, { env: { ...env, SOLX_UNITS_PER_DAY: "400" } })).toMatchObject({ code: 0 });
  expect(await solx(...META)).toMatchObject({ code: 7 });
  expect(await solx("config", "unset", "units")).toMatchObject({ code: 0 });
  expect(await solx(...META)).toMatchObject({ code: 0 });
  expect(await solx(...META, "SOLX_UNITS_PER_DAY=0.1k")).toMatchObject({ code: 7 });
  expect(await solx(...META, "SOLX_UNITS_PER_DAY=lots")).toMatchObject({ code: 2 });
});

test("a long fetch notes that it will be stopped, saves its rows, and resumes to the same bytes", async () => {
  const { solx, home } = machine();
  const [whole, file] = [join(home, "whole.csv"), join(home, "rows.csv")];
  expect(await solx(...LIST, "--out", whole)).toMatchObject({ code: 0 });
  const stopped = await solx(...LIST, "--out", file, "SOLX_UNITS_PER_DAY=800");
  expect(stopped.code).toBe(7);
  expect(stopped.stderr).toContain(
    "account transfer costs about 600 compute units, and the daily limit leaves 200 units today",
  );
  expect(stopped.stderr).toContain("The daily limit of units is reached: 800 of 800");
  expect(stopped.stderr).toContain("200 rows saved in");
  const { hint } = JSON.parse(stopped.stderr.trimEnd().split("\n").at(-1) ?? "").errors;
  expect(hint).toMatch(/To continue after 00:00 UTC: .* --resume$/m);
  expect(hint).toMatch(/To continue now, .*: SOLX_UNITS_PER_DAY=off solx .* --resume$/m);
  const known = await solx("usage", "-o", "table", "SOLX_UNITS_PER_DAY=800");
  expect(known).toMatchObject({ code: 7, stdout: expect.stringContaining("of 800 units spent here") });
  expect(known.stdout).toMatch(/account transfer +\d/);
  expect(await solx(...LIST, "--out", file, "--resume")).toMatchObject({ code: 0 });
  expect(readFileSync(file)).toEqual(readFileSync(whole));
});

test("a batch is stopped after the previous items, with its cost", async () => {
  const { solx } = machine();
  const { code, stderr } = await solx("account", "detail", WALLET, USDC, "SOLX_UNITS_PER_DAY=100", "-o", "ndjson");
  expect(code).toBe(7);
  expect(stderr).toContain("account detail for 2 identifiers costs 200 compute units");
  const none = await solx("token", "meta", USDC, BONK, "SOLX_UNITS_PER_DAY=100", "-o", "ndjson");
  expect(none.stderr).toContain("leaves 0 units today: too few for the first request");
  expect(stderr).toContain("The daily limit of units is reached");
});

test("the sandbox in process is limited only if a limit is given", async () => {
  const home = createTempFolder();
  const env = { ...(await sandboxEnv({ seed: "test" })), SOLX_HOME: home, SOLX_SANDBOX: "1" };
  const run = (...argv: string[]) => runInProcess([...META, ...argv], { env });
  expect(await run("SOLX_UNITS_PER_DAY=100")).toMatchObject({ code: 0 });
  expect(await run("SOLX_UNITS_PER_DAY=100")).toMatchObject({ code: 7 });
  expect(await run()).toMatchObject({ code: 0 });
});
