/**
 * Writes `docs/reference/`, a page per command, endpoint and topic, `docs/library/`, a page per group of methods of the
 * library, and the list of man pages in `package.json`. With
 * `--check` it writes nothing and fails when a file is not current.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { manFiles, markdownFiles } from "../src/commands/docs/manual/generate.ts";
import { libraryPages } from "./client-pages.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  },
});
const FOLDERS = ["docs/reference", "docs/library"];

const files = new Map<string, string>([
  ...[...markdownFiles()].map(([name, text]) => [`docs/reference/${name}`, text] as const),
  ...[...libraryPages()].map(([name, text]) => [`docs/${name}`, text] as const),
]);
const existing = FOLDERS.flatMap((folder) => {
  const path = join(values.root, folder);
  return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : [];
});
const removed = existing.filter((name) => !files.has(name));
files.set("package.json", packageText());
const changed = [...files].filter(([name, text]) => contentOf(name) !== text).map(([name]) => name);

if (values.check) {
  const stale = [...changed, ...removed].sort();
  for (const name of stale) console.error(`${name} is not current`);
  if (stale.length > 0) console.error("Run: node scripts/reference.ts");
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const folder of FOLDERS) mkdirSync(join(values.root, folder), { recursive: true });
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
  content.man = [...manFiles({ version: "", date: "" }).keys()].sort().map((path) => `./dist/man/${path}`);
  return `${JSON.stringify(content, null, 2)}\n`;
}
