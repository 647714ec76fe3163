/**
 * Memory with large answers: pages of some megabytes from a server on loopback, read as a list and for identifiers, in
 * every format. The value is the peak beyond that of a bare reader that has one page in memory, as text and parsed.
 * Usage: node bench/memory.ts [megabytes of a page …]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FORMAT_NAMES } from "../src/output/index.ts";
import { peakHook } from "./peak.ts";
import { quantile, report } from "./report.ts";

const SIZES = process.argv.slice(2).map(Number);
/** Megabytes of a page in each run, and how many pages of it are read. */
const PAGES: readonly (readonly [megabytes: number, pages: number])[] = (SIZES.length > 0 ? SIZES : [2.8, 18]).map(
  (megabytes) => [megabytes, Math.max(4, Math.round(56 / megabytes))],
);
const ROWS = 100;
/** Runs of the bare reader, whose median counts. */
const READERS = 5;
/** MiB beyond one page. */
const LIMIT = 250;
const WALLETS = ["5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", "2iXU6RKbcXdxsFSAyjg96V7xykrJwDAeZs23V5EZLSZd"];

const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));
const hook = peakHook(folder);
const BIN = process.env.SOLX_BENCH_BIN ?? fileURLToPath(new URL("../bin/solx.js", import.meta.url));
const env = {
  ...process.env,
  SOLX_HOME: folder,
  SOLX_API_KEY: "bench-key-0123456789",
  NODE_OPTIONS: "",
  SOLX_RATE: "off",
};

/** A part of a row, such as the instructions of a transaction: text, numbers and objects in equal measure. */
const part = (number: number) =>
  `{"index":${number},"program":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","amount":${number * 7919},` +
  `"parsed":{"type":"transfer","authority":"${WALLETS[number % 2]}","fee":0.000005}}`;

/** Returns the body of a page; ids are unique. */
function bodyOf(megabytes: number, page: number): string {
  const count = Math.ceil((megabytes * 1e6) / ROWS / part(0).length);
  const parts = Array.from({ length: count }, (_, at) => part(at)).join();
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const number = page * ROWS + at;
    return (
      `{"block_id":${400_000_000 - number},"trans_id":"t${number}","block_time":${1_760_000_000 - number},` +
      `"amount":${number},"token_decimals":6,"flow":"in","parts":[${parts}]}`
    );
  });
  return `{"success":true,"data":[${rows.join()}]}`;
}

/** Serves lists of pages of a size; any other path is one object of that size. */
async function serve(megabytes: number, pages: number) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const page = Number(searchParams.get("page") ?? 1);
    const isList = pathname.endsWith("/transfer");
    const whole = page > pages ? '{"success":true,"data":[]}' : bodyOf(megabytes, page);
    const body = isList ? whole : whole.replace('"data":[', '"data":{"items":[').replace(/\]\}$/, "]}}");
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Runs a program to its end and returns its peak in MiB. */
async function peakOf(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn(process.execPath, ["--import", hook.module, ...args], {
    env: { ...env, ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code}`);
  return hook.peak();
}

const READER = `
const response = await fetch(process.argv[1]);
const text = await response.text();
globalThis.page = [text, JSON.parse(text)];`;

async function measure(megabytes: number, pages: number): Promise<void> {
  const server = await serve(megabytes, pages);
  const solx = (args: readonly string[]) => peakOf([BIN, ...args, "--yes", "--quiet"], { SOLX_BASE_URL: server.url });
  const readers: number[] = [];
  // The peak of the reader varies by a page, with the moment of a collection.
  while (readers.length < READERS) {
    readers.push(await peakOf(["--input-type=module", "-e", READER, `${server.url}/transfer`]));
  }
  const one = quantile(readers, 0.5);
  report({ measure: `${megabytes} MB page, bare reader`, value: one, unit: "MiB", digits: 0 });
  const beyond = async (title: string, args: readonly string[]) => {
    const peak = await solx(args);
    const note = `${pages} pages of ${megabytes} MB, peak ${peak.toFixed(0)} MiB`;
    report({
      measure: `${megabytes} MB pages, ${title}`,
      value: peak - one,
      unit: "MiB",
      digits: 0,
      atMost: LIMIT,
      note,
    });
  };
  const [wallet = ""] = WALLETS;
  const list = ["account", "transfer", wallet, "--all"];
  for (const format of FORMAT_NAMES) await beyond(`-o ${format}`, [...list, "-o", format]);
  for (const extension of ["ndjson", "csv.gz", "parquet"]) {
    await beyond(`--out x.${extension}`, [...list, "--out", join(folder, `x.${extension}`), "--force"]);
  }
  await beyond("--envelope", [...list, "--envelope"]);
  await beyond("--fields", [...list, "-o", "ndjson", "--fields", "trans_id,amount"]);
  const file = join(folder, "identifiers");
  const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const identifiers = Array.from({ length: pages }, (_, at) => `${wallet.slice(0, -1)}${letters[at]}\n`);
  writeFileSync(file, identifiers.join(""));
  await beyond("identifiers", ["account", "detail", `@${file}`, "-o", "ndjson"]);
  await beyond("identifiers, table", ["account", "detail", `@${file}`, "-o", "table", "--batch", "inline"]);
  await beyond("lists of identifiers", ["account", "transfer", `@${file}`, "--limit", "200", "-o", "csv"]);
  server.close();
}

try {
  for (const [megabytes, pages] of PAGES) await measure(megabytes, pages);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
