/** What a serialised transaction would do: decoded, with the accounts of its lookup tables, and simulated. */

import { Buffer } from "node:buffer";
import { getPublicKeyFromAddress, verifySignature } from "@solana/kit";
import {
  type Json,
  type JsonObject,
  NODE_CHOICE,
  omitUndefined,
  tellAll,
  toNumber,
  toWholeUnits,
  UsageError,
} from "../../base/index.ts";
import { isSignature } from "../../catalogue/index.ts";
import {
  addressTitle,
  attempt,
  ByteReader,
  type ChainAccount,
  type ChainTransaction,
  computeUnitProfile,
  decodeAccount,
  decodeBase58,
  decodeTransaction,
  encodeBase58,
  isWritable,
  Member,
  readMessage,
  readTransaction,
  transactionErrorText,
  type WireTransaction,
} from "../../chain/solana/index.ts";
import { exactNumber, loadOptional, type ReadContext } from "./answer.ts";
import { callFor, infoOf, readAccounts, readMints, type TokenAccountState, tokenAccountOf } from "./calls/accounts.ts";
import { readEncoded } from "./calls/transactions.ts";
import { instructionRows, type LocalIdl } from "./cluster/contents.ts";

/** How a transaction is inspected. */
interface InspectOptions {
  readonly simulate: boolean;
  /** Whether the simulation checks the signatures and the blockhash; otherwise neither has to be valid. */
  readonly strict: boolean;
  /** An IDL of the user, which comes before those on the chain. */
  readonly idl?: LocalIdl | undefined;
}

/**
 * Inspects a transaction.
 * @param text a transaction or a message in base64 or base58, or the signature of a transaction that the node knows
 * @param node without a node, the transaction is only decoded
 * @throws UsageError when the text is neither
 */
export async function inspectTransaction(
  text: string,
  node: ReadContext | undefined,
  options: InspectOptions,
): Promise<JsonObject> {
  const notes: string[] = [];
  const report: ReadContext["report"] = (event) => void (event.type === "warning" && notes.push(event.text));
  const context = node && { ...node, report };
  const input = await readInput(text.trim(), context);
  const { bytes } = input;
  const wire = readTransaction(bytes);
  const loaded = input.loaded ?? (await loadedAddresses(wire, context));
  if (!loaded && !node) notes.push(LOOKUP_NOTE);
  const simulation =
    context && options.simulate ? await simulateOrNote(context, { wire, bytes, loaded }, options.strict) : undefined;
  const transaction = toChain(bytes, loaded, simulation);
  const { limit, price } = computeUnitProfile(transaction);
  const instructions = await instructionRows(context, transaction, options.idl);
  const fee = context && (await loadOptional(context, "the fee", () => fetchFee(context, wire)));
  return omitUndefined({
    version: transaction.version,
    size: bytes.length,
    max_size: transaction.version === 1 ? MAX_SIZE_1 : MAX_SIZE,
    fee_payer: transaction.keys[0]?.address,
    blockhash: transaction.blockhash,
    compute_unit_limit: limit,
    compute_unit_price: price === undefined ? undefined : exactNumber(price),
    fee,
    signatures: await signatureRows(wire),
    accounts: transaction.keys.map(({ address, signer, writable, fromLookupTable }) =>
      omitUndefined({
        address,
        name: addressTitle(address),
        signer,
        writable,
        source: fromLookupTable ? "lookupTable" : "transaction",
      }),
    ),
    // Without a simulation nothing was run.
    instructions: simulation ? instructions : instructions.map(({ status: _, ...row }) => row),
    simulation: simulation && simulationJson(transaction, simulation),
    notes: notes.length > 0 ? [...new Set(notes)] : undefined,
  });
}

/** Simulates where the node does so; a strict simulation has to happen. @throws UsageError for a transaction that the node rejects */
async function simulateOrNote(context: ReadContext, subject: Subject, isStrict: boolean) {
  // Whoever asks for the check of signatures does not want to do without it.
  if (isStrict) return await simulate(context, subject, isStrict);
  const outcome = await loadOptional(context, "a simulation", () =>
    simulate(context, subject, isStrict).catch((error: unknown) => {
      if (error instanceof UsageError) return error;
      throw error;
    }),
  );
  if (outcome instanceof UsageError) throw outcome;
  return outcome;
}

const LOOKUP_NOTE = "The accounts of lookup tables are on the chain: they are listed with a node (--rpc).";

/** Bytes of a transaction that the network accepts, and those of version 1. */
const MAX_SIZE = 1232;
const MAX_SIZE_1 = 4096;

/** The bytes of a transaction. */
interface TransactionInput {
  readonly bytes: Uint8Array;
  /** What its lookup tables had when it ran; undefined for one that has not run, and where the node does not say it. */
  readonly loaded?: LoadedAddresses | undefined;
}

/** Returns the bytes of a transaction; a message gets empty signatures. */
async function readInput(text: string, node: ReadContext | undefined): Promise<TransactionInput> {
  if (isSignature(text)) return await readKnown(text, node);
  for (const bytes of [fromBase64(text), fromBase58(text)]) {
    if (!bytes) continue;
    if (isComplete(bytes)) return { bytes };
    const unsigned = attempt(() => withEmptySignatures(bytes));
    if (unsigned && isComplete(unsigned)) return { bytes: unsigned };
  }
  throw new UsageError("this is not a transaction: expected one in base64 or base58, a message, or a signature", {
    code: "BAD_TRANSACTION",
    hint: "In @solana/kit, getBase64EncodedWireTransaction(transaction) returns this text.",
  });
}

/** Whether bytes are a transaction whose instructions refer to accounts that it has. */
function isComplete(bytes: Uint8Array): boolean {
  const wire = attempt(() => readTransaction(bytes));
  if (!wire) return false;
  const { keys, lookups, instructions } = wire.message;
  const count = lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, keys.length);
  return instructions.every(
    ({ program, accounts }) => program < count && Array.from(accounts).every((account) => account < count),
  );
}

async function readKnown(signature: string, node: ReadContext | undefined): Promise<TransactionInput> {
  if (!node) {
    throw new UsageError("a signature can be inspected only with a Solana node", {
      code: "NO_NODE",
      hint: tellAll(NODE_CHOICE, (way) => `Name a node, or give the transaction itself: ${way}.`),
    });
  }
  const [read] = await readEncoded(node, [{ signature }], "base64");
  if (!read?.result) throw new UsageError(`the node does not know the transaction ${signature}`, { code: "NOT_FOUND" });
  const answer = new Member(read.result);
  const encoded = answer.at("transaction");
  const bytes = (encoded.list()[0] ?? encoded).base64();
  if (!isComplete(bytes)) throw encoded.malformed("a transaction");
  const { signatures, message } = readTransaction(bytes);
  if (!signatures.includes(signature)) throw encoded.malformed(`the requested transaction ${signature}`);
  const recorded = answer.at("meta").optional()?.at("loadedAddresses").optional();
  if (!recorded) return { bytes };
  const addresses = (name: "writable" | "readonly") =>
    recorded
      .at(name)
      .list()
      .map((address) => address.text());
  const loaded = { writable: addresses("writable"), readonly: addresses("readonly") };
  for (const name of ["writable", "readonly"] as const) {
    const expected = message.lookups.reduce((sum, lookup) => sum + lookup[name].length, 0);
    if (loaded[name].length !== expected) throw recorded.at(name).malformed(`a list of ${expected} addresses`);
  }
  return { bytes, loaded };
}

const SIGNATURE_BYTES = 64;
const FIRST_VERSION_WITH_TRAILING_SIGNATURES = 1;

/** Returns the transaction of a message, with empty signatures. @throws RangeError when the bytes are no message */
function withEmptySignatures(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes);
  const { header, version } = readMessage(reader);
  if (reader.remaining > 0) throw new RangeError("bytes follow the message");
  const empty = Buffer.alloc(header.signers * SIGNATURE_BYTES);
  return version === FIRST_VERSION_WITH_TRAILING_SIGNATURES
    ? Buffer.concat([bytes, empty])
    : Buffer.concat([Uint8Array.of(header.signers), empty, bytes]);
}

function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  // Buffer skips what is not base64.
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? bytes : undefined;
}

const fromBase58 = (text: string): Uint8Array | undefined => attempt(() => decodeBase58(text));

/** Reads the addresses of lookup tables; undefined when there are some and no node that returns them. */
async function loadedAddresses(
  { message }: WireTransaction,
  node: ReadContext | undefined,
): Promise<LoadedAddresses | undefined> {
  if (message.lookups.length === 0) return { writable: [], readonly: [] };
  if (!node) return undefined;
  const addressesOfTables = message.lookups.map(({ table }) => table);
  const tables = await loadOptional(node, "the accounts of lookup tables", () => readAccounts(node, addressesOfTables));
  if (!tables) return undefined;
  const select = (kind: "writable" | "readonly") =>
    message.lookups.flatMap((lookup, at) => {
      const { addresses } = infoOf(tables[at]);
      return lookup[kind].map((position) => {
        const address = new Member(addresses, "addresses").items()[position]?.value;
        if (typeof address === "string") return address;
        throw new UsageError(`the lookup table ${lookup.table} has no entry ${position}`, { code: "BAD_LOOKUP" });
      });
    });
  return { writable: select("writable"), readonly: select("readonly") };
}

/** Returns the transaction as a node would answer it after it was run. */
function toChain(
  bytes: Uint8Array,
  loaded: LoadedAddresses | undefined,
  simulation: Simulation | undefined,
): ChainTransaction {
  const { lookups, keys } = readTransaction(bytes).message;
  const hidden = lookups.flatMap(({ table, writable, readonly }) => [...writable, ...readonly].map(() => table));
  const { writable, readonly } = loaded ?? { writable: hidden, readonly: [] };
  const zeros = Array.from({ length: keys.length + writable.length + readonly.length }, () => 0);
  const result: JsonObject = {
    slot: 0,
    blockTime: null,
    transaction: [Buffer.from(bytes).toString("base64"), "base64"],
    meta: {
      err: simulation?.error ?? null,
      fee: 0,
      preBalances: simulation?.preBalances ?? zeros,
      postBalances: simulation?.postBalances ?? zeros,
      preTokenBalances: [],
      postTokenBalances: [],
      loadedAddresses: { writable, readonly },
      logMessages: simulation?.logs ?? null,
      innerInstructions: simulation?.innerInstructions ?? [],
      ...(simulation?.units === undefined ? {} : { computeUnitsConsumed: simulation.units }),
    },
  };
  return decodeTransaction(result) as ChainTransaction;
}

const EMPTY = encodeBase58(new Uint8Array(64));

async function signatureRows({ signatures, message, messageBytes }: WireTransaction): Promise<readonly JsonObject[]> {
  return await Promise.all(
    message.keys.slice(0, message.header.signers).map(async (signer, at): Promise<JsonObject> => {
      const signature = signatures[at] ?? EMPTY;
      if (signature === EMPTY) return { signer, status: "missing" };
      const key = await getPublicKeyFromAddress(signer as Parameters<typeof getPublicKeyFromAddress>[0]);
      const bytes = decodeBase58(signature) as Parameters<typeof verifySignature>[1];
      const isValid = await verifySignature(key, bytes, messageBytes);
      return { signer, signature, status: isValid ? "valid" : "invalid" };
    }),
  );
}

/** Returns the fee in lamports; undefined when the blockhash is not valid anymore. */
async function fetchFee(context: ReadContext, { messageBytes }: WireTransaction): Promise<Json | undefined> {
  const message = Buffer.from(messageBytes).toString("base64");
  const fee = await callFor(context, "getFeeForMessage", [message, { commitment: context.node.commitment }]);
  const value = fee.at("value").optional();
  return value && exactNumber(value.lamports());
}

/** Addresses that a transaction takes from lookup tables. */
interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

type Simulation = Awaited<ReturnType<typeof simulate>>;

/** An account that can change, before and after. */
interface AccountChange {
  readonly address: string;
  readonly before: ChainAccount | undefined;
  readonly after: ChainAccount | undefined;
}

interface Subject {
  readonly wire: WireTransaction;
  readonly bytes: Uint8Array;
  readonly loaded: LoadedAddresses | undefined;
}

const BALANCES = "changes of balances";

/**
 * Simulates a transaction.
 * @param isStrict whether signatures and blockhash have to be valid
 */
export async function simulate(context: ReadContext, { wire, bytes, loaded }: Subject, isStrict: boolean) {
  const { header, keys } = wire.message;
  const { writable = [], readonly = [] } = loaded ?? {};
  const all = [...keys, ...writable, ...readonly];
  const changeable = [...keys.filter((_, at) => isWritable(header, keys.length, at)), ...writable];
  const read = await loadOptional(context, BALANCES, () => readAccounts(context, all));
  const options = {
    encoding: "base64",
    commitment: context.node.commitment,
    sigVerify: isStrict,
    replaceRecentBlockhash: !isStrict,
    innerInstructions: true,
    accounts: { encoding: "jsonParsed", addresses: changeable },
  };
  const params = [Buffer.from(bytes).toString("base64"), options];
  const value = (await callFor(context, "simulateTransaction", params)).at("value");
  const states = value.at("accounts").items();
  const failure = value.at("err");
  // Null is success: an answer without it says nothing.
  if (failure.value === undefined) throw failure.malformed("the outcome of a simulation");
  const error = failure.optional()?.value;
  // Accounts are null after a failure, which changes nothing but the fee.
  const isComplete = error !== undefined || states.length === changeable.length;
  if (!isComplete) {
    const text = `Without ${BALANCES}: the node returns ${states.length} of ${changeable.length} accounts.`;
    context.report?.({ type: "warning", text, missing: BALANCES });
  }
  const before = isComplete ? read : undefined;
  const after = new Map(
    changeable.map((address, at) => [address, states[at]?.optional() && decodeAccount(address, states[at]?.value)]),
  );
  const isChanged = (address: string) => error === undefined && after.has(address);
  const changes = before
    ? all.flatMap((address, at) =>
        isChanged(address) ? [{ address, before: before[at], after: after.get(address) }] : [],
      )
    : undefined;
  const balance = (account: ChainAccount | undefined) => exactNumber(account?.lamports ?? 0n);
  return {
    error,
    logs: value
      .at("logs")
      .items()
      .map((line) => line.text()),
    units: toNumber(value.at("unitsConsumed").value),
    innerInstructions: value
      .at("innerInstructions")
      .items()
      .map((group) => group.value ?? null),
    returnData: value.at("returnData").optional()?.value,
    // Lamports of all keys.
    preBalances: before?.map(balance),
    postBalances: before && all.map((address, at) => balance(isChanged(address) ? after.get(address) : before[at])),
    changes,
    symbols: await loadOptional(context, "symbols of tokens", () => fetchSymbols(context, changes ?? [])),
  };
}

async function fetchSymbols(
  context: ReadContext,
  changes: readonly AccountChange[],
): Promise<ReadonlyMap<string, string>> {
  const mints = await readMints(
    context,
    changes.flatMap(({ before, after }) => tokenOf(after)?.mint ?? tokenOf(before)?.mint ?? []),
  );
  return new Map([...mints].flatMap(([mint, { symbol }]) => (symbol === undefined ? [] : [[mint, symbol] as const])));
}

const tokenOf = (account: ChainAccount | undefined): TokenAccountState | undefined =>
  account && tokenAccountOf(account);

/** Returns the result as JSON: outcome, units, logs and what changes. */
function simulationJson(transaction: ChainTransaction, simulation: Simulation): JsonObject {
  const { error, logs, units, returnData, changes, symbols } = simulation;
  return omitUndefined({
    status: error === undefined ? "ok" : "failed",
    error,
    error_text: error === undefined ? undefined : transactionErrorText(error, { ...transaction, logs }),
    compute_units: units,
    sol_changes: changes?.flatMap(solChange),
    token_changes: changes?.flatMap((change) => tokenChange(change, symbols)),
    return_data: returnData,
    logs,
  });
}

function solChange({ address, before, after }: AccountChange): readonly JsonObject[] {
  const [pre, post] = [before?.lamports ?? 0n, after?.lamports ?? 0n];
  if (pre === post) return [];
  return [{ address, pre: exactNumber(pre), post: exactNumber(post), change: exactNumber(post - pre) }];
}

function tokenChange(
  { address, before, after }: AccountChange,
  symbols: ReadonlyMap<string, string> | undefined,
): readonly JsonObject[] {
  const [pre, post] = [tokenOf(before), tokenOf(after)];
  const token = post ?? pre;
  const change = (post?.amount ?? 0n) - (pre?.amount ?? 0n);
  if (!token || change === 0n) return [];
  const { mint, owner, decimals } = token;
  return [
    omitUndefined({
      address,
      owner,
      mint,
      symbol: symbols?.get(mint),
      decimals,
      pre: String(pre?.amount ?? 0n),
      post: String(post?.amount ?? 0n),
      change: String(change),
      change_ui: toWholeUnits(change, decimals),
    }),
  ];
}
