/**
 * Writes `docs/reference/`, the pages of every command, endpoint and topic, and the list of manual pages in
 * `package.json`. With `--check` nothing is written, and files that are not what the code says are a failure.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { manFiles, markdownFiles } from "../src/commands/docs/manual/generate.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  },
});
const REFERENCE = "docs/reference";
const folder = join(values.root, REFERENCE);

const wanted = new Map([...markdownFiles()].map(([name, text]) => [`${REFERENCE}/${name}`, text]));
const there = existsSync(folder) ? readdirSync(folder).map((name) => `${REFERENCE}/${name}`) : [];
const removed = there.filter((name) => !wanted.has(name));
wanted.set("package.json", packageText());
const changed = [...wanted].filter(([name, text]) => contentOf(name) !== text).map(([name]) => name);

if (values.check) {
  const stale = [...changed, ...removed].sort();
  for (const name of stale) console.error(`${name} is not current`);
  if (stale.length > 0) console.error("Run: node scripts/reference.ts");
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of changed) writeFileSync(join(values.root, name), wanted.get(name) ?? "");
  for (const name of removed) rmSync(join(values.root, name));
  console.log(`${wanted.size} files, ${changed.length} written, ${removed.length} removed`);
}

/** What a file holds; undefined where there is none. */
function contentOf(name: string): string | undefined {
  const path = join(values.root, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** The package with its manual pages, which npm links for `man` only where each is named. */
function packageText(): string {
  const text = contentOf("package.json") ?? "{}";
  const content = JSON.parse(text);
  if (content.man === undefined) return text;
  content.man = [...manFiles("").keys()].sort().map((path) => `./dist/man/${path}`);
  return `${JSON.stringify(content, null, 2)}\n`;
}
