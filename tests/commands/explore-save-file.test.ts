/** Files of exports: always new, complete or absent. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { createFileSaver } from "../../src/commands/explore/save-file.ts";
import { createTempFolder } from "../support/solx.ts";

const root = createTempFolder();
const newFolder = () => mkdtempSync(join(root, "x"));

async function* chunks(...texts: string[]) {
  yield* texts;
}

test("a file contains all chunks and is readable by others", async () => {
  const folder = newFolder();
  const path = await createFileSaver(folder)("rows.csv", chunks("a\n", "1\n", "2\n"));
  expect(path).toBe(join(folder, "rows.csv"));
  expect(readFileSync(path, "utf8")).toBe("a\n1\n2\n");
  expect(statSync(path).mode & 0o777).toBe(0o644 & ~process.umask());
});

test("existing files are not replaced: the next free name is used", async () => {
  const folder = newFolder();
  const save = createFileSaver(folder);
  writeFileSync(join(folder, "rows.csv"), "mine");
  expect(await save("rows.csv", chunks("2"))).toBe(join(folder, "rows-2.csv"));
  expect(await save("rows.csv", chunks("3"))).toBe(join(folder, "rows-3.csv"));
  expect(readFileSync(join(folder, "rows.csv"), "utf8")).toBe("mine");
});

test.each(["", " ", "..", "a/b.csv", "../a.csv", "a\\b.csv", "a\u0000b", "a\nb.csv"])(
  "%j is not a valid name",
  async (name) => {
    const folder = newFolder();
    await expect(createFileSaver(folder)(name, chunks("x"))).rejects.toThrow(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("when the rows fail midway, the file is removed and the error is passed on", async () => {
  const folder = newFolder();
  const failing = async function* () {
    yield "a\n";
    throw new Error("the rows ended");
  };
  await expect(createFileSaver(folder)("rows.csv", failing())).rejects.toThrow("the rows ended");
  expect(readdirSync(folder)).toEqual([]);
});

test("errors explain why a file cannot be written", async () => {
  const folder = newFolder();
  await expect(createFileSaver(join(folder, "gone"))("rows.csv", chunks("x"))).rejects.toThrow(
    "rows.csv cannot be written: its folder does not exist.",
  );
  await expect(createFileSaver(folder)(`${"x".repeat(300)}.csv`, chunks("x"))).rejects.toThrow("the name is too long");
});

test.skipIf(process.getuid?.() === 0)("a folder without write permission is reported", async () => {
  const folder = join(newFolder(), "closed");
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  await expect(createFileSaver(folder)("rows.csv", chunks("x"))).rejects.toThrow("permission denied");
});
