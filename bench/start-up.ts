/**
 * Start-up time and peak memory of common commands, each as a ratio to a bare `node -e 0` of the same run.
 * Usage: node bench/start-up.ts [rounds]
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { peakHook } from "./peak.ts";
import { quantile, report } from "./report.ts";

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
const env = {
  ...process.env,
  SOLX_HOME: folder,
  SOLX_API_KEY: "bench-key-0123456789",
  SOLX_BASE_URL: url,
  NODE_OPTIONS: "",
};

const executable = join(folder, process.platform === "win32" ? "solx.exe" : "solx");
execFileSync(
  process.execPath,
  [fileURLToPath(new URL("../scripts/executable.ts", import.meta.url)), "--out", executable],
  {
    stdio: ["ignore", "ignore", "inherit"],
  },
);

interface Case {
  readonly title: string;
  readonly args: readonly string[];
  /** The program, if it is not Node. */
  readonly program?: string;
  readonly timeGoal?: number;
  readonly memoryGoal?: number;
}

const BARE: Case = { title: "node -e 0", args: ["-e", "0"] };
const REQUEST = ["token", "meta", MINT];
const JSON_REQUEST: Case = { title: "solx token meta (json)", args: [BIN, ...REQUEST], timeGoal: 3, memoryGoal: 2 };
const CASES: readonly Case[] = [
  BARE,
  { title: "solx --version", args: [BIN, "--version"], timeGoal: 1.25 },
  { title: "solx --help", args: [BIN, "--help"], timeGoal: 1.6 },
  { title: "completion: a command", args: [BIN, "__complete", "fish", "account", "tra"], timeGoal: 2.5 },
  { title: "completion: a profile", args: [BIN, "__complete", "fish", "--profile", ""], timeGoal: 2.5 },
  JSON_REQUEST,
  {
    title: "solx --rpc token meta",
    args: [BIN, "token", "meta", nodeMint, "--rpc", nodeUrl, "-o", "json"],
    timeGoal: 5,
  },
  {
    title: "solx token meta (table)",
    args: [BIN, ...REQUEST, "-o", "table"],
    timeGoal: 4.5,
  },
];
const EXECUTABLE: Case = { title: "token meta of the executable", program: executable, args: REQUEST };
const CURL: Case = { title: "curl", program: "curl", args: ["-sf", `${url}/v2.0/token/meta?address=${MINT}`] };

/** Runs a case once and returns the milliseconds it took. */
async function timed({ args, program = process.execPath }: Case): Promise<number> {
  const started = process.hrtime.bigint();
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

const all = [...CASES, EXECUTABLE, CURL];
const times = new Map<Case, number[]>(all.map((entry) => [entry, []]));
for (const entry of all) await timed(entry);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const entry of all) times.get(entry)?.push(await timed(entry));
}
const peaks = new Map<Case, number>();
for (const entry of CASES) {
  const runs: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await timed({ ...entry, args: ["--import", hook.module, ...entry.args] });
    runs.push(hook.peak());
  }
  peaks.set(entry, quantile(runs, 0.5));
}

const timeOf = (entry: Case) => quantile(times.get(entry) ?? [], 0.5);
for (const entry of CASES.slice(1)) {
  const [time, memory] = [timeOf(entry), peaks.get(entry) ?? Number.NaN];
  const peer = BARE.title;
  const note = `${time.toFixed(0)} ms; curl ${(time / timeOf(CURL)).toFixed(1)} ×`;
  report({ measure: entry.title, value: time / timeOf(BARE), unit: "×", peer, note, ...most(entry.timeGoal) });
  report({
    measure: `memory of ${entry.title}`,
    value: memory / (peaks.get(BARE) ?? Number.NaN),
    unit: "×",
    peer,
    note: `${memory.toFixed(0)} MiB`,
    ...most(entry.memoryGoal),
  });
}
report({
  measure: EXECUTABLE.title,
  value: timeOf(EXECUTABLE) / timeOf(JSON_REQUEST),
  unit: "×",
  peer: "the npm package",
  note: `${timeOf(EXECUTABLE).toFixed(0)} ms`,
  atMost: 1.5,
});
await Promise.all([server.terminate(), node.terminate()]);
rmSync(folder, { recursive: true, force: true });

function most(goal: number | undefined) {
  return goal === undefined ? {} : { atMost: goal };
}
