/** The examples of help and manual are valid commands. */
import { expect, test } from "vitest";
import { SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { CommandNode } from "../../../src/commands/docs/manual/command-tree.ts";
import { commandTree, manualPages } from "../../../src/commands/docs/manual/generate.ts";
import { SKILL_NAME, skillText } from "../../../src/commands/skill/text.ts";
import { runInProcess } from "../../support/in-process.ts";

const tree = commandTree();

/** Returns each solx command in a shell command, split into words. */
function solxCommands(line: string): readonly string[][] {
  const plain = line
    .replace(/<address>|\b(?:treasury|exchange)\b/g, WALLET)
    .replaceAll("<mint>", USDC)
    .replaceAll("<signature>", SIGNATURE)
    .replace(/'[^']*'|\d?>+ ?\S+|< ?\S+/g, (part) => (part.startsWith("'") ? part : ""));
  const parts = plain.match(/(?:'[^']*'|[^'|&;])+/g) ?? [];
  return parts.flatMap((part) => {
    const words = (part.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ""));
    const at = words.indexOf("solx");
    return at < 0 ? [] : [words.slice(at + 1)];
  });
}

const pageLines = manualPages().flatMap(({ id, sections }) =>
  sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "examples" ? block.examples.map(([, command]) => [id, command] as const) : [],
    ),
  ),
);
const skillLines = skillText("1.2.3")
  .split("\n")
  .filter((line) => line.startsWith("solx "))
  .map((line) => [SKILL_NAME, line] as const);
const lines = [...pageLines, ...skillLines].flatMap(([id, line]) =>
  solxCommands(line).map((words) => [id, words] as const),
);

/** Returns the command that words lead to. */
function commandOf(words: readonly string[]): CommandNode {
  let at = tree;
  for (const word of words) {
    const next = at.commands.find(({ name, aliases }) => name === word || aliases.includes(word));
    if (!next) break;
    at = next;
  }
  return at;
}

test("every option of an example belongs to its command", () => {
  expect(lines.length).toBeGreaterThan(150);
  for (const [id, words] of lines) {
    const start = words.findIndex((word) => !word.startsWith("-"));
    const node = commandOf(words.slice(Math.max(0, start)));
    const accepted = new Set(node.options.flatMap(({ long, short = "" }) => [long, short]));
    const used = words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.replace(/=.*/, ""));
    for (const option of used) expect([...accepted], `${id}: solx ${words.join(" ")}`).toContain(option);
    expect(node, `${id}: solx ${words.join(" ")}`).not.toBe(words.length > used.length ? tree : undefined);
  }
});

/** Endpoint examples with identifiers on the command line; others would read files. */
const requests = new Map(
  lines
    .filter(([, words]) => commandOf(words).endpoint !== undefined)
    .filter(([, words]) => !words.some((word) => word === "-" || word === "-i" || word.startsWith("@")))
    .map(([id, words]) => [words.join(" "), [id, words] as const]),
);

/** Options that apply to responses, or refer to a profile that does not exist. */
const IGNORED: readonly string[] = ["--fields", "--columns", "--jq", "-o", "--profile"];
const without = (words: readonly string[]) =>
  words.filter((word, at) => !IGNORED.includes(word) && !IGNORED.includes(words[at - 1] ?? ""));

test("every example of an endpoint makes a valid request", async () => {
  expect(requests.size).toBeGreaterThan(100);
  for (const [id, words] of requests.values()) {
    const { code, stdout, stderr } = await runInProcess([...without(words), "--dry-run"]);
    expect([code, stderr], `${id}: solx ${words.join(" ")}`).toEqual([0, expect.not.stringContaining("errors")]);
    expect(stdout).toMatch(/GET|POST/);
  }
});
