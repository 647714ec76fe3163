/** Databases: transactions, schema versions, and kinds of failure. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createPrivateFile,
  enableWriteAheadLog,
  ensureSchema,
  inTransaction,
  isBusy,
  isDamaged,
  isSchemaMismatch,
  isSqliteError,
  openDatabase,
  setDamagedFileAside,
} from "../../src/base/sqlite.ts";

function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "solx-sqlite-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const errorOf = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test.each([
  ["a local file system", "linux", 0xef53, "wal"],
  ["memory", "linux", 0x01021994, "wal"],
  ["NFS", "linux", 0x6969, "truncate"],
  ["SMB", "linux", 0xff534d42, "truncate"],
  ["a folder of the host in a virtual machine (9P)", "linux", 0x01021997, "truncate"],
  ["sshfs and the like (FUSE)", "linux", 0x65735546, "truncate"],
  ["other systems, where types mean nothing", "darwin", 0x6969, "wal"],
] as const)("the journal on %s", (_name, platform, type, mode) => {
  const path = join(scratch(), "a.sqlite");
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  const isLog = enableWriteAheadLog(db, path, { platform, statfs: () => ({ type }) });
  expect([isLog, db.prepare("PRAGMA journal_mode").get()?.journal_mode]).toEqual([mode === "wal", mode]);
  expect(enableWriteAheadLog(openDatabase(":memory:"), ":memory:")).toBe(false);
});

test.each([
  ["\\\\server\\share\\solx\\a.sqlite", "truncate"],
  ["//server/share/a.sqlite", "truncate"],
  ["\\\\?\\C:\\solx\\a.sqlite", "wal"],
  ["C:\\solx\\a.sqlite", "wal"],
])("the journal of %s on Windows: %s", (path, mode) => {
  const db = openDatabase(join(scratch(), "a.sqlite"));
  onTestFinished(() => db.close());
  enableWriteAheadLog(db, path, { platform: "win32" });
  expect(db.prepare("PRAGMA journal_mode").get()?.journal_mode).toBe(mode);
});

test("a log left by an earlier version on a network file system is replaced without losing rows", () => {
  const path = join(scratch(), "a.sqlite");
  const before = openDatabase(path);
  expect(enableWriteAheadLog(before, path, { platform: "linux", statfs: () => ({ type: 0 }) })).toBe(true);
  before.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  before.close();
  const after = openDatabase(path);
  onTestFinished(() => after.close());
  expect(enableWriteAheadLog(after, path, { platform: "linux", statfs: () => ({ type: 0x6969 }) })).toBe(false);
  expect(after.prepare("SELECT x FROM t").all()).toEqual([{ x: 1 }]);
});

test("a transaction is committed when its action returns and rolled back when it throws", () => {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE t (x)");
  expect(inTransaction(db, () => db.prepare("INSERT INTO t VALUES (1)").run().changes)).toBe(1);
  const failing = () =>
    inTransaction(db, () => {
      db.exec("INSERT INTO t VALUES (2)");
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(db.isTransaction).toBe(false);
  expect(db.prepare("SELECT x FROM t").all()).toEqual([{ x: 1 }]);
});

test("a schema is created once, and a newer one is rejected", () => {
  const file = join(scratch(), "a.sqlite");
  const db = openDatabase(file);
  onTestFinished(() => db.close());
  const schema = { version: 2, tables: "CREATE TABLE t (x)" };
  ensureSchema(db, schema);
  ensureSchema(db, schema);
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  expect(() => ensureSchema(db, { ...schema, version: 1 })).toThrow("it was written by a newer version of solx");
});

test("failures are distinguished by their result code", () => {
  const folder = scratch();
  const file = join(folder, "b.sqlite");
  const [one, other] = [openDatabase(file), openDatabase(file, { timeout: 0 })];
  one.exec("BEGIN EXCLUSIVE");
  const busy = errorOf(() => other.exec("BEGIN IMMEDIATE"));
  expect([isBusy(busy), isDamaged(busy), isSqliteError(busy)]).toEqual([true, false, true]);
  const mismatch = errorOf(() => one.prepare("SELECT * FROM missing"));
  expect([isSchemaMismatch(mismatch), isDamaged(mismatch)]).toEqual([true, false]);
  one.close();
  other.close();
  writeFileSync(file, "not a database, but long enough to be one".repeat(100));
  const damaged = openDatabase(file);
  expect(isDamaged(errorOf(() => damaged.exec("CREATE TABLE t (x)")))).toBe(true);
  damaged.close();
  writeFileSync(`${file}-journal`, "");
  expect(setDamagedFileAside(file)).toBe("b.sqlite.damaged");
  expect(readdirSync(folder)).toEqual(["b.sqlite.damaged"]);
  for (const error of [undefined, null, new Error("other"), "text"]) {
    expect([isBusy(error), isDamaged(error), isSqliteError(error)]).toEqual([false, false, false]);
  }
});

test("a private file is readable for its owner alone", () => {
  const file = join(scratch(), "c.sqlite");
  createPrivateFile(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("opening a database prints no warning", () => {
  const module = new URL("../../src/base/sqlite.ts", import.meta.url).href;
  const script = `import { openDatabase } from "${module}"; openDatabase(":memory:").close();`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stderr).not.toContain("SQLite");
});
