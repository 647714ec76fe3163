/**
 * The sandbox: time to create the first ledger, cost of a command, and throughput of the server under load, each beside
 * a bare Node in the same run. Requests are different pages and tokens: first such as were never asked, then the same
 * hundred again and again, which the server answers from memory. Bare servers send as many bytes.
 * Usage: node bench/sandbox.ts [requests]
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { quantile, report } from "./report.ts";

const REQUESTS = Number(process.argv[2] ?? 100_000);
const WARM_UP = Math.ceil(REQUESTS / 20);
const ROUNDS = 15;
const LOAD_ROUNDS = 5;
const CONNECTIONS = 16;
const BIN = fileURLToPath(new URL("../bin/solx.js", import.meta.url));
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));
const env = { ...process.env, SOLX_HOME: folder, SOLX_API_KEY: "bench-key-0123456789", NODE_OPTIONS: "" };

/** Runs Node once and returns the milliseconds it took. */
async function timed(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code}`);
  return performance.now() - started;
}

/** A server that prints its address as its first line of output. */
async function serve(args: readonly string[]): Promise<{ child: ChildProcess; url: string; key: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const output = child.stdout as NodeJS.ReadableStream;
  const lines = createInterface({ input: output });
  const [line] = await once(lines, "line");
  // The log is written, but reading its lines would slow down the client.
  lines.close();
  output.resume();
  return { child, ...JSON.parse(line as string) };
}

/** Resident memory of a process in MB. */
const memory = (child: ChildProcess) =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)]).toString()) / 1024;

interface Server {
  readonly url: string;
  readonly key: string;
}

interface Load {
  readonly rate: number;
  readonly p99: number;
  /** Bytes of a body on average. */
  readonly bytes: number;
}

/** Sends requests over a fixed number of connections, one at a time on each. */
async function load({ url, key }: Server, pathOf: (n: number) => string, count: number): Promise<Load> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const times: number[] = [];
  let [sent, bytes] = [0, 0];
  const started = performance.now();
  const worker = async () => {
    while (sent < count) {
      const path = pathOf(sent);
      sent += 1;
      const begun = performance.now();
      const { statusCode, body } = await pool.request({ path, method: "GET", headers: { token: key } });
      bytes += (await body.arrayBuffer()).byteLength;
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return { rate: count / seconds, p99: quantile(times, 0.99), bytes: Math.round(bytes / count) };
}

const meta = ["token", "meta", MINT];
const bare = await timed(["-e", "0"]);
const first = await timed([BIN, "--sandbox", ...meta]);
report({
  measure: "first use: creates the ledger",
  value: first / 1000,
  unit: "s",
  atMost: 2,
  note: `${(first / bare).toFixed(0)} × bare Node`,
});

const sandbox = await serve([BIN, "sandbox", "--port", "0"]);
const local = [BIN, ...meta];
const own = { ...env, SOLX_API_KEY: sandbox.key, SOLX_BASE_URL: sandbox.url };
const inProcess: number[] = [];
const overHttp: number[] = [];
Object.assign(env, own);
for (let round = 0; round < ROUNDS; round += 1) {
  inProcess.push(await timed([BIN, "--sandbox", ...meta]));
  overHttp.push(await timed(local));
}
const [inner, outer] = [quantile(inProcess, 0.5), quantile(overHttp, 0.5)];
report({
  measure: "--sandbox token meta",
  value: inner / outer,
  unit: "×",
  atMost: 1.5,
  peer: "the same from a server",
  note: `${inner.toFixed(0)} ms`,
});

/** Answers `/1500` with 1,500 bytes. */
const bareServer = await serve([
  "-e",
  `const { createServer } = require("node:http");
   const bodies = new Map();
   const bodyOf = (url) => bodies.get(url) ?? bodies.set(url, JSON.stringify("x".repeat(url.slice(1) - 2))).get(url);
   const server = createServer(({ url }, response) => response.setHeader("content-type", "application/json").end(bodyOf(url)));
   server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port, key: "none" })));`,
]);

const listed = await fetch(`${sandbox.url}/v2.0/token/list?page_size=100`, { headers: { token: sandbox.key } });
const mints = ((await listed.json()) as { data: { address: string }[] }).data.map(({ address }) => address);
const mintAt = (n: number) => mints[n % mints.length] as string;
/** The n-th of many different pairs of tokens. */
const pairAt = (n: number) => [mintAt(n), mintAt(n + 1 + Math.floor(n / mints.length))] as const;

/** Pages of lists, and different requests that are asked again. */
const [PAGES, DIFFERENT] = [20, 100];

/** The n-th request of each class of endpoints, and the share of a bare server that the requests asked again reach. */
const CLASSES: readonly (readonly [title: string, pathOf: (n: number) => string, atLeast?: number])[] = [
  ["object: token meta", (n) => `/v2.0/token/meta?address=${mintAt(n)}`, 50],
  ["several identifiers: token meta multi", (n) => `/v2.0/token/meta/multi?address[]=${pairAt(n).join("&address[]=")}`],
  [
    "list: account transfer",
    (n) => `/v2.0/account/transfer?address=${WALLET}&page=${1 + (n % PAGES)}&from_time=${n}`,
    40,
  ],
  [
    "filtered list: account transfer",
    (n) => `/v2.0/account/transfer?address=${WALLET}&flow=in&token=${MINT}&page=${1 + (n % PAGES)}&from_time=${n}`,
  ],
  ["search over all tokens: token list", (n) => `/v2.0/token/list?sort_by=market_cap&page=${1 + (n % PAGES)}`],
  ["statistics: program list", (n) => `/v2.0/program/list?page=${1 + (n % PAGES)}`],
];

/** Returns the median rate of a server, and its median share of the bare server, of rounds that take turns. */
async function compare(pathOf: (n: number) => string, count: number) {
  const rounds: (Load & { readonly share: number })[] = [];
  for (let round = 0; round < LOAD_ROUNDS; round += 1) {
    const part = Math.ceil(count / LOAD_ROUNDS);
    const answers = await load(sandbox, (n) => pathOf(round * part + n), part);
    const bare = await load(bareServer, () => `/${answers.bytes}`, part);
    rounds.push({ ...answers, share: (100 * answers.rate) / bare.rate });
  }
  const median = (value: (round: (typeof rounds)[number]) => number) => quantile(rounds.map(value), 0.5);
  return {
    rate: median(({ rate }) => rate),
    p99: median(({ p99 }) => p99),
    bytes: median(({ bytes }) => bytes),
    share: median(({ share }) => share),
  };
}

/** Whether there are enough different requests of a class: of tokens and pages without a filter, there are not. */
const isEndless = (pathOf: (n: number) => string) =>
  new Set(Array.from({ length: 1000 }, (_, n) => pathOf(n))).size === 1000;

// First fill caches and let the heaps reach their size.
for (const [, pathOf] of CLASSES) await load(sandbox, pathOf, WARM_UP);
await load(bareServer, () => "/1500", WARM_UP);
const before = memory(sandbox.child);
for (const [title, pathOf, atLeast] of CLASSES) {
  const peer = "a bare server";
  const noteOf = ({ rate, p99 }: Load) => `${rate.toFixed(0)} /s; p99 ${p99.toFixed(1)} ms`;
  if (isEndless(pathOf)) {
    const first = await compare((n) => pathOf(WARM_UP + n), REQUESTS / CLASSES.length / 5);
    const measure = `${title}, for the first time`;
    report({ measure, value: first.share, unit: "%", digits: 0, peer, note: noteOf(first) });
  }
  const again = await compare((n) => pathOf(n % DIFFERENT), REQUESTS / CLASSES.length);
  const result = { measure: title, value: again.share, unit: "%", digits: 0, peer, note: noteOf(again) };
  report(atLeast === undefined ? result : { ...result, atLeast });
}
report({
  measure: `memory after ${REQUESTS} requests`,
  value: memory(sandbox.child) / before,
  unit: "×",
  peer: "before them",
  note: `${memory(sandbox.child).toFixed(0)} MB`,
});

for (const { child } of [sandbox, bareServer]) {
  child.kill();
  await once(child, "exit");
}
rmSync(folder, { recursive: true, force: true });
