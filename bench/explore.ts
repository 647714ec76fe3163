/**
 * The explorer's memory: a list that refreshes for an hour of simulated time and is drawn on every change. And the time
 * that a flow graph of 10,000 transfers takes, from their sums to its lines.
 * Usage: node bench/explore.ts [minutes]
 */
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { build } from "rolldown";
import type { Json } from "../src/base/index.ts";
import { FlowGraph, listHops } from "../src/client/index.ts";
import { describeSource } from "../src/sources/index.ts";
import type { Services } from "../src/ui/navigation/services.ts";
import { drawFlow } from "../src/ui/pages/flow/drawing.ts";
import { layoutFlow } from "../src/ui/pages/flow/layout.ts";
import { createFlowTexts } from "../src/ui/pages/flow/texts.ts";
import { TRANSFERS } from "../src/ui/pages/flow/transfers.ts";
import { BREADTH, buildFlowTree, DIRECTIONS } from "../src/ui/pages/flow/tree.ts";
import { report } from "./report.ts";

const MINUTES = Number(process.argv[2] ?? 60);
/** Until then caches fill and code compiles. */
const WARM_UP_MINUTES = 15;
const SECONDS_BETWEEN_KEYS = 20;
const GOAL = 1.05;
const [COLUMNS, LINES] = [120, 40];
const ROWS = 100;
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const START = Date.UTC(2025, 9, 9, 12);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The parts of the program under test; Node cannot load TSX itself. */
interface Program {
  readonly App: typeof import("../src/ui/app/app.tsx").App;
  readonly createDataStore: typeof import("../src/ui/data/query-store.ts").createDataStore;
  readonly createClient: typeof import("../src/sources/index.ts").createClient;
  readonly lazy: typeof import("../src/ui/app/lazy.ts");
  readonly render: typeof import("ink").render;
  readonly createElement: typeof import("react").createElement;
  readonly terminalControl: typeof import("../src/ui/terminal/control.ts").terminalControl;
}

const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));

async function programIn(to: string): Promise<Program> {
  const from = (path: string) => JSON.stringify(fileURLToPath(new URL(`../src/${path}`, import.meta.url)));
  const library = (name: string) => JSON.stringify(fileURLToPath(import.meta.resolve(name)));
  const source = [
    `export { App } from ${from("ui/app/app.tsx")};`,
    `export { createDataStore } from ${from("ui/data/query-store.ts")};`,
    `export { createClient } from ${from("sources/index.ts")};`,
    `export { terminalControl } from ${from("ui/terminal/control.ts")};`,
    `export * as lazy from ${from("ui/app/lazy.ts")};`,
    `export { render } from ${library("ink")};`,
    `export { createElement } from ${library("react")};`,
  ].join("\n");
  await build({
    input: { program: "program" },
    platform: "node",
    transform: { define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' } },
    external: ["jq-wasm", "@napi-rs/keyring", "react-devtools-core"],
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? "\0program" : undefined),
        load: (id) => (id === "\0program" ? source : undefined),
      },
    ],
    output: { format: "esm", dir: to, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
    logLevel: "silent",
  });
  return (await import(pathToFileURL(join(to, "program.mjs")).href)) as Program;
}

const signature = (at: number) => `${String(at).padStart(8, "1").replaceAll("0", "z")}${"5".repeat(80)}`;

/** A growing list: some rows are new each time. */
function transfers(poll: number): string {
  const newest = 1000 + poll * 3;
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    block_id: 280_000_000 + newest - at,
    trans_id: signature(newest - at),
    block_time: START / 1000 + newest - at,
    activity_type: "ACTIVITY_SPL_TRANSFER",
    from_address: WALLET,
    to_address: "2iXU6RKbcXdxsFSAyjg96V7xykrJwDAeZs23V5EZLSZd",
    token_address: "So11111111111111111111111111111111111111112",
    token_decimals: 9,
    amount: 4_742_113 + newest - at,
    flow: at % 3 ? "in" : "out",
    value: 12.5,
  }));
  return JSON.stringify({ success: true, data: rows });
}

/** Services without the outside world, except for a client. */
function servicesOf(client: Services["client"]): Services {
  const refused = async () => ({ ok: false, message: "Not here." });
  const nothing = async () => {};
  return {
    client,
    identity: {
      profile: undefined,
      isSandbox: true,
      hasKey: true,
      plan: "Lite",
      rate: { requests: 1000, seconds: 60 },
      units: 20_000_000,
    },
    source: describeSource({ kind: "sandbox", name: "solx" }),
    supports: ({ family }) => family !== "node",
    now: Date.now,
    timeZone: "UTC",
    colorScheme: "dark",
    unicode: true,
    command: (words) => words.join(" "),
    curl: (url) => url.href,
    copy: refused,
    browse: refused,
    openExternally: refused,
    save: async (name) => name,
    memory: {
      bookmarks: () => [],
      setBookmarks: nothing,
      recent: () => [],
      setRecent: nothing,
      lists: () => ({}),
      setLists: nothing,
      switches: () => ({}),
      setSwitch: nothing,
    },
    log: () => {},
  };
}

/** A keyboard and a window in memory. */
function terminal() {
  const waiting: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    read: () => waiting.shift() ?? null,
    ...Object.fromEntries(
      ["setEncoding", "setRawMode", "resume", "pause", "ref", "unref"].map((name) => [name, () => {}]),
    ),
  });
  const drawn = { frames: 0 };
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: COLUMNS,
    rows: LINES,
    write() {
      drawn.frames += 1;
      return true;
    },
  });
  const press = (key: string) => {
    waiting.push(key);
    stdin.emit("readable");
  };
  return {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    drawn,
    press,
  };
}

/** Runs all pending microtasks and immediates. */
async function drain(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the MiB in use after garbage collection. */
async function memory(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await drain();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}

async function hour(): Promise<void> {
  const program = await programIn(folder);
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: START });
  let polls = 0;
  const client = program.createClient({
    key: "bench-key-0123456789",
    rate: "off",
    transport: {
      async send({ url }) {
        const isList = url.pathname.endsWith("/account/transfer");
        if (isList) polls += 1;
        const body = isList ? transfers(polls) : '{"success":true,"data":{}}';
        return { url, status: 200, headers: { "content-type": "application/json" }, body };
      },
      close: async () => {},
    },
  });
  const services = servicesOf(async () => client);
  const data = program.createDataStore(services);
  const { stdin, stdout, drawn, press } = terminal();
  const app = program.render(
    program.createElement(program.App, {
      services,
      data,
      initialRoute: { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } },
      quit: () => {},
      lazy: program.lazy,
      terminal: program.terminalControl(stdin, stdout),
    }),
    { stdin, stdout, exitOnCtrlC: false, interactive: true, patchConsole: false, debug: true },
  );
  const pass = async (minutes: number) => {
    for (let second = 1; second <= minutes * 60; second += 1) {
      mock.timers.tick(1000);
      await drain();
      if (second % SECONDS_BETWEEN_KEYS === 0) press(second % (2 * SECONDS_BETWEEN_KEYS) === 0 ? "j" : "k");
    }
    await drain();
  };
  await drain();
  press("a");
  await pass(WARM_UP_MINUTES);
  const before = await memory();
  const pollsBefore = polls;
  await pass(MINUTES);
  const after = await memory();
  const ratio = after / before;
  app.unmount();
  await data.close();
  await client.close();
  mock.timers.reset();
  report({
    measure: `memory after ${MINUTES} min of auto refresh`,
    value: ratio,
    unit: "×",
    digits: 3,
    atMost: GOAL,
    peer: "before them",
    note: `${before.toFixed(1)} → ${after.toFixed(1)} MiB, ${polls - pollsBefore} polls, ${drawn.frames} frames`,
  });
}

const FLOW_TRANSFERS = 10_000;
const FLOW_MS = 300;

/** Adds up, lays out and draws the flows of a hub, whose largest accounts dealt with each other. */
function drawFlows(rows: readonly Json[]): number {
  const start = performance.now();
  const graph = new FlowGraph(TRANSFERS.identity ?? []);
  graph.openList()(rows);
  const flows = graph.flows();
  const flowValue = () => undefined;
  const open = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`out/account ${at}`, BREADTH]));
  const near = buildFlowTree({
    ...{ wallet: WALLET, directions: DIRECTIONS, open, flowValue, roleOf: () => "wallet" as const },
    hopsOf: (address, direction) => listHops(flows, [address], flowValue, direction).get(address) ?? [],
  });
  const layout = layoutFlow(near);
  const clock = { style: "relative", now: START } as const;
  const about = { clock, nameOf: () => undefined, labelOf: () => undefined, unicode: true };
  const texts = createFlowTexts(
    layout.nodes.flatMap(({ node }) => node.address ?? []),
    about,
  );
  const window = { width: COLUMNS, height: LINES };
  drawFlow({ layout, texts, start: texts.nameSpan(WALLET), selected: "", hasNotes: false, unicode: true }, window);
  return performance.now() - start;
}

function flowGraph(): void {
  const rows = Array.from({ length: FLOW_TRANSFERS }, (_, at) => ({
    trans_id: signature(at),
    block_time: START / 1000 - at,
    from_address: at % 4 === 0 ? `account ${at % 20}` : WALLET,
    to_address: `account ${at % 3000}`,
    token_address: `token ${at % 40}`,
    token_decimals: 6,
    amount: 1000 + at,
  }));
  const [first = 0, ...others] = Array.from({ length: 6 }, () => drawFlows(rows));
  report({
    measure: `flow graph of ${FLOW_TRANSFERS} transfers`,
    value: first,
    unit: "ms",
    digits: 0,
    atMost: FLOW_MS,
    note: `the first time; then ${Math.min(...others).toFixed(0)} to ${Math.max(...others).toFixed(0)} ms`,
  });
}

try {
  flowGraph();
  await hour();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
