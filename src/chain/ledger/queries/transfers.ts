import { DAY_SECONDS, type JsonObject, omitMissing } from "../../../base/index.ts";
import {
  type CsvRecord,
  MAX_EXPORT_ROWS,
  NEWER_TRANSFER_ACTIVITIES,
  type QueryParams,
  TRANSFER_ACTIVITIES,
} from "../../../catalogue/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../store/reader.ts";
import { isInTransactionSql, transactionIdSql } from "../store/schema.ts";
import { type CsvColumns, csvRecords, type QueryContext } from "./query.ts";
import {
  addRange,
  addressOf,
  addTimeWindow,
  amountOf,
  asText,
  decimalsOf,
  idOrUnknown,
  idsOrUnknown,
  isoTimeOf,
  isTokenAccount,
  joinBlock,
  type PageLimits,
  pageLimits,
  positionFields,
  readPage,
  sortDirection,
  timeWindow,
  toUnixTime,
  unixTimeOf,
  valueCell,
  WhereClause,
} from "./sql.ts";

/** Transfer types by their number in the ledger. */
export const TRANSFER_TYPES: readonly string[] = [...TRANSFER_ACTIVITIES, ...NEWER_TRANSFER_ACTIVITIES];

/**
 * Selects the transfers of an owner (a wallet, pool, mint or program), of one token account (including its SOL), or of
 * a token. Only the first two have a flow. Values are account ids; −1 matches nothing.
 */
export type TransferSubject =
  | { readonly owner: number }
  | { readonly tokenAccount: number }
  | { readonly token: number };

/** Returns the subject that an address stands for in account endpoints. */
export function transferSubject(db: LedgerReader, address: string): TransferSubject {
  const id = idOrUnknown(db, address);
  return isTokenAccount(db, id) ? { tokenAccount: id } : { owner: id };
}

/** The tables that a list of transfers is read from: `s` has the order, `t` is the transfer, the flow is 0 or 1. */
interface TransferSource {
  readonly from: string;
  /** Joins the transfers where `from` does not include them; lists without filters omit it. */
  readonly join: string;
  readonly id: string;
  /**
   * The columns that determine the order. Time windows begin and end between transactions, so they bound the first one
   * only: with two ranges of the same column, SQLite could choose the wide one for the inner loop.
   */
  readonly order: readonly [string, ...string[]];
  readonly flow: string;
}

/** The transaction id of a row of `account_keys k`. */
const TRANSACTION = transactionIdSql("k.id");

const BY_OWNER: TransferSource = {
  from: "account_transfers s",
  join: "CROSS JOIN transfers t ON t.id = s.transfer_id",
  id: "s.transfer_id",
  order: ["s.transfer_id"],
  flow: "s.flow",
};
const BY_TOKEN: TransferSource = { from: "transfers t", join: "", id: "t.id", order: ["t.id"], flow: "NULL" };
/** The transactions that name a token account contain all of its transfers. */
const BY_TOKEN_ACCOUNT: TransferSource = {
  from: `account_keys k CROSS JOIN transfers t ON ${isInTransactionSql("t.id", TRANSACTION)}`,
  join: "",
  id: "t.id",
  order: ["k.id", "t.id"],
  flow: "(CASE WHEN k.account_id IN (t.from_id, t.from_account_id) THEN 0 ELSE 1 END)",
};
/** Transfers of an owner through one token account. */
const BY_OWNER_AND_TOKEN_ACCOUNT: TransferSource = {
  from: `account_keys k CROSS JOIN account_transfers s ON s.account_id = ? AND ${isInTransactionSql("s.transfer_id", TRANSACTION)}
    CROSS JOIN transfers t ON t.id = s.transfer_id`,
  join: "",
  id: "t.id",
  order: ["k.id", "s.transfer_id"],
  flow: "s.flow",
};

function sourceOf(db: LedgerReader, subject: TransferSubject, params: QueryParams) {
  const through = params.text("token_account");
  const where = new WhereClause();
  if ("token" in subject) return { plan: BY_TOKEN, where: where.add("t.token_id = ?", subject.token), joinValues: [] };
  const account = through === undefined ? undefined : idOrUnknown(db, through);
  if ("tokenAccount" in subject) {
    const { tokenAccount: id } = subject;
    where.add("k.account_id = ?", id);
    where.add("? IN (t.from_id, t.from_account_id, t.to_id, t.to_account_id)", id);
    if (account !== undefined) where.add("? IN (t.from_account_id, t.to_account_id)", account);
    return { plan: BY_TOKEN_ACCOUNT, where, joinValues: [] };
  }
  if (account === undefined)
    return { plan: BY_OWNER, where: where.add("s.account_id = ?", subject.owner), joinValues: [] };
  where.add("k.account_id = ?", account).add("? IN (t.from_account_id, t.to_account_id)", account);
  return { plan: BY_OWNER_AND_TOKEN_ACCOUNT, where, joinValues: [subject.owner] };
}

/** Requires that a side of the transfer is, or is not, one of the addresses, as owner or as token account. */
function addPartyCondition(
  where: WhereClause,
  db: LedgerReader,
  name: "from" | "to",
  addresses: readonly string[],
  not = false,
): void {
  if (addresses.length === 0) return;
  const ids = idsOrUnknown(db, addresses);
  const list = ids.map(() => "?").join();
  const among = `(t.${name}_id IN (${list}) OR ifnull(t.${name}_account_id, 0) IN (${list}))`;
  where.add(not ? `NOT ${among}` : among, ...ids, ...ids);
}

function buildConditions(db: LedgerReader, params: QueryParams): WhereClause {
  const where = new WhereClause();
  const types = params.list("activity_type").map((name) => TRANSFER_TYPES.indexOf(name));
  where.addIn("t.type", types);
  where.addIn("t.token_id", idsOrUnknown(db, params.list("token")));
  addPartyCondition(where, db, "from", params.list("from"));
  addPartyCondition(where, db, "from", params.list("exclude_from"), true);
  addPartyCondition(where, db, "to", params.list("to"));
  addPartyCondition(where, db, "to", params.list("exclude_to"), true);
  addRange(where, "t.amount", params.list("amount"));
  addRange(where, "t.value", params.list("value"), 6);
  if (params.flag("exclude_amount_zero")) where.add("t.amount <> 0");
  return where;
}

const COLUMNS = `t.id, t.type, t.from_id, t.from_account_id, t.to_id, t.to_account_id, t.token_id,
  ${asText("t.amount")} AS amount, p.flow, b.slot, x.signature, b.time`;

function selectTransfers(
  { db, params }: QueryContext,
  subject: TransferSubject,
  window: readonly [from: number | undefined, to: number | undefined],
) {
  const { plan, where, joinValues } = sourceOf(db, subject, params);
  addTimeWindow(where, db, plan.order[0], ...window);
  const flow = params.text("flow");
  if (flow !== undefined && !("token" in subject)) where.add(`${plan.flow} = ?`, flow === "in" ? 1 : 0);
  const conditions = buildConditions(db, params);
  const join = conditions.sql === "" ? "" : plan.join;
  return {
    plan,
    sql: `FROM ${plan.from} ${join} ${where.sqlWith(conditions)}`,
    values: [...joinValues, ...where.values, ...conditions.values],
  };
}

function readTransfers(context: QueryContext, subject: TransferSubject, limits: PageLimits, columns = COLUMNS) {
  const { db, params } = context;
  const { plan, sql, values } = selectTransfers(context, subject, timeWindow(params));
  const ids = `SELECT ${plan.id} AS id, ${plan.flow} AS flow ${sql}`;
  const joins = `CROSS JOIN transfers t ON t.id = p.id ${joinBlock("t.id")}`;
  const page = { columns, ids, values, order: plan.order, joins, direction: sortDirection(params) };
  return readPage(db, page, ...limits);
}

const MAX_TOTAL = 10_000_000;

const TOTAL_SECONDS = 21 * DAY_SECONDS;

/** Returns the number of transfers that the filters of {@link transferRows} select. */
export function transferTotal(context: QueryContext, subject: TransferSubject): number {
  const { db, params } = context;
  const [from, to] = timeWindow(params);
  const recent = toUnixTime(db.clock, db.clock.end) - TOTAL_SECONDS;
  const { sql, values } = selectTransfers(context, subject, [from ?? (to === undefined ? recent : undefined), to]);
  return Number(db.get(`SELECT count(*) AS total FROM (SELECT 1 ${sql} LIMIT ${MAX_TOTAL})`, ...values)?.total);
}

const flowOf = (row: LedgerRow): string => (row.flow === 1 ? "in" : "out");

function transferOf(db: LedgerReader, row: LedgerRow): JsonObject {
  return omitMissing({
    ...positionFields(db, row),
    activity_type: TRANSFER_TYPES[Number(row.type)] ?? "",
    from_address: addressOf(db, row.from_id),
    from_token_account: addressOf(db, row.from_account_id),
    to_address: addressOf(db, row.to_id),
    to_token_account: addressOf(db, row.to_account_id),
    token_address: addressOf(db, row.token_id),
    token_decimals: decimalsOf(db, row.token_id),
    amount: amountOf(row.amount),
    flow: row.flow === null ? undefined : flowOf(row),
  });
}

/**
 * Returns a page of transfers as the entity `Transfer`, newest first unless `sort_order` is asc. Supported filters:
 * activity_type, token_account, from, exclude_from, to, exclude_to, token, amount, value, flow, exclude_amount_zero,
 * from_time, to_time, block_time.
 */
export function transferRows(context: QueryContext, subject: TransferSubject): readonly JsonObject[] {
  return mapRows(readTransfers(context, subject, pageLimits(context.params)), (row) => transferOf(context.db, row));
}

const EXPORT_COLUMNS = `${COLUMNS}, ${asText("t.value")} AS value`;

const exportColumns = (db: LedgerReader): CsvColumns<LedgerRow> => [
  ["Signature", ({ signature }) => String(signature)],
  ["Block Time", ({ time }) => unixTimeOf(db, time) ?? ""],
  ["Human Time", ({ time }) => isoTimeOf(db, time) ?? ""],
  ["Action", ({ type }) => (TRANSFER_TYPES[Number(type)] ?? "").replace("ACTIVITY_SPL_", "")],
  ["From", ({ from_id }) => db.addressOf(Number(from_id))],
  ["To", ({ to_id }) => db.addressOf(Number(to_id))],
  ["Amount", ({ amount }) => String(amount)],
  ["Flow", (row) => (row.flow === null ? "" : flowOf(row))],
  ["Value", ({ value }) => valueCell(value)],
  ["Decimals", ({ token_id }) => decimalsOf(db, token_id) ?? ""],
  ["Token Address", ({ token_id }) => db.addressOf(Number(token_id))],
];

/** Returns the same transfers as CSV records, up to the row limit of exports. */
export const transferRecords = (context: QueryContext, subject: TransferSubject): readonly CsvRecord[] =>
  csvRecords(exportColumns(context.db), readTransfers(context, subject, [MAX_EXPORT_ROWS, 0], EXPORT_COLUMNS));
