/** `solx cache` and the names of addresses, which other processes may be using. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../../src/base/index.ts";
import { SqliteNameStore } from "../../src/commands/names/name-store.ts";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** A home folder with stored names of two sources, of which one is in use. */
function createHome() {
  const home = createTempFolder();
  const file = join(home, "cache", "names.sqlite");
  const store = new SqliteNameStore(file, "api");
  const name = { address: WALLET, kind: "account", name: "Vault" } as const;
  store.write([name]);
  new SqliteNameStore(file, "sandbox 1").write([name]);
  const cache = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runInProcess(["cache", ...args], { env: { SOLX_HOME: home } });
    return { code, stdout, stderr };
  };
  const json = async (...args: readonly string[]) => JSON.parse((await cache(...args, "-o", "json")).stdout);
  return { file, store, name, cache, json };
}

describe("names in the cache", () => {
  test("are counted with their size, in documents and in rows", async () => {
    const { file, cache, json } = createHome();
    expect(await json("stats")).toMatchObject({ names: { count: 2, bytes: expect.any(Number), file } });
    const { stdout } = await cache("stats", "-o", "ndjson", "--fields", "kind,answers,bytes");
    const row = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    expect(row).toMatchObject({ kind: "names", answers: 2 });
    expect(row.bytes).toBeGreaterThan(0);
  });

  test("are removed with the answers, also while another process uses the file, which stores new ones in it", async () => {
    const { store, name, json } = createHome();
    expect(await json("clear")).toMatchObject({ removed: 0, names: 2, kind: null });
    expect(store.read()).toEqual([]);
    store.write([name]);
    expect([store.problem(), (await json("stats")).names.count]).toEqual([undefined, 1]);
  });

  test("are removed alone, or stay when only answers are removed", async () => {
    const { store, json } = createHome();
    expect(await json("clear", "--kind", "metadata")).toMatchObject({ names: 0, kind: "metadata" });
    expect(store.read()).toHaveLength(1);
    expect(await json("clear", "--kind", "names")).toMatchObject({ removed: 0, names: 2, kind: "names" });
    expect(store.read()).toEqual([]);
  });

  test("in a damaged file are reported, and the file is removed", async () => {
    const home = createTempFolder();
    const file = join(home, "cache", "names.sqlite");
    createFolder(join(home, "cache"));
    writeFileSync(file, "no database at all, and long enough for one ".repeat(200));
    const run = (...args: readonly string[]) => runInProcess(["cache", ...args], { env: { SOLX_HOME: home } });
    expect(await run("stats")).toMatchObject({ code: 1, stderr: expect.stringContaining(file) });
    expect(await run("clear", "-o", "json")).toMatchObject({ code: 0, stdout: expect.stringContaining('"names": 0') });
    expect(existsSync(file)).toBe(false);
  });
});

describe("cache clear --all", () => {
  test("removes what is created again, prints the sizes, and leaves everything else", async () => {
    const home = createTempFolder();
    const write = (path: string, bytes: number) => {
      createFolder(dirname(join(home, path)));
      writeFileSync(join(home, path), "x".repeat(bytes));
    };
    const staying = ["config.json", "credentials.json", "state/budget.sqlite", "state/indexes/a.index.db"];
    for (const path of staying) write(path, 2);
    writeFileSync(join(home, "config.json"), "{}");
    write("cache/sandbox/world.db", 1000);
    write("cache/sandbox/usage.sqlite", 100);
    write("cache/compiled/v26/00839c8e", 20_000);
    write("cache/other", 3);
    write("state/usage.sqlite", 400);
    write("state/usage.sqlite-journal", 40);
    write("state/explore.log", 5);
    write("state/explore.log.1", 50);
    const run = (...args: readonly string[]) => runInProcess(["cache", "clear", ...args], { env: { SOLX_HOME: home } });
    const { code, stdout } = await run("--all", "-o", "json");
    expect(code).toBe(0);
    const files = { worlds: 1100, compiled: 20_000, cache: 3, samples: 440, logs: 55 };
    expect(JSON.parse(stdout)).toMatchObject({ removed: 0, names: 0, kind: null, bytes: 21_598, files });
    const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left.map(({ parentPath, name }) => relative(home, join(parentPath, name))).sort()).toEqual(staying);
    expect(JSON.parse((await run("--all", "-o", "json")).stdout).bytes).toBe(0);
  });

  test("is not combined with a kind", async () => {
    const home = createTempFolder();
    const run = (...args: readonly string[]) => runInProcess(["cache", "clear", ...args], { env: { SOLX_HOME: home } });
    const refused = await run("--all", "--kind", "names");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--all and --kind cannot be used together"),
    });
  });
});
