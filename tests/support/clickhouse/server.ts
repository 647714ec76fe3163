/**
 * A process that answers like the HTTP interface of a ClickHouse server, with chdb as the engine: queries, inserts,
 * settings and parameters of one query, users, compression, errors. It has no sessions, and one answer is in memory as
 * a whole. Argument: `ServerOptions` as JSON. Messages: it sends the port when it listens, and takes `Fault | "clear"`.
 */
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createBrotliDecompress, createGunzip, createZstdDecompress, gzip } from "node:zlib";
import { type Connection, loadChdb } from "./chdb.ts";
import { FAULT_ERRORS, type Fault, FaultList } from "./faults.ts";
import { onShards } from "./shards.ts";

/** What the server is started with. */
export interface ServerOptions {
  /** The folder of the data. One process at a time uses it. */
  readonly folder: string;
  /** The port of 127.0.0.1: a free one by default. */
  readonly port?: number;
  /** The only user: `default` by default, as on a new server. */
  readonly user?: string;
  /** The user's password: none by default. */
  readonly password?: string;
  /** Whether it has the cluster `duo` of two shards: see `shards.ts`. */
  readonly hasShards?: boolean;
}

/** Parameters of a request that are no settings of the query. */
const NO_SETTINGS = [
  "query",
  "database",
  "default_format",
  "query_id",
  "user",
  "password",
  "role",
  "wait_end_of_query",
];

/** The server's values of settings that a library, or this process, sets otherwise. */
const SERVER_DEFAULTS = { implicit_select: "0", allow_introspection_functions: "0", max_query_size: "262144" };

/** Status codes of errors by name; others are 500. */
const STATUS_OF_ERRORS: readonly [names: RegExp, status: number][] = [
  [/^REQUIRED_PASSWORD$/, 401],
  [/^(UNKNOWN_USER|WRONG_PASSWORD|AUTHENTICATION_FAILED|ACCESS_DENIED)$/, 403],
  [
    /^UNKNOWN_(TABLE|FUNCTION|IDENTIFIER|TYPE|STORAGE|DATABASE|SETTING|FORMAT|AGGREGATE_FUNCTION|DATABASE_ENGINE)$/,
    404,
  ],
  [
    /^(CANNOT_PARSE_\w+|SYNTAX_ERROR|BAD_ARGUMENTS|INCORRECT_DATA|TYPE_MISMATCH|VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE)$/,
    400,
  ],
  [/^(DUPLICATE_COLUMN|ILLEGAL_COLUMN|THERE_IS_NO_COLUMN)$/, 400],
  [/^TIMEOUT_EXCEEDED$/, 408],
  [/^QUERY_IS_TOO_LARGE$/, 413],
  [/^NOT_IMPLEMENTED$/, 501],
];

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

const INSERT = /^(\s|--.*\n|\/\*[\s\S]*?\*\/)*insert\b/i;

const SELECT = /^(\s|--.*\n|\/\*[\s\S]*?\*\/)*(select|with)\b/i;

/** The place in an INSERT whose rows follow where a file that has them is named: before its settings and format. */
const PLACE_OF_FILE = /(?=(\bsettings\s+\w+\s*=[^;]*)?\bformat\s+\w+[\s;]*$)/i;

const {
  folder,
  port = 0,
  user = "default",
  password = "",
  hasShards = false,
}: ServerOptions = JSON.parse(process.argv[2] ?? "{}");
const compress = promisify(gzip);
const chdb = loadChdb();
const rowsFolder = join(folder, "rows");
// A process that was killed left what it was about to insert.
rmSync(rowsFolder, { recursive: true, force: true });
mkdirSync(rowsFolder, { recursive: true });
// The data is open as long as one connection is.
const mainConnection = chdb.CreateConnection(folder);
const version = `${(await chdb.QueryAsyncConnection(mainConnection, "SELECT version()", "TSV")).bytes}`.trim();
const faults = new FaultList();
const answering = new Set<Promise<void>>();

/** What is asked: the parameters of the address, or of a form, and the body. */
export interface Query {
  readonly parameters: ReadonlyMap<string, string>;
  /** The SQL of the address. */
  readonly start: string;
  /** The rest of the SQL, or rows. */
  readonly body: Buffer;
}

/** Reads a request. Throws when the client stops in the middle of it: then nothing is executed. */
async function readQuery(request: IncomingMessage): Promise<Query> {
  const parameters = new Map(new URL(request.url ?? "/", "http://localhost").searchParams);
  const decoder = DECODERS[request.headers["content-encoding"] ?? ""]?.();
  let body: Buffer = await buffer(decoder ? request.compose(decoder) : request);
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    for (const [name, value] of form) parameters.set(name, `${value}`);
    body = Buffer.alloc(0);
  }
  return { parameters, start: parameters.get("query") ?? "", body };
}

const quote = (text: string) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

/** Connections that wait for a query, by their database and settings: many queries take less time than to set them. */
const idle = new Map<string, Connection[]>();
const MAX_IDLE = 32;

/** Opens a connection with a database and settings. */
async function openConnection(database: string | undefined, settings: string): Promise<Connection> {
  const connection = chdb.CreateConnection(folder);
  const run = (sql: string) => chdb.QueryAsyncConnection(connection, sql, "TSV");
  try {
    if (database) await run(`USE \`${database.replaceAll("`", "\\`")}\``);
    // Parameters may be longer than a query.
    await run("SET max_query_size = 1000000000");
    await run(`SET ${settings}`);
    return connection;
  } catch (error) {
    chdb.CloseConnection(connection);
    throw error;
  }
}

/** Executes a query on a connection that no other uses meanwhile, with its settings; parameters are of one query. */
async function execute(query: Query) {
  const { parameters, start, body } = hasShards ? onShards(query) : query;
  const given = [...parameters].filter(([name]) => !NO_SETTINGS.includes(name));
  const database = parameters.get("database");
  const settings = [...Object.entries(SERVER_DEFAULTS), ...given]
    .map(([name, value]) => `${name} = ${quote(value)}`)
    .join(", ");
  const key = `${database} ${settings}`;
  const connection = idle.get(key)?.pop() ?? (await openConnection(database, settings));
  const run = (sql: string) =>
    chdb.QueryAsyncConnection(connection, sql, parameters.get("default_format") ?? "TabSeparated");
  const beginning = start || `${body.subarray(0, 1000)}`;
  let isKept = false;
  try {
    if (INSERT.test(beginning)) {
      const insert = (sql: string) => chdb.InsertRawAsyncConnection(connection, "", Buffer.from(sql), false);
      const written = PLACE_OF_FILE.test(start)
        ? await withRows(body, start, insert)
        : await insert(`${start}\n${body}`);
      return { bytes: Buffer.alloc(0), ...written };
    }
    const answer = await run(`${start}\n${body}`);
    isKept = !given.some(([name]) => name.startsWith("param_")) && SELECT.test(beginning);
    return answer;
  } finally {
    if (isKept) keep(key, connection);
    else chdb.CloseConnection(connection);
  }
}

/** Keeps a connection for other queries with its settings. Those of the settings that were used last are kept. */
function keep(key: string, connection: Connection): void {
  const others = idle.get(key) ?? [];
  idle.delete(key);
  idle.set(key, [...others, connection]);
  for (const [oldest, connections] of [...idle].slice(0, -MAX_IDLE)) {
    idle.delete(oldest);
    for (const each of connections) chdb.CloseConnection(each);
  }
}

/** Executes an INSERT with its rows in a file: chdb ends rows in the text of a query at an empty line, in bytes too. */
async function withRows<T>(rows: Buffer, insert: string, run: (sql: string) => Promise<T>): Promise<T> {
  const file = join(rowsFolder, crypto.randomUUID());
  await writeFile(file, rows);
  try {
    return await run(insert.replace(PLACE_OF_FILE, `FROM INFILE ${quote(file)} COMPRESSION 'none' `));
  } finally {
    await rm(file);
  }
}

/** Throws the error of the server unless the request names the user and the password. */
function authenticate({ headers }: IncomingMessage, parameters: Query["parameters"]): void {
  const basic = /^Basic (.*)$/.exec(headers.authorization ?? "")?.[1];
  const [, basicUser, basicPassword] = /^(.*?):(.*)$/s.exec(Buffer.from(basic ?? "", "base64").toString()) ?? [];
  const givenUser = headers["x-clickhouse-user"] ?? basicUser ?? parameters.get("user") ?? "default";
  const givenPassword = headers["x-clickhouse-key"] ?? basicPassword ?? parameters.get("password") ?? "";
  if (givenUser === user && givenPassword === password) return;
  const reason = "Authentication failed: password is incorrect, or there is no user with such name.";
  throw new Error(`Code: 516. DB::Exception: ${givenUser}: ${reason} (AUTHENTICATION_FAILED)`);
}

/** Answers a query, with the faults that occur. */
async function answerQuery(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = await readQuery(request);
  const fault = faults.occurring(`${query.start}\n${query.body.subarray(0, 10_000)}`);
  if (fault?.latency !== undefined) {
    // A timer for ever would fire at once.
    await (Number.isFinite(fault.latency) ? delay(fault.latency) : new Promise(() => {}));
  }
  if (fault?.isRefused) return void response.destroy();
  response.setHeader("X-ClickHouse-Query-Id", query.parameters.get("query_id") ?? crypto.randomUUID());
  authenticate(request, query.parameters);
  if (fault?.error) throw new Error(`${FAULT_ERRORS[fault.error]} (${fault.error})`);
  if (fault?.killAfter !== undefined) setTimeout(() => process.kill(process.pid, "SIGKILL"), fault.killAfter);
  const result = { rowsRead: 0, bytesRead: 0, rowsWritten: 0, bytesWritten: 0, ...(await execute(query)) };
  const summary = {
    read_rows: `${result.rowsRead}`,
    read_bytes: `${result.bytesRead}`,
    written_rows: `${result.rowsWritten}`,
    written_bytes: `${result.bytesWritten}`,
  };
  if (fault?.cutAfter === 0) return void response.destroy();
  response.setHeader("X-ClickHouse-Summary", JSON.stringify(summary));
  const isCompressed =
    query.parameters.get("enable_http_compression") === "1" && /\bgzip\b/.test(`${request.headers["accept-encoding"]}`);
  if (isCompressed) response.setHeader("Content-Encoding", "gzip");
  const bytes = isCompressed ? await compress(result.bytes) : result.bytes;
  if (fault?.cutAfter === undefined) return void response.end(bytes);
  response.setHeader("Content-Length", bytes.length);
  response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
}

/** Sends an error as the server does: its code in a header, the status by its name. */
function sendError(response: ServerResponse, { message }: Error): void {
  const code = /^Code: (\d+)/.exec(message)?.[1] ?? "1001";
  const name = /\(([A-Z_]+)\)\s*$/.exec(message)?.[1] ?? "";
  response.statusCode = STATUS_OF_ERRORS.find(([names]) => names.test(name))?.[1] ?? 500;
  response.setHeader("X-ClickHouse-Exception-Code", code).end(`${message} (version ${version} (official build))\n`);
}

// The server takes addresses of a megabyte.
const server = createServer({ maxHeaderSize: 1_100_000 }, (request, response) => {
  if (request.url?.startsWith("/ping")) return void response.end("Ok.\n");
  const answer = answerQuery(request, response).catch((error: Error) => sendError(response, error));
  answering.add(answer);
  void answer.finally(() => answering.delete(answer));
});
server.keepAliveTimeout = 0;

process.on("message", (fault: Fault | "clear") => {
  if (fault === "clear") faults.clear();
  else faults.add(fault);
  process.send?.({ faults: true });
});
process.on("SIGTERM", async () => {
  server.close();
  server.closeAllConnections();
  await Promise.allSettled(answering);
  for (const connection of [...idle.values()].flat()) chdb.CloseConnection(connection);
  chdb.CloseConnection(mainConnection);
  process.exit();
});
// The engine may not end while it executes a query, and holds the output of the process that waits for it.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

await once(server.listen(port, "127.0.0.1"), "listening");
process.send?.({ port: (server.address() as AddressInfo).port });
