/** `solx watch` with a Solana node: its websocket, and transactions that a reorganisation removes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runInProcess } from "../../support/in-process.ts";
import { FAULTS } from "../../support/node/faults.ts";
import { startTestNode, type TestNode, type TestNodeOptions } from "../../support/node/node.ts";
import { createTempFolder } from "../../support/solx.ts";
import { waitFor } from "../../support/wait-for.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Watches a wallet at a node; returns the node and the events. */
async function watch(every: string, options: TestNodeOptions = {}, command = "account transactions") {
  const node = await startTestNode(options);
  closing.push(() => node.close());
  await node.airdrop(WALLET, 10_000_000n);
  if (options.finality === "manual") node.chain.commit("finalized");
  const folder = createTempFolder();
  const [file, log] = [join(folder, "rules.yaml"), join(folder, "events")];
  const what = `${command} ${WALLET}`;
  writeFileSync(file, `rules:\n  moves:\n    what: ${what}\n    every: ${every}\n    then:\n      - file: ${log}\n`);
  const start = () => {
    const stop = new AbortController();
    const env = { SOLX_RPC_URL: node.url, SOLX_HOME: folder, SOLX_BUDGET: "process" };
    const ended = runInProcess(["watch", file], { env, signal: stop.signal });
    const end = async () => {
      stop.abort();
      return (await ended).stderr;
    };
    closing.push(end);
    return end;
  };
  const events = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return { node, start, events };
}

const isPolled = (node: TestNode) => waitFor(() => expect(node.calls().getSignaturesForAddress).toBeGreaterThan(0));

test("the websocket makes a wallet be polled at once, also after it was lost", async () => {
  const { node, start, events } = await watch("24h");
  start();
  await isPolled(node);
  const first = await node.airdrop(WALLET, 1_000_000n);
  await waitFor(() => expect(events().map(({ event }) => event.tx_hash)).toEqual([first]));
  node.dropWebSockets();
  const second = await node.airdrop(WALLET, 2_000_000n);
  await waitFor(() => expect(events().map(({ event }) => event.tx_hash)).toEqual([first, second]));
});

test("the websocket makes the balance of a wallet be polled at once", async () => {
  const { node, start, events } = await watch("24h", {}, "account detail");
  start();
  await waitFor(() => expect(node.calls().getMultipleAccounts ?? node.calls().getAccountInfo).toBeGreaterThan(0));
  await node.airdrop(WALLET, 1_000_000n);
  const changes = () => events().map(({ event: { field, old, new: value } }) => [field, old, value]);
  await waitFor(() => expect(changes()).toContainEqual(["lamports", 10_000_000, 11_000_000]));
});

test("an event whose block disappears is retracted with its key, also by the next run; one that is final is not", async () => {
  const { node, start, events } = await watch("2s", { finality: "manual" });
  const end = start();
  await isPolled(node);
  const kept = await node.airdrop(WALLET, 1_000_000n);
  node.chain.commit("confirmed");
  const { slot } = node.chain.tip;
  const removed = await node.airdrop(WALLET, 2_000_000n);
  node.chain.commit("confirmed");
  await waitFor(() => expect(events().map(({ event }) => event.tx_hash)).toEqual([kept, removed]));
  await end();
  node.chain.rollback(slot);
  const other = await node.airdrop(WALLET, 3_000_000n);
  node.chain.commit("finalized");
  start();
  await waitFor(() => expect(events()).toHaveLength(4));
  const [, before, retraction, last] = events();
  expect(retraction).toEqual({ ...before, event: { ...before.event, retracted: true } });
  expect(last.event.tx_hash).toBe(other);
});

test("a poll that fails continues with the transactions that are missing", async () => {
  const { node, start, events } = await watch("2s");
  const end = start();
  await isPolled(node);
  const hashes = () => events().map(({ event }) => event.tx_hash);
  // What is there at the first poll is known when there is news.
  const first = await node.airdrop(WALLET, 1_000_000n);
  await waitFor(() => expect(hashes()).toEqual([first]));
  await end();
  const sent: string[] = [];
  for (let count = 0; count < 20; count += 1) sent.push(await node.airdrop(WALLET, 1_000_000n));
  // All attempts of one poll fail for one transaction.
  const ATTEMPTS = 4;
  node.fail({
    ...FAULTS.behind(200),
    method: "getTransaction",
    times: ATTEMPTS,
    when: ([signature]) => signature === sent[7],
  });
  const { getTransaction: before = 0 } = node.calls();
  start();
  await waitFor(() => expect(hashes()).toEqual([first, ...sent]));
  const calls = (node.calls().getTransaction ?? 0) - before;
  expect(calls).toBeGreaterThan(sent.length);
  // The list ends with the two older ones.
  expect(calls).toBeLessThanOrEqual(sent.length + 2 + ATTEMPTS);
});

test("a node without the statuses of signatures still has news", async () => {
  const { node, start, events } = await watch("2s", { finality: "manual" });
  node.fail({ method: "getSignatureStatuses", error: { code: -32601, message: "Method not found" } });
  start();
  await isPolled(node);
  const { slot } = node.chain.tip;
  await node.airdrop(WALLET, 1_000_000n);
  node.chain.commit("confirmed");
  await waitFor(() => expect(events()).toHaveLength(1));
  node.chain.rollback(slot);
  await waitFor(() => expect(node.calls().getSignatureStatuses).toBeGreaterThan(0));
  const other = await node.airdrop(WALLET, 3_000_000n);
  node.chain.commit("confirmed");
  await waitFor(() => expect(events().at(-1).event.tx_hash).toBe(other));
});
