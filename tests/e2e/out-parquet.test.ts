/** `--out` of Parquet and compressed files: complete, resumable, and what other programs read in them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { describe, expect, test } from "vitest";
import { type DataTool, nodeTool, pythonTool } from "../support/data-tools.ts";
import { runInProcess } from "../support/in-process.ts";
import { createOutputFolder } from "../support/output-files.ts";
import { sendJson } from "../support/server.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const DIGITS = "11111111111111111111111111111111";
const MAX = "18446744073709551615";
const TOTAL = 530;
const { folder, fresh, left, open } = createOutputFolder();

/** A list of transfers; requests from one page on fail until `heal` is called. */
async function list({
  failsFrom = Number.POSITIVE_INFINITY,
  amountOf = (n: number) => (n === 0 ? MAX : String(n)),
} = {}) {
  let first = failsFrom;
  const rows = Array.from(
    { length: TOTAL },
    (_, n) =>
      `{"block_id":${300_000_000 - n},"trans_id":"t${n}","block_time":${1_720_000_000 - n},` +
      `"time":"2024-07-03T09:46:40.000Z","activity_type":"ACTIVITY_SPL_TRANSFER","from_address":"${DIGITS}",` +
      `"to_address":"${WALLET}","token_address":"${DIGITS}","token_decimals":6,"amount":${amountOf(n)},` +
      `"value":${n}.10,"flow":"in","extra":${n % 2 === 0},"filler":"${"é".repeat(500)}"${n > 400 ? ',"later":1' : ""}}`,
  );
  const server = await open((request, response) => {
    const query = new URL(request.url ?? "", "http://x").searchParams;
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 10)];
    if (page >= first) response.writeHead(503).end();
    else sendJson(response, `{"success":true,"data":[${rows.slice((page - 1) * size, page * size)}]}`);
  });
  const run = (file: string, ...words: string[]) =>
    runInProcess(["account", "transfer", WALLET, "--all", "--out", file, "SOLX_RETRIES=0", ...words], {
      env: { SOLX_BASE_URL: server.url, SOLX_HOME: folder },
    });
  const heal = () => {
    first = Number.POSITIVE_INFINITY;
  };
  return { run, heal };
}

const read = (file: string) => {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
};

describe.each(["csv", "tsv", "ndjson", "jsonl", "json"])("%s.gz", (ending) => {
  test("has the text of the plain file, also after an interruption", async () => {
    const { run, heal } = await list({ failsFrom: 5 });
    const [plain, whole, resumed] = [fresh(ending), fresh(`${ending}.gz`), fresh(`${ending}.gz`)];
    expect((await run(resumed)).stderr).toMatch(/[1-9]\d* rows saved/);
    expect(existsSync(resumed)).toBe(false);
    heal();
    for (const file of [plain, whole]) expect((await run(file)).code).toBe(0);
    expect((await run(resumed, "--resume")).code).toBe(0);
    const text = readFileSync(plain, "utf8");
    expect(text.length).toBeGreaterThan(TOTAL * 500);
    for (const file of [whole, resumed]) expect(gunzipSync(readFileSync(file)).toString()).toBe(text);
    expect(readFileSync(whole).length).toBeLessThan(text.length / 10);
    expect(left(resumed)).toEqual([]);
  });
});

describe("parquet", () => {
  test("has types by the catalogue and every row, and is the same after an interruption", async () => {
    const { run, heal } = await list({ failsFrom: 5 });
    const [whole, resumed] = [fresh("parquet"), fresh("parquet")];
    expect((await run(resumed)).stderr).toMatch(/[1-9]\d* rows saved/);
    heal();
    expect((await run(whole)).code).toBe(0);
    expect((await run(resumed, "--resume")).code).toBe(0);
    expect(readFileSync(resumed).equals(readFileSync(whole))).toBe(true);
    expect([...left(whole), ...left(resumed)]).toEqual([]);
    const file = read(whole);
    const rows = await parquetReadObjects({ file });
    expect(rows.length).toBe(TOTAL);
    expect(rows[0]).toMatchObject({
      block_id: 300_000_000n,
      trans_id: "t0",
      block_time: new Date(1_720_000_000_000),
      time: new Date("2024-07-03T09:46:40Z"),
      from_address: DIGITS,
      from_token_account: null,
      token_decimals: 6n,
      amount: BigInt(MAX),
      extra: true,
      later: null,
    });
    expect(rows[500]).toMatchObject({ amount: 500n, later: 1 });
    const types = parquetSchema(parquetMetadata(file)).children.map(({ element }) => [element.name, element.type]);
    expect(Object.fromEntries(types)).toMatchObject({ amount: "INT64", value: "DOUBLE", extra: "BOOLEAN" });
  });

  test("a column whose later values do not fit gets a wider type", async () => {
    const signed = await list({ amountOf: (n) => (n === 500 ? "-5" : "5") });
    const file = fresh("parquet");
    expect((await signed.run(file)).code).toBe(0);
    expect((await parquetReadObjects({ file: read(file), columns: ["amount"] }))[500]).toEqual({ amount: -5n });
    const text = await list({ amountOf: (n) => (n === 500 ? '"many"' : MAX) });
    const other = fresh("parquet");
    expect((await text.run(other, "--fields", "SUM:amount,NAME:trans_id")).code).toBe(0);
    const rows = await parquetReadObjects({ file: read(other) });
    expect([rows[0], rows[500]]).toEqual([
      { SUM: MAX, NAME: "t0" },
      { SUM: "many", NAME: "t500" },
    ]);
  });

  test("replaces a file with --force only when it is complete", async () => {
    const { run, heal } = await list({ failsFrom: 5 });
    const file = fresh("parquet");
    writeFileSync(file, "old");
    expect((await run(file)).code).toBe(2);
    expect((await run(file, "--force")).code).not.toBe(0);
    expect(readFileSync(file, "utf8")).toBe("old");
    heal();
    expect((await run(file, "--resume")).code).toBe(0);
    expect((await parquetReadObjects({ file: read(file) })).length).toBe(TOTAL);
    expect((await run(file, "--resume")).stderr).toContain("is complete");
  });

  test.each([
    ["parquet.gz", [], "cannot be compressed again"],
    ["parquet", ["--jq", "."], "cannot be used with -o parquet"],
  ])("to %s with %j is refused", async (ending, words, message) => {
    const { run } = await list();
    const { code, stderr } = await run(fresh(ending), ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("goes to a pipe, and not to a terminal", async () => {
    const env = { SOLX_SANDBOX: "on", SOLX_HOME: folder };
    expect((await runInProcess(["config", "path", "-o", "parquet"], { env })).stdout).toMatch(/^PAR1.*PAR1$/s);
    const { code, stderr } = await runInProcess(["config", "path", "-o", "parquet"], { env, terminal: 80 });
    expect([code, stderr]).toEqual([2, expect.stringContaining("--out FILE")]);
  });
});

const DUCKDB = `
  const [, path, file] = process.argv;
  const { DuckDBInstance } = require(path);
  (async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const typed = file.endsWith("parquet") ? "read_parquet(?)" : "read_csv(?, types = {'amount': 'UBIGINT'})";
    const sql = "select count(*)::int as n, max(amount)::varchar as most from " + typed + " where amount >= 0";
    const [row] = (await connection.runAndReadAll(sql, [file])).getRowObjectsJson();
    console.log(row.n, row.most);
  })();
`;
const POLARS = `
  const [, path, file] = process.argv;
  const { default: pl, ...rest } = require(path);
  const lib = pl ?? rest;
  const frame = file.endsWith("parquet")
    ? lib.readParquet(file)
    : lib.readCSV(file, { dtypes: { amount: lib.UInt64, from_address: lib.String } });
  console.log(frame.height, frame.getColumn("amount").cast(lib.String).get(0));
`;
const PANDAS = `
import sys, pandas
frame = pandas.read_csv(sys.argv[1], dtype={"amount": "UInt64"})
print(len(frame), frame.amount.max())
`;

describe("is read by", () => {
  const tools: readonly (readonly [DataTool, string, readonly string[]])[] = [
    [nodeTool("@duckdb/node-api"), DUCKDB, ["parquet", "csv.gz"]],
    [nodeTool("nodejs-polars"), POLARS, ["parquet", "csv.gz"]],
    [pythonTool("pandas"), PANDAS, ["csv.gz"]],
  ];
  for (const [{ name, run: read }, program, endings] of tools) {
    const title = `${name}, with every row and digit${read ? "" : " (skipped: not installed)"}`;
    test.skipIf(!read)(title, async () => {
      for (const ending of endings) {
        const { run } = await list();
        const file = fresh(ending);
        expect((await run(file)).code).toBe(0);
        expect(read?.(program, file)).toBe(`${TOTAL} ${MAX}`);
      }
    });
  }
});
