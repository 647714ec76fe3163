/**
 * The explorer in a pseudo-terminal (`script` of util-linux): time until it is drawn, time until it responds to a key
 * with a thousand rows loaded, and CPU use while idle: on a list, and on the home page of a sandbox in the same process
 * and of one with new blocks in another process.
 * Usage: node bench/explore-terminal.ts [keys]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { quantile, report } from "./report.ts";

const KEYS = Number(process.argv[2] ?? 200);
const STARTS = 9;
const [COLUMNS, LINES] = [200, 60];
/** Sizes of the terminal, and the milliseconds from a key to its frame that are good. */
const WINDOWS = [
  { columns: 120, lines: 40, goal: 16 },
  { columns: COLUMNS, lines: LINES, goal: 16 },
] as const;
const ROWS = 1000;
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
/** Down by rows and half pages, to the next column and back: each key changes the screen. */
const PRESSED = ["j", "j", "j", "\u0004", "j", "l", "j", "k", "\u0015", "h"];
/**
 * What an idle program does comes at intervals: V8 collects garbage several seconds after the last key, once or twice,
 * and a live page refreshes its lists every 20 seconds. Short periods would contain one of these more, or one less.
 */
const IDLE_SECONDS = 60;
/** Clock ticks per second in /proc. */
const TICKS = 100;

const BIN = process.env.SOLX_BENCH_BIN ?? fileURLToPath(new URL("../bin/solx.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));
const env = {
  ...process.env,
  SOLX_RATE: "off",
  SOLX_HOME: folder,
  SOLX_API_KEY: "bench-key-0123456789",
  NODE_OPTIONS: "",
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
};

const digits = (at: number) => String(at * 7919 + 10_000_000).replaceAll("0", "z");
const signature = (at: number) => `${digits(at)}${"5".repeat(72)}${digits(ROWS - at)}`;
const rows = Array.from({ length: ROWS }, (_, at) => ({
  block_id: 280_000_000 - at,
  trans_id: signature(at),
  block_time: 1_760_000_000 - at,
  time: "2025-10-09T08:53:20.000Z",
  activity_type: "ACTIVITY_SPL_TRANSFER",
  from_address: WALLET,
  to_address: "2iXU6RKbcXdxsFSAyjg96V7xykrJwDAeZs23V5EZLSZd",
  token_address: "So11111111111111111111111111111111111111112",
  token_decimals: 9,
  amount: 4_742_113 + at,
  flow: at % 3 ? "in" : "out",
  value: 12.5,
}));
const answer = JSON.stringify({ success: true, data: rows });
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(request.url?.includes("/account/transfer") ? answer : '{"success":true,"data":{}}');
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A program in a terminal. */
interface Terminal {
  readonly child: ChildProcess;
  /** Returns the milliseconds from the start until the screen shows a text. */
  visibleAfter(text: string): Promise<number>;
  /** Returns the milliseconds from a key until the first bytes of the next frame. */
  press(key: string): Promise<number>;
  close(): Promise<void>;
}

function open(args: readonly string[], columns = COLUMNS, lines = LINES, server?: string): Terminal {
  const line = `stty rows ${lines} cols ${columns}; exec ${[process.execPath, ...args].map((word) => `'${word}'`).join(" ")}`;
  const started = performance.now();
  const child = spawn("script", ["-qfec", line, "/dev/null"], {
    env: { ...env, ...(server && { SOLX_BASE_URL: server }) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  let output = () => {};
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
    output();
  });
  const until = (isThere: () => boolean) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Not on the screen: ${text.slice(-500)}`)), 20_000);
      output = () => {
        if (!isThere()) return;
        clearTimeout(timer);
        resolve(performance.now());
      };
      output();
    });
  return {
    child,
    visibleAfter: async (expected) => (await until(() => text.includes(expected))) - started,
    async press(key) {
      text = "";
      const pressed = performance.now();
      child.stdin.write(key);
      return (await until(() => text !== "")) - pressed;
    },
    async close() {
      child.stdin.write("q");
      await once(child, "exit");
    },
  };
}

async function starts(): Promise<void> {
  const [bare, own]: [number[], number[]] = [[], []];
  for (let round = 0; round <= STARTS; round += 1) {
    const started = performance.now();
    await once(spawn(process.execPath, ["-e", "0"], { env, stdio: "ignore" }), "exit");
    const took = performance.now() - started;
    const terminal = open([BIN, "explore", "--sandbox"]);
    const painted = await terminal.visibleAfter("sandbox");
    await terminal.close();
    // The first start fills the compile cache.
    if (round === 0) continue;
    bare.push(took);
    own.push(painted);
  }
  const ratio = quantile(own, 0.5) / quantile(bare, 0.5);
  report({
    measure: "first paint of explore --sandbox",
    value: ratio,
    unit: "×",
    atMost: 6,
    peer: "node -e 0",
    note: `${quantile(own, 0.5).toFixed(0)} ms`,
  });
}

/** Returns the CPU seconds used by a program and its children. */
function used(pid: number): number {
  const parts = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const own = (Number(parts[11]) + Number(parts[12])) / TICKS;
  return childrenOf(pid).reduce((sum, child) => sum + used(child), own);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
}

/** Measures the CPU use of a terminal while no key is pressed. */
async function idle(title: string, { child: { pid = 0 } }: Terminal, afterMs = 3000): Promise<void> {
  await wait(afterMs);
  const before = used(pid);
  await wait(IDLE_SECONDS * 1000);
  const share = ((used(pid) - before) / IDLE_SECONDS) * 100;
  report({ measure: `CPU while idle, ${title}`, value: share, unit: "%", atMost: 1 });
}

/** The home page that refreshes by itself: data that does not change, and a chain with a block every two seconds. */
async function home(): Promise<void> {
  const still = open([BIN, "explore", "--sandbox"]);
  await still.visibleAfter("richest");
  // The first run creates the ledger.
  await idle("home page of the sandbox", still, 60_000);
  await still.close();
  const args = [BIN, "sandbox", "--port", "0", "--live", "--key", env.SOLX_API_KEY];
  const sandbox = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(sandbox.stdout, "data")) as [Buffer];
    const { url: live } = JSON.parse(line.toString()) as { url: string };
    const terminal = open([BIN, "explore"], undefined, undefined, live);
    await terminal.visibleAfter("richest");
    // Live pages refresh less often after a minute without a key.
    await idle("home page of a live chain", terminal, 75_000);
    await terminal.close();
  } finally {
    sandbox.kill();
  }
}

async function keys({ columns, lines, goal }: (typeof WINDOWS)[number]): Promise<void> {
  const words = ["explore", "account", "transfer", WALLET];
  const terminal = open([BIN, ...words], columns, lines, url);
  await terminal.visibleAfter("SOL");
  await wait(1500);
  const times: number[] = [];
  for (let at = 0; at < KEYS; at += 1) {
    times.push(await terminal.press(PRESSED[at % PRESSED.length] as string));
    // At typing speed: frames of earlier keys are painted.
    await wait(40);
  }
  report({
    measure: `key to frame (p95), ${columns} × ${lines}, ${ROWS} rows`,
    value: quantile(times, 0.95),
    unit: "ms",
    digits: 1,
    atMost: goal,
    note: `median ${quantile(times, 0.5).toFixed(1)} ms`,
  });
  if (columns === COLUMNS) await idle("list", terminal);
  await terminal.close();
}

try {
  await starts();
  for (const window of WINDOWS) await keys(window);
  await home();
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
