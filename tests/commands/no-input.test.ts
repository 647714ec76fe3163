/** Without a person: nothing prompts, and nothing draws a screen, however the terminal looks. */
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { USDC, WALLET } from "../../src/catalogue/samples.ts";
import { sourceFiles } from "../project/source.ts";
import { runInProcess } from "../support/in-process.ts";
import { useSandbox } from "../support/running-sandbox.ts";

const sandbox = useSandbox();

/** Runs solx at a terminal without input. */
function atTerminal(argv: readonly string[], env: Record<string, string> = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const all = { ...sandbox.env(), TERM: "xterm-256color", SOLX_OUTPUT: "json", ...env };
  return runInProcess(argv, { env: all, stdin, terminal: 80, isStderrTTY: true });
}

/** Every place that reads from a terminal, and a command that leads to it. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "src/commands/endpoint/cost.ts": ["account", "transfer", WALLET, "--all", "SOLX_CONFIRM_UNITS=1"],
  "src/commands/endpoint/identifiers.ts": ["token", "meta", "-"],
  "src/commands/auth/auth.ts": ["auth", "login", "--no-check"],
  "src/commands/explore/explore.ts": ["explore", USDC],
  "src/commands/explore/plain.ts": ["explore", "--plain"],
  "src/commands/mcp/install/install.ts": ["mcp", "install", "cursor", "--project"],
};
/** What prompts or reads keys: only with a reason to expect an answer. */
const READS =
  /promptYesNo\(context|promptHidden\(question|for await \(const part of stdin\)|loadExplorer\(\)|createInterface\(/;

test("the places that read from a terminal are those below", () => {
  const files = sourceFiles("src/commands").filter((file) => READS.test(readFileSync(file, "utf8")));
  // A name that imitates another one has to be resolved by a node first: see the tests of `.sol` names.
  const known = [...Object.keys(PLACES), "src/commands/run/prompt.ts", "src/commands/names/address-book.ts"];
  expect(known).toEqual(expect.arrayContaining(files));
});

describe.each([
  ["SOLX_NO_INPUT", { SOLX_NO_INPUT: "1" }],
  ["CI", { CI: "true" }],
])("with %s", (name, env) => {
  test.each(Object.entries(PLACES))("%s refuses, with the reason and what to do instead", async (_file, argv) => {
    const { code, stderr } = await atTerminal(argv, env);
    const { errors } = JSON.parse(stderr.split("\n").findLast((line) => line.startsWith("{")) ?? "{}");
    expect(code, stderr).toBe(argv[0] === "auth" ? 3 : 2);
    expect(errors.hint).not.toBeNull();
    if (errors.code !== "NOT_CONFIRMED") expect(errors.message).toContain(name);
  });

  test("the explorer opens neither for -i nor without a command", async () => {
    expect(await atTerminal(["token", "list", "-i"], env)).toMatchObject({ code: 2 });
    const bare = await atTerminal([], env);
    expect(bare.stdout + bare.stderr).toContain("Usage:");
  });

  test("text forms of full-screen commands work", async () => {
    const { code, stdout } = await atTerminal(["explore", "--or-text"], { ...env, SOLX_OUTPUT: "table" });
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b[?1049h");
  });
});

test("CI rules nothing out where a terminal is forced", async () => {
  const line = ["account", "transfer", WALLET, "--all", "SOLX_CONFIRM_UNITS=1"];
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end("n\n");
  const env = { ...sandbox.env(), CI: "1", SOLX_FORCE_TTY: "80" };
  const { stderr } = await runInProcess(line, { env, stdin, isStderrTTY: true });
  expect(stderr).toContain("Continue? [y/N]");
});
