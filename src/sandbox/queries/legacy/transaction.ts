/** The legacy transaction endpoints. */

import type { JsonObject } from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { Reader } from "../../ledger/reader.ts";
import { notFound, type Queries } from "../query.ts";
import { amountOf, unixOf } from "../sql.ts";
import { stepsOf } from "../transaction/activities.ts";
import { type Infos, infosOf } from "../transaction/arguments.ts";
import { balancesOf, type Key, type TokenChange } from "../transaction/balances.ts";
import { type Head, linesOf, transactionHead } from "../transaction/head.ts";
import { statusOf } from "../transaction/summaries.ts";
import { latestTransactions } from "../transaction/transaction.ts";
import { callsOf, type Instruction, type Transfer, topOf, treeOf } from "../transaction/tree.ts";
import { rpcTransaction } from "./transaction-rpc.ts";

const title = (type: string): string =>
  type.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/^./, (letter) => letter.toUpperCase());

const instructionJson = (instruction: Instruction, infos: Infos): JsonObject => ({
  programId: instruction.program,
  program: instruction.programName,
  type: instruction.type,
  name: title(instruction.type),
  data: "",
  dataEncode: "",
  params: infos.get(instruction) ?? {},
});

const inputJson = ({ address, signer, writable, pre, post }: Key): JsonObject => ({
  account: address,
  signer,
  writable,
  preBalance: amountOf(pre),
  postBalance: amountOf(post),
});

const balanceJson = (db: Reader, change: TokenChange): JsonObject => ({
  account: db.addressOf(change.account),
  amount: { postAmount: String(change.post), preAmount: String(change.pre) },
  token: { decimals: change.decimals, tokenAddress: db.addressOf(change.token) },
});

const tokenTransferJson = (transfer: Transfer): JsonObject => ({
  source: transfer.source,
  destination: transfer.destination,
  source_owner: transfer.sourceOwner,
  destination_owner: transfer.destinationOwner,
  amount: transfer.amount,
  token: { address: transfer.token, decimals: transfer.decimals },
  type: transfer.type.replace("ACTIVITY_SPL_", "").toLowerCase(),
});

const solTransferJson = (transfer: Transfer): JsonObject => ({
  source: transfer.source,
  destination: transfer.destination,
  amount: amountOf(transfer.amount),
  type: transfer.type.replace("ACTIVITY_SPL_", "").toLowerCase(),
});

const isSol = ({ token }: Transfer): boolean => token === NATIVE_SOL;

/** The entity `LegacyTransactionDetail`. `lamport` is the SOL of all its transfers. */
export function legacyDetail(db: Reader, head: Head): JsonObject {
  const tree = treeOf(db, head.id);
  const infos = infosOf(db, head.id, tree, stepsOf(db, head, tree));
  const { keys, tokens } = balancesOf(db, head.id);
  const transfers = tree.flatMap((instruction) => instruction.transfers);
  return {
    blockTime: unixOf(db.clock, head.time),
    slot: head.slot,
    txHash: head.signature,
    fee: head.fee,
    status: statusOf(head.error ?? null),
    lamport: amountOf(transfers.filter(isSol).reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
    signer: keys.filter(({ signer }) => signer).map(({ address }) => address),
    logMessage: linesOf(head, tree),
    inputAccount: keys.map(inputJson),
    recentBlockhash: head.recentHash,
    innerInstructions: callsOf(tree).map(([index, inner]) => ({
      index,
      parsedInstructions: inner.map((each) => instructionJson(each, infos)),
    })),
    tokenBalanes: tokens.map((change) => balanceJson(db, change)),
    parsedInstruction: topOf(tree).map((each) => instructionJson(each, infos)),
    confirmations: null,
    tokenTransfers: transfers.filter((transfer) => !isSol(transfer)).map(tokenTransferJson),
    solTransfers: transfers.filter(isSol).map(solTransferJson),
    serumTransactions: [],
    raydiumTransactions: [],
    unknownTransfers: [],
  };
}

/** The legacy transaction endpoints. The latest transactions are all of them, votes included. */
export const legacyTransactionQueries: Queries = {
  "transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { votes: true });
    return { data: ids.flatMap((id) => rpcTransaction(db, id)) };
  },
  "transaction-detail": ({ db, params }) => {
    const head = transactionHead(db, params.need("signature"));
    if (!head) throw notFound("Transaction");
    return { data: legacyDetail(db, head) };
  },
};
