/** Transactions in lists: of an account, of a block, the latest ones. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { KEY_FLAGS, rowRange } from "../../store/schema.ts";
import { amountOf, asText, toIsoTime, unixTimeOf } from "../sql.ts";
import { COMPUTE_BUDGET } from "./tree.ts";
import { signatureOf, voteInstructionRows, voteKeyRows } from "./votes.ts";

/** The summary of an instruction in lists. */
export interface InstructionSummary {
  readonly [name: string]: string;
  /** The program's name of the instruction. */
  readonly type: string;
  readonly program_id: string;
}

/** The summaries of a transaction's instructions. */
export interface InstructionSummaries {
  /** Instructions at all depths in the order of execution, except those of the compute budget. */
  readonly summaries: readonly InstructionSummary[];
  /** Distinct programs in the order of their first instruction. */
  readonly programs: readonly string[];
}

/** Returns the addresses of the signers; the first pays the fee. */
export function signersOf(db: LedgerReader, transaction: number): readonly string[] {
  const rows = db.all(
    `SELECT account_id FROM account_keys WHERE id >= ? AND id < ? AND flags & ${KEY_FLAGS.signer} ORDER BY id`,
    ...rowRange(transaction),
  );
  const signers = rows.length > 0 ? rows : voteKeyRows(db, transaction).slice(0, 1);
  return signers.map((row) => db.addressOf(Number(row.account_id)));
}

/** Summarizes the instructions of a transaction. */
export function summarizeInstructions(db: LedgerReader, transaction: number): InstructionSummaries {
  const stored = db.all(
    `SELECT k.type, k.program_id, p.name FROM instructions i
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
    programs: [...new Set(all.map((instruction) => instruction.program_id))],
  };
}

/** Reads the slot, time, signature, fee and error of a transaction. */
export function readSummaryRow(db: LedgerReader, transaction: number): LedgerRow | undefined {
  const row = db.get(
    `SELECT x.slot, x.signature, ${asText("x.fee")} AS fee, x.error, b.time FROM transactions x CROSS JOIN blocks b ON b.slot = x.slot
    WHERE x.id = ?`,
    transaction,
  );
  return row && { ...row, signature: signatureOf(db, transaction, row.signature) };
}

/** Returns `Success` or `Fail` by the error of a transaction. */
export const statusOf = (error: unknown): string => (error === null ? "Success" : "Fail");

/** Returns transactions as the entity `AccountTransaction` in the order of the ids, without unknown ones. */
export function transactionRows(db: LedgerReader, ids: readonly number[]): readonly JsonObject[] {
  return ids.flatMap((id) => {
    const head = readSummaryRow(db, id);
    if (!head) return [];
    const { summaries, programs } = summarizeInstructions(db, id);
    return [
      {
        slot: Number(head.slot),
        fee: amountOf(head.fee),
        status: statusOf(head.error),
        signer: signersOf(db, id),
        ...omitMissing({ block_time: unixTimeOf(db, head.time) }),
        tx_hash: String(head.signature),
        parsed_instructions: summaries,
        program_ids: programs,
        ...omitMissing({ time: head.time === null ? undefined : toIsoTime(db.clock, head.time) }),
      },
    ];
  });
}
