/** The surface of the command line: how many flags a command shows, and that each has an effect on it. */
import { describe, expect, test } from "vitest";
import { allCommands, type CommandNode } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { runInProcess } from "../support/in-process.ts";

const MAX_FLAGS = 40;
const MAX_SHORT_FLAGS = 16;
const MAX_PROGRAM_LINES = 40;
const FLAG = /^ {2}(?:-\w, )?(?:--[\w<>-]+(?:, )?)+/;

const commands = allCommands(commandTree()).filter(({ path }) => path.length > 1);
const help = async ({ path }: CommandNode, flag: string) =>
  (await runInProcess([...path.slice(1), flag], { env: { SOLX_HOME: undefined, HOME: undefined } })).stdout;
/** Returns the flags of a help, without those of its examples. */
const flagsIn = (text: string) =>
  text
    .split("\n")
    .flatMap((line) => (FLAG.test(line) ? [...line.matchAll(/(?<=[ ,])--[a-z][\w<>-]*/g)].slice(0, 1) : []));

describe.each(commands.map((command) => [command.path.join(" "), command] as const))("%s", (_, command) => {
  test("shows few flags, the examples first", async () => {
    const [short, complete] = [await help(command, "--help"), await help(command, "--help-all")];
    expect(flagsIn(complete).length).toBeLessThanOrEqual(MAX_FLAGS);
    expect(flagsIn(short).length).toBeLessThanOrEqual(MAX_SHORT_FLAGS);
    if (command.examples.length > 0 && /^(Flags|Output):$/m.test(complete))
      expect(complete.search(/^Examples:$/m)).toBeLessThan(complete.search(/^[A-Z]\w+:$(?<!Examples:)/m));
  });
});

test("flags that cannot matter are not shown", async () => {
  const shown = async (line: string) => (await runInProcess([...line.split(" "), "--help-all"])).stdout;
  expect(await shown("auth login")).not.toMatch(/--(jq|fields|rpc|limit)/);
  expect(await shown("usage")).not.toContain("--rpc <");
  expect(await shown("config list")).not.toMatch(/--(sandbox|rpc|dry-run|limit) /);
  expect(await shown("token meta")).not.toMatch(/--(follow|limit|all|fail-on) /);
  expect(await shown("account transfer-export")).not.toContain("--follow");
  expect(await shown("show")).not.toMatch(/--(follow|out|resume) /);
});

test("the help of the program names Solscan first and fits a screen", async () => {
  const lines = (await runInProcess(["--help"])).stdout.trimEnd().split("\n");
  expect(lines[0]).toContain("Solscan");
  expect(lines.length).toBeLessThanOrEqual(MAX_PROGRAM_LINES);
  expect(lines.slice(1).filter((line) => line.length > 82)).toEqual([]);
});

test("the help of a group lists a command and its twin once, and both can be called", async () => {
  const { stdout } = await runInProcess(["token", "--help"]);
  expect(stdout).toMatch(/^ {2}meta /m);
  expect(stdout).not.toMatch(/^ {2}(meta-multi|list-v2) /m);
  expect((await runInProcess(["token", "meta-multi", "--help"])).code).toBe(0);
});

describe("an old flag is answered with its new form", () => {
  test.each([
    ["--fresh", "--fresh is now --cache fresh"],
    ["--no-cache", "--no-cache is now --cache off"],
    ["--offline", "--offline is now --cache only"],
    ["--fail-empty", "--fail-on empty"],
    ["--wide", "-o wide"],
    ["--rate=2/1", "--rate is now a setting: solx config set rate <value>, or SOLX_RATE"],
    ["--strict", "SOLX_STRICT"],
  ])("%s", async (flag, message) => {
    const { code, stderr } = await runInProcess(["token", "list", flag]);
    expect([code, JSON.parse(stderr).errors.message]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("a word for an intention is answered with the command for it", () => {
  test.each([
    ["watch", "--follow"],
    ["validators", "solx node validators"],
    ["export", "--all --out"],
    ["price", "solx token price"],
    ["whoami", "solx auth status"],
    ["trace", "solx transaction detail"],
  ])("%s", async (word, hint) => {
    const { code, stderr } = await runInProcess([word]);
    expect([code, JSON.parse(stderr).errors.hint]).toEqual([2, expect.stringContaining(hint)]);
  });
});
