/** Methods about transactions: history, sending, simulation. */
import { getBase58Encoder } from "@solana/kit";
import { TransactionRefused } from "../chain.ts";
import { encodeAccount, encodeInstruction, encodeTransaction, transactionEncoding } from "../encode.ts";
import { invalidParams, RpcError } from "../errors.ts";
import { memosOf } from "../parse-instruction.ts";
import { decodeTransaction, type ExecutedTransaction, feesOf } from "../transaction.ts";
import type { Wire, WireObject } from "../wire.ts";
import { isObjectWire } from "../wire.ts";
import { encodingOptions, maxVersionOf } from "./blocks.ts";
import {
  addressAt,
  blockOf,
  checkAddress,
  commitmentOf,
  type Method,
  type NodeContext,
  optionsAt,
  withContext,
} from "./request.ts";

const signatureOf = ({ signatures }: ExecutedTransaction) => signatures[0] ?? "";

/** Returns a signature in base58. Throws when it is none. */
function checkSignature(value: Wire | undefined): string {
  if (typeof value !== "string") throw invalidParams("Invalid param: Invalid");
  try {
    if (getBase58Encoder().encode(value).length === 64) return value;
  } catch {
    throw invalidParams("Invalid param: Invalid");
  }
  throw invalidParams("Invalid param: WrongSize");
}

function checkHistory({ limits }: NodeContext): void {
  if (limits.withoutHistory) throw new RpcError(-32011, "Transaction history is not available from this node");
}

/** Whether the node still has a transaction, at a commitment. */
function isVisible({ chain }: NodeContext, { slot }: ExecutedTransaction, commitment: "confirmed" | "finalized") {
  return slot >= chain.firstAvailable && !chain.missing.has(slot) && slot <= chain.blockAt(commitment).slot;
}

const getTransaction: Method = (context, params) => {
  checkHistory(context);
  const signature = checkSignature(params[0]);
  const options = encodingOptions(params);
  const commitment = commitmentOf(context, options, "confirmed") as "confirmed";
  const maxVersion = maxVersionOf(context, options);
  const encoding = transactionEncoding(options.encoding);
  const executed = context.chain.transaction(signature);
  if (executed === undefined || !isVisible(context, executed, commitment)) return null;
  return {
    ...encodeTransaction(executed, encoding, maxVersion),
    slot: executed.slot,
    blockTime: context.chain.block(executed.slot)?.time ?? null,
    transactionIndex: executed.index,
  };
};

const MAX_SIGNATURES = 1000;

const getSignaturesForAddress: Method = (context, params) => {
  checkHistory(context);
  const key = addressAt(params, 0);
  const options = optionsAt(params, 1);
  const commitment = commitmentOf(context, options, "confirmed") as "confirmed";
  const limit = Number(options.limit ?? MAX_SIGNATURES);
  if (limit < 1 || limit > MAX_SIGNATURES) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
  const [before, until] = [options.before ?? undefined, options.until ?? undefined];
  for (const signature of [before, until]) if (signature !== undefined) checkSignature(signature);
  if (before === undefined && (context.limits.emptySignaturePages ?? 0) > 0) {
    context.limits.emptySignaturePages = (context.limits.emptySignaturePages ?? 0) - 1;
    return [];
  }
  const newestFirst = context.chain
    .transactionsOf(key)
    .filter((each) => isVisible(context, each, commitment))
    .toReversed();
  const isBefore = boundary(context, before);
  const isAfter = boundary(context, until);
  return newestFirst
    .filter((each) => (before === undefined || isBefore(each) < 0) && (until === undefined || isAfter(each) > 0))
    .slice(0, limit)
    .map((each) => signatureRow(context, each));
};

/** Compares transactions with one by their place in the chain; one that the node does not know is newer than all. */
function boundary({ chain }: NodeContext, signature: Wire | undefined): (each: ExecutedTransaction) => number {
  const at = typeof signature === "string" ? chain.transaction(signature) : undefined;
  // An unknown `until` never stops the list, an unknown `before` leaves it empty.
  if (at === undefined) return () => 1;
  return (each) => each.slot - at.slot || each.index - at.index;
}

function signatureRow({ chain }: NodeContext, executed: ExecutedTransaction): WireObject {
  const { instructions, keys, slot, err, index } = executed;
  return {
    signature: signatureOf(executed),
    slot,
    err,
    memo: memosOf(
      instructions.map(({ programIdIndex, data }) => ({ program: keys[programIdIndex]?.pubkey ?? "", data })),
    ),
    blockTime: chain.block(slot)?.time ?? null,
    confirmationStatus: chain.commitmentOf(slot) ?? null,
    transactionIndex: index,
  };
}

/** The statuses of so many slots are in memory; older ones need `searchTransactionHistory`. */
const RECENT_SLOTS = 300;

const getSignatureStatuses: Method = (context, params) => {
  const [signatures] = params;
  if (!Array.isArray(signatures)) throw invalidParams("Invalid params: invalid type: expected a sequence.");
  if (signatures.length > 256) throw invalidParams("Too many inputs provided; max 256");
  const withHistory = optionsAt(params, 1).searchTransactionHistory === true;
  if (withHistory) checkHistory(context);
  const { chain } = context;
  const statuses = signatures.map((signature): Wire => {
    const executed = chain.transaction(checkSignature(signature));
    const isRecent = executed !== undefined && executed.slot > chain.tip.slot - RECENT_SLOTS;
    if (executed === undefined || (!isRecent && !withHistory)) return null;
    if (executed.slot < chain.firstAvailable || chain.missing.has(executed.slot)) return null;
    const status = chain.commitmentOf(executed.slot) ?? "processed";
    const height = chain.block(executed.slot)?.height ?? chain.tip.height;
    return {
      slot: executed.slot,
      confirmations: status === "finalized" ? null : chain.tip.height - height,
      err: executed.err,
      status: executed.err === null ? { Ok: null } : { Err: executed.err },
      confirmationStatus: status,
    };
  });
  return withContext(chain.tip.slot, statuses);
};

/** Decodes the transaction of a request: base58 unless the options say base64. */
function transactionParam(params: readonly Wire[], options: WireObject) {
  const [text] = params;
  if (typeof text !== "string") throw invalidParams("`params` should have at least 1 argument(s)");
  const bytes =
    options.encoding === "base64" ? Buffer.from(text, "base64") : new Uint8Array(getBase58Encoder().encode(text));
  if (bytes.length === 0) throw invalidParams("io error: failed to fill whole buffer");
  if (bytes.length > 4096) throw invalidParams(`decoded VersionedTransaction too large: ${bytes.length} bytes`);
  return decodeTransaction(new Uint8Array(bytes));
}

/** Sentences of common errors, as nodes print them. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  AlreadyProcessed: "This transaction has already been processed",
  BlockhashNotFound: "Blockhash not executed",
  AccountNotFound: "Attempt to debit an account but executed no record of a prior credit.",
  InsufficientFundsForFee: "Insufficient funds for fee",
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
};

function describeError(err: Wire): string {
  if (typeof err === "string") return ERROR_TEXTS[err] ?? err;
  const instruction = isObjectWire(err) ? err.InstructionError : undefined;
  if (!Array.isArray(instruction)) return JSON.stringify(err);
  const [index, cause] = instruction as [number, Wire];
  const custom = isObjectWire(cause) ? Number(cause.Custom) : undefined;
  const text = custom === undefined ? String(cause) : `custom program error: 0x${custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${text}`;
}

const sendTransaction: Method = (context, params) => {
  const options = optionsAt(params, 1);
  const decoded = transactionParam(params, options);
  const [signature = ""] = decoded.signatures;
  if (options.skipPreflight !== true) {
    const { err, logs, computeUnits } = context.chain.simulate(decoded, { sigVerify: true });
    if (err === "SignatureFailure") throw new RpcError(-32003, "Transaction signature verification failure");
    if (err !== null) {
      throw new RpcError(-32002, `Transaction simulation failed: ${describeError(err)}`, {
        accounts: null,
        err,
        innerInstructions: null,
        logs,
        replacementBlockhash: null,
        returnData: null,
        unitsConsumed: computeUnits,
      });
    }
  }
  try {
    context.chain.send(decoded.bytes);
  } catch (error) {
    // Without preflight a node passes every transaction on; one that no block can have disappears.
    if (!(error instanceof TransactionRefused)) throw error;
  }
  return signature;
};

const simulateTransaction: Method = (context, params) => {
  const options = optionsAt(params, 1);
  const decoded = transactionParam(params, options);
  const replaceBlockhash = options.replaceRecentBlockhash === true;
  const sigVerify = options.sigVerify === true;
  if (replaceBlockhash && sigVerify) {
    throw invalidParams("sigVerify may not be used with replaceRecentBlockhash");
  }
  const { slot, blockhash, height, time } = blockOf(context, options);
  const result = context.chain.simulate(decoded, { sigVerify, replaceBlockhash });
  const { keys, returnData } = result;
  const view = context.chain.accountsAt("processed");
  const get = (key: string) => result.accounts.get(key) ?? view.get(key);
  const requested = isObjectWire(options.accounts) ? options.accounts : undefined;
  const accounts = requested && (requested.addresses as readonly Wire[]).map(checkAddress);
  return withContext(slot, {
    err: result.err,
    logs: result.logs,
    accounts:
      accounts?.map((key) => {
        const account = result.err === null ? get(key) : undefined;
        if (account === undefined || account.lamports === 0n) return null;
        return encodeAccount(account, { encoding: requested?.encoding ?? "base64" }, { get, time });
      }) ?? null,
    unitsConsumed: result.computeUnits,
    returnData: returnData
      ? { programId: returnData.programId, data: [Buffer.from(returnData.data).toString("base64"), "base64"] }
      : null,
    innerInstructions: options.innerInstructions
      ? result.inner.map(({ index, instructions }) => ({
          index,
          instructions: instructions.map((each) => encodeInstruction(each, keys, "jsonParsed")),
        }))
      : null,
    replacementBlockhash: replaceBlockhash ? { blockhash, lastValidBlockHeight: height + 150 } : null,
    fee: result.fee,
  });
};

const requestAirdrop: Method = (context, params) => {
  const key = addressAt(params, 0);
  const amount = params[1];
  if (typeof amount !== "number" && typeof amount !== "bigint") throw invalidParams("Invalid params: expected u64.");
  return context.airdrop(key, BigInt(amount));
};

const getFeeForMessage: Method = (context, params) => {
  const options = optionsAt(params, 1);
  const { slot } = blockOf(context, options);
  const message = Buffer.from(String(params[0]), "base64");
  // A message is a transaction without its signatures: with empty ones in front it can be decoded.
  const signers = message[0] === undefined || message[0] < 128 ? message[0] : message[1];
  const signatures = new Uint8Array(64 * (signers ?? 0));
  const isVersion1 = message[0] === 129;
  const bytes = isVersion1
    ? Buffer.concat([message, signatures])
    : Buffer.concat([Buffer.from([signers ?? 0]), signatures, message]);
  const decoded = decodeTransaction(new Uint8Array(bytes));
  const { base, priority } = feesOf(decoded);
  const isValid = context.chain.isBlockhashValid(decoded.blockhash);
  return withContext(slot, isValid ? base + priority : null);
};

/** The lowest price per compute unit of the transactions of a block that write to all of some accounts. */
const getRecentPrioritizationFees: Method = ({ chain }, params) => {
  const keys = Array.isArray(params[0]) ? params[0].map((key) => checkAddress(key)) : [];
  if (keys.length > 128) throw invalidParams("Too many inputs provided; max 128");
  return chain.blocks.slice(-150).map(({ slot, transactions }) => {
    const prices = transactions
      .filter((each) => keys.every((key) => each.keys.some(({ pubkey, writable }) => writable && pubkey === key)))
      .map((each) => {
        const { priority, units } = feesOf(each);
        return units === 0 ? 0 : Number((priority * 1_000_000n) / BigInt(units));
      });
    return { slot, prioritizationFee: prices.length > 0 ? Math.min(...prices) : 0 };
  });
};

export const TRANSACTION_METHODS: Readonly<Record<string, Method>> = {
  getTransaction,
  getSignaturesForAddress,
  getSignatureStatuses,
  sendTransaction,
  simulateTransaction,
  requestAirdrop,
  getFeeForMessage,
  getRecentPrioritizationFees,
};
