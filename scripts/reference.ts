/**
 * Writes `docs/reference/`, a page per command, endpoint and topic, and the list of man pages in `package.json`. With
 * `--check` it writes nothing and fails when a file is not current.
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

const files = new Map([...markdownFiles()].map(([name, text]) => [`${REFERENCE}/${name}`, text]));
const existing = existsSync(folder) ? readdirSync(folder).map((name) => `${REFERENCE}/${name}`) : [];
const removed = existing.filter((name) => !files.has(name));
files.set("package.json", packageText());
const changed = [...files].filter(([name, text]) => contentOf(name) !== text).map(([name]) => name);

if (values.check) {
  const stale = [...changed, ...removed].sort();
  for (const name of stale) console.error(`${name} is not current`);
  if (stale.length > 0) console.error("Run: node scripts/reference.ts");
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of changed) writeFileSync(join(values.root, name), files.get(name) ?? "");
  for (const name of removed) rmSync(join(values.root, name));
  console.log(`${files.size} files, ${changed.length} written, ${removed.length} removed`);
}

/** Returns the text of a file; undefined when it does not exist. */
function contentOf(name: string): string | undefined {
  const path = join(values.root, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Returns package.json with the man pages, each of which npm requires by name. */
function packageText(): string {
  const text = contentOf("package.json") ?? "{}";
  const content = JSON.parse(text);
  if (content.man === undefined) return text;
  content.man = [...manFiles("").keys()].sort().map((path) => `./dist/man/${path}`);
  return `${JSON.stringify(content, null, 2)}\n`;
}
