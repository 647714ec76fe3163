/** Balance changes of an account. */

import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { QueryParams } from "../../../../catalogue/index.ts";
import { amountDistance } from "../../store/amounts.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { transactionOfRow } from "../../store/schema.ts";
import type { Query, QueryContext } from "../query.ts";
import {
  addRange,
  addTimeWindow,
  amountOf,
  asText,
  columnNumber,
  idOrUnknown,
  idsOrUnknown,
  isInTransactionSql,
  isTokenAccount,
  joinBlock,
  pageLimits,
  sortById,
  sortDirection,
  timeFields,
  timeWindow,
  transactionIdSql,
  WhereClause,
} from "../sql.ts";
import { signatureOf } from "../transaction/votes.ts";
import { MIN_TRUSTED_REPUTATION } from "./state.ts";

/** The columns of a change, as {@link changeTypeOf} and the list rows read them. */
const COLUMNS = `c.id, c.account_id, c.owner_id, c.token_id, ${asText("c.pre")} AS pre, ${asText("c.post")} AS post,
  ${asText(amountDistance("c.post", "c.pre"))} AS amount, c.post >= c.pre AS grows,
  x.slot, x.signature, ${asText("x.fee")} AS fee, b.time, n.decimals, n.name, n.symbol`;

/** The tables that changes are read from. */
interface ChangeSource {
  readonly from: string;
  /**
   * The columns that determine the order. Time windows begin and end between transactions, so they bound the first one
   * only: with two ranges of the same column, SQLite could choose the wide one for the inner loop.
   */
  readonly order: readonly [string, ...string[]];
}

/**
 * Changes of an owner: its SOL and its token accounts. The index is named because a token filter would otherwise use
 * the index of the token, with the changes of all owners.
 */
const OWNER_CHANGES: ChangeSource = { from: "balance_changes c INDEXED BY balance_changes_owner", order: ["c.id"] };
/**
 * Changes of one account: the transactions that name it contain all of them, in chain order. Changes are read by the
 * row ids of each transaction, because an index would return all changes of the account each time.
 */
const ACCOUNT_CHANGES: ChangeSource = {
  from: `account_keys k CROSS JOIN balance_changes c NOT INDEXED
    ON ${isInTransactionSql("c.id", transactionIdSql("k.id"))} AND c.account_id = k.account_id`,
  order: ["k.id", "c.id"],
};

/** Selects the changes of an account. */
export interface ChangeRange {
  readonly address: string;
  readonly tokenAccount?: string | undefined;
  /** Further conditions on the change `c`. */
  readonly conditions: WhereClause;
  /** Time window in the caller's Unix seconds. */
  readonly window: readonly [from: number | undefined, to: number | undefined];
  readonly direction: "ASC" | "DESC";
}

function sourceOf(
  db: LedgerReader,
  { address, tokenAccount, window }: ChangeRange,
): readonly [plan: ChangeSource, where: WhereClause] {
  const id = idOrUnknown(db, address);
  const tokenAccountId = tokenAccount === undefined ? undefined : idOrUnknown(db, tokenAccount);
  const isHolding = isTokenAccount(db, id);
  const source = isHolding || tokenAccountId !== undefined ? ACCOUNT_CHANGES : OWNER_CHANGES;
  const where = new WhereClause();
  if (tokenAccountId !== undefined) where.add("k.account_id = ?", tokenAccountId);
  if (isHolding) where.add("k.account_id = ?", id);
  else where.add("c.owner_id = ?", id);
  addTimeWindow(where, db, source.order[0], ...window);
  return [source, where];
}

/** Reads the rows of a page: an index finds their ids first, and only these rows are joined. */
export function readChanges(db: LedgerReader, range: ChangeRange, limit: number, offset: number): readonly LedgerRow[] {
  const [source, where] = sourceOf(db, range);
  const { conditions, direction } = range;
  const order = source.order.map((column) => `${column} ${direction}`).join();
  const rows = db.all(
    `SELECT ${COLUMNS} FROM (
      SELECT c.id FROM ${source.from} ${where.sqlWith(conditions)} ORDER BY ${order} LIMIT ? OFFSET ?
    ) p CROSS JOIN balance_changes c ON c.id = p.id ${joinBlock("c.id")} CROSS JOIN tokens n ON n.id = c.token_id`,
    ...where.values,
    ...conditions.values,
    limit,
    offset,
  );
  return sortById(rows, direction);
}

/** Returns the number of changes in a range. */
export function countChanges(db: LedgerReader, range: ChangeRange): number {
  const [source, where] = sourceOf(db, range);
  const row = db.get(
    `SELECT count(*) AS total FROM ${source.from} ${where.sqlWith(range.conditions)}`,
    ...where.values,
    ...range.conditions.values,
  );
  return Number(row?.total);
}

/** Returns `inc` or `dec` for a change. */
export const changeTypeOf = (row: LedgerRow): string => (row.grows === 1 ? "inc" : "dec");

function conditionsOf(db: LedgerReader, params: QueryParams): WhereClause {
  const where = new WhereClause().addIn("c.token_id", idsOrUnknown(db, params.list("token")));
  addRange(where, amountDistance("c.post", "c.pre"), params.list("amount"));
  const flow = params.text("flow");
  if (flow !== undefined) where.add(flow === "in" ? "c.post >= c.pre" : "c.post < c.pre");
  if (params.flag("remove_spam")) {
    where.add("ifnull((SELECT reputation FROM tokens WHERE id = c.token_id), 100) >= ?", MIN_TRUSTED_REPUTATION);
  }
  return where;
}

function changeOf(db: LedgerReader, row: LedgerRow): JsonObject {
  return omitMissing({
    block_id: Number(row.slot),
    ...timeFields(db, row.time),
    trans_id: signatureOf(db, transactionOfRow(Number(row.id)), row.signature),
    address: db.addressOf(Number(row.owner_id)),
    token_address: db.addressOf(Number(row.token_id)),
    token_account: db.addressOf(Number(row.account_id)),
    token_decimals: columnNumber(row.decimals),
    amount: amountOf(row.amount),
    pre_balance: amountOf(row.pre),
    post_balance: amountOf(row.post),
    change_type: changeTypeOf(row),
    fee: amountOf(row.fee),
  });
}

/**
 * `/account/balance_change`: balance changes of an owner, or of a token account. For SOL the account is its own token
 * account.
 */
export const balanceChange: Query = ({ db, params }: QueryContext) => {
  const range = {
    address: params.required("address"),
    tokenAccount: params.text("token_account"),
    conditions: conditionsOf(db, params),
    window: timeWindow(params),
    direction: sortDirection(params),
  };
  return { data: readChanges(db, range, ...pageLimits(params)).map((row) => changeOf(db, row)) };
};
