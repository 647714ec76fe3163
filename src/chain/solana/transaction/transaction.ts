/** Transactions and blocks in a node's answers, in every encoding, as one model. */
import {
  isArray,
  isMissing,
  isObject,
  type Json,
  type JsonObject,
  ServerError,
  withMessage,
} from "../../../base/index.ts";
import {
  amountOf,
  base58Of,
  base64Of,
  countOf,
  integerOf,
  listOf,
  malformed,
  objectOf,
  optionalCount,
  optionalInteger,
  optionalList,
  optionalText,
  textOf,
} from "../members.ts";
import type {
  ChainBlock,
  ChainReward,
  ChainTransaction,
  ResourceLimits,
  TableLookup,
  TokenBalance,
  TransactionKey,
} from "../model.ts";
import {
  type Call,
  callTree,
  type KeyList,
  readInnerInstructions,
  readInstruction,
  resolveInstruction,
} from "./instructions.ts";
import { isWritable, type Message, type MessageHeader, readTransaction, type WireTransaction } from "./message.ts";

/** Where a transaction stands in the chain, as the answer around it says. */
interface TransactionPosition {
  readonly slot: number;
  readonly index: number | undefined;
  readonly blockTime: number | undefined;
}

/**
 * Returns the transaction in an answer of `getTransaction`; undefined when the node does not know it.
 * @throws ServerError when the answer is malformed or about another transaction than the requested one
 */
export function decodeTransaction(
  result: Json,
  requested?: { readonly signature?: string },
): ChainTransaction | undefined {
  if (result === null) return undefined;
  const answer = objectOf(result, "result");
  const transaction = decodeEntry(answer, {
    slot: countOf(answer.slot, "slot"),
    index: optionalCount(answer.transactionIndex, "transactionIndex"),
    blockTime: optionalInteger(answer.blockTime, "blockTime"),
  });
  const signature = requested?.signature;
  if (signature !== undefined && !transaction.signatures.includes(signature)) {
    throw malformed("transaction.signatures", `the requested transaction ${signature}`);
  }
  return transaction;
}

/**
 * Returns the transaction in an entry of a block or in an answer of `getTransaction`: `transaction`, `meta`, `version`.
 * @throws ServerError when the entry is malformed
 */
function decodeEntry(value: Json, position: TransactionPosition): ChainTransaction {
  const entry = objectOf(value, "transaction");
  const meta = isMissing(entry.meta) ? undefined : objectOf(entry.meta, "meta");
  const { detail, instructions, complete, ...body } = readBody(entry.transaction, meta);
  const addresses = body.keys.map(({ address }) => address);
  const logs = meta && optionalTexts(meta.logMessages, "meta.logMessages");
  const inner = readInnerInstructions(meta?.innerInstructions, { addresses, complete });
  return {
    ...body,
    ...position,
    detail: meta === undefined ? "message" : detail,
    version: versionOf(entry.version) ?? body.version,
    instructions: callTree(instructions, inner, logs),
    logs,
    ...(meta === undefined ? NO_EFFECTS : effectsOf(meta, addresses)),
  };
}

type Effects = Pick<
  ChainTransaction,
  "error" | "fee" | "computeUnits" | "costUnits" | "preBalances" | "postBalances" | "tokenBalances" | "returnData"
>;

const NO_EFFECTS: Effects = {
  error: undefined,
  fee: 0n,
  computeUnits: undefined,
  costUnits: undefined,
  preBalances: [],
  postBalances: [],
  tokenBalances: [],
  returnData: undefined,
};

function effectsOf(meta: JsonObject, addresses: readonly string[]): Effects {
  return {
    error: errorOf(meta),
    fee: amountOf(meta.fee, "meta.fee"),
    computeUnits: optionalCount(meta.computeUnitsConsumed, "meta.computeUnitsConsumed"),
    costUnits: optionalCount(meta.costUnits, "meta.costUnits"),
    preBalances: balancesOf(meta.preBalances, "meta.preBalances"),
    postBalances: balancesOf(meta.postBalances, "meta.postBalances"),
    tokenBalances: joinTokenBalances(meta.preTokenBalances, meta.postTokenBalances, addresses),
    returnData: returnDataOf(meta.returnData),
  };
}

/** The first versions report errors only in `status`. */
function errorOf({ err, status }: JsonObject): Json | undefined {
  if (!isMissing(err)) return err;
  return isObject(status) && !isMissing(status.Err) ? status.Err : undefined;
}

function balancesOf(value: Json | undefined, member: string): readonly bigint[] {
  return listOf(value, member).map((balance) => amountOf(balance, member));
}

const textsOf = (value: Json | undefined, member: string): readonly string[] =>
  listOf(value, member).map((text) => textOf(text, `${member}[]`));

const optionalTexts = (value: Json | undefined, member: string): readonly string[] | undefined =>
  isMissing(value) ? undefined : textsOf(value, member);

function returnDataOf(value: Json | undefined): ChainTransaction["returnData"] {
  if (isMissing(value)) return undefined;
  const { programId, data } = objectOf(value, "meta.returnData");
  return {
    program: textOf(programId, "meta.returnData.programId"),
    data: base64Of(isArray(data) ? data[0] : data, "meta.returnData.data"),
  };
}

function versionOf(value: Json | undefined): "legacy" | number | undefined {
  if (isMissing(value)) return undefined;
  return value === "legacy" ? value : countOf(value, "version");
}

/** The part of a transaction that does not depend on its execution. */
interface Body {
  readonly detail: "full" | "accounts";
  readonly signatures: readonly string[];
  readonly version: "legacy" | number;
  readonly blockhash: string;
  readonly keys: readonly TransactionKey[];
  readonly lookups: readonly TableLookup[];
  readonly limits: ResourceLimits | undefined;
  readonly instructions: readonly Call[];
  /** Whether `keys` has those of the lookup tables. */
  readonly complete: boolean;
}

function readBody(value: Json | undefined, meta: JsonObject | undefined): Body {
  const loaded = loadedKeys(meta?.loadedAddresses);
  if (typeof value === "string" || isArray(value)) return wireBody(decodeWireTransaction(value), loaded);
  const transaction = objectOf(value, "transaction");
  const signatures = textsOf(transaction.signatures, "transaction.signatures");
  if (transaction.message === undefined) return accountsBody(transaction, signatures);
  return { ...messageBody(objectOf(transaction.message, "transaction.message"), loaded), signatures };
}

/**
 * Returns a transaction from its bytes: base64, or base58 in answers to requests without an encoding.
 * @throws ServerError when the bytes are no transaction
 */
function decodeWireTransaction(value: Json): WireTransaction {
  const [text, encoding] = isArray(value) ? value : [value, "base58"];
  const bytes = encoding === "base64" ? base64Of(text, "transaction") : base58Of(text, "transaction");
  try {
    return readTransaction(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw malformed("transaction", `a transaction (${error.message})`, error);
    throw error;
  }
}

function wireBody({ signatures, message }: WireTransaction, loaded: readonly TransactionKey[] | undefined): Body {
  const { version, blockhash, lookups, limits } = message;
  const { keys, complete } = withLoaded(ownKeys(message), lookups, loaded);
  const list: KeyList = { addresses: keys.map(({ address }) => address), complete };
  const instructions = message.instructions.map((instruction) => resolveInstruction(instruction, list, undefined));
  return { detail: "full", signatures, version, blockhash, keys, lookups, limits, instructions, complete };
}

/** Returns the keys that are in the message itself. */
function ownKeys({ header, keys }: Pick<Message, "header" | "keys">): readonly TransactionKey[] {
  return keys.map((address, position) => ({
    address,
    signer: position < header.signers,
    writable: isWritable(header, keys.length, position),
    fromLookupTable: false,
  }));
}

function withLoaded(
  own: readonly TransactionKey[],
  lookups: readonly TableLookup[],
  loaded: readonly TransactionKey[] | undefined,
): { readonly keys: readonly TransactionKey[]; readonly complete: boolean } {
  return { keys: loaded ? [...own, ...loaded] : own, complete: lookups.length === 0 || loaded !== undefined };
}

function loadedKeys(value: Json | undefined): readonly TransactionKey[] | undefined {
  if (isMissing(value)) return undefined;
  const { writable, readonly } = objectOf(value, "meta.loadedAddresses");
  const keysOf = (list: Json | undefined, isWritableList: boolean) =>
    optionalList(list, "meta.loadedAddresses").map((address) => ({
      address: textOf(address, "meta.loadedAddresses[]"),
      signer: false,
      writable: isWritableList,
      fromLookupTable: true,
    }));
  return [...keysOf(writable, true), ...keysOf(readonly, false)];
}

/** A block's entry with `transactionDetails: "accounts"`. */
function accountsBody({ accountKeys }: JsonObject, signatures: readonly string[]): Body {
  return {
    detail: "accounts",
    signatures,
    version: "legacy",
    blockhash: "",
    keys: listOf(accountKeys, "transaction.accountKeys").map(parsedKey),
    lookups: [],
    limits: undefined,
    instructions: [],
    complete: true,
  };
}

/** A message as an object: `json` has a header and plain keys, `jsonParsed` keys with their properties. */
function messageBody(message: JsonObject, loaded: readonly TransactionKey[] | undefined): Omit<Body, "signatures"> {
  const member = "transaction.message.accountKeys";
  const list = listOf(message.accountKeys, member);
  const lookups = optionalList(message.addressTableLookups, "transaction.message.addressTableLookups").map(lookupOf);
  const { keys, complete } = list.some(isObject)
    ? { keys: list.map(parsedKey), complete: true }
    : withLoaded(ownKeys({ header: headerOf(message.header), keys: textsOf(list, member) }), lookups, loaded);
  const positions: KeyList = { addresses: keys.map(({ address }) => address), complete };
  return {
    detail: "full",
    version: isMissing(message.addressTableLookups) ? "legacy" : 0,
    blockhash: textOf(message.recentBlockhash, "transaction.message.recentBlockhash"),
    keys,
    lookups,
    limits: undefined,
    instructions: listOf(message.instructions, "transaction.message.instructions").map((instruction) =>
      readInstruction(instruction, positions),
    ),
    complete,
  };
}

function parsedKey(value: Json): TransactionKey {
  const { pubkey, signer, writable, source } = objectOf(value, "accountKeys[]");
  return {
    address: textOf(pubkey, "accountKeys[].pubkey"),
    signer: signer === true,
    writable: writable === true,
    fromLookupTable: source === "lookupTable",
  };
}

function headerOf(value: Json | undefined): MessageHeader {
  const member = "transaction.message.header";
  const header = objectOf(value, member);
  return {
    signers: countOf(header.numRequiredSignatures, `${member}.numRequiredSignatures`),
    readonlySigners: countOf(header.numReadonlySignedAccounts, `${member}.numReadonlySignedAccounts`),
    readonlyOthers: countOf(header.numReadonlyUnsignedAccounts, `${member}.numReadonlyUnsignedAccounts`),
  };
}

function lookupOf(value: Json): TableLookup {
  const member = "transaction.message.addressTableLookups[]";
  const { accountKey, writableIndexes, readonlyIndexes } = objectOf(value, member);
  const positions = (list: Json | undefined, name: string) =>
    optionalList(list, `${member}.${name}`).map((index) => integerOf(index, `${member}.${name}[]`));
  return {
    table: textOf(accountKey, `${member}.accountKey`),
    writable: positions(writableIndexes, "writableIndexes"),
    readonly: positions(readonlyIndexes, "readonlyIndexes"),
  };
}

interface Row {
  readonly account: string;
  readonly mint: string;
  readonly decimals: number;
  readonly owner: string | undefined;
  readonly program: string | undefined;
  readonly amount: bigint;
}

/**
 * Returns one entry for each token account. An account that was closed and opened again for another mint has two.
 * @param keys the addresses that the entries refer to
 */
function joinTokenBalances(
  pre: Json | undefined,
  post: Json | undefined,
  keys: readonly string[],
): readonly TokenBalance[] {
  const before = rowsOf(pre, "preTokenBalances", keys);
  const after = rowsOf(post, "postTokenBalances", keys);
  if (before.size === 0 && after.size === 0) return [];
  return [...new Set([...before.keys(), ...after.keys()])].map((id) => joinRows(before.get(id), after.get(id)));
}

function joinRows(before: Row | undefined, after: Row | undefined): TokenBalance {
  const { account, mint, decimals, program } = (after ?? before) as Row;
  return {
    account,
    mint,
    decimals,
    ownerBefore: before?.owner,
    owner: after?.owner,
    program: program ?? before?.program,
    pre: before?.amount ?? 0n,
    post: after?.amount ?? 0n,
    existedBefore: before !== undefined,
    existsAfter: after !== undefined,
  };
}

function rowsOf(value: Json | undefined, member: string, keys: readonly string[]): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const item of optionalList(value, `meta.${member}`)) {
    const row = rowOf(item, `meta.${member}[]`, keys);
    rows.set(`${row.account} ${row.mint}`, row);
  }
  return rows;
}

function rowOf(value: Json, member: string, keys: readonly string[]): Row {
  const row = objectOf(value, member);
  const index = countOf(row.accountIndex, `${member}.accountIndex`);
  const account = keys[index];
  if (account === undefined) throw malformed(`${member}.accountIndex`, "the position of a key");
  const amount = objectOf(row.uiTokenAmount, `${member}.uiTokenAmount`);
  return {
    account,
    mint: textOf(row.mint, `${member}.mint`),
    decimals: countOf(amount.decimals, `${member}.uiTokenAmount.decimals`),
    owner: optionalText(row.owner, `${member}.owner`),
    program: optionalText(row.programId, `${member}.programId`),
    amount: amountOf(amount.amount, `${member}.uiTokenAmount.amount`),
  };
}

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
    signatures:
      optionalTexts(block.signatures, "signatures") ??
      (isMissing(block.transactions) ? undefined : transactions.map(({ signatures }) => signatures[0] ?? "")),
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
