/** Blocks of a stream in the form of `getBlock` with the encoding base64, for the decoder that reads nodes' answers. */
import { type Json, toNumeric } from "../../../base/index.ts";
import { addressAt, encodeBase58, writeTransaction } from "../../solana/index.ts";
import { readTransactionError } from "./errors.ts";
import {
  BLOCK,
  type BlockMessage,
  type EffectsMessage,
  type RewardMessage,
  readMessage,
  type TokenBalanceMessage,
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
  const { signatures, message } = transaction;
  const version = message.limits ? 1 : message.isVersioned ? 0 : "legacy";
  const header = message.header ?? { signers: 0, readonlySigners: 0, readonlyOthers: 0 };
  const bytes = writeTransaction(signatures, { ...message, version, header });
  return { transaction: [bytes.toString("base64"), "base64"], meta: effectsAnswer(effects), version };
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
