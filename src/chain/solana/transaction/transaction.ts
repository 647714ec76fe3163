/** Transactions and blocks in a node's answers, in every encoding, as one model. */
import { isArray, isObject, type Json, OTHER_NODE, ServerError } from "../../../base/index.ts";
import { MAX_BYTE, Member } from "../members.ts";
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
type TransactionPosition = Pick<ChainTransaction, "slot" | "index" | "blockTime">;

/**
 * Returns the transaction in an answer of `getTransaction`; undefined when the node does not know it.
 * @throws ServerError when the answer is malformed or about another transaction than the requested one
 */
export function decodeTransaction(
  result: Json,
  requested?: { readonly signature?: string },
): ChainTransaction | undefined {
  const answer = new Member(result).optional();
  if (!answer) return undefined;
  const transaction = decodeEntry(answer, {
    slot: answer.at("slot").count(),
    index: answer.at("transactionIndex").optional()?.count(),
    blockTime: answer.at("blockTime").optional()?.time(),
  });
  const signature = requested?.signature;
  if (signature !== undefined && !transaction.signatures.includes(signature)) {
    throw answer.at("transaction").malformed(`the requested transaction ${signature}`);
  }
  return transaction;
}

/**
 * Returns the transaction in an entry of a block or in an answer of `getTransaction`: `transaction`, `meta`, `version`.
 * @throws ServerError when the entry is malformed
 */
function decodeEntry(entry: Member, position: TransactionPosition): ChainTransaction {
  const meta = entry.at("meta");
  const { instructions, complete, ...body } = readBody(entry.at("transaction"), meta.optional());
  if (!meta.optional()) throw missingEffects(body.signatures[0]);
  const addresses = body.keys.map(({ address }) => address);
  const logs = meta.at("logMessages").optional()?.list().map(textOf);
  const isWhole = body.detail === "full";
  const last = isWhole ? instructions.length - 1 : undefined;
  const inner = readInnerInstructions(meta.at("innerInstructions"), last, { addresses, complete });
  const recorded = isWhole ? RECORDED : TOKEN_BALANCES;
  const effects = readEffects(meta, addresses);
  const { preBalances, postBalances } = effects;
  if (complete && [preBalances, postBalances].some(({ length }) => length < addresses.length))
    throw meta.malformed(`the effects on ${addresses.length} balances, those of transaction ${body.signatures[0]}`);
  return {
    ...body,
    ...position,
    ...((lacksRecords(meta, effects, recorded) || lacksCalls(inner, logs)) && { isPartial: true }),
    version: versionOf(entry.at("version")) ?? body.version,
    instructions: callTree(instructions, inner, logs),
    logs,
    ...effects,
  };
}

/** Nodes may be set up not to record effects. A transaction without them is not one that succeeded. */
const missingEffects = (signature: string | undefined): ServerError =>
  new ServerError(`The node lacks the effects of transaction ${signature}: whether it succeeded is unknown.`, {
    code: "MISSING_EFFECTS",
    hint: OTHER_NODE,
  });

/** Lists that nodes did not record in the first years: without one, it is unknown what it would contain. */
const TOKEN_BALANCES = ["preTokenBalances", "postTokenBalances"] as const;
const RECORDED = ["innerInstructions", ...TOKEN_BALANCES] as const;

/** Whether a node did not record all that a transaction did. One that failed before it began has no records. */
function lacksRecords(
  meta: Member,
  { error, computeUnits }: Pick<ChainTransaction, "error" | "computeUnits">,
  recorded: typeof RECORDED | typeof TOKEN_BALANCES,
): boolean {
  const expected = error !== undefined && computeUnits === 0 ? TOKEN_BALANCES : recorded;
  return expected.some((name) => !meta.at(name).optional());
}

/** How the runtime logs that an instruction called another one. */
const CALLED = /^Program \w+ invoke \[(?!1\])\d+\]$/;

/** Whether the logs, which may be cut, have more called instructions than the node recorded. */
const lacksCalls = (inner: ReadonlyMap<number, readonly Call[]>, logs: readonly string[] = []): boolean =>
  logs.filter((line) => CALLED.test(line)).length > [...inner.values()].flat().length;

const textOf = (member: Member): string => member.text();

type Effects = Pick<
  ChainTransaction,
  "error" | "fee" | "computeUnits" | "costUnits" | "preBalances" | "postBalances" | "tokenBalances"
>;

function readEffects(meta: Member, addresses: readonly string[]): Effects {
  return {
    error: readError(meta),
    fee: meta.at("fee").lamports(),
    computeUnits: meta.at("computeUnitsConsumed").optional()?.count(),
    costUnits: meta.at("costUnits").optional()?.count(),
    preBalances: balancesOf(meta.at("preBalances")),
    postBalances: balancesOf(meta.at("postBalances")),
    tokenBalances: joinTokenBalances(meta, addresses),
  };
}

/** The first versions report errors only in `status`. */
function readError(meta: Member): Json | undefined {
  const error = meta.at("err").optional() ?? legacyError(meta.at("status"));
  if (error && !isFailure(error.value)) throw error.malformed("the error of a transaction");
  return error?.value;
}

const legacyError = (status: Member) => (isObject(status.value) ? status.at("Err").optional() : undefined);

/** Errors are names, or objects of which the one member is named like the error. */
const isFailure = (error: Json | undefined) =>
  isObject(error) ? Object.keys(error).length === 1 : typeof error === "string" && error !== "";

const balancesOf = (balances: Member): readonly bigint[] => balances.list().map((balance) => balance.lamports(64));

const versionOf = (version: Member): "legacy" | number | undefined =>
  version.value === "legacy" ? "legacy" : version.optional()?.count();

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

function readBody(transaction: Member, meta: Member | undefined): Body {
  const loaded = loadedKeys(meta?.at("loadedAddresses").optional());
  if (!isObject(transaction.value)) return wireBody(decodeWireTransaction(transaction), loaded);
  const signatures = transaction.at("signatures").list().map(textOf);
  const message = transaction.at("message");
  if (message.value === undefined) return accountsBody(transaction, signatures);
  return { ...messageBody(message, loaded), signatures };
}

/**
 * Returns a transaction from its bytes: base64, or base58 in answers to requests without an encoding.
 * @throws ServerError when the bytes are no transaction
 */
function decodeWireTransaction(transaction: Member): WireTransaction {
  const [text = transaction, encoding] = isArray(transaction.value) ? transaction.list() : [];
  const bytes = encoding?.value === "base64" ? text.base64() : text.base58();
  try {
    return readTransaction(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw transaction.malformed(`a transaction (${error.message})`, error);
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

function loadedKeys(loaded: Member | undefined): readonly TransactionKey[] | undefined {
  const keysOf = (name: string, writable: boolean) =>
    (loaded?.at(name).items() ?? []).map((address) => ({
      address: address.address(),
      signer: false,
      writable,
      fromLookupTable: true,
    }));
  return loaded && [...keysOf("writable", true), ...keysOf("readonly", false)];
}

/** A block's entry with `transactionDetails: "accounts"`. */
function accountsBody(transaction: Member, signatures: readonly string[]): Body {
  return {
    detail: "accounts",
    signatures,
    version: "legacy",
    blockhash: "",
    keys: transaction.at("accountKeys").list().map(parsedKey),
    lookups: [],
    limits: undefined,
    instructions: [],
    complete: true,
  };
}

/** A message as an object: `json` has a header and plain keys, `jsonParsed` keys with their properties. */
function messageBody(message: Member, loaded: readonly TransactionKey[] | undefined): Omit<Body, "signatures"> {
  const list = message.at("accountKeys").list();
  const tables = message.at("addressTableLookups");
  const lookups = tables.items().map(readLookup);
  const { keys, complete } = list.some(({ value }) => isObject(value))
    ? { keys: list.map(parsedKey), complete: true }
    : withLoaded(
        ownKeys({ header: headerOf(message.at("header")), keys: list.map((key) => key.address()) }),
        lookups,
        loaded,
      );
  const positions: KeyList = { addresses: keys.map(({ address }) => address), complete };
  return {
    detail: "full",
    version: tables.optional() ? 0 : "legacy",
    blockhash: message.at("recentBlockhash").text(),
    keys,
    lookups,
    limits: undefined,
    instructions: message
      .at("instructions")
      .list()
      .map((instruction) => readInstruction(instruction, positions)),
    complete,
  };
}

function parsedKey(key: Member): TransactionKey {
  const { signer, writable, source } = key.object();
  return {
    address: key.at("pubkey").address(),
    signer: signer === true,
    writable: writable === true,
    fromLookupTable: source === "lookupTable",
  };
}

const headerOf = (header: Member): MessageHeader => ({
  signers: header.at("numRequiredSignatures").count(),
  readonlySigners: header.at("numReadonlySignedAccounts").count(),
  readonlyOthers: header.at("numReadonlyUnsignedAccounts").count(),
});

function readLookup(lookup: Member): TableLookup {
  const positions = (name: string) =>
    lookup
      .at(name)
      .items()
      .map((index) => index.integer());
  return {
    table: lookup.at("accountKey").address(),
    writable: positions("writableIndexes"),
    readonly: positions("readonlyIndexes"),
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
function joinTokenBalances(meta: Member, keys: readonly string[]): readonly TokenBalance[] {
  const rowsOf = (name: string) => {
    const rows = meta
      .at(name)
      .items()
      .map((item) => readRow(item, keys));
    return new Map(rows.map((row) => [`${row.account} ${row.mint}`, row]));
  };
  const [before, after] = [rowsOf("preTokenBalances"), rowsOf("postTokenBalances")];
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

function readRow(row: Member, keys: readonly string[]): Row {
  const index = row.at("accountIndex");
  const account = keys[index.count()];
  if (account === undefined) throw index.malformed("the position of a key");
  const amount = row.at("uiTokenAmount");
  return {
    account,
    mint: row.at("mint").address(),
    decimals: amount.at("decimals").count(MAX_BYTE),
    owner: row.at("owner").optional()?.address(),
    program: row.at("programId").optional()?.address(),
    amount: amount.at("amount").amount(),
  };
}

/** How much of its transactions a block contains. */
export type BlockDetails = "full" | "accounts" | "signatures" | "none";

/**
 * Returns the block in an answer of `getBlock`; undefined when the node answers without a block.
 * @param details what was requested of its transactions
 * @throws ServerError when the answer is malformed, or lacks what was requested
 */
export function decodeBlock(result: Json, slot: number, details: BlockDetails = "full"): ChainBlock | undefined {
  const block = new Member(result).optional();
  if (!block) return undefined;
  const time = block.at("blockTime").optional()?.time();
  const [listed, first] = [block.at("transactions"), block.at("signatures")];
  const isListed = details === "full" || details === "accounts" || (details === "signatures" && !first.optional());
  const entries = (isListed ? listed : listed.optional())?.list();
  const transactions = (entries ?? []).map((entry, index) => decodeEntry(entry, { slot, index, blockTime: time }));
  const signatures =
    first.optional()?.list().map(textOf) ?? (entries && transactions.map((one) => one.signatures[0] ?? ""));
  if (new Set(signatures).size < (signatures?.length ?? 0)) throw listed.malformed("a list of different transactions");
  const rewards = block.at("rewards").items().map(rewardOf);
  const [paid, ...others] = rewards.flatMap(({ kind, lamports }) => (kind === "fee" ? [lamports] : []));
  if (others.length > 0 || (paid ?? 0n) < 0n) throw block.at("rewards").malformed("one reward of fees, from zero");
  // What is not listed may have paid the leader, but not where there is nothing.
  const isKnown = isListed || signatures?.length === 0;
  if (isKnown && (paid ?? 0n) > transactions.reduce((sum, { fee }) => sum + fee, 0n))
    throw listed.malformed("all transactions that paid the leader");
  const parent = block.at("parentSlot");
  // The parent of the first block is itself.
  if (parent.count() >= Math.max(slot, 1)) throw parent.malformed(`a slot before ${slot}`);
  return {
    slot,
    parentSlot: parent.count(),
    blockhash: block.at("blockhash").text(),
    previousBlockhash: block.at("previousBlockhash").text(),
    height: block.at("blockHeight").optional()?.count(),
    time,
    rewards,
    transactions,
    ...(transactions.some(({ isPartial }) => isPartial) && { isPartial: true }),
    signatures,
  };
}

const rewardOf = (reward: Member): ChainReward => ({
  account: reward.at("pubkey").address(),
  kind: (reward.at("rewardType").optional()?.text() ?? "unknown").toLowerCase(),
  // Blocks pay less than a double holds.
  lamports: BigInt(reward.at("lamports").integer()),
  post: reward.at("postBalance").lamports(64),
  commission: reward.at("commission").optional()?.count(MAX_BYTE),
});
