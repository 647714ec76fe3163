/** Checks that docs/yardstick.md refers to files and tests that exist. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/yardstick.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));

test("every must names a file or a command", () => {
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter((row) => row.includes("| must") && !/\|[^|]*`[^|]*\|$/.test(row.replaceAll("\\|", "")))).toEqual(
    [],
  );
});

test("every file exists", () => {
  const paths = [...page.matchAll(/`((?:tests|docs|src|bench)\/[^`#]*)/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(150);
  const exists = (path: string) =>
    path.includes("*") ? globSync(join(ROOT, path)).length > 0 : existsSync(join(ROOT, path));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

test("every quoted test exists", () => {
  const missing: string[] = [];
  for (const [, path = "", note = ""] of page.matchAll(/`(tests\/[^`*]+\.tsx?)` \(([^)]*)\)/g)) {
    const text = readFileSync(join(ROOT, path), "utf8");
    for (const [, title = ""] of note.matchAll(/"([^"]+)"/g)) {
      const parts = title.split(/…|\\|%s/).map((part) => part.trim());
      if (!parts.every((part) => text.includes(part))) missing.push(`${path}: ${title}`);
    }
  }
  expect(missing).toEqual([]);
});
