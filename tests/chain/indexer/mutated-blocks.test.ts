/** Blocks with wrong numbers: each is stored or a gap. No block ends an index. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import {
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  openDatabase,
  parseJson,
  SolxError,
} from "../../../src/base/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { NODE_ERROR, type NodeConnection } from "../../../src/chain/solana/index.ts";
import { consistentResultOf, recordings } from "../../support/node/recorded.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { toJson } from "../../support/node/wire.ts";
import { connectTo } from "../../support/node-connection.ts";

const SLOT = 777;
const shared = useScenario();
const folder = mkdtempSync(join(tmpdir(), "solx-mutated-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const swaps = parseJson(
  readFileSync(new URL("../../fixtures/solana-swaps.json", import.meta.url), "utf8"),
) as JsonObject;
const recorded = recordings()
  .filter(({ method }) => method === "getBlock")
  .map((each) => parseJson(toJson(consistentResultOf(each) ?? null)))
  .filter((block) => isObject(block) && isArray(block.transactions) && block.transactions.length < 300)
  .filter((block) => ((block as JsonObject).transactions as JsonObject[]).every(({ meta }) => isObject(meta)));

const blockOf = (transactions: readonly Json[]): JsonObject => ({
  ...{ blockHeight: 700, blockTime: 1_700_000_000 },
  rewards: [{ pubkey: "Vote111111111111111111111111111111111111111", lamports: 5, postBalance: 9, rewardType: "Fee" }],
  transactions,
});

/** Real blocks: of the test node, with transactions of mainnet, and the recorded ones where there are any. */
async function readBlocks(): Promise<readonly Json[]> {
  const node = connectTo(shared.node.url);
  const slots = (await node.call("getBlocks", [0, shared.node.chain.tip.slot])) as readonly number[];
  const options = { transactionDetails: "full", rewards: true, maxSupportedTransactionVersion: 1 };
  const encodings = ["json", "jsonParsed", "base64"] as const;
  const own = await Promise.all(
    slots.map((slot, at) => node.call("getBlock", [slot, { ...options, encoding: encodings[at % 3] ?? "json" }])),
  );
  const full = own.filter((block) => isObject(block) && isArray(block.transactions) && block.transactions.length > 0);
  return [...full, ...Object.values(swaps).map((each) => blockOf([each as Json])), ...recorded];
}

/** Serves blocks, from the first slot on. */
const serve = (blocks: readonly Json[]): NodeConnection => {
  const slots = blocks.map((_, at) => SLOT + at);
  const answers: Readonly<Record<string, Json>> = {
    ...{ getGenesisHash: "genesis", getFirstAvailableBlock: 0, getSlot: slots.at(-1) ?? SLOT, getBlocks: slots },
    getEpochSchedule: { slotsPerEpoch: 432_000, firstNormalSlot: 0, firstNormalEpoch: 0 },
  };
  const call: NodeConnection["call"] = async (method, [slot] = []) => {
    const at = Number(slot) - SLOT;
    const block = blocks[at];
    if (method === "getBlock" && isObject(block)) {
      return { ...block, blockhash: `hash ${at}`, previousBlockhash: `hash ${at - 1}` };
    }
    const answer = answers[method];
    if (answer === undefined) throw new SolxError("permission", method, { code: NODE_ERROR.unknownMethod });
    return answer;
  };
  const callMany: NodeConnection["callMany"] = async (calls) =>
    calls.map(({ method }) => new SolxError("permission", method, { code: NODE_ERROR.unknownMethod }));
  return { name: "mutated", commitment: "finalized", now: Date.now, call, callMany };
};

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{4,}$/;

/** Values that no column, no sum or no program expects. */
const value = fc.oneof(
  fc.constantFrom(...["9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"]),
  fc.constantFrom("-1", "256", "65536", "4294967296", "9007199254740991", "9007199254740993", "1.5", "1e300", "null"),
);

/** Replaces numbers, amounts as text and data of a block by the numbers of the choices. */
function mutate(block: Json, choices: readonly { readonly at: number; readonly text: string }[]): Json {
  let numbers = 0;
  const count = (each: Json | undefined): void => {
    if (isArray(each)) each.forEach(count);
    else if (isObject(each)) Object.values(each).forEach(count);
    else if (isMutable(each)) numbers += 1;
  };
  count(block);
  const places = new Map(choices.map(({ at, text }) => [at % Math.max(1, numbers), text]));
  let place = 0;
  const replace = (each: Json): Json => {
    if (isArray(each)) return each.map(replace);
    if (isObject(each)) {
      return Object.fromEntries(
        Object.entries(each).map(([name, one]) => [name, one === undefined ? null : replace(one)]),
      );
    }
    const text = isMutable(each) ? places.get(place++) : undefined;
    if (text === undefined) return each;
    if (typeof each !== "string") return parseJson(text);
    // Data keeps its first bytes, which select the instruction.
    return /^\d+$/.test(each) ? text : each.slice(0, 2) + "z".repeat(Math.max(0, each.length - 2));
  };
  return replace(block);
}

const isMutable = (each: Json | undefined): boolean =>
  isNumeric(each) || (typeof each === "string" && (/^\d+$/.test(each) || (each.length < 60 && BASE58.test(each))));

/** Returns which slots an index of blocks contains, and those of its gaps. */
async function index(blocks: readonly Json[]) {
  const [gaps, path]: [number[], string] = [[], join(folder, `${++files}.index.db`)];
  await indexInto(serve(blocks), {
    ...{ path, from: SLOT, follow: false, opening: false, firstDelay: 0 },
    onEvent(event) {
      if (event.kind !== "gap") return;
      // Blocks whose parents are wrong are read, and do not continue the chain.
      expect(["unreadable", "unanswered", "missing"]).toContain(event.reason);
      for (let slot = event.from; slot <= event.to; slot++) gaps.push(slot);
    },
  });
  const db = openDatabase(path, { readOnly: true });
  const stored = db.prepare("SELECT slot FROM blocks").all();
  db.close();
  return { stored: stored.map(({ slot }) => Number(slot)), gaps };
}

it("stores a block with any numbers, or has a gap there, and goes on", async () => {
  const blocks = await readBlocks();
  const choice = fc.record({ at: fc.nat(), text: value });
  const choices = fc.option(fc.array(choice, { minLength: 1, maxLength: 3 }), { freq: 9 });
  const outcomes = { stored: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...blocks.keys()], { minLength: 20, maxLength: 30 }),
      fc.array(choices, { minLength: 30, maxLength: 30 }),
      async (which, mutations) => {
        const chain = which.map((from, at) =>
          mutate({ ...(blocks[from] as JsonObject), parentSlot: SLOT + at - 1 }, mutations[at] ?? []),
        );
        const { stored, gaps } = await index(chain);
        expect([...stored, ...gaps].sort((a, b) => a - b)).toEqual(chain.map((_, at) => SLOT + at));
        for (const slot of gaps) expect(mutations[slot - SLOT]).not.toBeNull();
        outcomes.stored += stored.length;
        outcomes.refused += gaps.length;
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
  expect(Math.min(outcomes.stored, outcomes.refused)).toBeGreaterThan(0);
});

it("names the slot of a fee of 2^63", async () => {
  const [block] = Object.values(swaps) as JsonObject[];
  const wrong = { ...block, meta: { ...(block?.meta as JsonObject), fee: parseJson("9223372036854775808") } };
  expect(await index([{ ...blockOf([wrong as Json]), parentSlot: SLOT - 1 }])).toEqual({ stored: [], gaps: [SLOT] });
});
