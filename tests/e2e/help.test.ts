/** Help, version and suggestions, which need no key, no home folder and no network. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allEndpoints, endpoints } from "../../src/catalogue/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { solx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SIGNATURE = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";
const BARE = { SOLX_HOME: undefined, SOLX_API_KEY: undefined, HOME: undefined };
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe.concurrent("help without key, home and network", () => {
  test("--version and version print the version of the package", async () => {
    for (const flag of ["--version", "-V", "version"]) {
      expect(await solx([flag], { env: BARE })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });

  test("solx and solx --help list the commands by task, after the examples", async () => {
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await runInProcess(args, { env: BARE });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Query Solscan, .*\n\nUsage: solx <command> \[flags\]\n/);
      expect(stdout.indexOf("\nExamples:\n")).toBeLessThan(stdout.indexOf("\nQuery the chain:\n"));
      expect(stdout).toMatch(/^Other commands:\n.* api,.* legacy,/m);
      for (const group of ["account", "token", "nft", "transaction", "block", "market", "program", "show"]) {
        expect(stdout).toMatch(new RegExp(`^  ${group}\\b`, "m"));
      }
    }
  });

  test("a group lists its commands", async () => {
    for (const args of [["account"], ["account", "--help"], ["help", "account"]]) {
      const { code, stdout } = await runInProcess(args, { env: BARE });
      expect(code).toBe(0);
      expect(stdout).toContain("defi-activities-export");
    }
  });

  test("the help of a command has description, usage, examples, arguments and the common flags", async () => {
    const { code, stdout } = await runInProcess(["account", "transfer", "--help"], { env: BARE });
    expect(code).toBe(0);
    const headings = ["Usage: solx account transfer <address>... [flags]", "Examples:", "Arguments:", "Flags:"];
    const positions = headings.map((heading) => stdout.indexOf(`\n${heading}\n`));
    expect(positions.every((position, at) => position > (positions[at - 1] ?? 0))).toBe(true);
    expect(stdout).toMatch(/^ {2}--flow in\|out +\S/m);
    expect(stdout).toMatch(/^ {2}--help-all +show all flags/m);
    expect(stdout).not.toContain("--page-size <");
    expect(await runInProcess(["help", "account", "transfer"], { env: BARE })).toMatchObject({ stdout });
  });

  test("--help-all has every flag in groups, with allowed values and defaults", async () => {
    const { code, stdout } = await runInProcess(["account", "transfer", "--help-all"], { env: BARE });
    expect(code).toBe(0);
    expect(stdout).toMatch(/--page-size <n>[^-]*10, 20, 30, 40, 60, 100[^-]*default: 10/s);
    for (const heading of ["Filters:", "Paging:", "Output:", "Rows:", "Request:"]) expect(stdout).toContain(heading);
  });

  test("help may precede any word of a command", async () => {
    const { stdout } = await runInProcess(["account", "transfer", "--help"], { env: BARE });
    expect(stdout).toContain("--flow in|out");
    for (const words of ["account help transfer", "-h account transfer", "account --help transfer"])
      expect(await runInProcess(words.split(" "), { env: BARE })).toMatchObject({ code: 0, stdout });
    expect(await runInProcess(["--rpc", "mainnet", "help", "account", "transfer"], { env: BARE })).toMatchObject({
      code: 0,
    });
    expect((await runInProcess(["account", "help"], { env: BARE })).stdout).toContain("defi-activities-export");
    expect((await runInProcess(["show", "help"], { env: BARE })).stdout).toBe("");
  });

  test("docs lists the catalogue as JSON", async () => {
    const { code, stdout } = await runInProcess(["docs", "-o", "json"], { env: BARE });
    expect(code).toBe(0);
    const list = JSON.parse(stdout);
    expect(list).toHaveLength(allEndpoints.length);
    const transfer = list.find(({ route }: { route: string }) => route === "v2-account-transfer");
    expect(transfer).toMatchObject({
      family: "v2",
      group: "account",
      name: "transfer",
      method: "GET",
      path: "/account/transfer",
      command: "account transfer",
      paging: "page",
      cost: { units: 100, per: "request" },
    });
    expect(transfer.parameters.find(({ name }: { name: string }) => name === "page_size").values).toEqual([
      10, 20, 30, 40, 60, 100,
    ]);
  });

  test("every route has a page with its curl line and command", async () => {
    for (const route of ["v2-account-transfer", "account-tokens", "chaininfo", "/v2-token-price-multi"]) {
      const { code, stdout } = await runInProcess(["docs", route, "-o", "table"], { env: BARE });
      expect(code).toBe(0);
      for (const text of ["Request", "Cost", "curl", "solx "]) expect(stdout).toContain(text);
    }
  });
});

describe.concurrent("pages by command", () => {
  test.each([
    ["token meta", "v2-token-meta"],
    ["tx detail", "v2-transaction-detail"],
    ["legacy token meta", "token-meta"],
  ])("docs %s is %s", async (words, route) => {
    const { code, stdout } = await runInProcess(["docs", ...words.split(" ")], { env: BARE });
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toBe(route);
  });

  test("a group is listed", async () => {
    const { stdout } = await runInProcess(["docs", "tx", "-o", "json"], { env: BARE });
    expect(JSON.parse(stdout)).toHaveLength(6);
  });
});

describe.concurrent("typing errors are usage errors with a suggestion", () => {
  test.each([
    [["acount"], '"solx account"'],
    [["tok"], '"solx token"'],
    [["token", "hold"], '"solx token holders"'],
    [["account", "det"], '"solx account detail"'],
    [["tx", "det"], '"solx transaction detail"'],
    [["holders"], '"solx token holders <address>"'],
    [["account", "trades", USDC], '"solx account defi-activities <address>"'],
    [["account", "detail", "--format", "csv"], '"-o csv"'],
    [["account", "trasfer"], "transfer"],
    [["account", "transfer", "--flw", "in"], "--flow"],
    [["docs", "v2-acount-transfer"], "v2-account-transfer"],
  ])("%j", async (args, suggestion) => {
    const { code, stdout, stderr } = await runInProcess(args, { env: BARE });
    expect(stdout).toBe("");
    expect(code).toBe(args[0] === "docs" ? 5 : 2);
    expect(JSON.parse(stderr).errors.hint).toContain(suggestion);
  });

  test.each([
    [USDC],
    [SIGNATURE],
    ["286244070"],
    [`https://solscan.io/token/${USDC}`],
    ["account", USDC],
    ["legacy", "token", USDC],
  ])("an identifier in place of a command suggests show: %j", async (...args) => {
    const { code, stderr } = await runInProcess(args, { env: BARE });
    const { message, hint } = JSON.parse(stderr).errors;
    expect([code, hint]).toEqual([2, `To look it up, run: solx show ${args.at(-1)?.replace(/^.*\//, "")}`]);
    expect(message.length).toBeLessThan(110);
  });

  test.each([
    ["tokn", "--help"],
    ["token", "mta", "-h"],
    ["help", "token", "mta"],
    ["config", "sett", "--help"],
  ])("help for an unknown command is the same error: %j", async (...args) => {
    const { code, stdout, stderr } = await runInProcess(args, { env: BARE });
    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr).errors).toMatchObject({
      message: expect.stringMatching(/^unknown command "(tokn|mta|sett)" for "solx.*"$/),
      hint: expect.stringMatching(/^Did you mean/),
    });
  });

  test("flags of an API command after explore suggest the command itself", async () => {
    const { code, stderr } = await runInProcess(["explore", "account", "transfer", USDC, "--flow", "in"], {
      env: BARE,
    });
    expect([code, JSON.parse(stderr).errors]).toEqual([
      2,
      expect.objectContaining({
        message: 'unknown flag "--flow" for "solx explore"',
        hint: `Filters belong to the API command: solx account transfer ${USDC} --flow in -i`,
      }),
    ]);
    const other = await runInProcess(["explore", USDC, "--flw"], { env: BARE });
    expect(JSON.parse(other.stderr).errors.hint).not.toContain("-i");
  });

  test("a command that differs too much is not suggested", async () => {
    const { stderr } = await runInProcess(["account", "xyzzy", USDC], { env: BARE });
    expect(JSON.parse(stderr).errors.hint).toBe("For a list of commands, run: solx account --help");
  });

  test("an unknown format lists the choices, on every command", async () => {
    const commands = [
      ...new Set(endpoints.map(({ group, family }) => `${family === "legacy" ? "legacy " : ""}${group}`)),
    ];
    const sample = endpoints.filter((_, index) => index % 9 === 0).map(({ command }) => command.split(" "));
    expect(commands.length).toBeGreaterThan(8);
    for (const command of [...sample, ["docs"], ["config", "list"]]) {
      const { code, stderr } = await runInProcess([...command, "-o", "xml"], { env: BARE });
      expect(code, command.join(" ")).toBe(2);
      expect(stderr).toContain("ndjson");
    }
  });
});
