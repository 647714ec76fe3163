/** Transactions, blocks and accounts in the encodings of the wire. */
import { zstdCompressSync } from "node:zlib";
import type { Account } from "./account.ts";
import type { Block } from "./chain.ts";
import { invalidParams, RpcError } from "./errors.ts";
import { base58, type ParseContext, parseAccount } from "./parse-account.ts";
import { parseInstruction } from "./parse-instruction.ts";
import type { CompiledInstruction, ExecutedTransaction, TransactionKey } from "./transaction.ts";
import { isObjectWire, type Wire, type WireObject } from "./wire.ts";

/** The encodings of transactions. */
export type TransactionEncoding = "json" | "jsonParsed" | "base64" | "base58";

const TRANSACTION_ENCODINGS: readonly Wire[] = ["json", "jsonParsed", "base64", "base58"];

/** Returns the encoding that options ask for: `json` by default. */
export function transactionEncoding(encoding: Wire = "json"): TransactionEncoding {
  if (!TRANSACTION_ENCODINGS.includes(encoding)) {
    throw invalidParams(`Invalid params: unknown variant \`${String(encoding)}\`.`);
  }
  return encoding as TransactionEncoding;
}

/** Returns `version`, or an empty object when the request does not know versions. Throws -32015 for higher versions. */
function versionFields({ version }: ExecutedTransaction, maxVersion: number | undefined): WireObject {
  if (version !== "legacy" && (maxVersion === undefined || maxVersion < version)) {
    throw new RpcError(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with ` +
        `the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  return maxVersion === undefined ? {} : { version };
}

/** Returns a transaction with its effects. */
export function encodeTransaction(
  executed: ExecutedTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
): WireObject {
  return {
    ...versionFields(executed, maxVersion),
    transaction: encodeMessage(executed, encoding),
    meta: encodeMeta(executed, encoding, maxVersion),
  };
}

function encodeMessage(executed: ExecutedTransaction, encoding: TransactionEncoding): Wire {
  const { bytes, signatures, header, staticKeys, keys, blockhash, instructions, lookups, version } = executed;
  if (encoding === "base64") return [Buffer.from(bytes).toString("base64"), "base64"];
  if (encoding === "base58") return [base58(bytes), "base58"];
  const encode = (instruction: CompiledInstruction) => encodeInstruction(instruction, keys, encoding);
  const message =
    encoding === "json" ? { header, accountKeys: staticKeys } : { accountKeys: keys.map((key) => ({ ...key })) };
  return {
    signatures,
    message: {
      ...message,
      recentBlockhash: blockhash,
      instructions: instructions.map(encode),
      ...(version === 0 && { addressTableLookups: lookups.map((lookup) => ({ ...lookup })) }),
    },
  };
}

/** Returns an instruction; in the parsed encoding those of unknown programs keep their bytes. */
export function encodeInstruction(
  instruction: CompiledInstruction,
  keys: readonly TransactionKey[],
  encoding: TransactionEncoding,
): Wire {
  const { programIdIndex, accounts, data, stackHeight } = instruction;
  if (encoding !== "jsonParsed") return { programIdIndex, accounts, data: base58(data), stackHeight };
  const programId = keys[programIdIndex]?.pubkey ?? "";
  const addresses = accounts.map((index) => keys[index]?.pubkey ?? "");
  const parsed = parseInstruction(programId, addresses, data);
  if (parsed !== undefined) return { ...parsed, programId, stackHeight };
  return { accounts: addresses, data: base58(data), programId, stackHeight };
}

function encodeMeta(
  executed: ExecutedTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
): WireObject {
  const { inner, keys, logs, returnData, computeUnits, costUnits, loaded } = executed;
  return {
    ...balanceFields(executed),
    innerInstructions: inner.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((instruction) => encodeInstruction(instruction, keys, encoding)),
    })),
    logMessages: logs,
    rewards: [],
    ...(encoding !== "jsonParsed" && maxVersion !== undefined && { loadedAddresses: { ...loaded } }),
    ...(returnData && {
      returnData: {
        programId: returnData.programId,
        data: [Buffer.from(returnData.data).toString("base64"), "base64"],
      },
    }),
    computeUnitsConsumed: computeUnits,
    costUnits,
  };
}

function balanceFields(executed: ExecutedTransaction): WireObject {
  const { err, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = executed;
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee,
    preBalances,
    postBalances,
    preTokenBalances: preTokenBalances.map((balance) => ({ ...balance })),
    postTokenBalances: postTokenBalances.map((balance) => ({ ...balance })),
  };
}

/** How much of a block's transactions an answer has. */
export type TransactionDetails = "full" | "accounts" | "signatures" | "none";

/** Returns a block. */
export function encodeBlock(
  block: Block,
  details: TransactionDetails,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
  withRewards: boolean,
): WireObject {
  const { transactions } = block;
  const parts: Readonly<Record<TransactionDetails, () => WireObject>> = {
    full: () => ({ transactions: transactions.map((each) => encodeTransaction(each, encoding, maxVersion)) }),
    accounts: () => ({ transactions: transactions.map((each) => encodeAccounts(each, maxVersion)) }),
    signatures: () => ({ signatures: transactions.map(({ signatures }) => signatures[0] ?? "") }),
    none: () => ({}),
  };
  return {
    blockHeight: block.height,
    blockTime: block.time,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.previousBlockhash,
    ...parts[details](),
    ...(withRewards && { rewards: block.rewards.map((reward) => ({ ...reward })) }),
  };
}

function encodeAccounts(executed: ExecutedTransaction, maxVersion: number | undefined): WireObject {
  return {
    ...versionFields(executed, maxVersion),
    transaction: { signatures: executed.signatures, accountKeys: executed.keys.map((key) => ({ ...key })) },
    meta: balanceFields(executed),
  };
}

/** The rent epoch of accounts that never pay rent: all of them. */
const RENT_EPOCH = 18_446_744_073_709_551_615n;
const MAX_BASE58 = 128;

/** Returns an account; undefined options mean base58 without a label, as nodes do. */
export function encodeAccount(account: Account, options: WireObject, context: ParseContext): WireObject {
  const { lamports, owner, executable, data } = account;
  return {
    data: encodeData(account, options, context),
    executable,
    lamports,
    owner,
    rentEpoch: RENT_EPOCH,
    space: data.length,
  };
}

function encodeData(account: Account, { encoding, dataSlice }: WireObject, context: ParseContext): Wire {
  const data = slice(account.data, dataSlice);
  if (encoding === "jsonParsed") {
    const parsed = dataSlice === undefined ? parseAccount(account, context) : undefined;
    return parsed ?? [Buffer.from(data).toString("base64"), "base64"];
  }
  if (encoding === "base64") return [Buffer.from(data).toString("base64"), "base64"];
  if (encoding === "base64+zstd") return [zstdCompressSync(data).toString("base64"), "base64+zstd"];
  if (encoding !== undefined && encoding !== "base58" && encoding !== "binary") {
    throw invalidParams(`Invalid params: unknown variant \`${String(encoding)}\`.`);
  }
  if (data.length > MAX_BASE58) {
    throw new RpcError(
      -32600,
      "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
    );
  }
  return encoding === "base58" ? [base58(data), "base58"] : base58(data);
}

function slice(data: Uint8Array, dataSlice: Wire | undefined): Uint8Array {
  if (!isObjectWire(dataSlice)) return data;
  const offset = Number(dataSlice.offset ?? 0);
  return data.subarray(offset, offset + Number(dataSlice.length ?? 0));
}
