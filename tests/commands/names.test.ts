/** Names that tables show across runs: stored apart by source, within bounds, and without consequences when it fails. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SqliteNameStore } from "../../src/commands/names/name-store.ts";
import type { LearnedName } from "../../src/output/index.ts";
import { createTempFolder } from "../support/solx.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";
const label = (address: string, name: string): LearnedName => ({ address, kind: "account", name });
const newFile = () => join(createTempFolder(), "cache", "names.sqlite");

describe("stored names", () => {
  test("are read by a later run of the same source, and by no other", () => {
    const file = newFile();
    const sandbox = new SqliteNameStore(file, "sandbox 1");
    sandbox.write([label(WALLET, "Simulated"), label(OTHER, "Whale")]);
    sandbox.close();
    const again = new SqliteNameStore(file, "sandbox 1");
    expect(again.read([OTHER, "unknown"])).toEqual([label(OTHER, "Whale")]);
    expect(again.read().map(({ name }) => name)).toEqual(["Simulated", "Whale"]);
    const api = new SqliteNameStore(file, "api https://example.com");
    expect(api.read([WALLET, OTHER])).toEqual([]);
    api.write([label(WALLET, "Real")]);
    expect([again.read([WALLET]), api.read([WALLET])].flat().map(({ name }) => name)).toEqual(["Simulated", "Real"]);
  });

  test("are bounded: the oldest give way, of the source that writes", () => {
    const file = newFile();
    const other = new SqliteNameStore(file, "other");
    other.write([label(WALLET, "Old")]);
    const store = new SqliteNameStore(file, "this");
    const many = Array.from({ length: 5100 }, (_, at) => label(`address ${at}`, `n${at}`));
    store.write(many.slice(0, 3000));
    store.write(many.slice(3000));
    const stored = store.read();
    expect([stored.length, stored[0]?.name, stored.at(-1)?.name]).toEqual([5000, "n100", "n5099"]);
    expect(other.read()).toHaveLength(1);
    for (const [at, scope] of ["a", "b", "c", "d"].entries())
      new SqliteNameStore(file, scope).write(many.slice(0, 5000 - at));
    expect(other.read()).toEqual([]);
  });

  test("of several processes at once are all stored", () => {
    const file = newFile();
    const [one, two] = [new SqliteNameStore(file, "x"), new SqliteNameStore(file, "x")];
    one.write([label(WALLET, "A")]);
    two.write([label(OTHER, "B")]);
    one.write([label(WALLET, "C")]);
    expect(two.read().map(({ name }) => name)).toEqual(["B", "C"]);
    expect([one.problem(), two.problem()]).toEqual([undefined, undefined]);
  });

  test("are dropped with a damaged file, which the next run replaces", () => {
    const file = newFile();
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "this is not a database, whatever its name says".repeat(50));
    const store = new SqliteNameStore(file, "x");
    expect(store.read([WALLET])).toEqual([]);
    expect(store.problem()).toMatchObject({ operation: "read", reason: "damaged" });
    expect(existsSync(file)).toBe(false);
    const next = new SqliteNameStore(file, "x");
    next.write([label(WALLET, "A")]);
    expect(next.read([WALLET])).toHaveLength(1);
  });

  test("that cannot be written are a typed problem, not an error", () => {
    const folder = createTempFolder();
    const blocked = join(folder, "file");
    writeFileSync(blocked, "");
    const store = new SqliteNameStore(join(blocked, "cache", "names.sqlite"), "x");
    store.write([label(WALLET, "A")]);
    expect(store.problem()).toMatchObject({ operation: "write", reason: "inaccessible" });
    expect(store.read([WALLET])).toEqual([]);
    chmodSync(blocked, 0o600);
  });

  test("leave no file where nothing was learned", () => {
    const file = newFile();
    const store = new SqliteNameStore(file, "x");
    store.write([]);
    expect([store.read([WALLET]), existsSync(file)]).toEqual([[], false]);
  });
});
