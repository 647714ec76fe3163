/** What is looked at in the user's own pager or editor. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createExternalViewer,
  type ProgramResult,
  splitWords,
  viewerCommands,
} from "../../src/commands/explore/external-viewer.ts";

const { signal } = new AbortController();

/** A world whose programs end so, and what was run in it. */
function world(env: Record<string, string>, ended: ProgramResult | ((program: string) => ProgramResult) = { code: 0 }) {
  const runs: { words: readonly string[]; text: string; mode: number }[] = [];
  const handOff = createExternalViewer({
    env,
    platform: "linux",
    signal,
    run: async (program, args) => {
      const path = args.at(-1) ?? "";
      runs.push({ words: [program, ...args], text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 });
      return typeof ended === "function" ? ended(program) : ended;
    },
  });
  return { handOff, runs };
}

describe("the program", () => {
  test.each([
    ["code --wait", ["code", "--wait"]],
    ["  'my editor'  -f ", ["my editor", "-f"]],
    ['"/opt/a b/ed" "say \\"hi\\""', ["/opt/a b/ed", 'say "hi"']],
    ["/opt/a\\ b/ed", ["/opt/a b/ed"]],
    ["less; rm -rf $HOME `id` | cat", ["less;", "rm", "-rf", "$HOME", "`id`", "|", "cat"]],
    ["x''y", ["xy"]],
  ])("%j is words, and nothing else that a shell does", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test("of Windows has backslashes in its path", () => {
    expect(splitWords('"C:\\Program Files\\ed.exe" -n C:\\x', false)).toEqual([
      "C:\\Program Files\\ed.exe",
      "-n",
      "C:\\x",
    ]);
  });

  test("is the one that the environment names, and no other; else one that is usual", () => {
    const first = (to: "pager" | "editor", env: Record<string, string>) => viewerCommands(to, env, "linux")[0]?.words;
    expect(first("editor", { VISUAL: "code --wait", EDITOR: "vi" })).toEqual(["code", "--wait"]);
    expect(first("editor", { VISUAL: " ", EDITOR: "ed" })).toEqual(["ed"]);
    expect(viewerCommands("pager", { PAGER: "most" }, "linux")).toHaveLength(1);
    expect(first("pager", {})).toEqual(["less", "-R"]);
  });
});

describe("handing over", () => {
  test("gives a file that only this user reads, and takes it away afterwards", async () => {
    const { handOff, runs } = world({ EDITOR: "ed -s" });
    expect(await handOff("editor", "view.json", "[1]\n")).toEqual({ ok: true, message: "" });
    const [run] = runs;
    expect(run).toMatchObject({ text: "[1]\n", mode: 0o400 });
    expect(run?.words.slice(0, 2)).toEqual(["ed", "-s"]);
    expect(run?.words[2]).toMatch(/view\.json$/);
    expect(existsSync(dirname(run?.words[2] ?? "/"))).toBe(false);
  });

  test("says why a program did not do it, and takes the file away all the same", async () => {
    const { handOff, runs } = world({ PAGER: "gone" }, { failed: "was not found" });
    expect(await handOff("pager", "a.txt", "")).toEqual({
      ok: false,
      message: "The pager gone (PAGER) was not found.",
    });
    expect(existsSync(runs[0]?.words.at(-1) ?? "/")).toBe(false);
    const failing = world({ VISUAL: "ed" }, { code: 3 });
    expect((await failing.handOff("editor", "a.txt", "")).message).toBe("The editor ed (VISUAL) ended with code 3.");
  });

  test("goes on to the next usual program where one is missing", async () => {
    const { handOff, runs } = world({}, (program) => (program === "less" ? { failed: "was not found" } : { code: 0 }));
    expect((await handOff("pager", "a.txt", "")).ok).toBe(true);
    expect(runs.map(({ words }) => words[0])).toEqual(["less", "more"]);
  });

  test("never through a shell: what stands in the variable is words for the program", async () => {
    const handOff = createExternalViewer({
      env: { EDITOR: "nothing-of-this-name; exit 0" },
      platform: "linux",
      signal,
    });
    expect(await handOff("editor", "a.txt", "")).toMatchObject({
      ok: false,
      message: expect.stringMatching(/nothing-of-this-name;.*not found/),
    });
  });
});
