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
import { peakHook } from "./peak.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const IDENTIFIERS = Number(process.argv[3] ?? 200_000);
const FEW_ROWS = 10_000;
const FEW_IDENTIFIERS = 10_000;
const PAGE = 100;
/** Runs of each measurement, alternating with the others; the mean counts. */
const ROUNDS = 3;
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
const env = { ...process.env, SOLX_HOME: folder, SOLX_API_KEY: "bench-key-0123456789", NODE_OPTIONS: "" };

interface Run {
  readonly seconds: number;
  /** Peak memory in MiB. */
  readonly peak: number;
}

/** Runs a program to its end and discards its output. */
async function run(command: string, args: readonly string[], input?: Readable): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, { env, stdio: [input ? "pipe" : "ignore", "ignore", "inherit"] });
  if (input && child.stdin) input.pipe(child.stdin);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${code}`);
  return (performance.now() - started) / 1000;
}

async function node(args: readonly string[], input?: Readable): Promise<Run> {
  const seconds = await run(process.execPath, ["--import", hook.module, ...args], input);
  return { seconds, peak: hook.peak() };
}

const server = spawn(process.execPath, [here("bulk-server.ts"), String(ROWS), String(LATENCY)], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface({ input: server.stdout }), "line");
const { url, slow } = JSON.parse(line) as { url: string; slow: string };
const LIST = `/v2.0/account/transfer?address=${WALLET}&page_size=${PAGE}`;

const solx = (args: readonly string[], address = url, input?: Readable) =>
  node([BIN, ...args, "--base-url", address, "--rate", "off", "--yes", "--quiet"], input);
const transfers = (rows: number, rest: readonly string[], address = url) =>
  solx(["account", "transfer", WALLET, ...(rows === ROWS ? ["--all"] : ["--limit", String(rows)]), ...rest], address);
const bare = (pages: number, ahead = AHEAD, address = url) =>
  node([here("bulk-bare.ts"), address + LIST, String(pages), String(ahead)]);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const fixed = (value: number, digits = 2) => value.toFixed(digits);
function print(measure: string, figure: string, goal = "", ok?: boolean): void {
  const verdict = ok === undefined ? "" : ok ? "met" : "MISSED";
  console.log(`${measure.padEnd(46)} ${figure.padStart(16)}  ${goal.padEnd(44)} ${verdict}`.trimEnd());
}

type Way = readonly [title: string, rest: readonly string[]];
const WAYS: readonly Way[] = [
  ["-o ndjson", ["-o", "ndjson"]],
  ["-o csv", ["-o", "csv"]],
];
const FILE = join(folder, "rows.ndjson");
const FILED: Way = ["-o ndjson --out file", ["-o", "ndjson", "--out", FILE, "--force"]];

const BARE = "the bare loop";

/** Runs all measurements several times, alternating, because the speed of a machine varies over time. */
async function rounds(readings: ReadonlyMap<string, () => Promise<Run>>): Promise<(title: string) => Run> {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
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
  const few = await rounds(new Map([...WAYS, FILED].map(([title, rest]) => [title, () => transfers(FEW_ROWS, rest)])));
  const rate = (title: string) => ROWS / all(title).seconds;
  print(BARE, `${fixed(rate(BARE), 0)} rows/s`, `${ROWS} rows, ${AHEAD} concurrent requests`);
  const loop = 'for page in $(seq 1 "$1"); do curl -sf "$0&page=$page" | jq -c ".data[]"; done';
  const curl = (CURL_PAGES * PAGE) / (await run("sh", ["-c", loop, url + LIST, String(CURL_PAGES)]));
  print("curl and jq in a loop", `${fixed(curl, 0)} rows/s`, `${CURL_PAGES * PAGE} rows`);
  for (const [title] of WAYS) {
    const share = rate(title) / rate(BARE);
    print(
      `--all ${title}`,
      `${fixed(share)} ×`,
      `goal ≥ 0.5 of the bare loop (${fixed(rate(title), 0)} rows/s)`,
      share >= 0.5,
    );
    const times = rate(title) / curl;
    print(`--all ${title}`, `${fixed(times, 1)} ×`, "goal ≥ 5 times curl and jq", times >= 5);
  }
  for (const [title] of [...WAYS, FILED]) {
    memory(`memory of ${title}`, { few: few(title).peak, most: all(title).peak, limit: 180 });
  }
  print(`memory of ${BARE}`, `${fixed(all(BARE).peak, 0)} MiB`);
}

function memory(title: string, { few, most, limit }: { few: number; most: number; limit: number }): void {
  const ok = most <= few * 1.25 && most <= limit;
  print(
    title,
    `${fixed(most, 0)} MiB`,
    `goal ≤ 1.25 × ${fixed(few, 0)} MiB (few rows: ${fixed(most / few)} ×), ≤ ${limit}`,
    ok,
  );
}

async function latency(): Promise<void> {
  const { seconds: start } = await transfers(PAGE, ["-o", "ndjson"], slow);
  const one = (await bare(SEQUENTIAL_PAGES, 1, slow)).seconds / SEQUENTIAL_PAGES;
  const { seconds } = await transfers(SLOW_PAGES * PAGE, ["-o", "ndjson"], slow);
  const share = seconds / (one * SLOW_PAGES);
  print(
    `${SLOW_PAGES} pages with ${LATENCY} ms latency`,
    `1/${fixed(1 / share, 1)}`,
    `goal ≤ 1/8 of sequential requests (${fixed(seconds, 1)} s, start ${fixed(start, 1)} s)`,
    share <= 1 / 8,
  );
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
  print(`${IDENTIFIERS} identifiers on standard input`, `${fixed(IDENTIFIERS / seconds, 0)} /s`);
  memory("memory of it", { few, most, limit: 180 });
}

try {
  console.log(`Node ${process.version}`);
  await speedAndMemory();
  await latency();
  await identifiers();
} finally {
  server.kill();
  await once(server, "exit");
  rmSync(folder, { recursive: true, force: true });
}
