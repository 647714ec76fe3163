/** A server that is lost, full, or of another version: writers wait and lose nothing, readers say so. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { SolxError } from "../../../src/base/index.ts";
import { formatStoreAddress, parseStoreAddress } from "../../../src/chain/ledger/clickhouse/address.ts";
import { connectToStore } from "../../../src/chain/ledger/clickhouse/server.ts";
import { createShipper, type ShippingEvent } from "../../../src/chain/ledger/clickhouse/shipper.ts";
import { openStore } from "../../../src/chain/ledger/clickhouse/store.ts";
import { openStoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import type { Fault } from "../../support/clickhouse/faults.ts";
import { type ClickHouseServer, startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { CHDB, describeWith } from "../../support/programs.ts";
import { storyBlocks } from "../../support/story-index.ts";

const shared = useScenario();
const folder = mkdtempSync(join(tmpdir(), "solx-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWith(CHDB)("a faulty server", () => {
  let server: ClickHouseServer;
  let ledger: ChainLedgerWriter;
  let databases = 0;
  let database = "";
  const address = () => storeAt(server.url, database);

  beforeAll(async () => {
    server = await startClickHouse(afterAll, { folder: join(folder, "data") });
    ledger = openChainLedger(join(folder, "story.db"), "chain:test");
    afterAll(() => ledger.close());
    ledger.write({
      blocks: await storyBlocks(shared.node),
      meta: { commitment: "finalized", filter: "", next: "10000000000" },
    });
  });
  beforeEach(() => {
    database = `faults_${++databases}`;
  });
  afterEach(() => server.recover());

  const count = async (table: string) => {
    const store = await connectToStore(address());
    const { data } = await store.ask({ sql: `SELECT count() FROM ${table}`, texts: {} });
    await store.close();
    return Number(data[0]?.[0]);
  };

  const faults: readonly (readonly [string, Fault])[] = [
    [
      "is lost before it is asked for the last range",
      { query: "FROM ranges WHERE writer", after: 1, times: 1, isRefused: true },
    ],
    ["does not announce a range", { query: "INSERT INTO ranges", times: 1, isRefused: true }],
    ["cuts the answer to an insert", { query: "INSERT INTO transfers", times: 1, cutAfter: 0 }],
    ["has no space", { query: "INSERT INTO transfers", times: 1, error: "NOT_ENOUGH_SPACE" }],
    ["has no memory", { query: "INSERT INTO token_stats", times: 1, error: "MEMORY_LIMIT_EXCEEDED" }],
    ["has too many parts", { query: "INSERT INTO blocks", times: 1, error: "TOO_MANY_PARTS" }],
    ["cuts the answer to an announcement", { query: "INSERT INTO ranges", after: 1, times: 1, cutAfter: 0 }],
  ];
  test.each(faults)("that %s is waited for, and has all rows once", async (_, fault) => {
    const store = await openStoreWriter(address());
    const events: ShippingEvent[] = [];
    const ship = createShipper(store, {
      signal: new AbortController().signal,
      onEvent: (event) => void events.push(event),
    });
    await server.fail(fault);
    await ship(ledger, true);
    await store.close();
    expect(events.map(({ kind }) => kind)).toEqual(["waiting", "recovered"]);
    for (const table of ["blocks", "transactions", "transfers", "token_stats"])
      expect(await count(table), table).toBe(Number(ledger.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n));
    expect(await count("(SELECT 1 FROM ranges GROUP BY from, end HAVING max(is_done))")).toBe(1);
  });

  test("ends at once when it is interrupted, while it waits and while it inserts", async () => {
    for (const fault of [
      { query: "INSERT INTO transfers", error: "NOT_ENOUGH_SPACE" },
      { query: "INSERT INTO transfers", latency: Number.POSITIVE_INFINITY },
    ] satisfies Fault[]) {
      const controller = new AbortController();
      const { signal } = controller;
      const store = await openStoreWriter(address(), signal);
      const waiting = Promise.withResolvers<void>();
      const ship = createShipper(store, { signal, onEvent: () => waiting.resolve() });
      await server.fail(fault);
      const shipping = ship(ledger, true);
      if (fault.error === undefined) {
        // The server has the request when it is asked for the count of its rows.
        await expect.poll(() => count("ranges")).toBeGreaterThan(0);
      } else await waiting.promise;
      controller.abort(new Error("stopped"));
      await expect(shipping).rejects.toThrow(/stopped|Interrupted/);
      await store.close();
      await server.recover();
    }
  });

  test("of an old version of ClickHouse says which one is needed", async () => {
    await (await openStoreWriter(address())).close();
    await server.fail({ query: "SELECT", error: "UNKNOWN_SETTING" });
    await expect(openStore(address(), async () => undefined as never)).rejects.toMatchObject({
      code: "STORE_OLD",
      message: expect.stringContaining("26.7 or newer"),
    });
    await server.recover();
  });

  test("of another version is refused before anything of it changes", async () => {
    await (await openStoreWriter(address())).close();
    const store = await connectToStore(address());
    await store.run("INSERT INTO meta_known VALUES ('store', '999', 1, 1, 0)");
    await store.run("DROP VIEW accounts");
    await expect(openStoreWriter(address())).rejects.toMatchObject({ code: "INDEX_VERSION", exitCode: 2 });
    const { data } = await store.ask({ sql: "EXISTS accounts", texts: {} });
    await store.close();
    expect(Number(data[0]?.[0])).toBe(0);
    await expect(openStore(address(), async () => undefined as never)).rejects.toMatchObject({
      code: "INDEX_VERSION",
    });
  });

  test("that does not answer a reader ends its query after the time that it has", async () => {
    await (await openStoreWriter(address())).close();
    await server.fail({ query: "FROM meta", latency: Number.POSITIVE_INFINITY });
    await expect(openStore(address(), async () => undefined as never, 0.2)).rejects.toMatchObject({
      exitCode: 9,
      message: expect.stringContaining("no answer within 0.2 seconds"),
    });
  });
});

describe("the address of a database", () => {
  const errorOf = (text: string): SolxError => {
    try {
      return expect.unreachable(JSON.stringify(parseStoreAddress(text, undefined)));
    } catch (error) {
      return error as SolxError;
    }
  };

  test.each([
    ["clickhouse://host:8123/a/b", "a/b"],
    ["clickhouse://host/solana/", '"solana/" is no name: expected a letter'],
    ["clickhouse://host/a?cluster=b-c", '"b-c" is no name'],
    ["http://host:8123/solana", "does not begin with clickhouse://"],
    ["blocks.db", "does not begin with clickhouse://"],
    ["clickhouse://localhost:99999", "port is not a number from 1 to 65535"],
    ["clickhouse://localhost:http/solana", "port is not a number"],
    ["clickhouse://a b/solana", "host is not valid"],
    ["clickhouse:///solana", "no host"],
    ["clickhouse://host/solana?foo=bar", 'unknown parameter "foo": only ?cluster=name'],
    ["clickhouse://host/solana#x", "fragment"],
    ["clickhouse://host/system", "reserves the database system"],
    ["clickhouse://host/INFORMATION_SCHEMA", "reserves the database"],
  ])("is not %s", (text, said) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ exitCode: 2 });
    expect(`${error.message} ${error.hint}`).toContain(said);
  });

  test.each([
    "clickhouse://user:secret@host/solana",
    "clickhouse://user:12/secret@host/solana",
    "clickhouse://host/solana?password=secret",
    "clickhouse://host/solana?cluster=a&user_password=secret",
    "clickhouse://host/solana#password=secret",
  ])("has no password, as %s", (text) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ code: "PASSWORD_IN_ADDRESS", exitCode: 2 });
    expect(`${error.message} ${error.hint}`).not.toContain("secret");
  });

  test.each([
    ["clickhouse://host", "clickhouse://default@host:8123/solana"],
    ["clickhouses://a%40b@[::1]/x?cluster=duo", "clickhouses://a%40b@[::1]:8443/x?cluster=duo"],
    ["clickhouse://u%zz@[::ffff]:9/x", "clickhouse://u%25zz@[::ffff]:9/x"],
  ])("is written as it is read: %s", (text, written) => {
    const parsed = parseStoreAddress(text, undefined);
    expect(formatStoreAddress(parsed)).toBe(written);
    expect(parseStoreAddress(written, undefined)).toEqual(parsed);
  });
});

describe("what is no ClickHouse server", () => {
  const ask = async (url: string) => {
    const store = await connectToStore(storeAt(url));
    return store.ask({ sql: "SELECT 1", texts: {} }).then(
      () => expect.unreachable(),
      (error: SolxError) => error,
    );
  };
  const serve = async (status: number, body: string, headers = {}) => {
    const server = createServer((_, response) => void response.writeHead(status, headers).end(body));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const page = `<html>\n<body><h1>Not here</h1>${" text\n".repeat(500)}</body></html>`;

  test.each([
    [200, '{"jsonrpc":"2.0","error":{"code":-32600}}', "-32600"],
    [200, '{"ok":true}', '{"ok":true}'],
    [200, "null", "null"],
    [200, page, "Not here text"],
    [200, "", "status 200"],
    [302, "", "status 302"],
    [404, page, "status 404: Not here"],
    [401, "who?", "status 401: who?"],
  ])("is refused in one line, and not asked again: %s %j", async (status, body, said) => {
    const error = await ask(await serve(status, body));
    expect(error).toMatchObject({ code: "STORE_FOREIGN", exitCode: 8, retryable: false });
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ is not a ClickHouse server: [^\n<>]{1,240}$/);
    expect(error.message).toContain(said);
  });

  test.each([502, 503, 504])("may be what is before one that is lost: %i", async (status) => {
    const error = await ask(await serve(status, page));
    expect(error).toMatchObject({ code: "STORE_UNREACHABLE", exitCode: 9, retryable: true });
    expect(error.message).toMatch(/does not answer: it answered with status \d+: Not here[^\n<>]{1,200}$/);
  });

  test("does not speak HTTP, or TLS", async () => {
    const server = createTcpServer((socket) => void socket.on("error", () => {}).end("-ERR unknown command\r\n"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({
      code: "STORE_FOREIGN",
      message: expect.stringContaining("does not speak HTTP"),
    });
    const error = await ask((await serve(200, "")).replace("http:", "https:"));
    expect(error).toMatchObject({
      code: "STORE_TLS",
      retryable: false,
      hint: expect.stringContaining("clickhouse://"),
    });
    expect(error.message).toMatch(/^ClickHouse at 127\.0\.0\.1:\d+ does not speak TLS on this port\.$/);
  });

  test("an error after the first rows of an answer is that of ClickHouse", async () => {
    const rows =
      '{"meta":[],"data":[["1"]],"exception":"Code: 241. DB::Exception: memory limit. (MEMORY_LIMIT_EXCEEDED)"}';
    for (const body of [rows, rows.slice(0, -1)])
      expect(await ask(await serve(200, body))).toMatchObject({ code: "STORE_OVERLOADED" });
  });
});
