/** Starting the explorer: the start page, the checks of the terminal, and the log. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { endpointByRoute } from "../../src/catalogue/index.ts";
import { createExplorerContext, openLog } from "../../src/commands/explore/context.ts";
import { checkIdentified, routeFromEndpoint, routeFromWords } from "../../src/commands/explore/start-route.ts";
import { canExplore } from "../../src/commands/explore/terminal-support.ts";
import { hasNoCommand } from "../../src/commands/run/arguments.ts";
import type { Io } from "../../src/commands/run/context.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { supportsUnicode } from "../../src/output/stream/terminal.ts";
import { createTempFolder } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SIGNATURE = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";

describe("the start page", () => {
  test.each([
    [[], { kind: "page", page: "home" }],
    [["usage"], { kind: "page", page: "usage" }],
    [["leaderboard"], { kind: "page", page: "leaderboard" }],
    [[USDC], { kind: "entity", entity: "account", id: USDC }],
    [["281844070"], { kind: "entity", entity: "block", id: "281844070" }],
    [[SIGNATURE], { kind: "entity", entity: "transaction", id: SIGNATURE }],
    [[`https://solscan.io/token/${USDC}`], { kind: "entity", entity: "token", id: USDC }],
    [["tx", SIGNATURE], { kind: "entity", entity: "transaction", id: SIGNATURE }],
    [["token", `https://solscan.io/token/${USDC}`], { kind: "entity", entity: "token", id: USDC }],
    [["market", USDC], { kind: "entity", entity: "market", id: USDC }],
    [["nft", USDC], { kind: "entity", entity: "collection", id: USDC }],
    [["token", "holders", USDC], { kind: "endpoint", endpointRoute: "v2-token-holders", params: { address: USDC } }],
    [["token", "list"], { kind: "endpoint", endpointRoute: "v2-token-list", params: {} }],
  ])("%j", (words, place) => {
    expect(routeFromWords(words)).toEqual(place);
  });

  test.each([[["nonsense"]], [["tx", USDC]], [["token", "meta"]], [["block", "x"]], [["token", "list", USDC]]])(
    "%j is refused with a hint",
    (words) => {
      expect(() => routeFromWords(words)).toThrow(UsageError);
    },
  );

  test("a kind of entity alone lacks its identifier", () => {
    for (const kind of ["token", "tx"])
      expect(() => checkIdentified([kind])).toThrow(`missing argument <identifier> for "solx explore ${kind}"`);
    for (const words of [["usage"], ["token", USDC], [USDC], []]) expect(() => checkIdentified(words)).not.toThrow();
  });

  test("includes the parameters of a command", () => {
    const endpoint = endpointByRoute("v2-account-transfer");
    if (!endpoint) throw new Error("There is no such endpoint.");
    const place = { kind: "endpoint", endpointRoute: endpoint.route, params: { address: USDC, flow: "in" } };
    expect(routeFromEndpoint(endpoint, [USDC], { flow: "in" })).toEqual(place);
    expect(routeFromEndpoint(endpoint, [], { flow: "in", address: [USDC] })).toEqual(place);
    expect(() => routeFromEndpoint(endpoint, [USDC, SIGNATURE], {})).toThrow(/one identifier at a time/);
    expect(() => routeFromEndpoint(endpoint, [], {})).toThrow(UsageError);
  });
});

describe("a terminal", () => {
  const io = (stdin: boolean, stdout: boolean, env = {}) =>
    ({ stdin: { isTTY: stdin }, stdout: { isTTY: stdout }, env }) as unknown as Io;

  test("is required for input and output, and must support control sequences", () => {
    expect(canExplore(io(true, true, { TERM: "xterm", CI: "1" }))).toBe(false);
    expect(canExplore(io(true, true, { TERM: "xterm", CI: "1", SOLX_FORCE_TTY: "100%" }))).toBe(true);
    expect(canExplore(io(true, true, { TERM: "xterm", SOLX_NO_INPUT: "1" }))).toBe(false);
    expect(canExplore(io(false, true))).toBe(false);
    expect(canExplore(io(true, false))).toBe(false);
    expect(canExplore(io(true, true, { TERM: "dumb" }))).toBe(false);
  });

  test("gets ASCII according to its locale or name", () => {
    expect(supportsUnicode({ LANG: "en_US.UTF-8" })).toBe(true);
    expect(supportsUnicode({ LC_ALL: "C", LANG: "en_US.UTF-8" })).toBe(false);
    expect(supportsUnicode({ LANG: "de_DE.utf8", TERM: "linux" })).toBe(false);
    expect(supportsUnicode({})).toBe(true);
  });

  const options = [new Option("--sandbox"), new Option("-v, --verbose"), new Option("-p, --plan <name>")];

  test.each([[], ["--sandbox"], ["--plan", "lite", "-v"], ["--plan=lite"], ["-p", "lite", "--sandbox"]])(
    "starts the explorer when the command line has only options: %j",
    (...argv) => expect(hasNoCommand(argv, options)).toBe(true),
  );

  test.each([["--help"], ["-v", "-h"], ["-V"], ["token"], ["--sandbox", "token"], ["--plan", "lite", "token"]])(
    "does not start the explorer for %j",
    (...argv) => expect(hasNoCommand(argv, options)).toBe(false),
  );
});

describe("the log", () => {
  test("is created with the first entry, is private, and has a maximum size", () => {
    const folder = join(createTempFolder(), "state");
    const log = openLog(folder, () => 0);
    const path = log.path ?? "";
    expect(existsSync(path)).toBe(false);
    log.write("first");
    expect(readFileSync(path, "utf8")).toBe("1970-01-01T00:00:00.000Z first\n");
    expect(statSync(path).mode & 0o077).toBe(0);
    for (let count = 0; count < 200; count += 1) log.write("x".repeat(20_000));
    expect(statSync(path).size).toBeLessThan(600_000);
    expect(statSync(`${path}.1`).size).toBeLessThan(600_000);
  });

  test("write failures are ignored", () => {
    const log = openLog("/proc/nowhere", () => 0);
    expect(() => log.write("lost")).not.toThrow();
    expect(openLog(undefined, () => 0).path).toBeUndefined();
  });

  test("receives the standard error output of the client; notes are delivered to listeners", async () => {
    const written: string[] = [];
    const runContext = createContext({
      argv: [],
      env: {},
      version: "0",
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      now: () => 0,
      signal: new AbortController().signal,
    });
    const explorer = createExplorerContext(runContext, { path: undefined, write: (text) => written.push(text) });
    await explorer.context.reporter.note("before there is a listener");
    const notes: string[] = [];
    explorer.onNote((text) => notes.push(text));
    await explorer.context.reporter.note("afterwards");
    explorer.context.reporter.write("a trace\n");
    await explorer.context.reporter.flush();
    expect(notes).toEqual(["before there is a listener", "afterwards"]);
    expect(written.join("\n")).toMatch(/before there is a listener[\s\S]*afterwards[\s\S]*a trace/);
    await explorer.close();
    expect(explorer.context.io.signal.aborted).toBe(true);
    expect(runContext.io.signal.aborted).toBe(false);
  });
});
