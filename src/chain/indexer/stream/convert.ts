/** Blocks of a stream in the form of `getBlock` with the encoding base64, for the decoder that reads nodes' answers. */
import { Buffer } from "node:buffer";
import { type Json, toNumeric } from "../../../base/index.ts";
import { addressAt, encodeBase58 } from "../../solana/index.ts";
import { readTransactionError } from "./errors.ts";
import {
  BLOCK,
  type BlockMessage,
  type EffectsMessage,
  type InstructionMessage,
  type RewardMessage,
  readMessage,
  type TokenBalanceMessage,
  type TransactionMessage,
} from "./messages.ts";

/** Returns a block as a node answers it. @throws Error when the bytes are no block, or transactions lack */
export function toBlockAnswer(bytes: Uint8Array): Json {
  const block = readMessage(BLOCK, bytes);
  const { transactions, transactionCount, rewards } = block;
  if (transactionCount !== BigInt(transactions.length)) throw new RangeError("the block lacks transactions");
  const ordered = transactions.toSorted((a, b) => Number(a.index - b.index));
  return {
    blockhash: block.blockhash,
    previousBlockhash: block.parentBlockhash,
    parentSlot: numberOf(block.parentSlot),
    blockTime: block.time ? numberOf(block.time.seconds) : null,
    blockHeight: block.height ? numberOf(block.height.height) : null,
    rewards: (rewards?.list ?? []).map(rewardAnswer),
    transactions: ordered.map(transactionAnswer),
  };
}

/** Returns a number with all its digits. */
const numberOf = (value: bigint): Json => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : toNumeric(String(value));
};

const REWARDS = [null, "Fee", "Rent", "Staking", "Voting", "DeactivatedStake"];

const rewardAnswer = ({ account, lamports, post, kind, commission }: RewardMessage): Json => ({
  pubkey: account,
  lamports: numberOf(lamports),
  postBalance: numberOf(post),
  rewardType: REWARDS[kind] ?? null,
  commission: commission === "" ? null : Number(commission),
});

function transactionAnswer({ transaction, effects }: BlockMessage["transactions"][number]): Json {
  if (!transaction?.message || !effects) throw new RangeError("a transaction without a message or effects");
  const { limits, isVersioned } = transaction.message;
  return {
    transaction: [wireBytes(transaction.signatures, transaction.message).toString("base64"), "base64"],
    meta: effectsAnswer(effects),
    version: limits ? 1 : isVersioned ? 0 : "legacy",
  };
}

function effectsAnswer(effects: EffectsMessage): Json {
  const { error, computeUnits, costUnits } = effects;
  return {
    err: error ? readTransactionError(error.bytes) : null,
    fee: numberOf(effects.fee),
    preBalances: effects.preBalances.map(numberOf),
    postBalances: effects.postBalances.map(numberOf),
    innerInstructions: effects.lacksInner
      ? null
      : effects.inner.map(({ index, instructions }) => ({
          index,
          instructions: instructions.map(({ program, accounts, data, height }) => ({
            programIdIndex: program,
            accounts: [...accounts],
            data: encodeBase58(data),
            stackHeight: height ?? null,
          })),
        })),
    logMessages: effects.lacksLogs ? null : effects.logs,
    preTokenBalances: effects.preTokenBalances.map(tokenBalanceAnswer),
    postTokenBalances: effects.postTokenBalances.map(tokenBalanceAnswer),
    loadedAddresses: {
      writable: effects.loadedWritable.map((key) => addressAt(key, 0)),
      readonly: effects.loadedReadonly.map((key) => addressAt(key, 0)),
    },
    computeUnitsConsumed: computeUnits === undefined ? null : numberOf(computeUnits),
    costUnits: costUnits === undefined ? null : numberOf(costUnits),
  };
}

const tokenBalanceAnswer = ({ account, mint, amount, owner, program }: TokenBalanceMessage): Json => ({
  accountIndex: account,
  mint,
  owner: owner || null,
  programId: program || null,
  uiTokenAmount: { amount: amount?.amount ?? "0", decimals: amount?.decimals ?? 0 },
});

type MessageParts = NonNullable<TransactionMessage["message"]>;

/** Returns the bytes of a transaction, which was taken apart: they are what `readTransaction` reads. */
function wireBytes(signatures: readonly Uint8Array[], message: MessageParts): Buffer {
  const { header, isVersioned, limits, lookups } = message;
  const counts = [header?.signers ?? 0, header?.readonlySigners ?? 0, header?.readonlyOthers ?? 0];
  if (limits) return join([[0x81], counts, ...sizedParts(message, limits), ...signatures]);
  return join([
    ...list(signatures, (signature) => [signature]),
    ...(isVersioned ? [[0x80], counts] : [counts]),
    ...list(message.keys, (key) => [key]),
    message.blockhash,
    ...list(message.instructions, ({ program, accounts, data }) => [[program], ...sized(accounts), ...sized(data)]),
    ...(isVersioned ? list(lookups, (each) => [each.table, ...sized(each.writable), ...sized(each.readonly)]) : []),
  ]);
}

/** The parts of a message of version 1 after its header. */
function sizedParts(
  { blockhash, keys, instructions }: MessageParts,
  { priorityFee, computeUnits, dataSize, heapSize }: NonNullable<MessageParts["limits"]>,
): Part[] {
  const fee = priorityFee === undefined ? undefined : BigUint64Array.of(priorityFee);
  const limits = [computeUnits, dataSize, heapSize].map((limit) => limit !== undefined && Uint32Array.of(limit));
  const mask = [fee, fee, ...limits].reduce((bits, limit, at) => bits | (limit ? 1 << at : 0), 0);
  const sizes = ({ program, accounts, data }: InstructionMessage) => [
    ...[program, accounts.length, data.length & 0xff, data.length >> 8],
  ];
  return [
    ...[[mask, 0, 0, 0], blockhash, [instructions.length, keys.length], ...keys],
    ...[fee, ...limits].flatMap((limit) => (limit ? [new Uint8Array(limit.buffer)] : [])),
    ...instructions.map(sizes),
    ...instructions.flatMap(({ accounts, data }) => [accounts, data]),
  ];
}

type Part = Uint8Array | readonly number[];

const join = (parts: readonly Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part))));

/** Returns a length in bytes of seven bits, the lowest first. */
const compact = (length: number): readonly number[] =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compact(length >> 7)];

const sized = (bytes: Uint8Array): Part[] => [compact(bytes.length), bytes];

const list = <T>(items: readonly T[], parts: (item: T) => readonly Part[]): Part[] => [
  compact(items.length),
  ...items.flatMap(parts),
];
