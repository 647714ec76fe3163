/** Transactions in the format and the encodings of Solana nodes. */
import { Buffer } from "node:buffer";
import { decodeBase58, encodeBase58, type JsonObject, omitMissing, sha256 } from "../../../../base/index.ts";
import { writeTransaction } from "../../../solana/index.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import { firstRow, rowRange } from "../../store/schema.ts";
import { addressOf, amountOf, asText, columnNumber, unixTimeOf } from "../sql.ts";
import { stepsOf } from "./activities.ts";
import { type ArgumentsByInstruction, decodedData, isParsed, readArguments, uiAmountOf } from "./arguments.ts";
import {
  type AccountKey,
  addressesOf,
  type BalancePair,
  holdingBefore,
  keyJson,
  lookupsOf,
  readBalances,
  type TransactionBalances,
} from "./balances.ts";
import { failureField, logLines, readTransactionHead, type TransactionHead } from "./head.ts";
import { encodedData, hexData } from "./instruction-data.ts";
import { errorOf } from "./logs.ts";
import { type Instruction, innerInstructionLists, readTree, topInstructions, topPrograms } from "./tree.ts";

interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly level: number;
}

/** Compiles a transaction. Keys from lookup tables follow those of the message itself, writable ones first. */
function compileTransaction({ head, keys, tree, infos }: RpcTransaction) {
  const positions = new Map(keys.map(({ address }, index) => [address, index]));
  const positionsOf = (addresses: readonly string[]) => addresses.flatMap((address) => positions.get(address) ?? []);
  const compile = (instruction: Instruction): CompiledInstruction => ({
    programIdIndex: positions.get(instruction.program) ?? 0,
    accounts: positionsOf(instruction.accounts),
    data: Buffer.from(hexData(instruction, infos.get(instruction) ?? {}), "hex"),
    level: instruction.level,
  });
  return {
    signatures: signaturesOf(head, keys),
    version: head.version,
    keys: keys.filter(({ lookedUp }) => !lookedUp),
    recentHash: head.recentHash,
    instructions: topInstructions(tree).map(compile),
    inner: innerInstructionLists(tree).map(([index, inner]) => [index, inner.map(compile)] as const),
    lookups: head.lookups ?? lookupsOf(keys),
  };
}

/** A transaction that can be serialized. */
type WireTransaction = ReturnType<typeof compileTransaction>;

/** Returns the signatures of all signers: the ledger has the first, which the others are derived from. */
const signaturesOf = ({ signature, otherSignatures }: TransactionHead, keys: readonly AccountKey[]) => {
  if (otherSignatures.length > 0) return [signature, ...otherSignatures];
  const others = keys.filter(({ signer }) => signer).slice(1);
  return [
    signature,
    ...others.map(({ address }) => {
      const halves = ["left", "right"].map((half) => sha256(`${half} half of ${signature} by ${address}`));
      return encodeBase58(Buffer.from(halves.join(""), "hex"));
    }),
  ];
};

/** Returns the numbers of signers, of signers that cannot be written and of other keys that cannot be written. */
function headerOf(keys: readonly AccountKey[]): readonly [number, number, number] {
  const readonlyKeys = keys.filter(({ writable }) => !writable);
  const signers = readonlyKeys.filter(({ signer }) => signer).length;
  return [keys.filter(({ signer }) => signer).length, signers, readonlyKeys.length - signers];
}

/** Returns the bytes of a transaction: its signatures and its message, of the legacy form or with a version. */
export function serializeTransaction(transaction: WireTransaction): Uint8Array {
  const { signatures, version = "legacy", keys, recentHash, instructions, lookups } = transaction;
  const [signers, readonlySigners, readonlyOthers] = headerOf(keys);
  return writeTransaction(signatures.map(decodeBase58), {
    version,
    header: { signers, readonlySigners, readonlyOthers },
    keys: keys.map(({ address }) => decodeBase58(address)),
    blockhash: decodeBase58(recentHash),
    instructions: instructions.map(({ programIdIndex, ...rest }) => ({ program: programIdIndex, ...rest })),
    lookups: lookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
      ...{ table: decodeBase58(accountKey), writable: writableIndexes, readonly: readonlyIndexes },
    })),
  });
}

const compiledJson = ({ programIdIndex, accounts, data, level }: CompiledInstruction): JsonObject => ({
  programIdIndex,
  accounts,
  data: encodeBase58(data),
  stackHeight: level,
});

const innerInstructionsJson = ({ inner }: WireTransaction): readonly JsonObject[] =>
  inner.map(([index, instructions]) => ({ index, instructions: instructions.map(compiledJson) }));

function transactionJson(transaction: WireTransaction): JsonObject {
  const { signatures, version, keys, recentHash, instructions, lookups } = transaction;
  const [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts] = headerOf(keys);
  return {
    signatures,
    message: {
      header: { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
      accountKeys: keys.map(({ address }) => address),
      recentBlockhash: recentHash,
      instructions: instructions.map(compiledJson),
      ...(version === undefined ? {} : { addressTableLookups: lookups }),
    },
  };
}

/** Returns an instruction as nodes list it: parsed, or with its accounts and encoded data. A memo is parsed to its text. */
function instructionJson(instruction: Instruction, infos: ArgumentsByInstruction): JsonObject {
  const { program: programId, programName: program, level: stackHeight, accounts } = instruction;
  const decoded = decodedData(instruction, infos);
  if (!isParsed(instruction)) {
    return { accounts, data: encodedData(instruction, decoded.info), programId, stackHeight };
  }
  const { memo } = decoded.info;
  return { parsed: memo === undefined ? decoded : memo, program, programId, stackHeight };
}

interface TokenBalance extends BalancePair {
  readonly index: number;
  readonly mint: string;
  readonly owner: string | undefined;
  readonly programId: string | undefined;
  readonly decimals: number | undefined;
}

function tokenBalancesOf(
  db: LedgerReader,
  transaction: number,
  keys: readonly AccountKey[],
  changes: readonly BalanceChange[],
): readonly TokenBalance[] {
  if (!db.facts.isGenerated) return storedTokenBalances(db, transaction, keys, changes);
  return keys.flatMap(({ id, token }, index) => {
    if (token === undefined) return [];
    const mint = db.get("SELECT decimals, program_id FROM tokens WHERE id = ?", token);
    const change = changes.find(({ account }) => account === id);
    const before = change ? undefined : holdingBefore(db, id, token, firstRow(transaction));
    const owner = change?.owner ?? before?.owner ?? db.get(OWNER, id)?.id;
    const around = change ?? unchangedBalance(before?.amount ?? 0n);
    return [
      {
        index,
        mint: db.addressOf(token),
        owner: db.addressOf(Number(owner)),
        programId: db.addressOf(Number(mint?.program_id)),
        decimals: Number(mint?.decimals),
        pre: around.pre,
        post: around.post,
      },
    ];
  });
}

function storedTokenBalances(
  db: LedgerReader,
  transaction: number,
  keys: readonly AccountKey[],
  changes: readonly BalanceChange[],
) {
  const indexes = new Map(keys.map(({ id }, index) => [id, index]));
  const held = db.all(
    `SELECT account_id, owner_id, token_id, ${asText("amount")} AS amount FROM holdings WHERE id >= ? AND id < ?`,
    ...rowRange(transaction),
  );
  const unchanged = held.map(({ account_id, owner_id, token_id, amount }) => ({
    account: Number(account_id),
    owner: Number(owner_id),
    token: Number(token_id),
    ...unchangedBalance(BigInt(String(amount))),
  }));
  const balances = mapRows([...changes, ...unchanged], ({ account, owner, token, pre, post }) => {
    const mint = db.get("SELECT decimals, program_id FROM tokens WHERE id = ?", token);
    if (!mint) return [];
    return [
      {
        index: indexes.get(account) ?? -1,
        mint: db.addressOf(token),
        // Of an owner that is unknown, the account itself is stored.
        owner: owner === account ? undefined : db.addressOf(owner),
        programId: addressOf(db, mint.program_id),
        decimals: columnNumber(mint.decimals),
        pre,
        post,
      },
    ];
  }).flat();
  return balances.sort((a, b) => a.index - b.index);
}

type BalanceChange = BalancePair & { readonly account: number; readonly owner: number; readonly token: number };

const OWNER = "SELECT owner_id AS id FROM token_accounts WHERE account_id = ?";

/** Accounts exist as long as they have lamports. */
const exists = (lamports: bigint | undefined): boolean => lamports !== undefined && lamports > 0n;

const unchangedBalance = (amount: bigint): BalancePair => ({ pre: amount, post: amount });

const tokenBalanceJson = (tokenBalances: TokenBalance, side: "pre" | "post"): JsonObject =>
  omitMissing({
    accountIndex: tokenBalances.index,
    mint: tokenBalances.mint,
    owner: tokenBalances.owner,
    programId: tokenBalances.programId,
    uiTokenAmount: uiAmountOf(String(tokenBalances[side]), tokenBalances.decimals),
  });

const loadedAddresses = (keys: readonly AccountKey[]): JsonObject => ({
  readonly: keys.filter(({ lookedUp, writable }) => lookedUp && !writable).map(({ address }) => address),
  writable: keys.filter(({ lookedUp, writable }) => lookedUp && writable).map(({ address }) => address),
});

interface ParsedInstructions {
  readonly tree: readonly Instruction[];
  readonly infos: ArgumentsByInstruction;
}

/** Returns what the last instruction returned, from the log: nothing that a later call has discarded. */
function returnData(logs: readonly string[] | undefined): JsonObject {
  const line = logs?.findLast((text) => /^Program (\w+ invoke|return:) /.test(text)) ?? "";
  const [, programId, value] = /^Program return: (\w+) (\S+)$/.exec(line) ?? [];
  return programId === undefined || value === undefined ? {} : { returnData: { programId, data: [value, "base64"] } };
}

function metaOf(
  db: LedgerReader,
  head: TransactionHead,
  { tree, infos }: ParsedInstructions,
  balances: TransactionBalances,
) {
  const { keys, tokens: changes } = balances;
  const logs = logLines(db, head, tree, { infos, balances });
  const err = errorOf({ tree, error: head.error });
  const tokenBalances = tokenBalancesOf(db, head.id, keys, changes);
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: head.fee,
    ...omitMissing({ computeUnitsConsumed: head.computeUnits }),
    innerInstructions: innerInstructionLists(tree).map(([index, inner]) => ({
      index,
      instructions: inner.map((each) => instructionJson(each, infos)),
    })),
    loadedAddresses: loadedAddresses(keys),
    logMessages: logs ?? null,
    ...returnData(logs),
    preBalances: keys.map(({ pre }) => (pre === undefined ? null : amountOf(pre))),
    postBalances: keys.map(({ post }) => (post === undefined ? null : amountOf(post))),
    preTokenBalances: tokenBalances
      .filter(({ index }) => exists(keys[index]?.pre))
      .map((each) => tokenBalanceJson(each, "pre")),
    postTokenBalances: tokenBalances
      .filter(({ index }) => exists(keys[index]?.post))
      .map((each) => tokenBalanceJson(each, "post")),
    rewards: [],
  };
}

/** Reads a transaction as nodes list it with parsed instructions, and what that is made of. */
function readRpcTransaction(db: LedgerReader, id: number) {
  const head = readTransactionHead(db, id);
  if (!head) return undefined;
  const balances = readBalances(db, id);
  const tree = readTree(db, id, addressesOf(balances));
  const infos = readArguments(db, tree, stepsOf(db, head, tree));
  const { keys } = balances;
  const message = {
    accountKeys: keys.map(keyJson),
    instructions: topInstructions(tree).map((each) => instructionJson(each, infos)),
    recentBlockhash: head.recentHash,
    // As nodes answer: legacy messages have no lookups.
    addressTableLookups: head.version === undefined ? null : (head.lookups ?? lookupsOf(keys)),
  };
  const json: JsonObject = {
    ...omitMissing({ blockTime: unixTimeOf(db, head.time) }),
    slot: head.slot,
    meta: metaOf(db, head, { tree, infos }, balances),
    transaction: { message, signatures: [head.signature, ...head.otherSignatures] },
    version: head.version ?? "legacy",
    ...failureField(db, head, topPrograms(tree)),
  };
  return { head, keys, tree, infos, json };
}

type RpcTransaction = NonNullable<ReturnType<typeof readRpcTransaction>>;

/** Returns a transaction as the entity `LegacyRpcTransaction`; empty when the ledger does not contain it. */
export function rpcTransaction(db: LedgerReader, id: number): readonly JsonObject[] {
  const transaction = readRpcTransaction(db, id);
  return transaction ? [transaction.json] : [];
}

/** Units of the limit of a block that a signature, and a key that is written to, cost. */
const [SIGNATURE_COST, WRITE_COST] = [720, 300];

/** Returns the share of a transaction in the limit of its block. */
function costUnits({ signatures, instructions }: WireTransaction, written: number, computeUnits: number): number {
  const bytes = instructions.reduce((sum, { data }) => sum + data.length, 0);
  return signatures.length * SIGNATURE_COST + written * WRITE_COST + Math.floor(bytes / 4) + computeUnits;
}

/** Returns a transaction as the entity `NodeTransaction`; empty when the ledger does not contain it. */
export function nodeTransaction(db: LedgerReader, id: number, encoding: string): readonly JsonObject[] {
  const transaction = readRpcTransaction(db, id);
  if (!transaction) return [];
  const { head, keys, json: parsed } = transaction;
  const wire = compileTransaction(transaction);
  const isParsed = encoding === "jsonParsed";
  const written = keys.filter(({ writable }) => writable).length;
  return [
    {
      slot: head.slot,
      transaction: isParsed ? parsedTransaction(parsed, wire) : encodedTransaction(wire, encoding),
      meta: {
        ...(parsed.meta as JsonObject),
        ...(isParsed ? {} : { innerInstructions: innerInstructionsJson(wire) }),
        ...omitMissing({
          costUnits: !db.facts.isGenerated ? head.costUnits : costUnits(wire, written, head.computeUnits ?? 0),
        }),
      },
      version: head.version ?? "legacy",
      blockTime: parsed.blockTime ?? null,
      ...omitMissing({ error: parsed.error }),
    },
  ];
}

function parsedTransaction({ transaction }: JsonObject, wire: WireTransaction): JsonObject {
  const { message } = transaction as JsonObject;
  return {
    signatures: wire.signatures,
    message: { ...(message as JsonObject), addressTableLookups: wire.lookups },
  };
}

function encodedTransaction(wire: WireTransaction, encoding: string): JsonObject | readonly string[] {
  if (encoding === "json") return transactionJson(wire);
  const bytes = serializeTransaction(wire);
  return [encoding === "base58" ? encodeBase58(bytes) : Buffer.from(bytes).toString("base64"), encoding];
}
