/** The head of a transaction (everything except its instructions and effects), and its summary in lists. */
import { type JsonObject, type Numeric, omitMissing, parseJson } from "../../../../base/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { KEY_FLAGS, rowRange, slotSql } from "../../store/schema.ts";
import { findTransactionId, voteInstructionRows, voteKeyRows, voteRow } from "../../store/votes.ts";
import { amountOf, asText, columnNumber, columnText, toIsoTime, unixTimeOf } from "../sql.ts";
import type { TableLookup } from "./balances.ts";
import { createOutputReader, type TransactionEffects } from "./instruction-output.ts";
import { composeLogs } from "./logs.ts";
import { COMPUTE_BUDGET, type Instruction, readKeys } from "./tree.ts";

/** The head of a transaction. Times are the ledger's; fees are lamports. */
export interface TransactionHead {
  readonly id: number;
  readonly signature: string;
  /** The other signatures, where the ledger has them. */
  readonly otherSignatures: readonly string[];
  readonly slot: number;
  readonly time: number | undefined;
  readonly fee: Numeric;
  readonly priorityFee: Numeric;
  readonly error: string | undefined;
  readonly computeUnits: number | undefined;
  readonly costUnits: number | undefined;
  readonly version: number | undefined;
  readonly logs: readonly string[] | undefined;
  readonly recentHash: string;
  /** The lookup tables that the message names, where the ledger has them. */
  readonly lookups: readonly TableLookup[] | undefined;
}

const HEAD = `SELECT x.id, b.slot, x.signature, ${asText("x.fee")} AS fee, ${asText("x.priority_fee")} AS priority_fee, x.error,
    x.compute_units, x.cost_units, x.version, x.logs, x.lookups, x.other_signatures, b.time,
    CASE WHEN x.blockhash IS NOT NULL THEN x.blockhash WHEN x.blockhash_slot IS NULL THEN b.parent_hash
      ELSE (SELECT hash FROM blocks WHERE slot = x.blockhash_slot) END AS recent_hash
  FROM transactions x CROSS JOIN blocks b ON b.slot = ${slotSql("x.id")}`;

/** Returns the lookups of a message as nodes list them. */
const lookupsOf = (stored: unknown): readonly TableLookup[] | undefined =>
  typeof stored !== "string"
    ? undefined
    : (JSON.parse(stored) as [string, number[], number[]][]).map(([accountKey, writableIndexes, readonlyIndexes]) => ({
        accountKey,
        writableIndexes,
        readonlyIndexes,
      }));

/** Reads a transaction by signature or id; undefined when the ledger does not contain it. */
export function readTransactionHead(db: LedgerReader, key: string | number): TransactionHead | undefined {
  const id = typeof key === "string" ? findTransactionId(db, key) : key;
  const row = id === undefined ? undefined : (voteRow(db, id) ?? db.get(`${HEAD} WHERE x.id = ?`, id));
  return (
    row && {
      id: Number(row.id),
      signature: String(row.signature),
      otherSignatures: row.other_signatures === null ? [] : String(row.other_signatures).split(" "),
      slot: Number(row.slot),
      time: columnNumber(row.time),
      fee: amountOf(row.fee),
      priorityFee: amountOf(row.priority_fee),
      error: columnText(row.error),
      computeUnits: columnNumber(row.compute_units),
      costUnits: columnNumber(row.cost_units),
      version: columnNumber(row.version),
      logs: row.logs === null ? undefined : row.logs === "" ? [] : String(row.logs).split("\n"),
      recentHash: String(row.recent_hash),
      lookups: lookupsOf(row.lookups),
    }
  );
}

/**
 * Returns the log of a transaction: the stored lines; of a simulated transaction, lines derived from its instructions.
 * Undefined where it is unknown.
 */
export function logLines(
  db: LedgerReader,
  { id, time, logs, error, computeUnits = 0 }: TransactionHead,
  tree: readonly Instruction[],
  effects: Pick<TransactionEffects, "infos" | "balances">,
): readonly string[] | undefined {
  if (logs || !db.facts.isGenerated) return logs;
  const outputs = createOutputReader(db, { id, time: unixTimeOf(db, time), ...effects });
  return composeLogs({ tree, error, computeUnits }, outputs);
}

/**
 * Returns why a transaction of a chain failed, as the field `error`; nothing of one that did not.
 * @param programs those of the top-level instructions
 * @param logs its log, if that has been read
 */
export function failureField(
  db: LedgerReader,
  { id, error, logs }: { readonly id: number; readonly error: unknown; readonly logs?: readonly string[] | undefined },
  programs: readonly string[],
): { readonly error?: JsonObject } {
  if (typeof error !== "string" || db.facts.isGenerated || !db.decode) return {};
  const failure = { error: parseJson(error), programs, accounts: readKeys(db, id), logs: logs ?? readLogs(db, id) };
  return { error: db.decode.failure(failure) };
}

const readLogs = (db: LedgerReader, id: number): readonly string[] | undefined =>
  columnText(db.get("SELECT logs FROM transactions WHERE id = ?", id)?.logs)?.split("\n");

/**
 * Returns the distinct tokens of transfers, balance changes and activities, in the order of their ids. SOL is included
 * where it is transferred.
 */
export function involvedTokens(db: LedgerReader, transaction: number): readonly number[] {
  const rows = rowRange(transaction);
  return db
    .all(
      `SELECT id FROM (SELECT token_id AS id FROM transfers WHERE id >= ? AND id < ?
      UNION SELECT token_id FROM balance_changes WHERE id >= ? AND id < ? AND token_id <> 1
      UNION SELECT token1_id FROM defi WHERE id >= ? AND id < ?
      UNION SELECT token2_id FROM defi WHERE id >= ? AND id < ? AND token2_id IS NOT NULL) ORDER BY id`,
      ...[...rows, ...rows, ...rows, ...rows],
    )
    .map((row) => Number(row.id));
}

/** Returns `metadata.tokens`: names of tokens by mint. */
export function tokenLabels(db: LedgerReader, tokens: readonly number[]): JsonObject {
  const labels = mapRows(tokens, (id) => {
    const row = db.get("SELECT name, symbol, icon FROM tokens WHERE id = ?", id);
    if (!row) return [];
    const address = db.addressOf(id);
    const label = omitMissing({
      token_address: address,
      token_name: columnText(row.name),
      token_symbol: columnText(row.symbol),
      token_icon: columnText(row.icon) ?? db.facts.assume(""),
    });
    return [[address, label] as const];
  }).flat();
  return Object.fromEntries(labels);
}

/** Returns the addresses of the signers; the first pays the fee. */
export function readSigners(db: LedgerReader, transaction: number): readonly string[] {
  const rows = db.all(
    `SELECT account_id FROM account_keys WHERE id >= ? AND id < ? AND flags & ${KEY_FLAGS.signer} ORDER BY id`,
    ...rowRange(transaction),
  );
  const signers = rows.length > 0 ? rows : voteKeyRows(db, transaction).slice(0, 1);
  return signers.map((row) => db.addressOf(Number(row.account_id)));
}

/**
 * Summarizes the instructions of a transaction at all depths, in the order of execution, except those of the compute
 * budget; its `programs` are distinct, and `topPrograms` those of the instructions at the top.
 */
export function summarizeInstructions(db: LedgerReader, transaction: number) {
  const stored = db.all(
    `SELECT i.parent, k.type, k.program_id, p.name FROM instructions i
    CROSS JOIN instruction_kinds k ON k.id = i.kind_id LEFT JOIN programs p ON p.account_id = k.program_id
    WHERE i.id >= ? AND i.id < ? ORDER BY i.id`,
    ...rowRange(transaction),
  );
  const rows = stored.length > 0 ? stored : voteInstructionRows(db, transaction);
  const all = rows.map((row) => ({
    type: String(row.type),
    ...(row.name === null ? {} : { program: String(row.name) }),
    program_id: db.addressOf(Number(row.program_id)),
  }));
  return {
    summaries: all.filter((instruction) => instruction.program_id !== COMPUTE_BUDGET),
    topPrograms: all.flatMap(({ program_id }, at) => (Number(rows[at]?.parent) < 0 ? [program_id] : [])),
    programs: [...new Set(all.map((instruction) => instruction.program_id))],
  };
}

/** Reads the slot, time, signature, fee and error of a transaction. */
export function readSummaryRow(db: LedgerReader, transaction: number): LedgerRow | undefined {
  const sql = `SELECT b.slot, x.signature, ${asText("x.fee")} AS fee, x.error, b.time FROM transactions x
    CROSS JOIN blocks b ON b.slot = ${slotSql("x.id")} WHERE x.id = ?`;
  return voteRow(db, transaction) ?? db.get(sql, transaction);
}

/** Returns `Success` or `Fail` by the error of a transaction. */
export const statusOf = (error: unknown): string => (error === null ? "Success" : "Fail");

/** Returns transactions as the entity `AccountTransaction` in the order of the ids, without unknown ones. */
export function transactionRows(db: LedgerReader, ids: readonly number[]): readonly JsonObject[] {
  return mapRows(ids, (id) => {
    const head = readSummaryRow(db, id);
    if (!head) return [];
    const { summaries, programs, topPrograms } = summarizeInstructions(db, id);
    return [
      {
        slot: Number(head.slot),
        fee: amountOf(head.fee),
        status: statusOf(head.error),
        ...failureField(db, { id, error: head.error }, topPrograms),
        signer: readSigners(db, id),
        ...omitMissing({ block_time: unixTimeOf(db, head.time) }),
        tx_hash: String(head.signature),
        parsed_instructions: summaries,
        program_ids: programs,
        ...omitMissing({ time: head.time === null ? undefined : toIsoTime(db.clock, head.time) }),
      },
    ];
  }).flat();
}
