/** Errors of the command line: names as they were typed, what is accepted, and what to run next. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { USDC, WALLET } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const env = { SOLX_API_KEY: undefined, NO_COLOR: "1" };
/** Runs a command whose errors a person reads. */
const atTerminal = (...argv: string[]) => runInProcess(argv, { env, isStderrTTY: true });
const inPipe = (...argv: string[]) => runInProcess(argv, { env });

describe("unknown names", () => {
  test.each([
    [["tx", "det"], 'unknown command "det" for "solx transaction"', '"solx transaction detail"'],
    [["tok"], 'unknown command "tok" for "solx"', 'Did you mean "solx token"?'],
    [["token", "hold"], 'unknown command "hold"', 'Did you mean "solx token holders"?'],
    [["holders"], 'unknown command "holders"', 'Did you mean "solx token holders <address>"'],
    [["hodlers"], 'unknown command "hodlers"', 'Did you mean "solx token holders"?'],
    [[`${WALLET.slice(0, -1)}0`], "unknown command", '"0" (zero), is not base58.'],
    [["balance"], 'unknown command "balance"', 'Did you mean "solx account'],
    [["who", "holds", "BONK"], 'unknown command "who"', 'Did you mean "solx token holders <address>"'],
    [["validators"], 'unknown command "validators"', 'Did you mean "solx node validators --rpc mainnet"'],
    [["export"], 'unknown command "export"', "export"],
    [["quota"], 'unknown command "quota"', "solx usage"],
    [["block", "newest"], 'unknown command "newest"', 'Did you mean "solx block last"'],
    [["sandbox", "inf"], 'unknown command "inf" for "solx sandbox"', 'Did you mean "solx sandbox info"?'],
    [["account", "detail", "--format", "csv"], 'unknown flag "--format"', 'Did you mean "-o csv"?'],
    [["account", "detail", "--format=csv"], 'unknown flag "--format=csv"', 'Did you mean "-o csv"?'],
    [["account", "transfer", WALLET, "--since", "7d"], 'unknown flag "--since"', 'Did you mean "--from-time 7d"?'],
    [["foo"], 'unknown command "foo" for "solx"', "For a list of commands, run: solx --help"],
    [["who", "holds", "mytoken"], 'unknown command "who"', 'Did you mean "solx token holders <address>"'],
    [["--sandbox=maybe"], "--sandbox takes no value", "solx --help"],
    [["config", "list", "--sandbox=maybe"], "--sandbox takes no value", "solx config list --help"],
    [["account", "transfer", WALLET, "--sandbox=false"], "--sandbox takes no value", "--help"],
    [["account", "transfer", WALLET, "--exclude-amount-zero=no"], "--exclude-amount-zero takes no value", "--help"],
    [["config", "list", "--help=all"], "--help takes no value", "--help"],
    [["config", "list", "-v=1"], "-v takes no value", "--help"],
    [["account", "transfer", WALLET, "--flw", "in"], 'unknown flag "--flw"', 'Did you mean "--flow"?'],
  ])("%j", async (argv, message, hint) => {
    const { code, stdout, stderr } = await atTerminal(...argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).toContain(hint);
  });
});

describe("invalid values", () => {
  const transfers = ["account", "transfer", WALLET, "--sandbox"];

  test.each([
    [
      [...transfers, "--from-time", "lastweek"],
      'invalid value "lastweek" for --from-time: expected a duration (7d), a date (2024-07-05) or Unix seconds',
    ],
    [
      [...transfers, "--from-time", "99999d"],
      'invalid value "99999d" for --from-time: expected a time from 1970 on\n  Use a later date, or a shorter duration.',
    ],
    [
      ["token", "price", USDC, "--time", "9999999d..now", "--sandbox"],
      'invalid value "9999999d..now" for --time: expected a date (2024-07-05 or 20240705) or a duration (7d)\n  Use a later',
    ],
    [[...transfers, "--block-time", "1960-01-01..now"], 'invalid value "1960-01-01..now" for --block-time: expected a'],
    [[...transfers, "--token", "usdc", "--amount", "5..3"], 'invalid value "5..3" for --amount: expected the smaller'],
    [[...transfers, "--amount", "5usdc..3usdc"], 'invalid value "5usdc..3usdc" for --amount: expected the smaller'],
    [[...transfers, "--token", "usdc", "--amount", "5..x"], 'invalid value "x" for --amount: expected a number'],
    [
      [...transfers, "--limit", "99999999999999999999"],
      'invalid value "99999999999999999999" for --limit: expected a whole number from 1 to 9007199254740991',
    ],
    [
      ["block", "detail", "99999999999999999999", "--sandbox"],
      'invalid value "99999999999999999999" for <block>: expected a slot number from 0 to 9007199254740991',
    ],
    [[...transfers, "--flow", "up"], 'invalid value "up" for --flow: expected in or out'],
    [[...transfers, "--amount", "1..2"], "--amount requires --token"],
    [["account", "detail", "wallets", "--sandbox"], 'invalid value "wallets" for <address>: expected'],
    [["account", "detail", "--address", "wallets", "--sandbox"], 'invalid value "wallets" for --address: expected'],
    [["account", "detail", "--sandbox"], "missing argument <address>"],
    [
      ["program", "analytics", WALLET, "--sandbox"],
      "missing required flag --range\n  For example: solx program analytics",
    ],
    [[...transfers, "--from-time", "2024-07-05", "--to-time", "2024-07-01"], "--to-time is before --from-time\n"],
    [
      ["token", "price", USDC, "--from-time", "7d", "--to-time", "30d", "--sandbox"],
      "--to-time is before --from-time\n",
    ],
  ])("are named as they were typed: %j", async (argv, message) => {
    const { code, stderr } = await atTerminal(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
    const { errors } = JSON.parse((await inPipe(...argv)).stderr);
    expect(errors).toMatchObject({
      ...{ code: 1100, message: expect.stringContaining(message.split("\n")[0] ?? "") },
      api_message: expect.stringContaining("Validation Error"),
    });
    expect((await atTerminal(...argv, "-v")).stderr).toContain(`API: ${errors.api_message}`);
  });

  test("a file in place of an identifier suggests @file", async () => {
    const file = join(createTempFolder(), "wallets.txt");
    writeFileSync(file, `${WALLET}\n`);
    const { code, stderr } = await atTerminal("account", "detail", file, "--sandbox");
    expect([code, stderr]).toEqual([2, expect.stringContaining(`To read identifiers from the file: @${file}`)]);
  });
});

test("login and logout are those of auth", async () => {
  for (const name of ["login", "logout"]) {
    expect((await inPipe(name, "--help")).stdout).toContain(`Usage: solx auth ${name} [flags]`);
  }
});

test("the format of errors is that of the command line, however much of it was parsed", async () => {
  expect((await runInProcess(["account", "detail", "--flw", "-o", "json"], { env, isStderrTTY: true })).stderr).toMatch(
    /^\{/,
  );
  expect((await runInProcess(["-o", "table", "acount"], { env })).stderr).toMatch(/^error: /);
  expect(await inPipe("usage", "--bogus", "-o", "nagios")).toMatchObject({
    code: 3,
    stdout: 'UNKNOWN - unknown flag "--bogus" for "solx usage"\n',
  });
});
