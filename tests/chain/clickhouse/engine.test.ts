/** The ClickHouse server of the tests, as the official client sees it. */
import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { expect, onTestFinished, test } from "vitest";
import type { ServerOptions } from "../../support/clickhouse/server.ts";
import { startClickHouse } from "../../support/clickhouse/start.ts";
import { CHDB, describeWith } from "../../support/programs.ts";
import { createTempFolder } from "../../support/solx.ts";
import { WAIT } from "../../support/wait-for.ts";

/** Starts a server, and a client of it. */
async function openServer(options: Partial<ServerOptions> = {}) {
  const server = await startClickHouse(onTestFinished, { folder: createTempFolder(), ...options });
  return { server, client: openClient(server.url) };
}

function openClient(url: string, options: Parameters<typeof createClient>[0] = {}): ClickHouseClient {
  const client = createClient({ url, request_timeout: WAIT, log: { level: ClickHouseLogLevel.OFF }, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function rowsOf(
  client: ClickHouseClient,
  query: string,
  options: { query_params?: Record<string, unknown> } = {},
) {
  const result = await client.query({ query, format: "JSONCompactEachRow", ...options });
  return result.json<unknown[]>();
}

const VALUES = `CREATE TABLE facts (
  id UInt64, change Int64, optional Nullable(UInt64), wide Int128, widest UInt256, key FixedString(32), text Nullable(String)
) ENGINE = MergeTree ORDER BY id`;

/** A table that stores a batch once. */
const BATCHES =
  "CREATE TABLE facts (id UInt64) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 9";

const JSON_ROWS = [
  ["18446744073709551615", `-${2n ** 63n}`, null, `-${2n ** 127n}`, `${2n ** 256n - 1n}`, "\u0001".repeat(32), null],
  ["9007199254740993", `${2n ** 63n - 1n}`, "0", `${2n ** 127n - 1n}`, "0", "k".repeat(32), "tab\t 'quote' \\ é \n"],
];

describeWith(CHDB)("ClickHouse of the tests", () => {
  test("stores and reads the largest and smallest values exactly", async () => {
    const { client } = await openServer();
    await client.command({ query: VALUES });
    const { summary } = await client.insert({ table: "facts", values: JSON_ROWS, format: "JSONCompactEachRow" });
    expect(summary).toMatchObject({ written_rows: "2" });
    const query = "SELECT * FROM facts ORDER BY id DESC SETTINGS output_format_json_quote_64bit_integers = 1";
    expect(await rowsOf(client, query)).toEqual(JSON_ROWS);
  });

  test("takes and gives compressed bytes", async () => {
    const { server } = await openServer();
    const client = openClient(server.url, { compression: { request: true, response: true } });
    await client.command({
      query: "CREATE TABLE keys (key FixedString(4), number UInt32) ENGINE = MergeTree ORDER BY key",
    });
    const bytes = Buffer.from([255, 10, 10, 128, 1, 0, 0, 0, 255, 254, 34, 39, 255, 255, 255, 255]);
    const insert = "INSERT INTO keys FORMAT RowBinary";
    await client.exec({
      query: insert,
      values: Readable.from([bytes.subarray(0, 3), bytes.subarray(3)], { objectMode: false }),
    });
    const rows = await rowsOf(client, "SELECT hex(key), number FROM keys ORDER BY key");
    expect(rows).toEqual([
      ["FF0A0A80", 1],
      ["FFFE2227", 4294967295],
    ]);
    const { stream } = await client.exec({ query: "SELECT * FROM keys ORDER BY key FORMAT RowBinary" });
    expect(Buffer.concat(await stream.toArray())).toEqual(bytes);
  });

  test.each([false, true])(
    "passes parameters as they are, and to one query only (multipart: %s)",
    async (multipart) => {
      const { server } = await openServer();
      const client = openClient(server.url, { use_multipart_params: multipart });
      const query_params = {
        text: "tab\t, newline\n, 'quote', \\, é, {x}, $1, `",
        list: ["a'b", "c\\d", ""],
        number: 2n ** 64n - 1n,
        nothing: null,
        long: "x".repeat(multipart ? 300_000 : 10_000),
      };
      const query = `SELECT {text:String}, {list:Array(String)}, toString({number:UInt64}), {nothing:Nullable(Int8)},
      length({long:String})`;
      expect(await rowsOf(client, query, { query_params })).toEqual([
        [query_params.text, query_params.list, `${query_params.number}`, null, query_params.long.length],
      ]);
      await expect(rowsOf(client, "SELECT {text:String}")).rejects.toMatchObject({ type: "UNKNOWN_QUERY_PARAMETER" });
    },
  );

  test("applies settings and the database to one query only", async () => {
    const { client, server } = await openServer();
    await client.command({ query: "CREATE DATABASE solana" });
    const other = openClient(server.url, { database: "solana", clickhouse_settings: { max_threads: 7 } });
    const query = "SELECT currentDatabase(), getSetting('max_threads') = 7, sleep(0.1)";
    const answers = await Promise.all([client, other, client, other].map((each) => rowsOf(each, query)));
    expect(answers).toEqual([[["default", 0, 0]], [["solana", 1, 0]], [["default", 0, 0]], [["solana", 1, 0]]]);
  });

  test("keeps what it confirmed when it is killed", async () => {
    const folder = createTempFolder();
    const { client, server } = await openServer({ folder });
    await client.command({ query: BATCHES });
    await client.insert({ table: "facts", values: [[1], [2]], format: "JSONCompactEachRow" });
    await server.kill();
    await expect(rowsOf(client, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
    // At the same address.
    const second = await openServer({ folder, port: server.port });
    expect(await rowsOf(client, "SELECT id FROM facts ORDER BY id")).toEqual([[1], [2]]);
    await client.insert({ table: "facts", values: [[3]], format: "JSONCompactEachRow" });
    await second.server.stop();
    const third = await openServer({ folder });
    expect(await rowsOf(third.client, "SELECT count() FROM facts")).toEqual([[3]]);
  });

  test("stores a batch once that is sent again, also when its answer was lost or the server restarted", async () => {
    const folder = createTempFolder();
    const { client, server } = await openServer({ folder });
    await client.command({ query: BATCHES });
    const send = (to: ClickHouseClient, token: string, id: number) =>
      to.insert({
        table: "facts",
        values: [[id]],
        format: "JSONCompactEachRow",
        clickhouse_settings: { insert_deduplication_token: token },
      });
    await server.fail({ query: "INSERT INTO facts", cutAfter: 0, times: 1 });
    await expect(send(client, "1-10", 1)).rejects.toThrow(/socket hang up/);
    await send(client, "1-10", 1);
    await send(client, "11-20", 1);
    await server.kill();
    const restarted = await openServer({ folder });
    await send(restarted.client, "11-20", 1);
    expect(await rowsOf(restarted.client, "SELECT count() FROM facts")).toEqual([[2]]);
  });

  test("answers errors with the codes and statuses of the server", async () => {
    const { server } = await openServer({ user: "solana", password: "s3cret" });
    const ask = async (query: string, parameters = "", password = "s3cret") => {
      const headers = { "X-ClickHouse-User": "solana", "X-ClickHouse-Key": password };
      const response = await fetch(`${server.url}/?${parameters}`, { method: "POST", body: query, headers });
      const code = response.headers.get("x-clickhouse-exception-code");
      return [response.status, code, /\(([A-Z_]+)\) \(version 26\.7/.exec(await response.text())?.[1]];
    };
    expect(await ask("SELECT 1")).toEqual([200, null, undefined]);
    expect(await ask("SELECT 1", "", "secret")).toEqual([403, "516", "AUTHENTICATION_FAILED"]);
    expect(await ask("SELECT * FROM facts")).toEqual([404, "60", "UNKNOWN_TABLE"]);
    expect(await ask('{"id":1}', "query=INSERT INTO facts FORMAT JSONEachRow")).toEqual([404, "60", "UNKNOWN_TABLE"]);
    expect(await ask("SELECT 1", "database=solana")).toEqual([404, "81", "UNKNOWN_DATABASE"]);
    expect(await ask("SELECT 1", "max_threadz=1")).toEqual([404, "115", "UNKNOWN_SETTING"]);
    expect(await ask("SELEKT 1")).toEqual([400, "62", "SYNTAX_ERROR"]);
    const sort = "SELECT * FROM numbers(1e7) ORDER BY rand()";
    expect(await ask(sort, "max_memory_usage=1000")).toEqual([500, "241", "MEMORY_LIMIT_EXCEEDED"]);
    await expect(rowsOf(openClient(server.url), "SELECT 1")).rejects.toMatchObject({ code: "516" });
    const client = openClient(server.url, { username: "solana", password: "s3cret" });
    expect(await rowsOf(client, "SELECT 1")).toEqual([[1]]);
  });

  test("fails when it is told to", async () => {
    const { client, server } = await openServer();
    const ask = () => rowsOf(client, "SELECT number FROM numbers(1000)");
    await server.fail({ query: "numbers", error: "NOT_ENOUGH_SPACE", after: 1, times: 1 });
    expect(await ask()).toHaveLength(1000);
    await expect(ask()).rejects.toMatchObject({ code: "243", type: "NOT_ENOUGH_SPACE" });
    expect(await ask()).toHaveLength(1000);
    await server.fail({ isRefused: true });
    await expect(ask()).rejects.toThrow(/socket hang up/);
    await server.recover();
    await server.fail({ cutAfter: 100 });
    await expect(ask()).rejects.toThrow(/aborted/);
    await server.recover();
    await server.fail({ latency: Number.POSITIVE_INFINITY, query: "numbers" });
    expect(await rowsOf(client, "SELECT 1")).toEqual([[1]]);
    const abort = new AbortController();
    const waiting = client.query({ query: "SELECT * FROM numbers(1)", abort_signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow(/aborted/);
    await server.stop();
    await expect(ask()).rejects.toThrow(/ECONNREFUSED/);
  });
});
