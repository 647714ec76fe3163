/** What happens to the file of an index while it is written: a full disk, damage, removal. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "solx-index-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("says that the disk is full, and keeps what was written", () => {
  const writer = openChainLedger(":memory:", "chain:test");
  try {
    writer.write({ meta: { next: 7 } });
    writer.db.exec("PRAGMA max_page_count = 1");
    const write = () => writer.write({ meta: { next: 8, large: "x".repeat(1_000_000) } });
    expect(write).toThrow(expect.objectContaining({ code: "ENOSPC", exit: "unexpected" }));
    expect(writer.meta("next")).toBe("7");
  } finally {
    writer.close();
  }
});

it("says that the file is damaged", () => {
  const path = join(folder, "damaged.db");
  openChainLedger(path, "chain:test").close();
  truncateSync(path, 20_000);
  const open = () => openChainLedger(path, "chain:test");
  expect(open).toThrow(expect.objectContaining({ code: "INDEX", exit: "server" }));
});

it.each<readonly [what: string, code: string, spoil: (path: string, db: DatabaseSync) => void]>([
  ["has other tables", "INDEX", (_, db) => db.exec("PRAGMA foreign_keys = OFF; DROP TABLE transfers")],
  ["has a view for a table", "INDEX", (_, db) => db.exec("DROP TABLE meta; CREATE VIEW meta AS SELECT 1 AS name")],
  ["is locked", "INDEX_BUSY", (_, db) => db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")],
  ["is a folder", "NOT_A_FILE", replaceByFolder],
])("says that the file %s", (what, code, spoil) => {
  const path = join(folder, `${what}.db`);
  openChainLedger(path, "chain:test").close();
  const db = new DatabaseSync(path);
  spoil(path, db);
  try {
    expect(() => openChainLedger(path, "chain:test")).toThrow(expect.objectContaining({ code }));
  } finally {
    if (db.isOpen) db.close();
  }
});

function replaceByFolder(path: string, db: DatabaseSync): void {
  db.close();
  rmSync(path);
  mkdirSync(path);
}

it.each(["removed", "replaced"])("does not go on with a file that was %s", (what) => {
  const path = join(folder, `${what}.db`);
  const writer = openChainLedger(path, "chain:test");
  try {
    writer.write({ meta: { next: 7 } });
    renameSync(path, `${path}.old`);
    if (what === "replaced") writeFileSync(path, "");
    const write = () => writer.write({ meta: { next: 8 } });
    expect(write).toThrow(expect.objectContaining({ code: "INDEX_REPLACED", exit: "usage" }));
  } finally {
    writer.close();
  }
});
