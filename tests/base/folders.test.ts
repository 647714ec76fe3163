/** Folders that are created when missing. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "../../src/base/files.ts";

function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "solx-folder-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("creates every level for its owner alone and leaves existing folders as they are", () => {
  const root = scratch();
  const folder = join(root, "a", "b", "c");
  createFolder(folder);
  for (const level of ["a", "a/b", "a/b/c"]) expect(statSync(join(root, level)).mode & 0o777).toBe(0o700);
  createFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test("fails when a file has the name of a folder", () => {
  const file = join(scratch(), "file");
  writeFileSync(file, "");
  expect(() => createFolder(file)).toThrow(`${file} is a file, not a folder`);
  expect(() => createFolder(join(file, "below"))).toThrow(`${file} is a file, not a folder`);
});

test.skipIf(!existsSync("/proc/1"))("fails on a file system without folders instead of retrying forever", () => {
  expect(() => createFolder("/proc/1/x/y")).toThrow(/ENOENT/);
});
