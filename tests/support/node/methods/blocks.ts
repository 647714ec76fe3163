/** Methods about blocks, slots and epochs. */

import type { Block } from "../chain.ts";
import { encodeBlock, type TransactionDetails, transactionEncoding } from "../encode.ts";
import { invalidParams, RpcError } from "../errors.ts";
import { VOTE_PROGRAM } from "../parse-vote.ts";
import type { ExecutedTransaction } from "../transaction.ts";
import type { Wire, WireObject } from "../wire.ts";
import { isObjectWire } from "../wire.ts";
import {
  blockOf,
  commitmentOf,
  integerAt,
  type Method,
  type NodeContext,
  optionsAt,
  slotAt,
  withContext,
} from "./request.ts";

const MAX_RANGE = 500_000;
const DETAILS: readonly Wire[] = ["full", "accounts", "signatures", "none"];

/** Returns the block of a slot, or throws why there is none. */
function findBlock({ chain }: NodeContext, slot: number, commitment: "confirmed" | "finalized"): Block {
  if (chain.missing.has(slot)) {
    throw new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`);
  }
  if (slot < chain.firstAvailable) {
    const available = `First available block: ${chain.firstAvailable}`;
    throw new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. ${available}`);
  }
  const block = chain.block(slot);
  if (slot > chain.blockAt(commitment).slot) throw new RpcError(-32004, `Block not available for slot ${slot}`);
  if (block === undefined) {
    throw new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
  }
  return block;
}

/** Returns the highest transaction version that a request understands; undefined when it does not say. */
export function maxVersionOf({ limits }: NodeContext, options: WireObject): number | undefined {
  const version = options.maxSupportedTransactionVersion ?? undefined;
  if (version === undefined) return undefined;
  if (typeof version !== "number" || version > (limits.maxTransactionVersion ?? 1)) {
    throw invalidParams(`Invalid params: unsupported maxSupportedTransactionVersion ${String(version)}.`);
  }
  return version;
}

/** The options of a block or a transaction: old clients send the encoding alone. */
export function encodingOptions(params: readonly Wire[]): WireObject {
  return typeof params[1] === "string" ? { encoding: params[1] } : optionsAt(params, 1);
}

const getBlock: Method = (context, params) => {
  const options = encodingOptions(params);
  const block = findBlock(context, slotAt(params, 0), commitmentOf(context, options, "confirmed") as "confirmed");
  const details = options.transactionDetails ?? "full";
  if (!DETAILS.includes(details)) throw invalidParams(`Invalid params: unknown variant \`${String(details)}\`.`);
  const encoding = transactionEncoding(options.encoding);
  const withRewards = options.rewards !== false;
  return encodeBlock(block, details as TransactionDetails, encoding, maxVersionOf(context, options), withRewards);
};

const getBlockTime: Method = (context, params) => findBlock(context, slotAt(params, 0), "confirmed").time;

/** Returns the slots with blocks from a slot on. */
function slotsFrom(context: NodeContext, first: number, last: number, options: WireObject): number[] {
  const commitment = commitmentOf(context, options, "confirmed");
  const end = Math.min(last, context.chain.blockAt(commitment).slot);
  const start = Math.max(first, context.chain.firstAvailable);
  return context.chain.blocks
    .filter(({ slot }) => slot >= start && slot <= end && !context.chain.missing.has(slot))
    .map(({ slot }) => slot);
}

const getBlocks: Method = (context, params) => {
  const first = slotAt(params, 0);
  const hasEnd = typeof params[1] === "number";
  const last = hasEnd ? slotAt(params, 1) : Number.POSITIVE_INFINITY;
  if (hasEnd && last - first > MAX_RANGE) throw invalidParams(`Slot range too large; max ${MAX_RANGE}`);
  return slotsFrom(context, first, last, optionsAt(params, hasEnd || params[1] === null ? 2 : 1));
};

const getBlocksWithLimit: Method = (context, params) => {
  const limit = slotAt(params, 1);
  if (limit > MAX_RANGE) throw invalidParams(`Limit too large; max ${MAX_RANGE}`);
  return slotsFrom(context, slotAt(params, 0), Number.POSITIVE_INFINITY, optionsAt(params, 2)).slice(0, limit);
};

const transactionCount = (context: NodeContext, block: Block): number =>
  context.chain.blocks.reduce(
    (sum, { slot, transactions }) => (slot <= block.slot ? sum + transactions.length : sum),
    0,
  );

const getEpochInfo: Method = (context, params) => {
  const block = blockOf(context, optionsAt(params, 0));
  const { slotsPerEpoch } = context.chain;
  return {
    absoluteSlot: block.slot,
    blockHeight: block.height,
    epoch: context.chain.epochOf(block.slot),
    slotIndex: block.slot % slotsPerEpoch,
    slotsInEpoch: slotsPerEpoch,
    transactionCount: transactionCount(context, block),
  };
};

const getLatestBlockhash: Method = (context, params) => {
  const { slot, blockhash, height } = blockOf(context, optionsAt(params, 0));
  return withContext(slot, { blockhash, lastValidBlockHeight: height + 150 });
};

const isBlockhashValid: Method = (context, params) => {
  const options = optionsAt(params, 1);
  const { slot } = blockOf(context, options);
  return withContext(slot, context.chain.isBlockhashValid(String(params[0]), commitmentOf(context, options)));
};

const getSlotLeaders: Method = ({ chain }, params) => {
  const [first, limit] = [slotAt(params, 0), slotAt(params, 1)];
  if (limit < 1 || limit > 5000) throw invalidParams("Invalid limit; max 5000");
  return Array.from({ length: limit }, (_, index) => chain.leaderOf(first + index));
};

const getLeaderSchedule: Method = (context, params) => {
  const options = optionsAt(params, isObjectWire(params[0]) ? 0 : 1);
  const { chain } = context;
  const slot = integerAt(isObjectWire(params[0]) ? [] : params, 0) ?? blockOf(context, options).slot;
  const first = chain.epochOf(slot) * chain.slotsPerEpoch;
  const schedule = new Map<string, number[]>();
  for (let index = 0; index < chain.slotsPerEpoch; index += 1) {
    const leader = chain.leaderOf(first + index);
    if (options.identity !== undefined && options.identity !== leader) continue;
    const slots = schedule.get(leader);
    if (slots === undefined) schedule.set(leader, [index]);
    else slots.push(index);
  }
  return Object.fromEntries(schedule);
};

const getBlockProduction: Method = (context, params) => {
  const options = optionsAt(params, 0);
  const { chain } = context;
  const { slot } = blockOf(context, options);
  const range = isObjectWire(options.range) ? options.range : {};
  const firstSlot = Number(range.firstSlot ?? Math.max(chain.epochOf(slot) * chain.slotsPerEpoch, chain.firstSlot));
  const lastSlot = Number(range.lastSlot ?? slot);
  const byIdentity: Record<string, [number, number]> = {};
  for (let at = firstSlot; at <= lastSlot; at += 1) {
    const leader = chain.leaderOf(at);
    if (options.identity !== undefined && options.identity !== leader) continue;
    byIdentity[leader] ??= [0, 0];
    byIdentity[leader][0] += 1;
    if (chain.block(at) !== undefined) byIdentity[leader][1] += 1;
  }
  return withContext(slot, { byIdentity, range: { firstSlot, lastSlot } });
};

const isNoVote = ({ instructions, staticKeys }: ExecutedTransaction) =>
  instructions.some(({ programIdIndex }) => staticKeys[programIdIndex] !== VOTE_PROGRAM);

const SAMPLE_SLOTS = 150;

/** One sample for each 150 slots, newest first; the last one of a young chain is shorter. */
const getRecentPerformanceSamples: Method = ({ chain }, params) => {
  const limit = integerAt(params, 0) ?? 720;
  if (limit > 720) throw invalidParams("Invalid limit; max 720");
  const samples = [];
  for (let end = chain.tip.slot; end > chain.firstSlot && samples.length < limit; end -= SAMPLE_SLOTS) {
    const start = Math.max(end - SAMPLE_SLOTS, chain.firstSlot);
    const blocks = chain.blocks.filter(({ slot }) => slot > start && slot <= end);
    const numTransactions = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
    samples.push({
      slot: end,
      numSlots: blocks.length,
      numTransactions,
      numNonVoteTransactions: blocks.reduce((sum, block) => sum + block.transactions.filter(isNoVote).length, 0),
      samplePeriodSecs: Math.max(Math.round((end - start) * 0.4), 1),
    });
  }
  return samples;
};

/** A node that has removed nothing has the genesis block. */
const firstAvailable: Method = ({ chain }) => (chain.firstAvailable === chain.firstSlot ? 0 : chain.firstAvailable);

export const BLOCK_METHODS: Readonly<Record<string, Method>> = {
  getBlock,
  getBlockTime,
  getBlocks,
  getBlocksWithLimit,
  getBlockHeight: (context, params) => blockOf(context, optionsAt(params, 0)).height,
  getSlot: (context, params) => blockOf(context, optionsAt(params, 0)).slot,
  getSlotLeader: (context, params) => context.chain.leaderOf(blockOf(context, optionsAt(params, 0)).slot),
  getTransactionCount: (context, params) => transactionCount(context, blockOf(context, optionsAt(params, 0))),
  getFirstAvailableBlock: firstAvailable,
  minimumLedgerSlot: firstAvailable,
  getEpochInfo,
  getEpochSchedule: ({ chain: { slotsPerEpoch } }) => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: slotsPerEpoch,
    slotsPerEpoch,
    warmup: false,
  }),
  getLatestBlockhash,
  isBlockhashValid,
  getSlotLeaders,
  getLeaderSchedule,
  getBlockProduction,
  getBlockCommitment: ({ chain }, params) => ({
    commitment: chain.commitmentOf(slotAt(params, 0)) === "finalized" ? null : Array.from({ length: 32 }, () => 0),
    totalStake: 0,
  }),
  getRecentPerformanceSamples,
};
