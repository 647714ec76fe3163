/** Transactions in the format of a Solana node with parsed instructions. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { firstRow, rowRange, SOL } from "../../store/schema.ts";
import { addressOf, amountOf, asText, columnNumber, unixTimeOf } from "../sql.ts";
import { stepsOf } from "../transaction/activities.ts";
import { type ArgumentsByInstruction, decodedData, readArguments, uiAmountOf } from "../transaction/arguments.ts";
import { type AccountKey, type BalancePair, balancesOf, holdingBefore, lookupsOf } from "../transaction/balances.ts";
import { keyJson } from "../transaction/detail.ts";
import { logLines, readTransactionHead, type TransactionHead } from "../transaction/head.ts";
import { encodedData } from "../transaction/instruction-data.ts";
import { errorOf } from "../transaction/logs.ts";
import { isParsed } from "../transaction/parsed-programs.ts";
import { type Instruction, innerInstructionLists, topInstructions, treeOf } from "../transaction/tree.ts";

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

/** A token account among the account keys with its balance. */
interface TokenBalance extends BalancePair {
  readonly index: number;
  readonly mint: string;
  readonly owner: string | undefined;
  readonly programId: string | undefined;
  readonly decimals: number | undefined;
}

/** Returns the balances of all token accounts among the account keys, changed or not. */
function tokenBalancesOf(
  db: LedgerReader,
  transaction: number,
  keys: readonly AccountKey[],
  changes: readonly BalanceChange[],
): readonly TokenBalance[] {
  if (!db.facts.isGenerated) return storedTokenBalances(db, transaction, keys);
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

/** Returns the balances of token accounts that a chain says with a transaction. */
function storedTokenBalances(
  db: LedgerReader,
  transaction: number,
  keys: readonly AccountKey[],
): readonly TokenBalance[] {
  const indexes = new Map(keys.map(({ id }, index) => [id, index]));
  const rows = db.all(
    `SELECT c.account_id, c.owner_id, c.token_id, ${asText("c.pre")} AS pre, ${asText("c.post")} AS post, n.decimals, n.program_id FROM (
      SELECT account_id, owner_id, token_id, pre, post FROM balance_changes WHERE id >= ? AND id < ? AND token_id <> ${SOL}
      UNION ALL SELECT account_id, owner_id, token_id, amount, amount FROM holdings WHERE id >= ? AND id < ?) c
    CROSS JOIN tokens n ON n.id = c.token_id`,
    ...rowRange(transaction),
    ...rowRange(transaction),
  );
  const balances = rows.map((row) => ({
    index: indexes.get(Number(row.account_id)) ?? -1,
    mint: db.addressOf(Number(row.token_id)),
    // Of an owner that is unknown, the account itself is stored.
    owner: row.owner_id === row.account_id ? undefined : addressOf(db, row.owner_id),
    programId: addressOf(db, row.program_id),
    decimals: columnNumber(row.decimals),
    pre: BigInt(String(row.pre)),
    post: BigInt(String(row.post)),
  }));
  return balances.sort((a, b) => a.index - b.index);
}

type BalanceChange = BalancePair & { readonly account: number; readonly owner: number };

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

/** The executed instructions with their arguments. */
interface ParsedInstructions {
  readonly tree: readonly Instruction[];
  readonly infos: ArgumentsByInstruction;
}

function metaOf(
  db: LedgerReader,
  head: TransactionHead,
  { tree, infos }: ParsedInstructions,
  keys: readonly AccountKey[],
  changes: readonly BalanceChange[],
) {
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
    logMessages: logLines(db, head, tree) ?? null,
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

/** A transaction as nodes list it with parsed instructions, and what that is made of. */
export interface RpcTransaction extends ParsedInstructions {
  readonly head: TransactionHead;
  readonly keys: readonly AccountKey[];
  readonly json: JsonObject;
}

/** Reads a transaction; undefined when the ledger does not contain it. */
export function readRpcTransaction(db: LedgerReader, id: number): RpcTransaction | undefined {
  const head = readTransactionHead(db, id);
  if (!head) return undefined;
  const tree = treeOf(db, id);
  const infos = readArguments(db, tree, stepsOf(db, { ...head, id }, tree));
  const { keys, tokens } = balancesOf(db, id);
  const message = {
    accountKeys: keys.map(keyJson),
    instructions: topInstructions(tree).map((each) => instructionJson(each, infos)),
    recentBlockhash: head.recentHash,
    // As nodes answer: legacy messages have no lookups.
    addressTableLookups: head.version === undefined ? null : (head.lookups ?? lookupsOf(keys)),
  };
  const json = {
    ...omitMissing({ blockTime: unixTimeOf(db, head.time) }),
    slot: head.slot,
    meta: metaOf(db, head, { tree, infos }, keys, tokens),
    transaction: { message, signatures: [head.signature, ...head.otherSignatures] },
    version: head.version ?? "legacy",
  };
  return { head, keys, tree, infos, json };
}

/** Returns a transaction as the entity `LegacyRpcTransaction`; empty when the ledger does not contain it. */
export function rpcTransaction(db: LedgerReader, id: number): readonly JsonObject[] {
  const transaction = readRpcTransaction(db, id);
  return transaction ? [transaction.json] : [];
}
