/** `/account/transactions/enhanced`: transactions of an account with filters, in the encodings of Solana nodes. */
import { Buffer } from "node:buffer";
import { isAddress, type QueryParams } from "../../../../catalogue/index.ts";
import { hasDiscriminator } from "../../interfaces/interface.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import {
  firstRow,
  firstRowOfSlot,
  isInTransactionSql,
  KEY_FLAGS,
  ROWS_PER_TRANSACTION,
  SLOT_END,
  transactionIdSql,
  transactionOfRow,
} from "../../store/schema.ts";
import { findTransactionId, placeOf } from "../../store/votes.ts";
import { notFoundError, type Query } from "../query.ts";
import { idOrUnknown, idsOrUnknown, WhereClause } from "../sql.ts";
import { nodeTransaction } from "../transaction/node-transaction.ts";

/** The transaction of a row of `account_keys k`. */
const TRANSACTION = transactionIdSql("k.id");

/** Returns the condition that a table, with an alias, has a row of the transaction. */
const exists = (table: string, condition: string): string => {
  const [, alias] = table.split(" ");
  return `EXISTS (SELECT 1 FROM ${table} WHERE ${isInTransactionSql(`${alias}.id`, TRANSACTION)} AND ${condition})`;
};

/** Returns the kinds of instructions that texts name: a program address and a discriminator in hexadecimal digits. */
function instructionKinds(db: LedgerReader, instructions: readonly string[]): readonly number[] {
  return instructions.flatMap((text) => {
    const [, program = "", digits = ""] = splitInstruction(text) ?? [];
    return db
      .all(
        `SELECT k.id, k.type, p.name FROM instruction_kinds k LEFT JOIN programs p ON p.account_id = k.program_id
        WHERE k.program_id = ?`,
        idOrUnknown(db, program),
      )
      .filter(({ name, type }) => !db.facts.isGenerated || hasDiscriminator(String(name), String(type), digits))
      .map(({ id }) => Number(id));
  });
}

/** Splits an address from the hexadecimal digits that follow it, of 1, 2, 4 or 8 bytes. */
function splitInstruction(text: string): readonly string[] | undefined {
  const parts = [16, 8, 4, 2].map((digits) => new RegExp(`^(.+)([0-9a-f]{${digits}})$`, "i").exec(text));
  return parts.find((match) => match !== null && isAddress(match[1] ?? "")) ?? undefined;
}

/** Returns the filters of a request. Ids of unknown accounts match nothing; without `kinds`, instructions are of any. */
function parseFilters(db: LedgerReader, params: QueryParams) {
  const ids = (name: string) => idsOrUnknown(db, params.list(name));
  const instructions = params.list("instruction");
  return {
    programs: ids("program"),
    tokens: ids("token"),
    signers: ids("signer"),
    kinds: instructions.length === 0 ? undefined : instructionKinds(db, instructions),
    isSuccess: params.text("status") === undefined ? undefined : params.flag("status"),
  };
}

type EnhancedFilters = ReturnType<typeof parseFilters>;

function buildConditions({ programs, tokens, signers, kinds, isSuccess }: EnhancedFilters): WhereClause {
  const where = new WhereClause();
  const addExists = (table: string, column: string, values: readonly number[], more = "") =>
    where.add(exists(table, `${column} IN (${values.map(() => "?").join()})${more}`), ...values);
  if (programs.length > 0) addExists("account_keys p", "p.account_id", programs);
  if (tokens.length > 0) addExists("balance_changes c", "c.token_id", tokens);
  if (signers.length > 0) addExists("account_keys s", "s.account_id", signers, ` AND s.flags & ${KEY_FLAGS.signer}`);
  if (kinds) addExists("instructions i", "i.kind_id", kinds);
  if (isSuccess !== undefined) {
    where.add(`(SELECT error FROM transactions x WHERE x.id = ${TRANSACTION}) IS ${isSuccess ? "" : "NOT "}NULL`);
  }
  return where;
}

/** Slots are 64-bit integers; those of a ledger are below the limit. */
const slotOf = (text: string): number => Math.min(Number(text), SLOT_END);

/** Returns the first row after a transaction. */
const rowAfter = (transaction: number): number => placeOf(transaction) + ROWS_PER_TRANSACTION;

function requireTransaction(db: LedgerReader, signature: string): number {
  const id = findTransactionId(db, signature);
  if (id === undefined) throw notFoundError("Transaction");
  return id;
}

function rowBounds(db: LedgerReader, params: QueryParams, before: number): readonly [from: number, to: number] {
  const { shift } = db.clock;
  const bounds = (...rows: readonly (number | undefined)[]) => rows.filter((row) => row !== undefined);
  const [fromTime, toTime] = [params.integer("from_time"), params.integer("to_time")];
  const [fromSlot, toSlot] = [params.text("from_slot"), params.text("to_slot")];
  const [fromSignature, toSignature] = [params.text("from_signature"), params.text("to_signature")];
  const lower = bounds(
    fromTime === undefined ? undefined : db.firstRowAt(fromTime - shift),
    fromSlot === undefined ? undefined : firstRowOfSlot(slotOf(fromSlot) + 1),
    fromSignature === undefined ? undefined : rowAfter(requireTransaction(db, fromSignature)),
  );
  const upper = bounds(
    toTime === undefined ? undefined : db.firstRowAt(toTime - shift + 1),
    toSlot === undefined ? undefined : firstRowOfSlot(slotOf(toSlot)),
    toSignature === undefined ? undefined : placeOf(requireTransaction(db, toSignature)),
  );
  return [Math.max(0, ...lower), Math.min(before, ...upper)];
}

/** Returns the latest transactions between two rows that name an account, or one of its token accounts, newest first. */
function latestIds(
  db: LedgerReader,
  params: QueryParams,
  [from, to]: readonly [from: number, to: number],
  limit: number,
): readonly number[] {
  const account = idOrUnknown(db, params.required("address"));
  const owned = "SELECT account_id AS id FROM token_accounts WHERE owner_id = ?";
  const others = params.flag("token_account") ? db.all(owned, account).map(({ id }) => Number(id)) : [];
  const conditions = buildConditions(parseFilters(db, params));
  const keys = `SELECT k.id FROM account_keys k WHERE k.account_id = ? AND k.id >= ? AND k.id < ?
    ${conditions.sql.replace("WHERE", "AND")} ORDER BY k.id DESC LIMIT ?`;
  let latest = new Set<number>();
  let oldest = from;
  for (const id of [account, ...others]) {
    for (const row of db.all(keys, id, oldest, to, ...conditions.values, limit))
      latest.add(transactionOfRow(Number(row.id)));
    if (latest.size < limit) continue;
    latest = new Set([...latest].sort((a, b) => b - a).slice(0, limit));
    // Of the remaining accounts only newer transactions count.
    oldest = firstRow([...latest].at(-1) ?? 0);
  }
  return [...latest].sort((a, b) => b - a);
}

/** Returns the row that ends the page of a cursor; none follow another text. */
function rowOfCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const [, id = "0"] = /^before (\d{1,13})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return firstRow(Number(id));
}

/** Answers the page of transactions that a cursor leads to, with the cursor of the next page. */
export const transactionsEnhanced: Query = ({ db, params }) => {
  const limit = params.integer("limit") ?? 10;
  const bounds = rowBounds(db, params, rowOfCursor(params.text("cursor")));
  const latest = latestIds(db, params, bounds, limit + 1);
  const ids = latest.slice(0, limit);
  const last = ids.at(-1);
  return {
    data: {
      transactions: mapRows(ids, (id) => nodeTransaction(db, id, params.required("encoding"))).flat(),
      cursor: latest.length > limit && last !== undefined ? Buffer.from(`before ${last}`).toString("base64url") : null,
    },
  };
};
