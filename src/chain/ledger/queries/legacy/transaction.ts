/** The legacy transaction endpoints. */

import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { NATIVE_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { notFoundError, type QueriesByRoute } from "../query.ts";
import { amountOf, unixTimeOf } from "../sql.ts";
import { stepsOf } from "../transaction/activities.ts";
import { type ArgumentsByInstruction, readArguments } from "../transaction/arguments.ts";
import { type AccountKey, balancesOf, isFunded, type TokenChange } from "../transaction/balances.ts";
import { logLines, readTransactionHead, type TransactionHead } from "../transaction/head.ts";
import { encodedData, hexData } from "../transaction/instruction-data.ts";
import { isParsed } from "../transaction/parsed-programs.ts";
import { statusOf } from "../transaction/summaries.ts";
import { latestTransactions } from "../transaction/transaction.ts";
import {
  type Instruction,
  type InstructionTransfer,
  innerInstructionLists,
  topInstructions,
  treeOf,
} from "../transaction/tree.ts";
import { rpcTransaction } from "./transaction-rpc.ts";

const title = (type: string): string =>
  type.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/^./, (letter) => letter.toUpperCase());

/** Returns an instruction: the data of one that nodes do not parse in hexadecimal digits and in base58. */
function instructionJson(instruction: Instruction, infos: ArgumentsByInstruction): JsonObject {
  const params = infos.get(instruction) ?? {};
  const parsed = isParsed(instruction);
  return {
    programId: instruction.program,
    program: instruction.programName,
    type: instruction.type,
    name: title(instruction.type),
    data: parsed ? "" : hexData(instruction, params),
    dataEncode: parsed ? "" : encodedData(instruction, params),
    params,
  };
}

const inputJson = (key: AccountKey): JsonObject => ({
  account: key.address,
  signer: key.signer,
  writable: key.writable,
  ...(isFunded(key) ? { preBalance: amountOf(key.pre), postBalance: amountOf(key.post) } : {}),
});

const balanceJson = (db: LedgerReader, change: TokenChange): JsonObject => ({
  account: db.addressOf(change.account),
  amount: { postAmount: String(change.post), preAmount: String(change.pre) },
  token: omitMissing({ decimals: change.decimals, tokenAddress: db.addressOf(change.token) }),
});

const tokenTransferJson = (transfer: InstructionTransfer): JsonObject => ({
  source: transfer.source,
  destination: transfer.destination,
  source_owner: transfer.sourceOwner,
  destination_owner: transfer.destinationOwner,
  amount: transfer.amount,
  token: omitMissing({ address: transfer.token, decimals: transfer.decimals }),
  type: transfer.type.replace("ACTIVITY_SPL_", "").toLowerCase(),
});

const solTransferJson = (transfer: InstructionTransfer): JsonObject => ({
  source: transfer.source,
  destination: transfer.destination,
  amount: amountOf(transfer.amount),
  type: transfer.type.replace("ACTIVITY_SPL_", "").toLowerCase(),
});

const isSol = ({ token }: InstructionTransfer): boolean => token === NATIVE_SOL;

/** Returns the entity `LegacyTransactionDetail`. `lamport` is the SOL of all transfers. */
function legacyDetail(db: LedgerReader, head: TransactionHead): JsonObject {
  const tree = treeOf(db, head.id);
  const infos = readArguments(db, tree, stepsOf(db, head, tree));
  const { keys, tokens } = balancesOf(db, head.id);
  const transfers = tree.flatMap((instruction) => instruction.transfers);
  return {
    ...omitMissing({ blockTime: unixTimeOf(db, head.time) }),
    slot: head.slot,
    txHash: head.signature,
    fee: head.fee,
    status: statusOf(head.error ?? null),
    lamport: amountOf(transfers.filter(isSol).reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
    signer: keys.filter(({ signer }) => signer).map(({ address }) => address),
    ...omitMissing({ logMessage: logLines(db, head, tree) }),
    inputAccount: keys.map(inputJson),
    recentBlockhash: head.recentHash,
    innerInstructions: innerInstructionLists(tree).map(([index, inner]) => ({
      index,
      parsedInstructions: inner.map((each) => instructionJson(each, infos)),
    })),
    tokenBalanes: tokens.map((change) => balanceJson(db, change)),
    parsedInstruction: topInstructions(tree).map((each) => instructionJson(each, infos)),
    confirmations: null,
    tokenTransfers: transfers.filter((transfer) => !isSol(transfer)).map(tokenTransferJson),
    solTransfers: transfers.filter(isSol).map(solTransferJson),
    serumTransactions: [],
    raydiumTransactions: [],
    unknownTransfers: [],
  };
}

/** The legacy transaction endpoints. The latest transactions include votes. */
export const legacyTransactionQueries: QueriesByRoute = {
  "transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { votes: true });
    return { data: ids.flatMap((id) => rpcTransaction(db, id)) };
  },
  "transaction-detail": ({ db, params }) => {
    const head = readTransactionHead(db, params.required("signature"));
    if (!head) throw notFoundError("Transaction");
    return { data: legacyDetail(db, head) };
  },
};
