/** Reads transactions of a node by their signatures. */
import {
  IncompleteError,
  isObject,
  type Json,
  type JsonObject,
  NODE_CHOICE,
  OTHER_NODE,
  ServerError,
  SolxError,
  tellAll,
} from "../../../base/index.ts";
import {
  type CallOptions,
  type ChainTransaction,
  type Commitment,
  decodeTransaction,
  failureJson,
  Member,
  type RpcCall,
} from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";

/** The commitments of methods that read transactions and blocks; a node has neither before it votes on them. */
type HistoryCommitment = Exclude<Commitment, "processed">;

/**
 * The highest version of transactions. Without it, nodes refuse everything but legacy transactions; the connection falls
 * back to the version before where a node does not know it.
 */
export const MAX_TRANSACTION_VERSION = 1;

/** Returns the commitment at which history is read. */
export const historyCommitment = ({ node }: Pick<ReadContext, "node">): HistoryCommitment =>
  node.commitment === "finalized" ? "finalized" : "confirmed";

/** Returns how a call is sent: results of finalised blocks are cached permanently, except that there is none. */
export function sendingOf({ sending }: Pick<ReadContext, "sending">, commitment: Commitment): CallOptions {
  return commitment === "finalized" ? { ...sending, isFinal: (result: Json) => result !== null } : sending;
}

/** Returns the newest slot at a commitment. */
export async function readSlot({ node, sending }: ReadContext, commitment: Commitment): Promise<number> {
  return new Member(await node.call("getSlot", [{ commitment }], sending)).count();
}

/** Returns the result, or throws the error that a call of several ended with. */
function unwrap(result: Json | SolxError | undefined): Json {
  if (result === undefined) throw new Member(result, "a batch").malformed("as long as its calls");
  if (result instanceof SolxError) throw result;
  return result;
}

/** Milliseconds for which the newest finalised slot is used without asking again: a slot takes about as long. */
const FINAL_SLOT_AGE = 400;

/** Whether the block of a slot is finalised. */
export async function isFinalSlot(context: ReadContext, slot: number): Promise<boolean> {
  const known = await context.session.once("finalised slot", async () => ({
    slot: -1,
    time: Number.NEGATIVE_INFINITY,
  }));
  if (slot <= known.slot) return true;
  const now = context.node.now();
  if (now - known.time < FINAL_SLOT_AGE) return false;
  known.slot = Math.max(known.slot, await readSlot(context, "finalized"));
  known.time = now;
  return slot <= known.slot;
}

/** A signature, and whether its transaction is finalised, where that is known. */
interface TransactionRequest {
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

const MAX_REMEMBERED = 1000;

/**
 * Reads transactions. Those of unknown finality are requested as finalised first, which nearly all are, so that their
 * results are cached permanently. Undefined for transactions that the node does not know. What is final is remembered,
 * also when another one fails: a list that is read again continues there.
 */
export async function readTransactions(
  context: ReadContext,
  requests: readonly TransactionRequest[],
): Promise<readonly (NodeTransaction | undefined)[]> {
  const remembered = await context.session.once("transactions", async () => new Map<string, ChainTransaction>());
  const read = new Map<string, NodeTransaction>();
  for (const { signature } of requests) {
    const transaction = remembered.get(signature);
    if (transaction) read.set(signature, { transaction, isFinal: true });
  }
  const missing = requests.filter(({ signature }) => !read.has(signature));
  try {
    await readEncoded(context, missing, "base64", (signature, { result, isFinal }) => {
      const transaction = decodeTransaction(result, { signature });
      if (!transaction) return;
      read.set(signature, { transaction, isFinal });
      if (isFinal) remembered.set(signature, transaction);
    });
  } finally {
    while (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? "");
  }
  return requests.map(({ signature }) => read.get(signature));
}

/** A transaction as the list of an address has it. */
export interface ListedTransaction extends TransactionRequest {
  /** The address of the list. */
  readonly address: string;
  /** Other addresses whose lists have it, too. */
  readonly others?: readonly string[];
  readonly slot: number;
  readonly failed: boolean;
}

/**
 * Reads the transactions of a list.
 * @throws IncompleteError when the node does not return one; ServerError when one is not what the list says
 */
export async function readListed(
  context: ReadContext,
  rows: readonly ListedTransaction[],
): Promise<readonly NodeTransaction[]> {
  const read = await readTransactions(context, rows);
  return rows.map((row, at) => {
    const match = requireListed(read[at], row);
    checkListed(match.transaction, row);
    return match;
  });
}

/** @throws IncompleteError when the node does not return a transaction that it lists */
export function requireListed<T>(transaction: T | null | undefined, { signature }: ListedTransaction): T {
  if (transaction !== null && transaction !== undefined) return transaction;
  throw new IncompleteError(`The node lists the transaction ${signature} but does not return it.`, {
    code: "MISSING_HISTORY",
    hint: tellAll(NODE_CHOICE, (way) => `Read from a later time, or use a node with the full history: ${way}.`),
  });
}

/** @throws ServerError when a transaction is not what a list says of it: the list may be that of another address */
export function checkListed(
  { slot, error, keys, lookups }: ChainTransaction,
  { signature, address, others = [], ...row }: ListedTransaction,
): void {
  const knowsKeys = lookups.length === 0 || keys.some(({ fromLookupTable }) => fromLookupTable);
  const isNamed = (one: string) => keys.some((key) => key.address === one);
  const isOfAddress = !knowsKeys || [address, ...others].every(isNamed);
  if (isOfAddress && slot === row.slot && (error !== undefined) === row.failed) return;
  const what = isOfAddress ? "contradicts" : "does not name it in";
  throw new ServerError(`The node's list of ${address} ${what} the transaction ${signature}.`, {
    code: "MALFORMED_ANSWER",
    hint: OTHER_NODE,
  });
}

/** The result of a call for a transaction: null where the node does not know it. */
interface EncodedTransaction {
  readonly result: JsonObject | null;
  readonly isFinal: boolean;
}

/**
 * Reads transactions as the node returns them in an encoding.
 * @param onRead called for each that was read, also when another one fails
 */
export async function readEncoded(
  context: ReadContext,
  requests: readonly TransactionRequest[],
  encoding: TransactionEncoding,
  onRead?: (signature: string, transaction: EncodedTransaction) => void,
): Promise<readonly EncodedTransaction[]> {
  const fallback = historyCommitment(context);
  const results = new Map<string, EncodedTransaction>();
  const read = async (batch: readonly TransactionRequest[], commitment: HistoryCommitment) => {
    if (batch.length === 0) return;
    const signatures = batch.map(({ signature }) => signature);
    const answers = await callForEach(context, signatures, { encoding, commitment });
    const failures: unknown[] = [];
    for (const [at, signature] of signatures.entries()) {
      try {
        const result = transactionResult(unwrap(answers[at]));
        if (result === null) continue;
        const transaction = { result, isFinal: commitment === "finalized" };
        results.set(signature, transaction);
        onRead?.(signature, transaction);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
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

/**
 * Adds to a transaction, in any encoding, why it failed: the error of its `meta` in words.
 * @param decoded the transaction, where it was decoded already
 */
export function withFailure(form: JsonObject, decoded?: ChainTransaction): JsonObject {
  const { meta } = form;
  if (isObject(meta) && meta.err == null && !(isObject(meta.status) && "Err" in meta.status)) return form;
  const transaction = decoded ?? decodeTransaction(form);
  return transaction?.error === undefined ? form : { ...form, error: failureJson(transaction.error, transaction) };
}

function callForEach(
  context: ReadContext,
  signatures: readonly string[],
  settings: { readonly encoding: TransactionEncoding; readonly commitment: HistoryCommitment },
): Promise<readonly (Json | SolxError)[]> {
  const calls: RpcCall[] = signatures.map((signature) => ({
    method: "getTransaction",
    params: [signature, { ...settings, maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION }],
  }));
  return context.node.callMany(calls, sendingOf(context, settings.commitment));
}

const transactionResult = (result: Json): JsonObject | null => (result === null ? null : new Member(result).object());
