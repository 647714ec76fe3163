/** The manual on the command line: pages, topics, search, the skill file; without a key, a home or a network. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { TOPIC_NAMES } from "../../src/commands/docs/topic-names.ts";
import { runInProcess } from "../support/in-process.ts";
import { BIN, createTempFolder, solx } from "../support/solx.ts";

const BARE = { SOLX_HOME: undefined, SOLX_API_KEY: undefined, HOME: undefined };
const DIST = join(dirname(BIN), "../dist");
const TERMINAL = { ...BARE, SOLX_FORCE_TTY: "80", FORCE_COLOR: "1" };

describe("topics", () => {
  test("the help of the program lists them", async () => {
    const { stdout } = await runInProcess(["help"], { env: BARE });
    for (const name of TOPIC_NAMES) expect(stdout).toContain(name);
  });

  test.each([
    ["help", "exit-codes", /^ {2}143 .*SIGTERM/m],
    ["docs", "environment", /^ {2}SOLX_MAX_WAIT/m],
    ["help", "env", /^Environment variables$/m],
  ])("%s %s", async (command, topic, text) => {
    const { code, stdout, stderr } = await runInProcess([command, topic], { env: BARE });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(text);
  });

  test("commands take precedence over topics, and unknown names get a suggestion", async () => {
    const [command, unknown] = await Promise.all([
      runInProcess(["help", "sandbox"], { env: BARE }),
      runInProcess(["help", "exitcods"], { env: BARE }),
    ]);
    expect(command.stdout).toContain("Usage: solx sandbox");
    expect([unknown.code, unknown.stdout]).toEqual([5, ""]);
    expect(JSON.parse(unknown.stderr).errors.hint).toContain("exit-codes");
  });
});

describe("pages of commands", () => {
  test("prints text with arguments, options and examples", async () => {
    const { code, stdout } = await runInProcess(["docs", "config", "set"], { env: BARE });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^solx config set\nChange a setting/);
    expect(stdout).toContain("key-header");
    expect(stdout).toContain("solx config set output table");
  });

  test("prints JSON with every option that applies", async () => {
    const { stdout } = await runInProcess(["docs", "sandbox", "-o", "json"], { env: BARE });
    const { kind, options } = JSON.parse(stdout);
    expect(kind).toBe("command");
    expect(options.map(({ long }: { long: string }) => long)).toEqual(
      expect.arrayContaining(["--port", "--fault", "--plan"]),
    );
    expect(options).not.toContainEqual(expect.objectContaining({ long: "--limit" }));
  });
});

describe("search", () => {
  test("prints rows with the page and the matching line as JSON", async () => {
    const { code, stdout, stderr } = await runInProcess(["docs", "--search", "token", "holders", "--limit", "2"], {
      env: BARE,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ kind: "endpoint", page: "v2-token-holders", command: "token holders" }),
      expect.objectContaining({ line: expect.any(String) }),
    ]);
  });

  test("prints commands with highlighted matches within the width of the terminal", async () => {
    const { stdout } = await runInProcess(["docs", "-s", "who funded this wallet"], { env: TERMINAL });
    expect(stdout).toContain("solx account metadata");
    expect(stdout).toMatch(/\u001b\[[\d;]+mfunded\u001b\[/);
    for (const line of stdout.replace(/\u001b\[[\d;]*m/g, "").split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("prints a note without matches and exits with 0", async () => {
    const { code, stdout, stderr } = await runInProcess(["docs", "--search", "qqzzxxv"], { env: BARE });
    expect([code, JSON.parse(stdout)]).toEqual([0, []]);
    expect(JSON.parse(stderr).note).toContain("qqzzxxv");
  });
});

test("the build has a man page for each page of the reference", () => {
  const markdown = readdirSync(new URL("../../docs/reference", import.meta.url)).filter((name) => name !== "README.md");
  const manuals = ["man1", "man7"].flatMap((folder) => readdirSync(join(DIST, "man", folder)));
  expect(manuals).toHaveLength(markdown.length);
  expect(readFileSync(join(DIST, "man/man1/solx-account-transfer.1"), "utf8")).toContain("\\fBsolx\\-account\\fR(1)");
});

test("installs the skill file and does not overwrite other files", async () => {
  const folder = createTempFolder();
  const file = join(folder, "skills/solx/SKILL.md");
  const install = () => solx(["skill", "--install", join(folder, "skills")], { env: BARE });
  const first = await install();
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { file, state: "written" }]);
  const printed = await solx(["skill"], { env: BARE });
  expect(readFileSync(file, "utf8")).toBe(printed.stdout);
  writeFileSync(file, printed.stdout.replace(/version: .*/, 'version: "0.0.0"'));
  expect(JSON.parse((await install()).stdout).state).toBe("replaced");
  expect(readFileSync(file, "utf8")).toBe(printed.stdout);
  writeFileSync(file, "mine");
  expect(await install()).toMatchObject({ code: 2, stdout: "" });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(existsSync(`${file}.partial`)).toBe(false);
});

describe("the README", () => {
  const readme = readFileSync(join(dirname(BIN), "../README.md"), "utf8");
  const shown = [...readme.matchAll(/^```console\n(.+?)^```$/gms)].flatMap(([, block = ""]) =>
    block.split(/^\$ solx /m).slice(1),
  );

  const env = { ...BARE, SOLX_SANDBOX_SIZE: undefined };
  // The first command says that it creates the ledger.
  beforeAll(() => runInProcess(["chaininfo", "--sandbox"], { env }));

  test.each(shown.map((text) => text.split(/\n(.*)/s)))("shows what solx %s prints", async (line, expected) => {
    const options = { env, terminal: 100, isStderrTTY: true };
    const { stdout, stderr } = await runInProcess(line?.split(" ") ?? [], options);
    expect((stdout + stderr).replace(/\u001b\[[\d;]*m/g, "").trimEnd()).toBe(expected?.trimEnd());
  });
});
