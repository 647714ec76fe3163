/** `solx index --store`: an index in ClickHouse, which commands read by its address. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClickHouseServer, startClickHouse } from "../support/clickhouse/start.ts";
import { runInProcess } from "../support/in-process.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { CHDB, describeWith } from "../support/programs.ts";

const PASSWORD = "correct horse";

describeWith(CHDB)("an index in ClickHouse", () => {
  const shared = useScenario();
  const home = mkdtempSync(join(tmpdir(), "solx-index-store-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  let server: ClickHouseServer;
  const address = (database: string) => server.url.replace("http://", "clickhouse://solx@").concat(`/${database}`);
  const solx = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInProcess(words, {
      env: { SOLX_HOME: home, SOLX_CACHE: "off", SOLX_CLICKHOUSE_PASSWORD: PASSWORD, ...env },
    });
  const index = (database: string, ...flags: readonly string[]) =>
    solx(["index", "--rpc", shared.node.url, "--store", address(database), ...flags]);

  beforeAll(async () => {
    const folder = mkdtempSync(join(home, "data-"));
    server = await startClickHouse(afterAll, { folder, user: "solx", password: PASSWORD });
    const range = ["--from", "earliest", "--to", "now"];
    expect(await index("whole", "--index", "written", ...range)).toMatchObject({ code: 0 });
    expect(await solx(["index", "--rpc", shared.node.url, "--index", "whole", ...range])).toMatchObject({ code: 0 });
  });

  it("has the blocks of the file, also the last one, which only the next one proves", async () => {
    const [stored, file] = await Promise.all(
      [address("whole"), "whole"].map(async (name) =>
        JSON.parse((await solx(["index", "info", name, "-o", "json"])).stdout),
      ),
    );
    expect(stored).toMatchObject({
      blocks: file.blocks,
      gaps: [],
      genesis: file.genesis,
      first_slot: file.first_slot,
    });
  });

  it("is written by way of a file that answers nothing, and is continued with --store only", async () => {
    for (const words of [
      ["block", "last"],
      ["index", "--rpc", shared.node.url, "--to", "now"],
    ])
      expect(await solx([...words, "--index", "written"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--index clickhouse://"),
      });
    expect(await index("whole", "--index", "written", "--to", "now")).toMatchObject({ code: 0 });
  });

  it("is made in parts by several programs at the same time, and answers like the file", async () => {
    const { first_slot: first, last_slot: last } = JSON.parse(
      (await solx(["index", "info", "whole", "-o", "json"])).stdout,
    );
    const range = ["--from", String(first), "--to", String(last)];
    const results = await Promise.all([1, 2].map((n) => index("parts", "--index", `part-${n}`, ...range)));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0].map((code) => [code, expect.any(String)]));
    const { alice } = shared.scenario.addresses;
    for (const words of [
      ["account", "transfers", alice],
      ["account", "transactions", alice],
      ["block", "last"],
    ]) {
      const [stored, file] = await Promise.all(
        [address("parts"), "whole"].map((name) => solx([...words, "-o", "json", "--index", name])),
      );
      expect(stored).toMatchObject({ code: 0, stdout: file?.stdout });
    }
  });

  it("refuses the transactions of another filter, at the tip and in a range", async () => {
    const { last_slot: last } = JSON.parse((await solx(["index", "info", "whole", "-o", "json"])).stdout);
    const filter = ["--index", "filtered", "--program", "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"];
    for (const range of [
      ["--from", "earliest", "--to", "now"],
      ["--from", "0", "--to", String(last)],
    ])
      expect(await index("whole", ...filter, ...range)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("The database contains transactions of all programs, not programs=Memo"),
      });
  });

  it("takes the password that was saved, and prints it nowhere", async () => {
    const own = mkdtempSync(join(home, "own-"));
    const run = (words: readonly string[], input = "") =>
      runInProcess(words, { env: { SOLX_HOME: own, SOLX_CACHE: "off" }, input });
    const store = address("whole");
    const query = ["block", "last", "--index", store, "-v"];
    expect(await run(query)).toMatchObject({ code: 3, stderr: expect.stringContaining("solx auth login --store") });
    expect(await run(["auth", "login", "--store", store], "wrong")).toMatchObject({ code: 3 });
    expect(await run(query)).toMatchObject({ code: 3 });
    const results = [
      await run(["auth", "login", "--store", store], PASSWORD),
      await run(query),
      await run(["index", "info", store, "-v"]),
      await run(["block", "last", "--index", address("nothing"), "-v"]),
    ];
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 5]);
    expect(JSON.stringify(results)).not.toContain(PASSWORD);
    const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(PASSWORD));
    expect(found.map(({ name }) => name)).toEqual(["credentials.json"]);
    expect(await run(["auth", "logout", "--store", store])).toMatchObject({ code: 0 });
    expect(await run(query)).toMatchObject({ code: 3 });
  });

  it("says what is wrong with the address, the password and the database", async () => {
    const query = (name: string, env = {}) => solx(["block", "last", "--index", name, "-o", "json"], env);
    expect(await query(address("whole"), { SOLX_CLICKHOUSE_PASSWORD: "wrong" })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("refused the password"),
    });
    expect(await query(address("nothing"))).toMatchObject({ code: 5, stderr: expect.stringContaining("has no index") });
    expect(await query(address("").slice(0, -1))).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("The database solana has no index"),
    });
    expect(await query("clickhouse://solx:secret@127.0.0.1:1/solana")).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining("secret"),
    });
    expect(await query("clickhouse://solx@127.0.0.1:1/solana")).toMatchObject({
      stderr: expect.stringContaining("does not answer"),
    });
  });

  it("says what to do with the address that was given", async () => {
    const own = mkdtempSync(join(home, "own-"));
    const run = (words: readonly string[], input = "", env = {}) =>
      runInProcess(words, { env: { SOLX_HOME: own, SOLX_CACHE: "off", ...env }, input });
    const store = address("whole");
    const login = `solx auth login --store ${store}`;
    const missing = await run(["index", "info", store]);
    expect(missing).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("refused the user solx: no password is set"),
    });
    expect(missing.stderr).toContain(login);
    const wrong = await run(["index", "info", store], "", { SOLX_CLICKHOUSE_PASSWORD: "wrong" });
    expect(wrong.stderr).toContain(login);
    const empty = await run(["auth", "login", "--store", store], "\n");
    expect(empty).toMatchObject({ code: 3, stderr: expect.stringContaining("contains no password") });
    expect(empty.stderr).toContain(login);
  });

  it("cannot be a setting with a password, which doctor finds in an old one", async () => {
    const own = mkdtempSync(join(home, "own-"));
    const run = (...words: readonly string[]) => runInProcess(words, { env: { SOLX_HOME: own, SOLX_CACHE: "off" } });
    const texts = ["clickhouse://solx:secret@localhost/solana", "clickhouse://solx@localhost/solana?password=secret"];
    for (const text of texts) {
      const refused = await run("config", "set", "index", text);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("must not contain a password") });
      expect(JSON.stringify(refused)).not.toContain("secret");
    }
    expect(await run("config", "set", "index", "clickhouse://solx@localhost/solana")).toMatchObject({ code: 0 });
    const file = join(own, "config.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("solx@", "solx:secret@"));
    const { stdout } = await run("doctor", "--offline", "-o", "json");
    const checks = JSON.parse(stdout);
    expect(checks).toContainEqual(expect.objectContaining({ check: "index", level: "problem" }));
    expect(stdout).not.toContain("secret");
  });

  it("is no damaged file when ClickHouse does not answer a query of an answer", async () => {
    const words = ["account", "transfers", shared.scenario.addresses.alice, "--index", address("whole")];
    await server.fail({ query: "FROM transfers", latency: Number.POSITIVE_INFINITY });
    const late = await solx(words, { SOLX_TIMEOUT: "1", SOLX_RETRIES: "0" });
    expect(late).toMatchObject({ code: 9, stderr: expect.stringMatching(/within 1 s/) });
    await server.recover();
    await server.fail({ query: "FROM transfers", error: "MEMORY_LIMIT_EXCEEDED" });
    const full = await solx(words);
    expect(full).toMatchObject({ code: 8, stderr: expect.stringContaining("memory limit exceeded") });
    expect(full.stderr).not.toContain("index remove");
    await server.recover();
  });

  it("is not asked for longer than --timeout", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const store = `clickhouse://127.0.0.1:${(silent.address() as AddressInfo).port}/solana`;
    for (const words of [
      ["index", "info", store],
      ["block", "last", "--index", store],
      ["auth", "login", "--store", store],
    ]) {
      const started = performance.now();
      const result = await runInProcess(words, {
        env: { SOLX_HOME: home, SOLX_CACHE: "off", SOLX_TIMEOUT: "0.3", SOLX_MAX_WAIT: "1" },
        input: "secret",
      });
      expect(result).toMatchObject({ code: 9, stderr: expect.stringContaining("no answer within 0.3 seconds") });
      expect(performance.now() - started).toBeLessThan(10_000);
    }
    silent.closeAllConnections();
    silent.close();
  });

  it("is in a ClickHouse server: no password is saved for another one", async () => {
    const other = createServer((_, response) => void response.end('{"ok":true}')).listen(0, "127.0.0.1");
    await once(other, "listening");
    const store = `clickhouse://127.0.0.1:${(other.address() as AddressInfo).port}/solana`;
    const own = mkdtempSync(join(home, "own-"));
    for (const words of [
      ["auth", "login", "--store", store],
      ["index", "info", store],
      ["index", "--rpc", shared.node.url, "--store", store],
    ])
      expect(await runInProcess(words, { env: { SOLX_HOME: own, SOLX_CACHE: "off" }, input: "secret" })).toMatchObject({
        code: 8,
        stderr: expect.stringContaining("is not a ClickHouse server"),
      });
    expect(readdirSync(own, { recursive: true })).not.toContain("credentials.json");
    other.close();
  });
});
