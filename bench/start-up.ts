/**
 * Start-up time and peak memory of common commands, each as a ratio to a bare `node -e 0` of the same run.
 * Usage: npm run bench [-- rounds]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { peakHook } from "./peak.ts";

const ROUNDS = Number(process.argv[2] ?? 25);
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const BIN = fileURLToPath(new URL("../bin/solx.js", import.meta.url));

const body = JSON.stringify({
  success: true,
  data: { address: MINT, name: "USD Coin", symbol: "USDC", decimals: 6, supply: "7521286762876240", price: 0.9998 },
});
// In a separate thread: a server in this one would respond late while processes start and exit.
const server = new Worker(
  `const { createServer } = require("node:http");
   const { parentPort, workerData } = require("node:worker_threads");
   const server = createServer((_, response) => response.setHeader("content-type", "application/json").end(workerData));
   server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
  { eval: true, workerData: body },
);
const [port] = await once(server, "message");
const url = `http://127.0.0.1:${port}`;
const node = new Worker(new URL("./test-node-worker.ts", import.meta.url));
const [{ url: nodeUrl, mint: nodeMint }] = await once(node, "message");
const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));
const hook = peakHook(folder);
const env = { ...process.env, SOLX_HOME: folder, SOLX_API_KEY: "bench-key-0123456789", NODE_OPTIONS: "" };

interface Case {
  readonly title: string;
  readonly args: readonly string[];
  readonly timeGoal?: number;
  readonly memoryGoal?: number;
}

const BARE: Case = { title: "node -e 0", args: ["-e", "0"] };
const CASES: readonly Case[] = [
  BARE,
  { title: "solx --version", args: [BIN, "--version"], timeGoal: 1.8 },
  { title: "solx --help", args: [BIN, "--help"] },
  { title: "completion: a command", args: [BIN, "__complete", "fish", "account", "tra"], timeGoal: 2.5 },
  { title: "completion: a profile", args: [BIN, "__complete", "fish", "--profile", ""], timeGoal: 2.5 },
  {
    title: "solx token meta (json)",
    args: [BIN, "token", "meta", MINT, "--base-url", url],
    timeGoal: 3.5,
    memoryGoal: 2,
  },
  {
    title: "solx --rpc token meta",
    args: [BIN, "token", "meta", nodeMint, "--rpc", nodeUrl, "-o", "json"],
    timeGoal: 5,
  },
  { title: "solx token meta (table)", args: [BIN, "token", "meta", MINT, "--base-url", url, "-o", "table"] },
];

/** Runs Node once and returns the milliseconds it took. */
function timed(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0
        ? resolve(Number(process.hrtime.bigint() - started) / 1e6)
        : reject(new Error(`${args.join(" ")}: ${code}`)),
    );
  });
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const times = new Map<Case, number[]>(CASES.map((entry) => [entry, []]));
for (const { args } of CASES) await timed(args);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const entry of CASES) times.get(entry)?.push(await timed(entry.args));
}
const peaks = new Map<Case, number>();
for (const entry of CASES) {
  const runs: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await timed(["--import", hook.module, ...entry.args]);
    runs.push(hook.peak());
  }
  peaks.set(entry, median(runs));
}

const bareTime = median(times.get(BARE) ?? []);
const bareMemory = peaks.get(BARE) ?? Number.NaN;
const verdict = (ratio: number, goal?: number) =>
  goal === undefined ? "" : ` (goal ≤ ${goal}: ${ratio <= goal ? "met" : "MISSED"})`;
console.log(`Node ${process.version}, ${ROUNDS} rounds, medians`);
for (const entry of CASES) {
  const time = median(times.get(entry) ?? []);
  const memory = peaks.get(entry) ?? Number.NaN;
  const timeText = `${time.toFixed(1).padStart(7)} ms ${(time / bareTime).toFixed(2)}×${verdict(time / bareTime, entry.timeGoal)}`;
  const memoryText = `${memory.toFixed(1).padStart(6)} MiB ${(memory / bareMemory).toFixed(2)}×${verdict(memory / bareMemory, entry.memoryGoal)}`;
  console.log(`${entry.title.padEnd(26)} ${timeText.padEnd(42)} ${memoryText}`);
}
await Promise.all([server.terminate(), node.terminate()]);
rmSync(folder, { recursive: true, force: true });
