/** What answers of a node cover, where it has removed the history of an account. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createExactClient } from "../support/exact-client.ts";
import { runInProcess } from "../support/in-process.ts";
import { FAULTS } from "../support/node/faults.ts";
import { useTestNode } from "../support/node/use-test-node.ts";

const START = Math.floor(Date.now() / 1000) - 100;
let seconds = START;
const node = useTestNode({ now: () => seconds });
const home = mkdtempSync(join(tmpdir(), "solx-history-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const [WALLET, EMPTY] = [
  "2fh7th4t14gNWpxavuXKV5acoXmYXCnDHM3BRyAKU7MQ",
  "7LPrYfYi8eNbKPHTwoKHA2hYoh9p2299QJiYyBp6FaWv",
] as const;
const [ALL, KEPT] = [18, 7];
let firstKept = 0;

const solx = (line: string) =>
  runInProcess([...line.split(" "), "--rpc", node.url, "--cache", "off"], { env: { SOLX_HOME: home } });
const NOTE = /The history of the node begins at slot \d+: older rows are missing\./;

beforeAll(async () => {
  for (let at = 0; at < ALL; at++) {
    seconds++;
    await node.airdrop(WALLET, BigInt(1_000_000 + at));
  }
  firstKept = node.chain.tip.slot - KEPT + 1;
});
beforeEach(() => {
  node.clearFaults();
  node.chain.firstAvailable = firstKept;
});

describe("history that a node removed", () => {
  test.each([
    [`account transfer ${WALLET} --all -o ndjson`, KEPT],
    [`account transfer ${WALLET} --limit 10 -o ndjson`, KEPT],
    [`account transfer ${WALLET} --sort-order asc --limit 5 -o ndjson`, 5],
    [`account transactions ${WALLET} -o ndjson`, KEPT],
    [`account transactions ${WALLET} --all -o ndjson`, KEPT],
    [`account transactions-enhanced ${WALLET} -o ndjson`, KEPT],
    [`account balance-change ${WALLET} -o ndjson`, KEPT],
    [`account transfer-total ${WALLET} -o ndjson`, 1],
    [`account transfer-export ${WALLET} -o ndjson`, KEPT],
    [`account transfer ${EMPTY} -o ndjson`, 0],
  ])("is noted, and incomplete: %s", async (line, rows) => {
    const run = await solx(line);
    expect([run.code, run.stdout.split("\n").filter(Boolean).length]).toEqual([0, rows]);
    expect(run.stderr).toMatch(NOTE);
    expect(run.stderr.match(/begins at slot/g)).toHaveLength(1);
    const strict = await solx(`${line} --fail-on incomplete`);
    expect([strict.code, strict.stdout]).toEqual([10, run.stdout]);
    expect(strict.stderr).toMatch(NOTE);
  });

  test("does not matter where the time range begins later", async () => {
    const from = START + ALL - 3;
    const run = await solx(`account transfer ${WALLET} --all --from-time ${from} --fail-on incomplete -o ndjson`);
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.stdout.split("\n").filter(Boolean).length).toBeGreaterThan(1);
  });

  test("of nodes that have everything is complete", async () => {
    node.chain.firstAvailable = node.chain.firstSlot;
    const run = await solx(`account transfer ${WALLET} --all --fail-on incomplete -o ndjson`);
    expect([run.code, run.stdout.split("\n").filter(Boolean).length, run.stderr]).toEqual([0, ALL, ""]);
  });

  test("is unknown where a node does not say", async () => {
    node.fail({ method: ["getFirstAvailableBlock", "minimumLedgerSlot"], ...FAULTS.unknownMethod() });
    const run = await solx(`account transfer ${WALLET} --all -o ndjson`);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain("The node does not say where its history begins: older rows may be missing.");
  });

  test("is neither complete nor continued in an envelope", async () => {
    const run = await solx(`account transfer ${WALLET} --all --envelope -o json`);
    expect(JSON.parse(run.stdout)).toMatchObject({ complete: null, next: null });
  });

  test("is part of the answers of a client", async () => {
    await using client = createExactClient({ rpc: node.url });
    const { coverage } = await client.account.transferTotal({ address: WALLET }).answer();
    expect(coverage).toMatchObject({ commitment: "confirmed", firstSlot: firstKept });
    const firstSlots: unknown[] = [];
    for await (const { answer } of client.account.transfer({ address: WALLET }).pages())
      firstSlots.push(answer.coverage?.firstSlot);
    expect(firstSlots.at(-1)).toBe(firstKept);
  });
});
