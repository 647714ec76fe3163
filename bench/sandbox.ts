/**
 * The sandbox: time to create the first ledger, cost of a command, and throughput of the server under load, each beside
 * a bare Node in the same run.
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
const ROUNDS = 15;
const CONNECTIONS = 16;
const BIN = fileURLToPath(new URL("../bin/solx.js", import.meta.url));
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WSOL = "So11111111111111111111111111111111111111112";
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
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = await once(lines, "line");
  return { child, ...JSON.parse(line as string) };
}

/** Resident memory of a process in MB. */
const memory = (child: ChildProcess) =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)]).toString()) / 1024;

interface Load {
  readonly rate: number;
  readonly p99: number;
}

/** Sends requests over a fixed number of connections, one at a time on each. */
async function load(url: string, path: string, key: string, count: number): Promise<Load> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const times: number[] = [];
  let left = count;
  const started = performance.now();
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const begun = performance.now();
      const { statusCode, body } = await pool.request({ path, method: "GET", headers: { token: key } });
      await body.arrayBuffer();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return { rate: count / seconds, p99: quantile(times, 0.99) };
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

const baseline = await serve([
  "-e",
  `const { createServer } = require("node:http");
   const body = JSON.stringify({ success: true, data: { text: "x".repeat(1500) } });
   const server = createServer((_, response) => response.setHeader("content-type", "application/json").end(body));
   server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port, key: "none" })));`,
]);
const plain = await load(baseline.url, "/", "none", 20_000);
report({ measure: "a bare server", value: plain.rate, unit: "/s", digits: 0, note: `p99 ${plain.p99.toFixed(1)} ms` });

/** One path of each class of endpoints. */
const PATHS = [
  ["object: token meta", `/v2.0/token/meta?address=${MINT}`],
  ["several identifiers: token meta multi", `/v2.0/token/meta/multi?address[]=${MINT}&address[]=${WSOL}`],
  ["list: account transfer", `/v2.0/account/transfer?address=${WALLET}`],
  ["filtered list: account transfer", `/v2.0/account/transfer?address=${WALLET}&flow=in&token=${MINT}`],
  ["search over all tokens: token list", "/v2.0/token/list?sort_by=market_cap"],
  ["statistics: program analytics", "/v2.0/program/list"],
] as const;
// First fill caches and let the heap reach its size.
for (const [, path] of PATHS) await load(sandbox.url, path, sandbox.key, REQUESTS / 20);
const before = memory(sandbox.child);
for (const [title, path] of PATHS) {
  const { rate, p99 } = await load(sandbox.url, path, sandbox.key, REQUESTS / PATHS.length);
  const note = `p99 ${p99.toFixed(1)} ms; ${((100 * rate) / plain.rate).toFixed(0)} % of the bare server`;
  report({ measure: title, value: rate, unit: "/s", digits: 0, note });
}
report({
  measure: `memory after ${REQUESTS} requests`,
  value: memory(sandbox.child) / before,
  unit: "×",
  peer: "before them",
  note: `${memory(sandbox.child).toFixed(0)} MB`,
});

for (const { child } of [sandbox, baseline]) {
  child.kill();
  await once(child, "exit");
}
rmSync(folder, { recursive: true, force: true });
