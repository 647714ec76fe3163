/**
 * `solx watch` over a sandbox whose chain grows by transfers, with faults, killed at random moments: every event of the ledger is
 * delivered, each at most once more for each kill, and in order for each wallet. `WATCH_KILLS` is the number of kills,
 * `WATCH_SEED` selects their moments.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/base/index.ts";
import { OTHER_WALLET, WALLET } from "../../src/catalogue/samples.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { createTempFolder, solx, startSolx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";

const KILLS = Number(process.env.WATCH_KILLS ?? 20);
const seed = Number(process.env.WATCH_SEED ?? 7);
const FAULTS = ["503:10%", "429:3%", "reset:3%", "truncate:3%", "html:2%", "hang:1%", "drip=20ms:1%", "500:2%"];

let random = seed;
/** Returns a number from 0 to 1, by a linear congruential generator. */
function next(): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return random / 2_147_483_648;
}

interface Delivered {
  readonly input: string;
  readonly key: string;
  readonly event: { readonly trans_id: string; readonly amount: number };
}

test(`${KILLS} kills and faults lose no event (WATCH_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
  const folder = createTempFolder();
  const sandbox = await startSandbox({ size: 0.02, port: 0, folder, faults: FAULTS });
  const [rules, log] = [join(folder, "rules.yaml"), join(folder, "log")];
  writeFileSync(
    rules,
    `rules:
  moves:
    what: account transfer ${WALLET} ${OTHER_WALLET}
    every: 2s
    then:
      - exec: sh -c 'cat >> "$1"; printf "%s\\n" "$2" >> "$1.keys"' x ${log} {key}
      - file: ${log}.events
`,
  );
  const env = {
    SOLX_BASE_URL: sandbox.url,
    SOLX_API_KEY: sandbox.key,
    SOLX_RATE: "off",
    SOLX_TIMEOUT: "3",
    SOLX_HOME: folder,
  };
  const start = () => startSolx(["watch", rules], { env, cwd: folder });
  const events = (): readonly Delivered[] =>
    existsSync(`${log}.events`)
      ? readFileSync(`${log}.events`, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  const sent: string[] = [];
  const send = async () => {
    const [from, to] = next() < 0.5 ? [WALLET, OTHER_WALLET] : [OTHER_WALLET, WALLET];
    sent.push((await sandbox.send({ from, to, amount: "0.000001" })).signature);
  };
  try {
    // The first run finds where the lists end; what is there before is no news.
    const first = start();
    await waitFor(() => expect(cursors(folder)).toBe(2));
    await send();
    await waitFor(() => expect(events().length).toBeGreaterThan(0));
    await kill(first);
    for (let kills = 1; kills < KILLS; kills += 1) {
      for (let count = Math.floor(next() * 8); count >= 0; count -= 1) await send();
      const run = start();
      const ready = once(run.stderr, "data");
      // Half of the kills hit what a start delivers, the others any moment.
      if (next() < 0.7) await ready;
      const ends = delay(next() * (next() < 0.5 ? 300 : 1500));
      if (next() < 0.5) await send();
      await ends;
      await kill(run);
    }
    const last = start();
    const missing = () => {
      const found = new Set(events().map(({ event, input }) => `${event.trans_id} ${input}`));
      return sent.flatMap((id) => [WALLET, OTHER_WALLET].map((one) => `${id} ${one}`)).filter((one) => !found.has(one));
    };
    await waitFor(() => expect(missing()).toEqual([]));
    const second = await solx(["watch", rules], { env });
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining("Another solx process")]);
    await waitFor(async () => expect(await status(rules, env)).toEqual([0, 0]));
    last.kill("SIGINT");
    expect((await once(last, "exit"))[0]).toBe(130);

    const delivered = events();
    const unique = new Map(delivered.map((one) => [one.key, one]));
    expect(delivered.length - unique.size).toBeLessThanOrEqual(KILLS);
    const keys = readFileSync(`${log}.keys`, "utf8").trimEnd().split("\n");
    expect(new Set(keys)).toEqual(new Set(unique.keys()));
    expect(keys.length - unique.size).toBeLessThanOrEqual(KILLS);
    sandbox.setFaults([]);
    for (const wallet of [WALLET, OTHER_WALLET]) {
      const order = [...unique.values()].filter(({ input }) => input === wallet).map(({ event }) => event.trans_id);
      const ledger = await ledgerOrder(wallet, env);
      const from = ledger.indexOf(order[0] ?? "");
      expect(from).toBeGreaterThanOrEqual(0);
      expect(order).toEqual(ledger.slice(from, from + order.length));
    }
  } finally {
    await sandbox.close();
  }
});

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

/** Returns the transactions of the transfers of a wallet, the oldest first. */
async function ledgerOrder(wallet: string, env: Record<string, string>): Promise<readonly string[]> {
  const { stdout } = await solx(["account", "transfer", wallet, "--limit", "2000", "--jq", "map(.trans_id)"], { env });
  return JSON.parse(stdout).toReversed();
}
