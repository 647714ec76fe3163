/**
 * Three instances of `solx watch` that share rules through a Redis server: processes that die are replaced, the server is
 * lost and comes back, and every event is delivered, in order for each wallet, once more for each loss at most.
 * `WATCH_KILLS` is the number of instances that are killed at random moments, `WATCH_SEED` selects these.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { OTHER_WALLET, WALLET } from "../../src/catalogue/samples.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { describeWith } from "../support/programs.ts";
import { createTempFolder, solx, startSolx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";
import { freePort } from "../support/workers.ts";

interface Delivered {
  readonly input: string;
  readonly key: string;
  readonly rule: string;
  readonly event: { readonly trans_id: string };
}

const KILLS = Number(process.env.WATCH_KILLS ?? 5);
const seed = Number(process.env.WATCH_SEED ?? 7);
/** Of this many losses at random, one is the server's. */
const SERVER_LOSSES = 20;

let random = seed;
/** Returns a number from 0 to 1, by a linear congruential generator. */
function next(): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return random / 2_147_483_648;
}

const WALLETS = [WALLET, OTHER_WALLET];
const FAULTS = ["503:10%", "429:3%", "reset:3%", "truncate:3%"];

/** Starts a Redis server that keeps its data when it is killed. */
async function startRedis(port: number, folder: string): Promise<ChildProcess> {
  const storage = ["--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const child = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", ...storage], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of child.stdout.setEncoding("utf8"))
    if (String(chunk).includes("Ready to accept connections")) break;
  return child;
}

describeWith("redis-server")("instances that share rules", () => {
  it("replace each other, and outlast a lost server", { timeout: 7_200_000 }, async () => {
    const folder = createTempFolder();
    const sandbox = await startSandbox({ size: 0.02, port: 0, folder, faults: FAULTS });
    onTestFinished(() => sandbox.close());
    const port = await freePort();
    let redis = await startRedis(port, folder);
    onTestFinished(() => void redis.kill("SIGKILL"));
    const log = join(folder, "events");
    const rules = join(folder, "rules.yaml");
    const rule = (name: string, flow: string) =>
      `  ${name}:\n    what: account transfer ${WALLETS.join(" ")} --flow ${flow}\n    every: 2s\n    then:\n      - file: ${log}\n`;
    writeFileSync(rules, `rules:\n${rule("in", "in")}${rule("out", "out")}`);
    const shared = { SOLX_BASE_URL: sandbox.url, SOLX_API_KEY: sandbox.key, SOLX_RATE: "off" };
    const budget = { SOLX_BUDGET: `redis://127.0.0.1:${port}` };
    const start = (number: number) => {
      const home = join(folder, `${number}`);
      mkdirSync(home, { recursive: true });
      const child = startSolx(["watch", rules], { env: { ...shared, ...budget, SOLX_HOME: home }, cwd: folder });
      let stderr = "";
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk);
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return { number, child, stderr: () => stderr };
    };
    const events = (): readonly Delivered[] =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [];
    const sent: string[] = [];
    const send = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        const [from, to] = at % 2 === 0 ? WALLETS : WALLETS.toReversed();
        sent.push((await sandbox.send({ from: from ?? "", to: to ?? "", amount: "0.000001" })).signature);
      }
    };
    /** Waits until everything was delivered to both wallets: it went out of one and into the other. */
    const allDelivered = () =>
      waitFor(() => {
        const found = new Set(events().map(({ event, input }) => `${event.trans_id} ${input}`));
        const missing = sent.flatMap((id) => WALLETS.map((one) => `${id} ${one}`)).filter((one) => !found.has(one));
        expect(missing).toEqual([]);
      });
    const status = async () => {
      const env = { ...shared, ...budget, SOLX_HOME: join(folder, "status") };
      return JSON.parse((await solx(["watch", "status", rules], { env })).stdout);
    };

    const instances = [start(1), start(2), start(3)];
    // The first polls find where the lists end.
    const isReady = async () => {
      await send(1);
      await delay(500);
      expect(new Set(events().map(({ rule: name }) => name))).toEqual(new Set(["in", "out"]));
    };
    await waitFor(isReady);
    sent.splice(0);
    await send(10);
    await allDelivered();

    let losses = 0;
    for (const number of [1, 2]) {
      const [victim] = instances.splice(0, 1);
      victim?.child.kill("SIGKILL");
      losses += 1;
      await send(5);
      await allDelivered();
      instances.push(start(number));
    }

    redis.kill("SIGKILL");
    await once(redis, "exit");
    losses += 3;
    await send(5);
    await waitFor(() => expect(instances.some(({ stderr }) => stderr().includes("cannot be reached"))).toBe(true));
    redis = await startRedis(port, folder);
    await send(5);
    await allDelivered();

    // An instance that was suspended has lost its leases, and continues without them.
    const [suspended] = instances;
    suspended?.child.kill("SIGSTOP");
    losses += 1;
    await send(5);
    await allDelivered();
    suspended?.child.kill("SIGCONT");
    await send(5);
    await allDelivered();

    for (let kills = 0; kills < KILLS; kills += 1) {
      const at = Math.floor(next() * instances.length);
      if (next() < 1 / SERVER_LOSSES) {
        redis.kill("SIGKILL");
        await once(redis, "exit");
        losses += instances.length;
        await delay(next() * 3000);
        redis = await startRedis(port, folder);
      }
      const [victim] = instances.splice(at, 1) as [ReturnType<typeof start>];
      const exit = once(victim.child, "exit");
      victim.child.kill("SIGKILL");
      losses += 1;
      await send(Math.floor(next() * 4));
      await exit;
      instances.push(start(victim.number));
      await delay(next() * 5000);
    }
    await send(5);
    await allDelivered();

    await waitFor(async () =>
      expect((await status()).every(({ pending }: { pending: number }) => pending === 0)).toBe(true),
    );
    const delivered = events();
    console.log(`${sent.length} transfers, ${delivered.length} deliveries, ${losses} losses`);
    const unique = new Map(delivered.map((one) => [one.key, one]));
    expect(delivered.length - unique.size).toBeLessThanOrEqual(losses);
    sandbox.setFaults([]);
    for (const wallet of WALLETS) {
      for (const flow of ["in", "out"]) {
        const order = [...unique.values()].filter((one) => one.input === wallet && one.rule === flow);
        const words = ["account", "transfer", wallet, "--flow", flow, "--limit", "1000", "--jq", "map(.trans_id)"];
        const env = { ...shared, SOLX_HOME: join(folder, "ledger") };
        const ledger: readonly string[] = JSON.parse((await solx(words, { env })).stdout).toReversed();
        const first = ledger.indexOf(order[0]?.event.trans_id ?? "");
        expect(first).toBeGreaterThanOrEqual(0);
        expect(order.map(({ event }) => event.trans_id)).toEqual(ledger.slice(first, first + order.length));
      }
    }
  });
});
