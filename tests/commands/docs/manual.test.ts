/** The manual: complete, current and consistent with the program. */
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ExitCode } from "../../../src/base/errors.ts";
import { EXPORT_INTERVAL_SECONDS, MAX_EXPORT_ROWS } from "../../../src/catalogue/constants.ts";
import { endpoints } from "../../../src/catalogue/index.ts";
import { allCommands } from "../../../src/commands/docs/manual/command-tree.ts";
import { commandTree, manFiles, manualPages, markdownFiles } from "../../../src/commands/docs/manual/generate.ts";
import { type ManualPage, parseInlines } from "../../../src/commands/docs/manual/page.ts";
import { parseTopic } from "../../../src/commands/docs/manual/topic-source.ts";
import { TOPICS, topicNamed } from "../../../src/commands/docs/manual/topics.ts";
import { GLOBAL_OPTIONS } from "../../../src/commands/options/global-options.ts";
import {
  ENTRY_NAMES,
  type EntryName,
  partsOf,
  placeOf,
  SETTING_NAMES,
  SETTINGS,
  settingVariable,
  settingWords,
} from "../../../src/config/settings.ts";
import { ACTIONS } from "../../../src/ui/navigation/keys/actions.ts";
import { keyLabel } from "../../../src/ui/navigation/keys/keymap.ts";
import { runInProcess } from "../../support/in-process.ts";
import { createTempFolder } from "../../support/solx.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SCRIPT = join(ROOT, "scripts/reference.ts");
const FOLDER = join(ROOT, "docs/reference");
const tree = commandTree();
const commands = allCommands(tree);
const pages = manualPages();
const idOf = new Map(pages.map((page) => [page.id, page]));
const manualPaths = [...manFiles({ version: "", date: "" }, pages).keys()]
  .map((path) => `./dist/man/${path}`)
  .toSorted();
const topic = (id: string) => idOf.get(id) as ManualPage;
const markdown = markdownFiles(pages);

/** Returns the Markdown of a page on one line, without escapes. */
const textOf = (page: ManualPage) => (markdown.get(`${page.id}.md`) ?? "").replaceAll("\\", "").replace(/\s+/g, " ");

/** Returns the texts of a page that may contain marks. */
function textsOf({ sections }: ManualPage): string[] {
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "terms"
        ? block.content.flat()
        : block.kind === "items"
          ? block.content
          : block.kind === "text"
            ? [block.content]
            : [],
    ),
  );
}

test("has one page per endpoint, command and topic", () => {
  expect(idOf.size).toBe(pages.length);
  for (const { command } of endpoints) expect(idOf.get(command.replaceAll(" ", "-"))?.kind, command).toBe("endpoint");
  for (const { path, endpoint } of commands) {
    const id = path.slice(1).join("-") || "solx";
    const page = endpoints.find(({ route }) => route === endpoint)?.command ?? path.slice(1).join(" ");
    // A second command of the same endpoint has no page.
    if (page !== path.slice(1).join(" ")) continue;
    expect(idOf.get(id)?.kind, id).toBe(endpoint === undefined ? "command" : "endpoint");
  }
  for (const { id } of TOPICS) expect(idOf.get(id)?.kind, id).toBe("topic");
});

test("solx docs prints every page by name, and routes win over page names", async () => {
  const routes = new Set(endpoints.map(({ route }) => route));
  for (const { id, kind, command } of pages) {
    const isRouteOfAnother = routes.has(id) && kind === "endpoint" && !command.startsWith("legacy");
    const { code, stdout } = await runInProcess(["docs", isRouteOfAnother ? command : id, "-o", "json"]);
    expect(code, id).toBe(0);
    // A group of endpoints prints their list.
    if (!stdout.startsWith("["))
      expect(JSON.parse(stdout), id).toMatchObject(kind === "topic" ? { name: id } : { command });
  }
});

test("solx docs prints the page of every route of the specification", async () => {
  for (const { route, path, family } of endpoints) {
    for (const name of [route, `/${route}`]) {
      const { code, stdout } = await runInProcess(["docs", name, "-o", "json"]);
      expect(code, name).toBe(0);
      expect(JSON.parse(stdout), name).toMatchObject({ route, path, family });
    }
  }
});

test("solx docs hints at the command with the name of a legacy route", async () => {
  const { stdout, stderr } = await runInProcess(["docs", "block-last"], { isStderrTTY: true });
  expect(stdout).toMatch(/^block-last\n/);
  expect(stderr).toContain("For the page of solx block last: solx docs block last");
});

test("topic names differ from commands and from each other", () => {
  const taken = tree.commands.flatMap(({ name, aliases }) => [name, ...aliases]);
  const names = TOPICS.flatMap(({ id, aliases }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  expect(TOPICS.map(({ id }) => id).filter((id) => taken.includes(id))).toEqual([]);
});

test("finds a topic by its name in any spelling and by its aliases", () => {
  expect(["exit-codes", "ExitCode", "exit codes", "429"].map((words) => topicNamed(words)?.id)).toEqual([
    "exit-codes",
    "exit-codes",
    "exit-codes",
    "limits",
  ]);
  expect(topicNamed("account")).toBeUndefined();
});

test("topics list all exit codes, flags, settings, variables, formats and keys", () => {
  for (const code of Object.values(ExitCode)) expect(textOf(topic("exit-codes"))).toContain(`- \`${code}\`: `);
  for (const { flags } of GLOBAL_OPTIONS) expect(textOf(topic("options"))).toContain(`- \`${flags}\`: `);
  for (const name of SETTING_NAMES)
    expect(textOf(topic("settings"))).toContain(`- \`${settingWords(name).replace(/ ?<value>$/, "")}\`: `);
  for (const name of SETTING_NAMES) expect(textOf(topic("environment"))).toContain(`- \`${settingVariable(name)}\`: `);
  for (const format of SETTINGS.output.values) expect(textOf(topic("formatting"))).toContain(`- \`${format}\`: `);
  for (const style of SETTINGS.time.values) expect(textOf(topic("times"))).toContain(`- \`${style}\`: `);
  const keyTerms = topic("explorer").sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "terms" ? block.content : [])),
  );
  for (const [name, { keys, description }] of Object.entries(ACTIONS)) {
    const labels = keys.map((key) => keyLabel(key, false)).join(" ");
    const text = expect.stringMatching(new RegExp(`Action \`${name}\``));
    expect(keyTerms, `${name}: ${description}`).toContainEqual([labels, text]);
  }
});

test("numbers in the topics are those of the program", () => {
  const confirmUnits = SETTINGS["confirm-units"].default.toLocaleString("en");
  for (const id of ["bulk", "limits"]) {
    expect(textOf(topic(id))).toContain(`more than ${confirmUnits} compute units`);
    expect(textOf(topic(id))).toContain(`at most ${MAX_EXPORT_ROWS.toLocaleString("en")} rows`);
  }
  expect(textOf(topic("limits"))).toContain(`\`--max-wait\` (${SETTINGS["max-wait"].default} seconds)`);
  expect(textOf(topic("limits"))).toContain(`one request in ${EXPORT_INTERVAL_SECONDS} seconds`);
});

test("the error messages in the README and in the exit-codes topic are those of the program", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, line = "", message] = /\$ solx (show .*)\n((?:.+\n)+?)```/.exec(readme) ?? [];
  const onTerminal = await runInProcess(line.split(" "), { isStderrTTY: true, env: { NO_COLOR: "1" } });
  expect(onTerminal.stderr).toBe(message);
  const [, example = ""] = /```text\n(\{[\s\S]*?)```/.exec(markdown.get("exit-codes.md") ?? "") ?? [];
  const [mint = ""] = /\w{40,}/.exec(example) ?? [];
  expect(JSON.parse(example)).toEqual(JSON.parse((await runInProcess(["token", "meta", mint])).stderr));
});

test("documents every environment variable that the code reads, except those that describe the terminal session", () => {
  const undocumented =
    /^(PATH|HOME|INIT_CWD|SOLX_HANDED_OVER|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|SSH_.*|STY|TMUX|WSL_.*|LC_ALL|LC_CTYPE|LANG|COLORTERM|COLORFGBG|BROWSER|EDITOR|SHELL|NODE_ENV|DEV)$/;
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const read = files.flatMap((name) =>
    [...readFileSync(join(ROOT, "src", name), "utf8").matchAll(/\benv(?:\.|\[")([A-Z][A-Z0-9_]+)/g)].map(
      ([, variable]) => variable ?? "",
    ),
  );
  const documented = textOf(topic("environment"));
  expect(read.length).toBeGreaterThan(20);
  expect([...new Set(read)].filter((name) => !undocumented.test(name) && !documented.includes(name))).toEqual([]);
});

test("links lead to existing pages", () => {
  for (const page of pages) {
    const named = textsOf(page).flatMap((marked) =>
      parseInlines(marked).flatMap(({ kind, text }) => (kind === "page" ? [text] : [])),
    );
    for (const id of [...page.seeAlso, ...named]) expect(idOf.has(id), `${page.id} -> ${id}`).toBe(true);
  }
  for (const [name, text] of markdown) {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
    expect(links.length, name).toBeGreaterThan(0);
    for (const link of links) expect(markdown.has(link), `${name} -> ${link}`).toBe(true);
  }
});

test("docs/reference is current", () => {
  const names = readdirSync(FOLDER).sort();
  expect(names, "run: node scripts/reference.ts").toEqual([...markdown.keys()].sort());
  const stale = names.filter((name) => readFileSync(join(FOLDER, name), "utf8") !== markdown.get(name));
  expect(stale, "run: node scripts/reference.ts").toEqual([]);
  const { man } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  if (man !== undefined) expect(man.toSorted()).toEqual(manualPaths);
});

test("scripts/reference.ts --check names stale, missing and extra files", () => {
  const root = createTempFolder();
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

test("Markdown escapes text", () => {
  const prose = [...markdown.values()].map((text) =>
    text.replace(/```[\s\S]*?```/g, "").replace(/``.*?``|`[^`\n]*`/g, ""),
  );
  for (const text of prose) expect(text).not.toMatch(/<[a-z]/i);
  expect(markdown.get("account-transfer.md")).toContain("solx account transfer <address>... [flags]");
});

test("endpoint pages list flags by name with the API parameter second", () => {
  expect(textOf(topic("account-transfer"))).toMatch(/- `--from-time <time>`: [^`]*API parameter: `from_time`/);
});

test("a topic with Markdown that the manual does not support is refused", () => {
  expect(() => parseTopic("times", "---\nsummary: x\n---\n# X\n\n> quote\n")).toThrow("blockquote is not supported");
  expect(() => parseTopic("times", "---\nsummary: x\n---\n# X\n\n<!-- solx:nothing -->\n")).toThrow("placeholder");
});

test("docs/topics has the files of all topics", () => {
  const names = readdirSync(join(ROOT, "docs/topics")).map((name) => name.replace(/\.md$/, ""));
  expect(names.toSorted()).toEqual(TOPICS.map(({ id }) => id).toSorted());
});

test.each(TOPICS.map(({ id }) => id))("the topic %s has at most 600 words", (id) => {
  const text = readFileSync(join(ROOT, "docs/topics", `${id}.md`), "utf8").replace(/^---[\s\S]*?\n---\n/, "");
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(600);
});

/** The Markdown files of the guides and topics, and the README, by path. */
const guides = () => {
  const folders = ["docs", "docs/topics"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : [])),
  );
  return [...folders, "README.md"].map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const);
};

test("documents name settings as `solx config` accepts them", () => {
  // Parts of an entry have names of their own in environment variables only: `confirm-units` is `units confirm=`.
  const parts = SETTING_NAMES.filter((name) => placeOf(name) !== undefined && name.includes("-"));
  const problems = guides().flatMap(([path, text]) => {
    const named = [...text.matchAll(/\bsettings?\s+`([\w-]+)(?: (\w+)=)?`/gi)].filter(([, entry = "", part]) => {
      const isEntry = ENTRY_NAMES.includes(entry as EntryName);
      return !isEntry || (part !== undefined && !Object.hasOwn(partsOf(entry as EntryName), part));
    });
    const old = parts.filter((name) => text.includes(`\`${name}\``));
    return [...named.map(([words]) => `${path}: ${words}`), ...old.map((name) => `${path}: ${name}`)];
  });
  expect(problems).toEqual([]);
});

test("prose in the documentation has no line longer than 120 characters", () => {
  // The benchmarks are generated, and name the machine.
  const guides = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md") && name !== "benchmarks.md");
  const topics = readdirSync(join(ROOT, "docs/topics")).map((name) => `topics/${name}`);
  const files = [...[...guides, ...topics].map((name) => `docs/${name}`), "README.md", "CONTRIBUTING.md"];
  const long = files.flatMap((name) =>
    readFileSync(join(ROOT, name), "utf8")
      .split("\n")
      // Rows of tables cannot be wrapped.
      .flatMap((line) => (line.length > 120 && !line.startsWith("|") ? [`${name}: ${line}`] : [])),
  );
  expect(long).toEqual([]);
});
