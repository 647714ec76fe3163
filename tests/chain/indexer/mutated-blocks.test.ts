/** Blocks with wrong numbers: each is stored, or a gap or an error that names its slot. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  SolxError,
} from "../../../src/base/index.ts";
import type { IndexEvent } from "../../../src/chain/indexer/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { NODE_ERROR, type NodeConnection } from "../../../src/chain/solana/index.ts";
import { recordings, resultOf } from "../../support/node/recorded.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { toJson } from "../../support/node/wire.ts";
import { connectTo } from "../../support/node-connection.ts";

const SLOT = 777;
const shared = useScenario();

const swaps = parseJson(
  readFileSync(new URL("../../fixtures/solana-swaps.json", import.meta.url), "utf8"),
) as JsonObject;
const recorded = recordings()
  .filter(({ method }) => method === "getBlock")
  .map((each) => parseJson(toJson(resultOf(each) ?? null)))
  .filter((block) => isObject(block) && isArray(block.transactions) && block.transactions.length < 300);

const blockOf = (transactions: readonly Json[]): JsonObject => ({
  ...{
    blockhash: "hash",
    previousBlockhash: "before",
    parentSlot: SLOT - 1,
    blockHeight: 700,
    blockTime: 1_700_000_000,
  },
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

/** Serves one block. */
const serve = (block: Json): NodeConnection => {
  const answers: Readonly<Record<string, Json>> = {
    ...{ getGenesisHash: "genesis", getFirstAvailableBlock: 0, getSlot: SLOT, getBlocks: [SLOT], getBlock: block },
    getEpochSchedule: { slotsPerEpoch: 432_000, firstNormalSlot: 0, firstNormalEpoch: 0 },
  };
  const call: NodeConnection["call"] = async (method) => {
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

async function index(block: Json) {
  const gaps: IndexEvent[] = [];
  const outcome = await indexInto(serve(block), {
    ...{ path: ":memory:", from: SLOT, to: SLOT, opening: false, firstDelay: 0 },
    onEvent: (event) => void (event.kind === "gap" && gaps.push(event)),
  }).catch((error: unknown) => error);
  return { outcome, gaps };
}

it("stores a block with any numbers, or names its slot", async () => {
  const blocks = await readBlocks();
  const choice = fc.record({ at: fc.nat(), text: value });
  const outcomes = { stored: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(choice, { minLength: 1, maxLength: 3 }), async (which, choices) => {
      const block = mutate(blocks[which % blocks.length] as Json, choices);
      const { outcome, gaps } = await index(block);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(SolxError);
        expect(outcome.message).toContain(`slot ${SLOT}`);
        expect((outcome as SolxError).exit).toBe("server");
        outcomes.refused += 1;
      } else if (gaps.length > 0) {
        expect(gaps).toMatchObject([{ from: SLOT, to: SLOT, reason: "unanswered" }]);
        outcomes.refused += 1;
      } else outcomes.stored += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(outcomes.stored, outcomes.refused)).toBeGreaterThan(0);
});

it("names the slot of a fee of 2^63", async () => {
  const [block] = Object.values(swaps) as JsonObject[];
  const wrong = { ...block, meta: { ...(block?.meta as JsonObject), fee: parseJson("9223372036854775808") } };
  expect((await index(blockOf([wrong as Json]))).gaps).toMatchObject([{ from: SLOT, to: SLOT }]);
});
