/** The reference: complete, current, and true. */
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ExitCode } from "../../../src/base/errors.ts";
import { endpoints } from "../../../src/catalogue/index.ts";
import { allCommands } from "../../../src/commands/docs/manual/command-tree.ts";
import { commandTree, manFiles, manualPages, markdownFiles } from "../../../src/commands/docs/manual/generate.ts";
import { type ManualPage, parseInlines } from "../../../src/commands/docs/manual/page.ts";
import { TOPICS, topicNamed } from "../../../src/commands/docs/manual/topics.ts";
import { GLOBAL_OPTIONS } from "../../../src/commands/options/global-options.ts";
import { SETTINGS } from "../../../src/config/settings.ts";
import { here } from "../../support/here.ts";
import { scratch } from "../../support/solx.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SCRIPT = join(ROOT, "scripts/reference.ts");
const FOLDER = join(ROOT, "docs/reference");
const tree = commandTree();
const commands = allCommands(tree);
const pages = manualPages();
const idOf = new Map(pages.map((page) => [page.id, page]));
const manualPaths = [...manFiles("", pages).keys()].map((path) => `./dist/man/${path}`).toSorted();
const topic = (id: string) => idOf.get(id) as ManualPage;
const markdown = markdownFiles(pages);

/** Everything that a page says, a line each. */
const textOf = (page: ManualPage) => (markdown.get(`${page.id}.md`) ?? "").replaceAll("\\", "");

/** The texts with marks of a page. */
function textsOf({ sections }: ManualPage): string[] {
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "terms"
        ? block.terms.flat()
        : block.kind === "items"
          ? block.items
          : block.kind === "text"
            ? [block.text]
            : [],
    ),
  );
}

test("every endpoint, command and topic has one page", () => {
  expect(idOf.size).toBe(pages.length);
  for (const { command } of endpoints) expect(idOf.get(command.replaceAll(" ", "-"))?.kind, command).toBe("endpoint");
  for (const { path, endpoint } of commands) {
    const id = path.slice(1).join("-") || "solx";
    if (id !== "legacy-chaininfo") expect(idOf.get(id)?.kind, id).toBe(endpoint === undefined ? "command" : "endpoint");
  }
  for (const { id } of TOPICS) expect(idOf.get(id)?.kind, id).toBe("topic");
});

test("docs has every page by its name", async () => {
  for (const { id, kind, command } of pages) {
    const { code, stdout } = await here(["docs", id, "--json"]);
    expect(code, id).toBe(0);
    // A group is a list of what is in it.
    if (!stdout.startsWith("["))
      expect(JSON.parse(stdout), id).toMatchObject(kind === "topic" ? { name: id } : { command });
  }
});

test("a topic is called like no command, and no two like each other", () => {
  const taken = tree.commands.flatMap(({ name, aliases }) => [name, ...aliases]);
  const names = TOPICS.flatMap(({ id, aliases }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  expect(TOPICS.map(({ id }) => id).filter((id) => taken.includes(id))).toEqual([]);
});

test("a topic is found however its name is written, and by other words", () => {
  expect(["exit-codes", "ExitCode", "exit codes", "429"].map((words) => topicNamed(words)?.id)).toEqual([
    "exit-codes",
    "exit-codes",
    "exit-codes",
    "limits",
  ]);
  expect(topicNamed("account")).toBeUndefined();
});

test("topics name everything that there is of their kind", () => {
  for (const code of Object.values(ExitCode)) expect(textOf(topic("exit-codes"))).toContain(`| \`${code}\` |`);
  // Which fields there are is known only with the answer.
  expect(textOf(topic("exit-codes"))).toContain("a field that the answer does not have");
  for (const { flags } of GLOBAL_OPTIONS) expect(textOf(topic("options"))).toContain(`\`${flags}\``);
  for (const [name, { env }] of Object.entries(SETTINGS)) {
    expect(textOf(topic("settings"))).toContain(`| \`${name}\` |`);
    expect(textOf(topic("environment"))).toContain(`| \`${env}\` |`);
  }
});

test("a failure is told as it is printed, in its topic and in the first example of the README", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, line = "", printed] = /\$ solx (token meta .*)\n((?:.+\n)+?)```/.exec(readme) ?? [];
  expect((await here(line.split(" "), { watched: true, env: { NO_COLOR: "1" } })).stderr).toBe(printed);
  expect(textOf(topic("exit-codes"))).toContain((await here(line.split(" "))).stderr.replaceAll("\\", ""));
});

test("every variable that the code looks at is told, but for those that tell where it runs", () => {
  const about =
    /^(PATH|HOME|INIT_CWD|SOLX_HANDED_OVER|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|SSH_.*|STY|TMUX|WSL_.*|LC_ALL|LC_CTYPE|LANG|BROWSER|EDITOR|SHELL|NODE_ENV|DEV)$/;
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const read = files.flatMap((name) =>
    [...readFileSync(join(ROOT, "src", name), "utf8").matchAll(/\benv(?:\.|\[")([A-Z][A-Z0-9_]+)/g)].map(
      ([, variable]) => variable ?? "",
    ),
  );
  const told = textOf(topic("environment"));
  expect(read.length).toBeGreaterThan(20);
  expect([...new Set(read)].filter((name) => !about.test(name) && !told.includes(name))).toEqual([]);
});

test("what a page points to is there", () => {
  for (const page of pages) {
    const named = textsOf(page).flatMap((text) =>
      parseInlines(text).flatMap((piece) => (piece.kind === "page" ? [piece.id] : [])),
    );
    for (const id of [...page.seeAlso, ...named]) expect(idOf.has(id), `${page.id} -> ${id}`).toBe(true);
  }
  for (const [name, text] of markdown) {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
    expect(links.length, name).toBeGreaterThan(0);
    for (const link of links) expect(markdown.has(link), `${name} -> ${link}`).toBe(true);
  }
});

test("docs/reference is what the code says", () => {
  const there = readdirSync(FOLDER).sort();
  expect(there, "run: node scripts/reference.ts").toEqual([...markdown.keys()].sort());
  const stale = there.filter((name) => readFileSync(join(FOLDER, name), "utf8") !== markdown.get(name));
  expect(stale, "run: node scripts/reference.ts").toEqual([]);
  const { man } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  if (man !== undefined) expect(man.toSorted()).toEqual(manualPaths);
});

test("the check fails for what is stale, missing or too much, and names it", () => {
  const root = scratch();
  const folder = join(root, "docs/reference");
  cpSync(FOLDER, folder, { recursive: true });
  appendFileSync(join(folder, "times.md"), "x");
  rmSync(join(folder, "solx.md"));
  appendFileSync(join(folder, "gone.md"), "x");
  writeFileSync(join(root, "package.json"), '{\n  "man": []\n}\n');
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, "--check", "--root", root], { encoding: "utf8" });
  expect(status).toBe(1);
  for (const name of ["docs/reference/times.md", "docs/reference/solx.md", "docs/reference/gone.md", "package.json"]) {
    expect(stderr).toContain(`${name} is not current`);
  }
  expect(stderr).not.toContain("filters.md");
});

test("Markdown keeps what text looks like", () => {
  const rows = [...markdown.values()].flatMap((text) => text.split("\n").filter((line) => line.startsWith("| ")));
  // Two cells: no bar inside of them is taken for a border.
  for (const row of rows) expect(row.replaceAll("\\|", "").split("|").length, row).toBe(4);
  const prose = [...markdown.values()].map((text) =>
    text.replace(/```[\s\S]*?```/g, "").replace(/``.*?``|`[^`\n]*`/g, ""),
  );
  for (const text of prose) expect(text).not.toMatch(/<[a-z]/i);
  expect(markdown.get("account-transfer.md")).toContain("solx account transfer <address> [options]");
});
