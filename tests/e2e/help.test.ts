/** Help, version, suggestions: what works with no key, no home and no network. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { solx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SIGNATURE = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";
const BARE = { SOLX_HOME: undefined, SOLX_API_KEY: undefined, HOME: undefined };
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe.concurrent("help without key, home and network", () => {
  test("--version is the version of the package", async () => {
    for (const flag of ["--version", "-V"]) {
      expect(await solx([flag], { env: BARE })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });

  test("bare solx and --help show the groups, with examples first", async () => {
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await solx(args, { env: BARE });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout.indexOf("Examples:")).toBe(0);
      for (const group of [
        "account",
        "token",
        "nft",
        "transaction",
        "block",
        "market",
        "program",
        "legacy",
        "show",
        "api",
      ]) {
        expect(stdout).toMatch(new RegExp(`^  ${group}\\b`, "m"));
      }
    }
  });

  test("a group shows its commands", async () => {
    for (const args of [["account"], ["account", "--help"], ["help", "account"]]) {
      const { code, stdout } = await solx(args, { env: BARE });
      expect(code).toBe(0);
      expect(stdout).toContain("defi-activities-export");
    }
  });

  test("a command's help begins with examples and shows allowed values and defaults in groups", async () => {
    const { code, stdout } = await solx(["account", "transfer", "--help"], { env: BARE });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Examples:/);
    expect(stdout).toMatch(/--flow <value>[^-]*in, out/);
    expect(stdout).toMatch(/--page-size <value>[^-]*10, 20, 30, 40, 60, 100[^-]*default: 10/s);
    for (const heading of ["Filters:", "Paging:", "Output:", "Rows:", "Request:"]) expect(stdout).toContain(heading);
    expect(await solx(["help", "account", "transfer"], { env: BARE })).toMatchObject({ stdout });
  });

  test("help may stand before any word of a command", async () => {
    const { stdout } = await runInProcess(["account", "transfer", "--help"], { env: BARE });
    expect(stdout).toContain("--flow <value>");
    expect(await runInProcess(["account", "help", "transfer"], { env: BARE })).toMatchObject({ code: 0, stdout });
    expect((await runInProcess(["account", "help"], { env: BARE })).stdout).toContain("defi-activities-export");
    expect((await runInProcess(["show", "help"], { env: BARE })).stdout).toBe("");
  });

  test("docs list the catalogue for machines", async () => {
    const { code, stdout } = await solx(["docs", "-o", "json"], { env: BARE });
    expect(code).toBe(0);
    const list = JSON.parse(stdout);
    expect(list).toHaveLength(65);
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

  test("every route has a page, and its curl line and command are on it", async () => {
    for (const route of ["v2-account-transfer", "account-tokens", "chaininfo", "/v2-token-price-multi"]) {
      const { code, stdout } = await solx(["docs", route, "-o", "table"], { env: BARE });
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
    const { code, stdout } = await solx(["docs", ...words.split(" ")], { env: BARE });
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toBe(route);
  });

  test("a group is listed", async () => {
    const { stdout } = await solx(["docs", "tx", "-o", "json"], { env: BARE });
    expect(JSON.parse(stdout)).toHaveLength(5);
  });
});

describe.concurrent("mistakes are usage errors with a suggestion", () => {
  test.each([
    [["acount"], "account"],
    [["account", "trasfer"], "transfer"],
    [["account", "transfer", "--flw", "in"], "--flow"],
    [["docs", "v2-acount-transfer"], "v2-account-transfer"],
  ])("%j", async (args, suggestion) => {
    const { code, stdout, stderr } = await solx(args, { env: BARE });
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
  ])("what is on the chain is no command, and there is one for it: %j", async (...args) => {
    const { code, stderr } = await runInProcess(args, { env: BARE });
    const { message, hint } = JSON.parse(stderr).errors;
    expect([code, hint]).toEqual([2, `See what it is with: solx show ${args.at(-1)?.replace(/^.*\//, "")}`]);
    expect(message.length).toBeLessThan(110);
  });

  test.each([
    ["tokn", "--help"],
    ["token", "mta", "-h"],
    ["help", "token", "mta"],
    ["config", "sett", "--help"],
  ])("help for what is no command is the same mistake: %j", async (...args) => {
    const { code, stdout, stderr } = await runInProcess(args, { env: BARE });
    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr).errors).toMatchObject({
      message: expect.stringMatching(/^Unknown command '(tokn|mta|sett)'\.$/),
      hint: expect.stringMatching(/^Did you mean/),
    });
  });

  test("options of a command beside explore go with the command", async () => {
    const { code, stderr } = await runInProcess(["explore", "account", "transfer", USDC, "--flow", "in"], {
      env: BARE,
    });
    expect([code, JSON.parse(stderr).errors]).toEqual([
      2,
      expect.objectContaining({
        message: "Unknown option '--flow'.",
        hint: `Options of a command go with the command itself: solx account transfer ${USDC} --flow in -i`,
      }),
    ]);
    const other = await runInProcess(["explore", USDC, "--flw"], { env: BARE });
    expect(JSON.parse(other.stderr).errors.hint).not.toContain("-i");
  });

  test("a command that is far from the word is not suggested", async () => {
    const { stderr } = await runInProcess(["account", "trades", USDC], { env: BARE });
    expect(JSON.parse(stderr).errors.hint).toBe("Put --help in its place to see what there is.");
  });

  test("an unknown format lists the choices, on every command", async () => {
    const commands = [
      ...new Set(endpoints.map(({ group, family }) => `${family === "legacy" ? "legacy " : ""}${group}`)),
    ];
    const sample = endpoints.filter((_, index) => index % 9 === 0).map(({ command }) => command.split(" "));
    expect(commands.length).toBeGreaterThan(8);
    for (const words of [...sample, ["docs"], ["config", "list"]]) {
      const { code, stderr } = await solx([...words, "-o", "xml"], { env: BARE });
      expect(code, words.join(" ")).toBe(2);
      expect(stderr).toContain("ndjson");
    }
  });
});
