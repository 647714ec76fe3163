/**
 * Bulk work against a server on loopback: speed and memory of reading a list of a million rows, the latency that
 * prefetching hides, and the cost of a long list of identifiers; each beside a reader without solx.
 * Usage: node bench/bulk.ts [rows [identifiers]]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { FORMAT_NAMES, type Format } from "../src/output/index.ts";
import { peakHook } from "./peak.ts";
import { report } from "./report.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const IDENTIFIERS = Number(process.argv[3] ?? 200_000);
/** Rows of short runs: enough to fill V8's space for new objects, whose size is no growth. */
const FEW_ROWS = ROWS / 10;
const FEW_IDENTIFIERS = 10_000;
const PAGE = 100;
/** Runs of each measurement, alternating with the others; the mean counts. */
const ROUNDS = 3;
/** The same for short runs, whose memory varies more. */
const SHORT_ROUNDS = 10;
/** Pages that solx requests concurrently; the bare loop requests as many. */
const AHEAD = 16;
/** Pages read with curl and jq. */
const CURL_PAGES = 60;
const LATENCY = 50;
const SLOW_PAGES = 500;
/** Pages requested sequentially. */
const SEQUENTIAL_PAGES = 40;
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BIN = process.env.SOLX_BENCH_BIN ?? here("../bin/solx.js");
const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));
const hook = peakHook(folder);
const env = {
  ...process.env,
  SOLX_HOME: folder,
  SOLX_API_KEY: "bench-key-0123456789",
  NODE_OPTIONS: "",
  SOLX_RATE: "off",
};

interface Run {
  readonly seconds: number;
  /** Peak memory in MiB. */
  readonly peak: number;
}

/** Runs a program to its end and discards its output. */
async function run(
  command: string,
  args: readonly string[],
  input?: Readable,
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, {
    env: { ...env, ...variables },
    stdio: [input ? "pipe" : "ignore", "ignore", "inherit"],
  });
  if (input && child.stdin) input.pipe(child.stdin);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${code}`);
  return (performance.now() - started) / 1000;
}

async function node(
  args: readonly string[],
  input?: Readable,
  variables?: Readonly<Record<string, string>>,
): Promise<Run> {
  const seconds = await run(process.execPath, ["--import", hook.module, ...args], input, variables);
  return { seconds, peak: hook.peak() };
}

const server = spawn(process.execPath, [here("bulk-server.ts"), String(ROWS), String(LATENCY)], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface({ input: server.stdout }), "line");
const { url, slow } = JSON.parse(line) as { url: string; slow: string };
const LIST = `/v2.0/account/transfer?address=${WALLET}&page_size=${PAGE}`;

const solx = (args: readonly string[], address = url, input?: Readable) =>
  node([BIN, ...args, "--yes", "--quiet"], input, { SOLX_BASE_URL: address });
const transfers = (rows: number, rest: readonly string[], address = url) =>
  solx(["account", "transfer", WALLET, ...(rows === ROWS ? ["--all"] : ["--limit", String(rows)]), ...rest], address);
const bare = (pages: number, ahead = AHEAD, address = url) =>
  node([here("bulk-bare.ts"), address + LIST, String(pages), String(ahead)]);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
type Way = readonly [title: string, rest: readonly string[]];
/** The lowest good speed of formats, as a ratio to the bare loop. */
const GOALS: Partial<Record<Format, number>> = {
  ndjson: 0.5,
  csv: 0.45,
  json: 0.5,
  tsv: 0.45,
  parquet: 0.3,
  table: 0.25,
};
const toWay = (format: Format): Way => [`-o ${format}`, ["-o", format]];
/** The formats of long lists; the others are measured with a tenth of the rows, as is the bare loop beside them. */
const LONG: readonly Format[] = ["ndjson", "csv", "json", "tsv"];
const WAYS = LONG.map(toWay);
const OTHERS = FORMAT_NAMES.filter((name) => !LONG.includes(name));
const FILE = join(folder, "rows.ndjson");
const FILED: Way = ["-o ndjson --out file", ["-o", "ndjson", "--out", FILE, "--force"]];

const BARE = "the bare loop";
const CURL = "curl and jq";

/** Runs all measurements several times, alternating, because the speed of a machine varies over time. */
async function rounds(
  readings: ReadonlyMap<string, () => Promise<Run>>,
  count = ROUNDS,
): Promise<(title: string) => Run> {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < count; round += 1) {
    for (const [title, read] of readings) runs.set(title, [...(runs.get(title) ?? []), await read()]);
  }
  return (title) => {
    const results = runs.get(title) ?? [];
    return { seconds: mean(results.map(({ seconds }) => seconds)), peak: mean(results.map(({ peak }) => peak)) };
  };
}

async function speedAndMemory(): Promise<void> {
  await transfers(FEW_ROWS, ["-o", "ndjson"]);
  const all = await rounds(
    new Map([
      [BARE, () => bare(ROWS / PAGE)],
      ...[...WAYS, FILED].map(([title, rest]) => [title, () => transfers(ROWS, rest)] as const),
    ]),
  );
  const few = await rounds(
    new Map([...WAYS, FILED].map(([title, rest]) => [title, () => transfers(FEW_ROWS, rest)])),
    SHORT_ROUNDS,
  );
  const rate = (title: string) => ROWS / all(title).seconds;
  const perSecond = { unit: "rows/s", digits: 0 };
  report({ measure: BARE, value: rate(BARE), ...perSecond, note: `${ROWS} rows, ${AHEAD} concurrent requests` });
  const loop = 'for page in $(seq 1 "$1"); do curl -sf "$0&page=$page" | jq -c ".data[]"; done';
  const curl = (CURL_PAGES * PAGE) / (await run("sh", ["-c", loop, url + LIST, String(CURL_PAGES)]));
  report({ measure: CURL, value: curl, ...perSecond, note: `${CURL_PAGES * PAGE} rows` });
  const compare = (format: Format, rowsPerSecond: number, bareRate: number) => {
    const note = `${rowsPerSecond.toFixed(0)} rows/s; ${CURL} ${(rowsPerSecond / curl).toFixed(1)} ×`;
    const goal = GOALS[format];
    const limit = goal === undefined ? {} : { atLeast: goal };
    const value = rowsPerSecond / bareRate;
    report({ measure: `--all -o ${format}`, value, unit: "×", peer: BARE, note, ...limit });
  };
  for (const format of LONG) compare(format, rate(`-o ${format}`), rate(BARE));
  const short = await rounds(
    new Map([
      [BARE, () => bare(FEW_ROWS / PAGE)],
      ...OTHERS.map((format) => [format, () => transfers(FEW_ROWS, ["-o", format])] as const),
    ]),
  );
  for (const format of OTHERS) compare(format, FEW_ROWS / short(format).seconds, FEW_ROWS / short(BARE).seconds);
  for (const [title] of [...WAYS, FILED]) memory(title, few(title).peak, all(title).peak);
  report({ measure: `memory of ${BARE}`, value: all(BARE).peak, unit: "MiB", digits: 0 });
  const share = all("-o ndjson").peak / all(BARE).peak;
  report({ measure: "memory of --all -o ndjson", value: share, unit: "×", atMost: 1.1, peer: BARE });
}

/** Reports how memory grows with the number of rows. */
function memory(title: string, few: number, most: number): void {
  const note = `${most.toFixed(0)} MiB`;
  report({ measure: `memory of ${title}`, value: most / few, unit: "×", atMost: 1.1, peer: "few rows", note });
}

async function latency(): Promise<void> {
  const { seconds: start } = await transfers(PAGE, ["-o", "ndjson"], slow);
  const one = (await bare(SEQUENTIAL_PAGES, 1, slow)).seconds / SEQUENTIAL_PAGES;
  const { seconds } = await transfers(SLOW_PAGES * PAGE, ["-o", "ndjson"], slow);
  const share = seconds / (one * SLOW_PAGES);
  report({
    measure: `${SLOW_PAGES} pages with ${LATENCY} ms latency`,
    value: share,
    unit: "×",
    atMost: 1 / 8,
    peer: "sequential requests",
    note: `${seconds.toFixed(1)} s, start ${start.toFixed(1)} s`,
  });
}

const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Returns a different address for each number. */
function addressOf(number: number): string {
  let text = "";
  for (let rest = number; text.length < 8; rest = Math.floor(rest / LETTERS.length))
    text = LETTERS[rest % LETTERS.length] + text;
  return `5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5${text}`;
}

/** Returns different addresses, one per line. */
function addresses(count: number): Readable {
  const lines = function* () {
    for (let at = 0; at < count; at += PAGE) {
      yield Array.from({ length: Math.min(PAGE, count - at) }, (_, index) => `${addressOf(at + index)}\n`).join("");
    }
  };
  return Readable.from(lines());
}

async function identifiers(): Promise<void> {
  const ask = (count: number) => solx(["account", "metadata", "-", "-o", "ndjson"], url, addresses(count));
  const read = await rounds(
    new Map([
      ["few", () => ask(FEW_IDENTIFIERS)],
      ["all", () => ask(IDENTIFIERS)],
    ]),
  );
  const [few, { peak: most, seconds }] = [read("few").peak, read("all")];
  report({ measure: `${IDENTIFIERS} identifiers on stdin`, value: IDENTIFIERS / seconds, unit: "/s", digits: 0 });
  memory("identifiers on stdin", few, most);
}

try {
  await speedAndMemory();
  await latency();
  await identifiers();
} finally {
  server.kill();
  await once(server, "exit");
  rmSync(folder, { recursive: true, force: true });
}
