/**
 * `solx watch` over chains that grow, with faults, killed at random moments, while its clock is set: every event of the
 * chain is delivered, each at most once more for each kill, and in order for each wallet. `WATCH_KILLS` is the number of
 * kills, `WATCH_SEED` selects their moments.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, connect as openSocket, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/base/index.ts";
import { OTHER_WALLET, WALLET, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { FAULTS } from "../support/node/faults.ts";
import { startTestNode } from "../support/node/node.ts";
import { createTempFolder, solx, startSolx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";

const KILLS = Number(process.env.WATCH_KILLS ?? 10);
const seed = Number(process.env.WATCH_SEED ?? 7);
const API_FAULTS = ["503:10%", "429:3%", "reset:3%", "truncate:3%", "html:2%", "hang:1%", "drip=20ms:1%", "500:2%"];
const CLOCK = fileURLToPath(new URL("../support/shifted-clock.cjs", import.meta.url));
const DAY_MS = 86_400_000;

let random = seed;
/** Returns a number from 0 to 1, by a linear congruential generator. */
function next(): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return random / 2_147_483_648;
}

interface Delivered {
  readonly input: string;
  readonly key: string;
  readonly event: { readonly [id: string]: string };
}

/** A chain that is watched through faults. */
interface WatchedChain {
  readonly wallets: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The command that is watched, and the field that identifies its rows. */
  readonly command: string;
  readonly id: string;
  /** Lets something happen, at most this often between two runs. */
  readonly growth: number;
  readonly grow: () => Promise<unknown>;
  readonly endFaults: () => void;
}

const WALLETS = [WALLET, OTHER_WALLET];
const pickWallets = () => (next() < 0.5 ? WALLETS : WALLETS.toReversed()) as [string, string];

/** A sandbox that grows by transfers. */
async function openSandbox(folder: string): Promise<WatchedChain> {
  const sandbox = await startSandbox({ size: 0.02, port: 0, folder, faults: API_FAULTS });
  onTestFinished(() => sandbox.close());
  return {
    wallets: WALLETS,
    env: { SOLX_BASE_URL: sandbox.url, SOLX_API_KEY: sandbox.key },
    command: "account transfer",
    id: "trans_id",
    growth: 8,
    grow: () => {
      const [from, to] = pickWallets();
      return sandbox.send({ from, to, amount: "0.000001" });
    },
    endFaults: () => sandbox.setFaults([]),
  };
}

/** A sandbox that grows by blocks of its own, and two accounts in many of them. */
async function openLiveSandbox(folder: string): Promise<WatchedChain> {
  const sandbox = await startSandbox({ size: 0.2, port: 0, folder, faults: API_FAULTS, live: 300 });
  onTestFinished(() => sandbox.close());
  return {
    wallets: [WALLET, WRAPPED_SOL],
    env: { SOLX_BASE_URL: sandbox.url, SOLX_API_KEY: sandbox.key },
    command: "account transactions",
    id: "tx_hash",
    growth: 0,
    grow: async () => {},
    endFaults: () => sandbox.setFaults([]),
  };
}

/** A node behind a network with faults, of HTTP and of websockets. */
async function openNode(): Promise<WatchedChain> {
  const node = await startTestNode();
  onTestFinished(() => node.close());
  for (const wallet of WALLETS) await node.airdrop(wallet, 10_000_000n);
  const faults = [FAULTS.rateLimited(), FAULTS.badGateway(), FAULTS.behind(200), { latency: 10_000 }];
  for (const fault of faults) node.fail({ ...fault, when: () => next() < 0.02 });
  const network = await openNetwork(Number(new URL(node.url).port));
  return {
    wallets: WALLETS,
    env: { SOLX_RPC_URL: network.url },
    command: "account transactions",
    id: "tx_hash",
    growth: 2,
    grow: () => node.airdrop(pickWallets()[0], 1_000_000n),
    endFaults() {
      node.clearFaults();
      network.endFaults();
    },
  };
}

/** Starts a proxy whose connections are reset, or slow, at random. */
async function openNetwork(port: number) {
  let hasFaults = true;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = openSocket(port, "127.0.0.1");
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (chunk) => {
      if (hasFaults && next() < 0.03) return client.resetAndDestroy();
      upstream.write(chunk);
    });
    upstream.on("data", async (chunk) => {
      if (!hasFaults || next() > 0.03) return client.write(chunk);
      upstream.pause();
      for (let at = 0; at < chunk.length; at += Math.ceil(chunk.length / 10)) {
        client.write(chunk.subarray(at, at + Math.ceil(chunk.length / 10)));
        await delay(50);
      }
      return upstream.resume();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    endFaults() {
      hasFaults = false;
    },
  };
}

const CHAINS: Readonly<Record<string, (folder: string) => Promise<WatchedChain>>> = {
  "a sandbox with transfers": openSandbox,
  "a sandbox with live blocks": openLiveSandbox,
  "a node": openNode,
};

test.each(Object.keys(CHAINS))(
  `${KILLS} kills lose no event of %s (WATCH_SEED=${seed})`,
  {
    timeout: 7_200_000,
  },
  async (name) => {
    const folder = createTempFolder();
    const chain = await (CHAINS[name] as (typeof CHAINS)[string])(folder);
    const [rules, log, clock] = [join(folder, "rules.yaml"), join(folder, "log"), join(folder, "clock")];
    writeFileSync(
      rules,
      `rules:
  moves:
    what: ${chain.command} ${chain.wallets.join(" ")}
    every: 2s
    then:
      - exec: sh -c 'cat >> "$1"; printf "%s\\n" "$2" >> "$1.keys"' x ${log} {key}
      - file: ${log}.events
`,
    );
    const env = { ...chain.env, SOLX_TIMEOUT: "3", SOLX_HOME: folder };
    const shifted = { ...env, SHIFTED_CLOCK: clock, NODE_OPTIONS: `--require=${CLOCK}` };
    const setClock = () => writeFileSync(clock, `${Math.round((next() - 0.5) * 2 * (next() < 0.5 ? DAY_MS : 60_000))}`);
    const start = () => {
      const child = startSolx(["watch", rules], { env: shifted, cwd: folder });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const events = (): readonly Delivered[] =>
      existsSync(`${log}.events`)
        ? readFileSync(`${log}.events`, "utf8")
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [];
    /** Returns what was delivered of a wallet, without repetitions. */
    const deliveredOf = (wallet: string) => [
      ...new Map(
        events().flatMap(({ input, key, event }) => (input === wallet ? [[key, event[chain.id]] as const] : [])),
      ).values(),
    ];
    /** Returns the rows of a wallet since the first that was delivered, the oldest first. */
    const chainOf = async (wallet: string): Promise<readonly string[]> => {
      const words = [...chain.command.split(" "), wallet, "--limit", "5000", "--jq", `map(.${chain.id})`];
      const { stdout } = await solx(words, { env });
      const rows: readonly string[] = JSON.parse(stdout).toReversed();
      const first = rows.indexOf(deliveredOf(wallet)[0] ?? "");
      expect(first).toBeGreaterThanOrEqual(0);
      return rows.slice(first);
    };

    setClock();
    // The first run finds where the lists end; what is there before is no news.
    const first = start();
    await waitFor(() => expect(cursors(folder)).toBe(chain.wallets.length));
    await waitFor(async () => {
      await chain.grow();
      await delay(500);
      for (const wallet of chain.wallets) expect(deliveredOf(wallet)).not.toEqual([]);
    });
    await kill(first);
    for (let kills = 1; kills < KILLS; kills += 1) {
      for (let count = Math.floor(next() * chain.growth); count >= 0; count -= 1) await chain.grow();
      const run = start();
      const ready = once(run.stderr, "data");
      // Half of the kills hit what a start delivers, the others any moment.
      if (next() < 0.7) await ready;
      const ends = delay(next() * (next() < 0.5 ? 300 : 3000));
      if (next() < 0.5) await chain.grow();
      if (next() < 0.5) setClock();
      await ends;
      await kill(run);
    }
    const last = start();
    setClock();
    chain.endFaults();
    for (const wallet of chain.wallets) {
      const rows = await chainOf(wallet);
      await waitFor(() => expect(deliveredOf(wallet).slice(0, rows.length)).toEqual(rows));
    }
    await waitFor(async () => expect(await status(rules, env)).toEqual([0, 0]));
    const second = await solx(["watch", rules], { env });
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining("Another solx process")]);
    last.kill("SIGINT");
    expect((await once(last, "exit"))[0]).toBe(130);

    for (const wallet of chain.wallets) {
      const delivered = deliveredOf(wallet);
      expect((await chainOf(wallet)).slice(0, delivered.length)).toEqual(delivered);
    }
    const delivered = events();
    const unique = new Set(delivered.map(({ key }) => key));
    const keys = readFileSync(`${log}.keys`, "utf8").trimEnd().split("\n");
    expect(new Set(keys)).toEqual(unique);
    const repetitions = [delivered.length - unique.size, keys.length - unique.size];
    console.log(`${name}: ${unique.size} events, repetitions of file and exec: ${repetitions}, ${KILLS} kills`);
    for (const count of repetitions) expect(count).toBeLessThanOrEqual(KILLS);
  },
);

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await exit;
}

/** Returns the pending and parked deliveries. */
async function status(rules: string, env: Record<string, string>): Promise<readonly [pending: number, parked: number]> {
  const { stdout } = await solx(["watch", "status", rules], { env });
  const rows: { readonly pending: number; readonly parked: number }[] = JSON.parse(stdout);
  return [rows.reduce((sum, { pending }) => sum + pending, 0), rows.reduce((sum, { parked }) => sum + parked, 0)];
}

/** Returns the number of lists whose end was found. */
function cursors(folder: string): number {
  const state = join(folder, "state", "watch");
  const file = readdirSync(state).find((name) => name.endsWith(".sqlite")) ?? "";
  const database = openDatabase(join(state, file), { readOnly: true });
  try {
    return Number(database.prepare("SELECT count(*) AS count FROM cursors").get()?.count);
  } finally {
    database.close();
  }
}
