/** Lists that a Solana node answers by reading transactions one by one: their cost, and following them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allEndpoints } from "../../src/catalogue/index.ts";
import { follow } from "../../src/commands/follow/follow.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { createCollector, type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { useTestNode } from "../support/node/use-test-node.ts";
import { cleanEnv } from "../support/solx.ts";

const node = useTestNode();
const home = mkdtempSync(join(tmpdir(), "solx-walks-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const [LONG, SHORT, FOLLOWED, SPREAD] = [
  "2fh7th4t14gNWpxavuXKV5acoXmYXCnDHM3BRyAKU7MQ",
  "7LPrYfYi8eNbKPHTwoKHA2hYoh9p2299QJiYyBp6FaWv",
  "53q26BDVCfM9kdQqudnnBBgYvERxfBtLsQZWwSpJxWJn",
  "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
] as const;
const TRANSACTIONS = 1100;

const solx = (line: string, options: InProcessOptions = {}) =>
  runInProcess([...line.split(" "), "--rpc", node.url, "-o", "ndjson", "--cache", "off"], {
    ...options,
    env: { SOLX_HOME: home, ...options.env },
  });
/** Runs a command at a terminal with typed input; rows go to a pipe. */
const atTerminal = (typed: string, line: string) =>
  solx(line, { isStderrTTY: true, stdin: Object.assign(Readable.from([typed]), { isTTY: true }) });
const rowsIn = (text: string) => text.split("\n").filter(Boolean).length;

let paid = 1_000_000;
/** Sends lamports to an account in as many transactions; each moves another amount. */
async function pay(to: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await node.airdrop(to, BigInt(paid++));
}

beforeAll(async () => {
  await node.chain.inOneBlock(() => pay(LONG, TRANSACTIONS));
  await node.chain.inOneBlock(() => pay(SHORT, 150));
});

describe("the cost of a walk", () => {
  test("is noted before it, and elsewhere than at a terminal it is done", async () => {
    const run = await solx(`account transfer ${LONG} --all`);
    expect([run.code, rowsIn(run.stdout)]).toEqual([0, TRANSACTIONS]);
    expect(run.stderr).toContain("account transfer: 1,100 transactions to read, one call each");
  });

  test("is confirmed at a terminal if it is high, and nothing is read without", async () => {
    const before = node.calls().getTransaction;
    for (const typed of ["n\n", ""]) {
      const refused = await atTerminal(typed, `account transfer ${LONG} --all SOLX_RATE=100/10`);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toMatch(/1,100 transactions to read, one call each, about 2 minutes\..*\n.*Continue\?/);
      expect(refused.stderr).toContain("Nothing was written");
      expect(refused.stderr).toContain("--yes");
    }
    expect(node.calls().getTransaction).toBe(before);
    const confirmed = await atTerminal("y\n", `account transfer ${LONG} --all`);
    expect([confirmed.code, rowsIn(confirmed.stdout)]).toEqual([0, TRANSACTIONS]);
  });

  test("is that of the requested rows", async () => {
    const run = await atTerminal("", `account transfer ${LONG} --limit 300`);
    expect([run.code, rowsIn(run.stdout)]).toEqual([0, 300]);
    expect(run.stderr).toContain("up to about 500 transactions to read");
    expect(run.stderr).not.toContain("Continue?");
  });

  test("is rather estimated too high than too low", async () => {
    await pay(SPREAD, 400);
    const before = node.calls().getTransaction ?? 0;
    const run = await solx(`account transfer ${SPREAD} --limit 150`);
    const estimate = Number(/up to about (\d+) transactions/.exec(run.stderr)?.[1]);
    const calls = (node.calls().getTransaction ?? 0) - before;
    expect([run.code, rowsIn(run.stdout)]).toEqual([0, 150]);
    expect(estimate).toBeGreaterThanOrEqual(calls);
    expect(estimate).toBeLessThan(2 * calls);
  });

  test("is noted for answers that are a number, too", async () => {
    const run = await atTerminal("n\n", `account transfer-total ${LONG} --from-time 1`);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain("account transfer-total: 1,100 transactions to read");
  });

  test.each([
    ["with --yes", `account transfer ${LONG} --all --yes`, TRANSACTIONS],
    ["for some hundred calls", `account transfer ${SHORT} --all`, 150],
    ["for a page", `account transfer ${LONG}`, 10],
  ])("is not confirmed %s", async (_, line, rows) => {
    const run = await atTerminal("", line);
    expect([run.code, rowsIn(run.stdout)]).toEqual([0, rows]);
    expect(run.stderr).not.toContain("Continue?");
  });
});

/** Follows a list while transactions are sent, and returns its rows; ends after a number of rows. */
async function followWhileSending(route: string, params: Record<string, string>, limit: number, send: Send) {
  const endpoint = allEndpoints.find((each) => each.route === route);
  if (!endpoint) throw new Error(`No endpoint ${route}`);
  const stdout = createCollector();
  const context = createContext({
    argv: [],
    env: cleanEnv({ SOLX_HOME: home, SOLX_RPC_URL: node.url }),
    version: "0.0.0",
    stdin: process.stdin,
    stdout: stdout.stream,
    stderr: createCollector().stream,
    now: Date.now,
    signal: new AbortController().signal,
  });
  context.globals = { follow: true, output: "ndjson" };
  let sending: Promise<unknown> = Promise.resolve();
  let polls = 0;
  let slept = 0;
  const sleep = async (milliseconds: number) => {
    slept += milliseconds;
    polls += 1;
    if (polls > 20) throw new Error(`Rows are missing: ${rowsIn(stdout.text())} of ${limit}`);
    // The next poll happens while these are sent; those of the poll before have arrived.
    await sending;
    sending = send(polls);
  };
  await follow(context, { endpoint, params, requestedRows: { limit } }, { now: () => Date.now() + slept, sleep });
  await sending;
  await context.session.close();
  return stdout
    .text()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

type Send = (poll: number) => Promise<unknown>;

describe("following", () => {
  test("an account prints each transfer once and in order, while more are sent than a page has", async () => {
    const first = paid;
    await pay(FOLLOWED, 3);
    const sizes = [5, 130, 0, 1, 40];
    const count = sizes.reduce((sum, size) => sum + size, 3);
    const send: Send = (poll) => {
      const size = sizes[poll - 1] ?? 0;
      return poll % 2 === 0 ? node.chain.inOneBlock(() => pay(FOLLOWED, size)) : pay(FOLLOWED, size);
    };
    const rows = await followWhileSending("v2-account-transfer", { address: FOLLOWED }, count, send);
    expect(rows.map(({ amount }) => amount)).toEqual(Array.from({ length: count }, (_, at) => first + at));
  });

  test.each([
    ["v2-block-last", "current_slot"],
    ["v2-transaction-last", "tx_hash"],
    ["v2-account-transactions", "tx_hash"],
  ])("%s prints each row once and in the order of the chain", async (route, key) => {
    const known = node.chain.tip.slot;
    const address: Record<string, string> = route.includes("account") ? { address: FOLLOWED } : {};
    const rows = await followWhileSending(route, address, 60, async (poll) => {
      await pay(FOLLOWED, poll);
      node.chain.skipSlots(2);
    });
    const keys = rows.map((row) => row[key]);
    expect(new Set(keys).size).toBe(keys.length);
    const slots = rows.map((row) => Number(row.slot ?? row.current_slot));
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    const fresh = slots.filter((slot) => slot > known);
    expect(fresh.length).toBeGreaterThan(10);
    expect(fresh).toEqual(blocksFrom(known + 1).slice(0, fresh.length));
  });
});

/** Returns the slots of the blocks from a slot on. */
const blocksFrom = (slot: number) => node.chain.blocks.map((block) => block.slot).filter((each) => each >= slot);
