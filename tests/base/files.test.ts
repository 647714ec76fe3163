/** Replacing files that other programs may have open, and their identity. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { toKnownError } from "../../src/base/errors.ts";
import { fileIdentity, replaceFile, unwritableError } from "../../src/base/files.ts";

/** Returns the paths of two files in a folder that is removed after the test. */
function twoFiles(): readonly [from: string, to: string] {
  const folder = mkdtempSync(join(tmpdir(), "solx-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [from, to] = [join(folder, "new"), join(folder, "old")];
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  return [from, to];
}

/** A rename as on Windows: it fails a number of times, while another program has the file open. */
function openFor(failures: number, code = "EPERM") {
  let attempts = 0;
  const renameOpen = async (from: string, to: string) => {
    attempts += 1;
    if (attempts <= failures) throw Object.assign(new Error(`${code}: rename`), { code });
    await rename(from, to);
  };
  return { rename: renameOpen, attempts: () => attempts };
}

describe("replacing a file", () => {
  test("replaces it at once", async () => {
    const [from, to] = twoFiles();
    await replaceFile(from, to);
    expect([existsSync(from), readFileSync(to, "utf8")]).toEqual([false, "new"]);
  });

  test.each(["EPERM", "EACCES", "EBUSY"])(
    "waits on Windows until the other program has closed it (%s)",
    async (code) => {
      const [from, to] = twoFiles();
      const file = openFor(2, code);
      await replaceFile(from, to, { platform: "win32", rename: file.rename });
      expect([file.attempts(), readFileSync(to, "utf8")]).toEqual([3, "new"]);
    },
  );

  test("fails when it stays open, and leaves both files", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const [from, to] = twoFiles();
    const file = openFor(Number.POSITIVE_INFINITY);
    const replaced = replaceFile(from, to, { platform: "win32", rename: file.rename }).catch((error) => error.code);
    await vi.runAllTimersAsync();
    expect(await replaced).toBe("EPERM");
    expect(file.attempts()).toBeGreaterThan(5);
    expect([readFileSync(from, "utf8"), readFileSync(to, "utf8")]).toEqual(["new", "old"]);
  });

  test("does not wait for what will not change", async () => {
    const [from, to] = twoFiles();
    const missing = openFor(9, "ENOENT");
    await expect(replaceFile(from, to, { platform: "win32", rename: missing.rename })).rejects.toThrow("ENOENT");
    const elsewhere = openFor(9);
    await expect(replaceFile(from, to, { platform: "linux", rename: elsewhere.rename })).rejects.toThrow("EPERM");
    expect([missing.attempts(), elsewhere.attempts()]).toEqual([1, 1]);
  });
});

test("the identity of a file survives a rename and differs from that of its successor", () => {
  const [from, to] = twoFiles();
  const [first, second] = [fileIdentity(from), fileIdentity(to)];
  expect(first).toMatch(/^\d+:\d+$/);
  expect(first).not.toBe(second);
  renameSync(from, to);
  expect(fileIdentity(to)).toBe(first);
  expect(fileIdentity(from)).toBeUndefined();
});

describe("an error of the file system", () => {
  const systemError = (code: string) => Object.assign(new Error(`${code}: it failed, write '/x'`), { code });

  test.each([
    ["ENOSPC", 1, "the disk is full", "Free some space, then run the command again."],
    ["EROFS", 1, "the file system is read-only", "Change the permissions, or use another file or folder."],
    ["EACCES", 1, "permission denied", "Change the permissions, or use another file or folder."],
    ["ENOENT", 2, "its folder does not exist", undefined],
    ["EISDIR", 2, "it is a folder", undefined],
  ])("has its code, advice and an exit code by its cause: %s", (code, exitCode, reason, hint) => {
    const message = `rows.csv cannot be written: ${reason}.`;
    const known = { code, exitCode, hint };
    expect(unwritableError("rows.csv", systemError(code), undefined, { platform: "linux" })).toMatchObject({
      ...known,
      message,
    });
    expect(toKnownError(systemError(code))).toMatchObject({ ...known, message: expect.stringMatching(/^\/x: .*\.$/) });
  });

  test("of SQLite on a full disk has the code of the system", () => {
    const full = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    expect(unwritableError("x", full, "It continues.")).toMatchObject({
      ...{ code: "ENOSPC", hint: "Free some space, then run the command again.\nIt continues." },
    });
  });

  test("names another program on Windows", () => {
    const error = unwritableError("x", systemError("EPERM"), undefined, { platform: "win32" });
    expect(error.message).toBe("x cannot be written: another program has it open, or it is read-only.");
  });

  test.each([new TypeError("x is not a function"), undefined, "text"])("is none: %s", (thrown) => {
    const hint = expect.stringContaining("report the stack trace");
    expect(toKnownError(thrown)).toMatchObject({ code: "UNEXPECTED", exitCode: 1, hint });
  });
});
