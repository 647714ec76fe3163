/** Blocks in a node's answers, with any detail of their transactions. */
import { isMissing, type Json, ServerError, withMessage } from "../../../base/index.ts";
import {
  amountOf,
  countOf,
  integerOf,
  listOf,
  objectOf,
  optionalCount,
  optionalInteger,
  optionalList,
  optionalText,
  textOf,
} from "../members.ts";
import type { ChainBlock, ChainReward, ChainTransaction } from "../model.ts";
import { decodeEntry } from "./transaction.ts";

/**
 * Returns the block in an answer of `getBlock`; undefined when the node answers without a block.
 * @throws ServerError when the answer is malformed
 */
export function decodeBlock(result: Json, slot: number): ChainBlock | undefined {
  if (result === null) return undefined;
  const block = objectOf(result, "result");
  const time = optionalInteger(block.blockTime, "blockTime");
  const transactions = optionalList(block.transactions, "transactions").map((entry, index) =>
    transactionAt(entry, { slot, index, blockTime: time }),
  );
  return {
    slot,
    parentSlot: countOf(block.parentSlot, "parentSlot"),
    blockhash: textOf(block.blockhash, "blockhash"),
    previousBlockhash: textOf(block.previousBlockhash, "previousBlockhash"),
    height: optionalCount(block.blockHeight, "blockHeight"),
    time,
    rewards: optionalList(block.rewards, "rewards").map(rewardOf),
    transactions,
    signatures: signaturesOf(block.signatures) ?? (isMissing(block.transactions) ? undefined : firstOf(transactions)),
  };
}

/** Decodes an entry; an error names its position. */
function transactionAt(entry: Json, position: Parameters<typeof decodeEntry>[1] & { index: number }): ChainTransaction {
  try {
    return decodeEntry(entry, position);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw withMessage(error, error.message.replace(": ", `: transactions[${position.index}].`));
  }
}

const firstOf = (transactions: readonly ChainTransaction[]) =>
  transactions.map(({ signatures }) => signatures[0] ?? "");

function signaturesOf(value: Json | undefined): readonly string[] | undefined {
  return isMissing(value)
    ? undefined
    : listOf(value, "signatures").map((signature) => textOf(signature, "signatures[]"));
}

function rewardOf(value: Json): ChainReward {
  const reward = objectOf(value, "rewards[]");
  return {
    account: textOf(reward.pubkey, "rewards[].pubkey"),
    kind: (optionalText(reward.rewardType, "rewards[].rewardType") ?? "unknown").toLowerCase(),
    // Blocks pay less than a double holds.
    lamports: BigInt(integerOf(reward.lamports, "rewards[].lamports")),
    post: amountOf(reward.postBalance, "rewards[].postBalance"),
    commission: optionalCount(reward.commission, "rewards[].commission"),
  };
}
