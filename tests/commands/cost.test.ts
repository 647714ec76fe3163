/** Confirmation of expensive fetches, and the choice between export and pages. */
import { Readable, Writable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, endpointByPath } from "../../src/catalogue/index.ts";
import { USDC, WALLET } from "../../src/catalogue/samples.ts";
import { run } from "../../src/commands/run/run.ts";
import { runInProcess } from "../support/in-process.ts";
import { SANDBOX_NOW, useSandbox } from "../support/running-sandbox.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { cleanEnv, splitAssignments } from "../support/solx.ts";

/** Large enough that the wallet has more transfers than an export contains. */
const sandbox = useSandbox({ size: 2.5 });
/** Runs a command line without a terminal. */
const solx = (...argv: string[]) => runInProcess([...argv, "-o", "ndjson"], { env: sandbox.env() });
const rowsIn = (text: string) => text.split("\n").filter(Boolean).length;

/** Runs a command line at a terminal with typed input. */
async function atTerminal(typed: string, ...argv: string[]) {
  const texts = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof texts, extra: object) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          texts[name] += String(chunk);
          done();
        },
      }),
      extra,
    ) as unknown as NodeJS.WriteStream;
  const stdin = Object.assign(Readable.from([typed]), { isTTY: true }) as unknown as NodeJS.ReadStream;
  const { args, env } = splitAssignments([...argv, "-o", "ndjson"], { ...sandbox.env(), ACCESSIBLE: "1" });
  const code = await run({
    argv: args,
    env: cleanEnv(env),
    version: "0.0.0",
    stdin,
    stdout: stream("stdout", {}),
    stderr: stream("stderr", { isTTY: true, columns: 200 }),
    now: () => SANDBOX_NOW * 1000,
    signal: new AbortController().signal,
  });
  return { code, ...texts };
}

describe("a list that costs more than the confirmation threshold", () => {
  const TRANSFERS = ["account", "transfer", WALLET, "--all", "SOLX_CONFIRM_UNITS=1000"];
  let count: number;
  beforeAll(async () => {
    const total = endpointByPath("v2", "/account/transfer/total") as Endpoint;
    count = Number((await sandbox.client.fetch(total, { address: WALLET, from_time: 1 })).data);
    expect(count).toBeGreaterThan(5000);
  });

  test("is refused without a terminal before a row is written, with its cost", async () => {
    const before = sandbox.requests().length;
    const { code, stdout, stderr } = await solx(...TRANSFERS);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/account transfer: about [\d,]+ rows, about [\d,]+ requests, about [\d,]+ compute units, /);
    expect(stderr).toContain("--yes");
    const rows = Number(/about ([\d,]+) rows/.exec(stderr)?.[1]?.replaceAll(",", ""));
    expect(rows).toBeGreaterThan(count / 4);
    expect(rows).toBeLessThan(count * 4);
    expect(sandbox.requests().length - before).toBeLessThan(25);
  });

  test("is fetched with --yes, and its cost noted", async () => {
    const { code, stdout, stderr } = await solx(...TRANSFERS, "--yes");
    expect(code).toBe(0);
    expect(rowsIn(stdout)).toBe(count);
    expect(stderr).toContain("compute units");
  });

  test("prompts at a terminal", async () => {
    const yes = await atTerminal("y\n", ...TRANSFERS);
    expect(yes.stderr).toMatch(/compute units.*\n.*Continue\? \[y\/N\] /);
    expect([yes.code, rowsIn(yes.stdout)]).toEqual([0, count]);
    for (const typed of ["n\n", "\n", ""]) {
      const no = await atTerminal(typed, ...TRANSFERS);
      expect([no.code, no.stdout]).toEqual([2, ""]);
      expect(no.stderr).toContain("Nothing was written");
    }
  });

  test("is refused at a terminal with SOLX_NO_INPUT", async () => {
    const { code, stdout, stderr } = await atTerminal("y\n", ...TRANSFERS, "SOLX_NO_INPUT=1");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--yes");
    expect(stderr).not.toContain("Continue?");
  });

  test("a key is not prompted for with SOLX_NO_INPUT", async () => {
    const { code, stderr } = await atTerminal("key\n", "auth", "login", "--profile", "p", "SOLX_NO_INPUT=1");
    expect([code, stderr]).toEqual([3, expect.stringContaining("does not prompt for one: SOLX_NO_INPUT is set")]);
  });

  test("has exact costs if its length is known", async () => {
    const { code, stderr } = await solx("token", "holders", USDC, "--all", "SOLX_CONFIRM_UNITS=100");
    expect(code).toBe(2);
    expect(stderr).toMatch(/token holders: \d+ rows, \d+ requests, [\d,]+ compute units/);
    const limited = await solx("account", "transfer", WALLET, "--limit", "350", "SOLX_CONFIRM_UNITS=300");
    expect(limited.stderr).toContain("account transfer: 350 rows, 5 requests, 500 compute units, less than a minute");
  });

  test("is stopped in the middle if its length is unknown", async () => {
    const { code, stdout, stderr } = await solx("account", "transactions", WALLET, "--all", "SOLX_CONFIRM_UNITS=300");
    expect(code).toBe(10);
    expect(rowsIn(stdout)).toBe(120);
    expect(stderr).toContain("300 compute units spent");
    expect(stderr).toContain("--yes");
  });
});

describe("no confirmation is needed", () => {
  test.each([
    ["for a page", ["account", "transfer", WALLET, "SOLX_CONFIRM_UNITS=1", "--quiet"]],
    ["for a list that is short", ["account", "stake", WALLET, "--all", "SOLX_CONFIRM_UNITS=200"]],
    ["for a list at the threshold", ["account", "transfer", WALLET, "--limit", "300", "SOLX_CONFIRM_UNITS=400"]],
    ["by default for a few thousand rows", ["account", "transfer", WALLET, "--all"]],
  ])("%s", async (_, line) => {
    const { code, stderr } = await solx(...line);
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("for the sandbox in process, unless a threshold is given", async () => {
    const line = ["token", "holders", USDC, "--all", "--sandbox", "-o", "ndjson"];
    const environment = sandboxEnv({ SOLX_SANDBOX_NOW: String(SANDBOX_NOW) });
    expect((await runInProcess(line, { env: environment })).code).toBe(0);
    expect((await runInProcess([...line, "SOLX_CONFIRM_UNITS=100"], { env: environment })).code).toBe(2);
  });
});

describe("an export", () => {
  const EXPORT = ["account", "transfer-export", WALLET, "SOLX_RATE=off"];

  test("that is longer than one answer prints the cost of both ways, and is confirmed", async () => {
    const { code, stdout, stderr } = await solx(...EXPORT, "--all", "SOLX_CONFIRM_UNITS=200");
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/About [\d,]+ rows\. By export: \d+ requests, [\d,]+ units, \d+ minutes?\./);
    expect(stderr).toMatch(/By pages \(solx account transfer\): \d+ requests, [\d,]+ units, .*, without Value\./);
  });

  test("is printed with its time range by --dry-run", async () => {
    const window = await solx(...EXPORT, "--all", "--dry-run");
    expect(window.stdout).toMatch(/transfer\/export\?.*from_time=1584316800"/);
  });
});
