/** Blocks and transactions of the chain as facts for a ledger. Loaded when it is needed. */

import type { ChainDecoder, DecodedInstruction, RewardFact, SourceBlock } from "../../ledger/index.ts";
import {
  type ChainBlock,
  type ChainReward,
  type ChainTransaction,
  failureJson,
  type Idl,
  loadIdlDecoder,
  loadParsers,
  loadSwaps,
} from "../../solana/index.ts";
import { FactCollector } from "./collector.ts";
import { type ChainKnowledge, createKnowledge } from "./knowledge.ts";
import { replayTransaction } from "./transaction.ts";

export { createKnowledge } from "./knowledge.ts";

/** Options of conversions. */
export interface ConversionOptions {
  /** What is known about accounts; nothing by default. The conversion adds what the transactions say. */
  readonly knowledge?: ChainKnowledge;
  /** Returns the epoch of a slot; by that of mainnet by default. */
  readonly epochOf?: (slot: number) => number;
  /** Selects the transactions of a block; all by default. The totals of the block are always those of all. */
  readonly select?: (transaction: ChainTransaction) => boolean;
  /** Called with the program of each instruction that has no parsed form. */
  readonly onUnparsed?: (program: string) => void;
}

const SLOTS_PER_EPOCH = 432_000;
const REWARD_KINDS = ["fee", "staking", "rent", "voting"] as const;

/** Returns the facts of a block. */
export async function blockToFacts(block: ChainBlock, options: ConversionOptions = {}): Promise<SourceBlock> {
  const converted = await convert(block, options);
  if (!options.select) return converted;
  return { ...converted, totals: { transactions: block.transactions.length } };
}

async function convert(block: ChainBlock, options: ConversionOptions): Promise<SourceBlock> {
  const { knowledge = createKnowledge(), select } = options;
  const epoch = (options.epochOf ?? defaultEpochOf)(block.slot);
  const [{ parseInstructions }, { findExchanges, platformOf }] = await Promise.all([loadParsers(), loadSwaps()]);
  const collector = new FactCollector(knowledge, platformOf);
  const selected = select ? block.transactions.filter(select) : block.transactions;
  const transactions = selected.map((raw) => {
    const transaction = parseInstructions(raw);
    for (const { parsed, program } of transaction.instructions) if (!parsed) options.onUnparsed?.(program);
    const exchanges = findExchanges(transaction);
    const replayed = replayTransaction(transaction, exchanges, knowledge);
    collector.add(transaction, replayed, epoch);
    collector.addPools(exchanges);
    return replayed.fact;
  });
  const { slot, height, time, blockhash: hash, parentSlot, previousBlockhash: parentHash } = block;
  const fees = block.rewards.filter(({ kind }) => kind === "fee");
  const leader = fees[0]?.account;
  return {
    slot,
    ...(height !== undefined && { height }),
    ...(time !== undefined && { time }),
    ...{ hash, parentSlot, parentHash },
    ...(block.isPartial && { isPartial: true }),
    ...(leader !== undefined && { leader }),
    // Nodes may omit rewards: only an empty block has certainly none.
    ...((leader !== undefined || (block.signatures ?? block.transactions).length === 0) && {
      feeRewards: fees.reduce((sum, { lamports }) => sum + lamports, 0n),
    }),
    facts: collector.toFacts(),
    transactions,
    rewards: block.rewards.map((reward) => rewardOf(reward, epoch)),
  };
}

/**
 * Returns the facts of transactions, as blocks in the order of the chain that contain only these transactions: without
 * hashes, rewards and totals.
 */
export async function transactionsToFacts(
  transactions: readonly ChainTransaction[],
  options: ConversionOptions = {},
): Promise<readonly SourceBlock[]> {
  const knowledge = options.knowledge ?? createKnowledge();
  const bySlot = Map.groupBy(transactions, ({ slot }) => slot);
  const blocks: SourceBlock[] = [];
  for (const slot of [...bySlot.keys()].sort((a, b) => a - b)) {
    const list = (bySlot.get(slot) ?? []).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
    blocks.push(await convert(blockOf(slot, list), { ...options, knowledge }));
  }
  return blocks;
}

const blockOf = (slot: number, transactions: readonly ChainTransaction[]): ChainBlock => ({
  slot,
  parentSlot: slot - 1,
  blockhash: "",
  previousBlockhash: "",
  height: undefined,
  time: transactions[0]?.blockTime,
  rewards: [],
  transactions,
  signatures: undefined,
});

const defaultEpochOf = (slot: number): number => Math.floor(slot / SLOTS_PER_EPOCH);

const rewardOf = ({ account, kind, lamports, post, commission }: ChainReward, epoch: number): RewardFact => ({
  account,
  kind: REWARD_KINDS.find((known) => known === kind) ?? "unknown",
  // Rewards of an epoch are paid in the next one.
  epoch: kind === "staking" || kind === "voting" ? epoch - 1 : epoch,
  amount: lamports,
  post,
  ...(commission !== undefined && { commission }),
});

/** The IDL decoder returns each argument as `{ type, data }`. */
type Arguments = NonNullable<DecodedInstruction["arguments"]>;

/**
 * Returns the decoder by which a ledger answers what instructions say: those of known programs as nodes parse them,
 * others by the interface of their program; and why transactions failed.
 * @param idlOf returns the interface of a program; undefined where there is none
 */
export async function createChainDecoder(idlOf?: (program: string) => Idl | undefined): Promise<ChainDecoder> {
  const [{ parseInstruction }, interpreter] = await Promise.all([loadParsers(), idlOf && loadIdlDecoder()]);
  return {
    instruction(instruction) {
      const { program, accounts, data } = instruction;
      const parsed = parseInstruction(program, accounts, data);
      if (parsed) return { info: parsed.info };
      const idl = idlOf?.(program);
      const decoded = idl && interpreter?.decodeInstructionByIdl(idl, instruction);
      return decoded && { name: decoded.name, arguments: decoded.args as unknown as Arguments };
    },
    failure: ({ error, programs, accounts, logs }) =>
      failureJson(error, {
        instructions: programs.map((program) => ({ parent: -1, program })),
        keys: accounts.map((address) => ({ address })),
        logs,
      }),
  };
}
