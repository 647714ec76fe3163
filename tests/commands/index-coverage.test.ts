/** What answers of an index cover: where it begins and ends, the slots that it lacks, and what it selects. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import type { Answer, ClientEvent } from "../../src/client/index.ts";
import { createExactClient } from "../support/exact-client.ts";
import { exampleArguments, type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { useTestNode } from "../support/node/use-test-node.ts";

const START = Math.floor(Date.now() / 1000) - 100;
let seconds = START;
const node = useTestNode({ now: () => seconds });
const home = mkdtempSync(join(tmpdir(), "solx-coverage-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const [WALLET, EMPTY] = [
  "2fh7th4t14gNWpxavuXKV5acoXmYXCnDHM3BRyAKU7MQ",
  "7LPrYfYi8eNbKPHTwoKHA2hYoh9p2299QJiYyBp6FaWv",
] as const;

const solx = (line: string, options: InProcessOptions = {}) =>
  runInProcess(line.trim().split(" "), { ...options, env: { SOLX_HOME: home, SOLX_CACHE: "off" } });
const rowsOf = (text: string) => text.split("\n").filter(Boolean).length;
const slots: number[] = [];
const airdrops = async (count: number) => {
  for (let at = 0; at < count; at++) {
    seconds++;
    await node.airdrop(WALLET, BigInt(1_000_000 + slots.length));
    slots.push(node.chain.tip.slot);
  }
};
const index = async (name: string, options: string) => {
  const run = await solx(`index --rpc ${node.url} --index ${name} --to now ${options}`);
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
};

beforeAll(async () => {
  await airdrops(9);
  await index("whole", "--from earliest");
  await index("late", `--from ${slots[4]}`);
  await index("gap", "--from earliest");
  await index("selected", `--from earliest --account ${EMPTY}`);
  await airdrops(4);
  node.chain.firstAvailable = slots[11] ?? 0;
  await index("gap", "");
  node.chain.firstAvailable = node.chain.firstSlot;
});

const LATE = /The history of the index begins at slot \d+: older rows are missing\./;
const GAP = /The index lacks the slots from \d+ to \d+: rows may be missing\./;

describe("an index", () => {
  test.each([
    ["late", "account transfer {} --all", 5, LATE],
    ["late", "account transfer {} --limit 10", 5, LATE],
    ["late", "account transfer {} --sort-order asc --limit 2", 2, LATE],
    ["late", "account transactions {} --all", 5, LATE],
    ["late", "account transfer-total {}", 1, LATE],
    ["late", "account transfer-export {}", 5, LATE],
    ["late", "account balance-change {}", 5, LATE],
    ["late", "legacy account sol-transfers {} --all", 5, LATE],
    ["late", `account transfer ${EMPTY}`, 0, LATE],
    ["gap", "account transfer {} --all", 11, GAP],
    ["gap", "account transfer-total {}", 1, GAP],
    ["gap", "account transactions {} --all", 11, GAP],
    ["selected", "account transfer {} --all", 0, /The index has selected transactions only: rows may be missing\./],
  ])("%s: %s is noted, and incomplete", async (name, typed, rows, note) => {
    const line = `${typed.replace("{}", WALLET)} --index ${name} -o ndjson`;
    const run = await solx(line);
    expect([run.code, rowsOf(run.stdout)]).toEqual([0, rows]);
    expect(run.stderr).toMatch(note);
    expect(rowsOf(run.stderr)).toBe(1);
    const strict = await solx(`${line} --fail-on incomplete`);
    expect([strict.code, strict.stdout]).toEqual([10, run.stdout]);
    expect(strict.stderr).toMatch(note);
  });

  test.each([
    ["whole", "account transfer {} --all", 9],
    ["whole", "account transactions {} --all", 9],
    ["whole", "account transfer-total {}", 1],
    ["late", `account transfer {} --all --from-time ${START + 6}`, 4],
    ["gap", `account transfer {} --all --from-time ${START + 13}`, 1],
    ["gap", `account transfer {} --all --to-time ${START + 8}`, 8],
    ["selected", `account transfer ${EMPTY} --all`, 0],
    ["late", "account detail {}", 1],
  ])("%s: %s has all rows", async (name, typed, rows) => {
    const run = await solx(`${typed.replace("{}", WALLET)} --index ${name} -o ndjson --fail-on incomplete`);
    expect([run.code, rowsOf(run.stdout), run.stderr]).toEqual([0, rows, ""]);
  });

  test.each([
    ["late", "account transactions {} --limit 4", 4],
    ["late", "account transfer {} --limit 4", 4],
    ["gap", "account transfer {} --limit 1", 1],
  ])("%s: %s has the rows that were asked for", async (name, typed, rows) => {
    const run = await solx(`${typed.replace("{}", WALLET)} --index ${name} -o ndjson`);
    expect([run.code, rowsOf(run.stdout), run.stderr]).toEqual([0, rows, ""]);
  });

  test("refuses every question before its first block", async () => {
    await index("begun", `--from ${node.chain.tip.slot + 1000}`);
    for (const endpoint of endpoints) {
      const [example = { about: "", params: {} }] = endpoint.examples;
      const line = [...exampleArguments(endpoint, example), "--index", "begun"].join(" ");
      expect([line, await solx(line)]).toEqual([line, expect.objectContaining({ code: 4, stdout: "" })]);
    }
    expect((await solx("account transfer-total {} --index begun".replace("{}", WALLET))).stderr).toContain(
      "The index has no block yet.",
    );
  });

  const COVERAGE = { commitment: "finalized", firstSlot: expect.any(Number), lastSlot: expect.any(Number) };

  test("states its slots in envelopes", async () => {
    const envelope = async (line: string) => JSON.parse((await solx(`${line} --envelope -o json`)).stdout);
    const list = await envelope(`account transfer ${WALLET} --all --index late`);
    const [first, last] = [slots[4], slots[8]];
    expect(list).toMatchObject({
      complete: null,
      next: null,
      coverage: { ...COVERAGE, firstSlot: first, lastSlot: last },
    });
    expect(list.coverage.incomplete).toMatch(LATE);
    const object = await envelope(`account detail ${WALLET} --index gap`);
    expect(object.coverage).toMatchObject({
      lastSlot: slots[12],
      gaps: [{ from: (slots[8] ?? 0) + 1, to: (slots[11] ?? 0) - 1 }],
    });
    expect(object.coverage).not.toHaveProperty("firstSlot");
  });

  test("says so in the explorer's plain pages", async () => {
    const run = await solx(`explore account ${WALLET} --plain --index late`, { input: "2\nq\n" });
    expect(run.stdout).toMatch(LATE);
  });

  test("is an event of a client and part of its answers, also of recorded ones", async () => {
    const folder = join(home, "recorded");
    const line = `account transfer ${WALLET} --all -o ndjson`;
    const recorded = await solx(`${line} --index late --record ${folder}`);
    expect(recorded.stderr).toMatch(LATE);
    const events: ClientEvent[] = [];
    await using client = createExactClient({ replay: folder, onEvent: (event) => void events.push(event) });
    const answers: Answer[] = [];
    for await (const { answer } of client.account.transfer({ address: WALLET }).pages()) answers.push(answer);
    const { incomplete: text, ...coverage } = answers.at(-1)?.coverage ?? {};
    expect([coverage, text]).toEqual([expect.objectContaining(COVERAGE), expect.stringMatching(LATE)]);
    const reported = events.filter(({ type }) => type === "coverage");
    expect(reported).toContainEqual({ type: "coverage", firstSlot: slots[4], text });
  });

  test("says so to tools", async () => {
    const call = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const input = [
      call(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }),
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      call(2, "tools/call", {
        name: "call_endpoint",
        arguments: { endpoint: "account transfer", params: { address: WALLET } },
      }),
    ].join("\n");
    const run = await solx("mcp --index late", { stdin: Readable.from([Buffer.from(`${input}\n`)]) });
    const answer = JSON.parse(run.stdout.trim().split("\n").at(-1) ?? "");
    expect(answer.result.structuredContent.coverage).toMatchObject({
      ...COVERAGE,
      incomplete: expect.stringMatching(LATE),
    });
  });
});
