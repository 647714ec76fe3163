/** Reads transactions of a node by their signatures. */
import { isObject, type Json, type JsonObject } from "../../../base/index.ts";
import { type ChainTransaction, decodeTransaction, malformed, type RpcCall } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { type HistoryCommitment, historyCommitment, MAX_TRANSACTION_VERSION, sendingOf, unwrap } from "./finality.ts";

/** A signature, and whether its transaction is finalised, where that is known. */
export interface TransactionRequest {
  readonly signature: string;
  readonly isFinal?: boolean | undefined;
}

/** An encoding in which a node returns transactions. */
export type TransactionEncoding = "base64" | "base58" | "json" | "jsonParsed";

/** A transaction as the node returned it. */
export interface NodeTransaction {
  readonly transaction: ChainTransaction;
  readonly isFinal: boolean;
}

/** Maximum number of finalised transactions in memory. */
const MAX_REMEMBERED = 1000;

/**
 * Reads transactions. Those of unknown finality are requested as finalised first, which nearly all are, so that their
 * results are cached permanently. Undefined for transactions that the node does not know.
 */
export async function readTransactions(
  context: ReadContext,
  requests: readonly TransactionRequest[],
): Promise<readonly (NodeTransaction | undefined)[]> {
  const remembered = await context.session.once("transactions", async () => new Map<string, ChainTransaction>());
  const missing = requests.filter(({ signature }) => !remembered.has(signature));
  const results = await readEncoded(context, missing, "base64");
  const read = new Map<string, NodeTransaction>();
  for (const [at, { signature }] of missing.entries()) {
    const { result, isFinal } = results[at] ?? { result: null, isFinal: false };
    const transaction = decodeTransaction(result, { signature });
    if (transaction) read.set(signature, { transaction, isFinal });
  }
  const transactions = requests.map(({ signature }) => {
    const known = remembered.get(signature);
    return known ? { transaction: known, isFinal: true } : read.get(signature);
  });
  for (const [signature, { transaction, isFinal }] of read) if (isFinal) remembered.set(signature, transaction);
  while (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? "");
  return transactions;
}

/** The result of a call for a transaction: null where the node does not know it. */
export interface EncodedTransaction {
  readonly result: JsonObject | null;
  readonly isFinal: boolean;
}

/** Reads transactions as the node returns them in an encoding. */
export async function readEncoded(
  context: ReadContext,
  requests: readonly TransactionRequest[],
  encoding: TransactionEncoding,
): Promise<readonly EncodedTransaction[]> {
  const fallback = historyCommitment(context);
  const results = new Map<string, EncodedTransaction>();
  const read = async (batch: readonly TransactionRequest[], commitment: HistoryCommitment) => {
    if (batch.length === 0) return;
    const signatures = batch.map(({ signature }) => signature);
    const answers = await callForEach(context, signatures, { encoding, commitment });
    for (const [at, signature] of signatures.entries()) {
      const result = answers[at] ?? null;
      if (result !== null) results.set(signature, { result, isFinal: commitment === "finalized" });
    }
  };
  const isRecent = ({ isFinal }: TransactionRequest) => isFinal === false && fallback !== "finalized";
  await Promise.all([
    read(requests.filter(isRecent), fallback),
    read(
      requests.filter((request) => !isRecent(request)),
      "finalized",
    ),
  ]);
  if (fallback !== "finalized") {
    const absent = requests.filter((request) => !isRecent(request) && !results.has(request.signature));
    await read(absent, fallback);
  }
  return requests.map(({ signature }) => results.get(signature) ?? { result: null, isFinal: false });
}

interface TransactionSettings {
  readonly encoding: TransactionEncoding;
  readonly commitment: HistoryCommitment;
}

async function callForEach(
  context: ReadContext,
  signatures: readonly string[],
  settings: TransactionSettings,
): Promise<readonly (JsonObject | null)[]> {
  const calls: RpcCall[] = signatures.map((signature) => ({
    method: "getTransaction",
    params: [signature, { ...settings, maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION }],
  }));
  const options = sendingOf(context, settings.commitment);
  const [first] = calls;
  if (calls.length === 1 && first)
    return [transactionResult(await context.node.call(first.method, first.params, options))];
  const results = await context.node.callMany(calls, options);
  return calls.map((_, at) => transactionResult(unwrap(results[at])));
}

function transactionResult(result: Json): JsonObject | null {
  if (result !== null && !isObject(result)) throw malformed("result", "a transaction");
  return result;
}
