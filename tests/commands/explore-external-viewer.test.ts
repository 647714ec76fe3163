/** Opening a text in the user's pager or editor. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { splitWords } from "../../src/base/command-words.ts";
import { createExternalViewer, viewerCommands } from "../../src/commands/explore/external-viewer.ts";
import type { ProgramResult } from "../../src/commands/run/programs.ts";

const { signal } = new AbortController();

/** A viewer whose programs end with the given result; records what was run. */
function createWorld(
  env: Record<string, string>,
  result: ProgramResult | ((program: string) => ProgramResult) = { code: 0 },
) {
  const runs: { words: readonly string[]; text: string; mode: number }[] = [];
  const openViewer = createExternalViewer({
    env,
    platform: "linux",
    signal,
    run: async (program, args) => {
      const path = args.at(-1) ?? "";
      runs.push({ words: [program, ...args], text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 });
      return typeof result === "function" ? result(program) : result;
    },
  });
  return { openViewer, runs };
}

describe("the program", () => {
  test.each([
    ["code --wait", ["code", "--wait"]],
    ["  'my editor'  -f ", ["my editor", "-f"]],
    ['"/opt/a b/ed" "say \\"hi\\""', ["/opt/a b/ed", 'say "hi"']],
    ["/opt/a\\ b/ed", ["/opt/a b/ed"]],
    ["less; rm -rf $HOME `id` | cat", ["less;", "rm", "-rf", "$HOME", "`id`", "|", "cat"]],
    ["x''y", ["xy"]],
  ])("%j is split into words without any expansion", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test("may have backslashes in its path on Windows", () => {
    expect(splitWords('"C:\\Program Files\\ed.exe" -n C:\\x', false)).toEqual([
      "C:\\Program Files\\ed.exe",
      "-n",
      "C:\\x",
    ]);
  });

  test("is the one named by the environment only, or else a default", () => {
    const first = (to: "pager" | "editor", env: Record<string, string>) => viewerCommands(to, env, "linux")[0]?.words;
    expect(first("editor", { VISUAL: "code --wait", EDITOR: "vi" })).toEqual(["code", "--wait"]);
    expect(first("editor", { VISUAL: " ", EDITOR: "ed" })).toEqual(["ed"]);
    expect(viewerCommands("pager", { PAGER: "most" }, "linux")).toHaveLength(1);
    expect(viewerCommands("editor", { EDITOR: "" }, "linux")).toEqual([]);
    expect(first("pager", {})).toEqual(["less", "-R"]);
  });
});

/** Makes Node and its libraries believe that they run on Windows. */
const WINDOWS = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"win32"})';

test.skipIf(process.platform === "win32")("a batch file, as code.cmd, is run by the command interpreter", () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-viewer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "code.cmd"), "");
  // In place of cmd.exe: prints its arguments.
  const comspec = join(folder, "cmd");
  writeFileSync(comspec, `#!/bin/sh\nprintf "%s\\n" "$@"\n`, { mode: 0o755 });
  const source = new URL("../../src/commands/explore/external-viewer.ts", import.meta.url);
  const script = `
    const { createExternalViewer } = await import(${JSON.stringify(source)});
    const { signal } = new AbortController();
    const open = createExternalViewer({ env: process.env, platform: "win32", signal });
    console.log(JSON.stringify(await open("editor", "view.json", "[1]")));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", WINDOWS, "--input-type=module", "--eval", script],
    {
      encoding: "utf8",
      env: { PATH: folder, TEMP: folder, TMPDIR: folder, PATHEXT: ".EXE;.CMD", comspec, EDITOR: "code --wait" },
    },
  );
  expect(stderr.replace(/.*Warning.*\n|.*trace-warnings.*\n/g, "")).toBe("");
  expect(stdout).toMatch(/^\/d\n\/s\n\/c\n".*code.*--wait.*view\.json.*"\n\{"ok":true,"message":""\}\n$/);
});

describe("opening a text", () => {
  test("creates a file that only this user can read, and removes it afterwards", async () => {
    const { openViewer, runs } = createWorld({ EDITOR: "ed -s" });
    expect(await openViewer("editor", "view.json", "[1]\n")).toEqual({ ok: true, message: "" });
    const [run] = runs;
    expect(run).toMatchObject({ text: "[1]\n", mode: 0o400 });
    expect(run?.words.slice(0, 2)).toEqual(["ed", "-s"]);
    expect(run?.words[2]).toMatch(/view\.json$/);
    expect(existsSync(dirname(run?.words[2] ?? "/"))).toBe(false);
  });

  test("reports why a program failed, and removes the file", async () => {
    const { openViewer, runs } = createWorld({ PAGER: "gone" }, { failed: "was not found" });
    expect(await openViewer("pager", "a.txt", "")).toEqual({
      ok: false,
      message: "The pager gone (PAGER) was not found.",
    });
    expect(existsSync(runs[0]?.words.at(-1) ?? "/")).toBe(false);
    const failing = createWorld({ VISUAL: "ed" }, { code: 3 });
    expect((await failing.openViewer("editor", "a.txt", "")).message).toBe("The editor ed (VISUAL) ended with code 3.");
  });

  test("tries the next default program when one is missing", async () => {
    const { openViewer, runs } = createWorld({}, (program) =>
      program === "less" ? { failed: "was not found" } : { code: 0 },
    );
    expect((await openViewer("pager", "a.txt", "")).ok).toBe(true);
    expect(runs.map(({ words }) => words[0])).toEqual(["less", "more"]);
  });

  test("does not use a shell: the variable contains only a program and its arguments", async () => {
    const openViewer = createExternalViewer({
      env: { EDITOR: "nothing-of-this-name; exit 0" },
      platform: "linux",
      signal,
    });
    expect(await openViewer("editor", "a.txt", "")).toMatchObject({
      ok: false,
      message: expect.stringMatching(/nothing-of-this-name;.*not found/),
    });
  });
});
