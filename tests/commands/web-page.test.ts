/** `--web` and `--web`: pages of the public explorer. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SIGNATURE = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";
/** Nothing answers there: no page needs a request. */
const NOWHERE = ["SOLX_BASE_URL=http://127.0.0.1:1"];

const solx = (args: readonly string[], options = {}) => runInProcess([...args, ...NOWHERE], options);

describe("--web", () => {
  it.each([
    [["token", "meta", USDC], `token/${USDC}`],
    [["token", "holders", "usdc"], `token/${USDC}`],
    [["account", "transfer", USDC], `account/${USDC}`],
    [["tx", "detail", SIGNATURE], `tx/${SIGNATURE}`],
    [["block", "detail", "1234"], "block/1234"],
    [["market", "info", USDC], `account/${USDC}`],
    [["show", SIGNATURE], `tx/${SIGNATURE}`],
    [["show", "1234"], "block/1234"],
    [["account", "detail", USDC, "--rpc", "devnet"], `account/${USDC}?cluster=devnet`],
  ])("%j", async (args, path) => {
    const { code, stdout, stderr } = await runInProcess([...args, "--web"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `https://solscan.io/${path}\n`, stderr: "" });
  });

  it("prints a line for each identifier of a pipe", async () => {
    const { stdout } = await solx(["account", "detail", "-", "--web"], { input: `${USDC}\n${USDC}\n` });
    expect(stdout).toBe(`https://solscan.io/account/${USDC}\n`.repeat(2));
  });

  it.each([
    [["account", "detail", "../../evil"], 2],
    [["token", "list"], 2],
    [["chaininfo"], 2],
    [["account", "detail", USDC, "--rpc", "localnet"], 2],
    [["api", "/token/list"], 2],
  ])("%j has no page", async (args, exit) => {
    const { code, stdout } = await runInProcess([...args, "--web"]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
  });
});

describe("--web", () => {
  const folder = createTempFolder();
  const [opener, file] = [join(folder, "xdg-open"), join(folder, "opened")];
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${file}\n`);
  chmodSync(opener, 0o755);
  const env = { DISPLAY: ":0", PATH: `${folder}:/usr/bin:/bin`, CI: undefined, SSH_CONNECTION: undefined };

  it("opens the page for a person at a terminal", async () => {
    const run = await solx(["token", "meta", USDC, "--web"], { env, terminal: 80, isStderrTTY: true });
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(run.stderr).toContain(`Opened https://solscan.io/token/${USDC}`);
    expect(readFileSync(file, "utf8")).toBe(`https://solscan.io/token/${USDC}`);
  });

  it.each<[name: string, changes: Record<string, string | undefined>, terminal?: number, args?: readonly string[]]>([
    ["without a browser", { DISPLAY: undefined, WAYLAND_DISPLAY: undefined }, 80],
    ["in CI", { CI: "1" }, 80],
    ["with SOLX_NO_INPUT", { SOLX_NO_INPUT: "1" }, 80],
    ["in a pipe", {}],
  ])("prints the URL %s", async (_name, changes, terminal, args = []) => {
    rmSync(file, { force: true });
    const options = { env: { ...env, ...changes }, ...(terminal && { terminal }) };
    const { code, stdout } = await solx(["token", "meta", USDC, "--web", ...args], options);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `https://solscan.io/token/${USDC}\n` });
    expect(existsSync(file)).toBe(false);
  });
});
