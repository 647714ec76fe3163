/** Changes of the balances of an account. */
import type { JsonObject } from "../../../base/index.ts";
import type { Reader, Row } from "../../ledger/reader.ts";
import type { Context, Params, Query } from "../query.ts";
import {
  amountOf,
  between,
  directionOf,
  exact,
  idOrUnknown,
  idsOf,
  inOrder,
  inTransaction,
  isoOf,
  isTokenAccount,
  joinBlock,
  pageOf,
  transactionIn,
  unixOf,
  Where,
  windowOf,
  within,
} from "../sql.ts";
import { GOOD_REPUTATION } from "./state.ts";

/** The columns of a change, as {@link changeTypeOf} and the rows of lists read them. */
const COLUMNS = `c.id, c.account_id, c.owner_id, c.token_id, ${exact("c.pre")} AS pre, ${exact("c.post")} AS post,
  ${exact("abs(c.post - c.pre)")} AS amount, c.post >= c.pre AS grows,
  x.slot, x.signature, x.fee, b.time, n.decimals, n.name, n.symbol`;

/** Where changes are read from, and the columns that their order goes by. */
interface Plan {
  readonly from: string;
  readonly order: readonly string[];
}

/**
 * Those of an owner: his SOL and his token accounts. The index is named, as a filter by token would otherwise lead
 * through that of the token, with the changes of everybody who has it.
 */
const OWNER: Plan = { from: "balance_changes c INDEXED BY balance_changes_owner", order: ["c.id"] };
/**
 * Those of one account: the transactions that name it have all of them, in the order of the chain. Changes are read by
 * the ids of each transaction, never by an index, which would be asked for all that the account ever had.
 */
const ACCOUNT: Plan = {
  from: `account_keys k CROSS JOIN balance_changes c NOT INDEXED
    ON ${inTransaction("c.id", transactionIn("k.id"))} AND c.account_id = k.account_id`,
  order: ["k.id", "c.id"],
};

/** What is read of the changes of an account. */
export interface ChangeRange {
  readonly address: string;
  readonly tokenAccount?: string | undefined;
  /** More conditions on the change `c`. */
  readonly narrow: Where;
  /** Ledger windows in the caller's Unix seconds. */
  readonly window: readonly [from: number | undefined, to: number | undefined];
  readonly direction: "ASC" | "DESC";
}

function scopeOf(db: Reader, { address, tokenAccount, window }: ChangeRange): readonly [plan: Plan, where: Where] {
  const id = idOrUnknown(db, address);
  const through = tokenAccount === undefined ? undefined : idOrUnknown(db, tokenAccount);
  const isHolding = isTokenAccount(db, id);
  const plan = isHolding || through !== undefined ? ACCOUNT : OWNER;
  const where = new Where();
  if (through !== undefined) where.add("k.account_id = ?", through);
  if (isHolding) where.add("k.account_id = ?", id);
  else where.add("c.owner_id = ?", id);
  for (const column of plan.order) within(where, db, column, ...window);
  return [plan, where];
}

/** Rows of the ledger: the page is found by an index first, and only its rows are looked up. */
export function readChanges(db: Reader, range: ChangeRange, limit: number, offset: number): readonly Row[] {
  const [plan, where] = scopeOf(db, range);
  const { narrow, direction } = range;
  const order = plan.order.map((column) => `${column} ${direction}`).join();
  const rows = db.all(
    `SELECT ${COLUMNS} FROM (
      SELECT c.id FROM ${plan.from} ${where.and(narrow)} ORDER BY ${order} LIMIT ? OFFSET ?
    ) p CROSS JOIN balance_changes c ON c.id = p.id ${joinBlock("c.id")} CROSS JOIN tokens n ON n.id = c.token_id`,
    ...where.values,
    ...narrow.values,
    limit,
    offset,
  );
  return inOrder(rows, direction);
}

/** How many changes there are in a range. */
export function countChanges(db: Reader, range: ChangeRange): number {
  const [plan, where] = scopeOf(db, range);
  const row = db.get(
    `SELECT count(*) AS total FROM ${plan.from} ${where.and(range.narrow)}`,
    ...where.values,
    ...range.narrow.values,
  );
  return Number(row?.total);
}

/** Whether a balance grew. */
export const changeTypeOf = (row: Row): string => (row.grows === 1 ? "inc" : "dec");

function filter(db: Reader, params: Params): Where {
  const where = new Where().among("c.token_id", idsOf(db, params.list("token")));
  between(where, "abs(c.post - c.pre)", params.list("amount"));
  const flow = params.text("flow");
  if (flow !== undefined) where.add(flow === "in" ? "c.post >= c.pre" : "c.post < c.pre");
  if (params.flag("remove_spam")) {
    where.add("(SELECT reputation FROM tokens WHERE id = c.token_id) >= ?", GOOD_REPUTATION);
  }
  return where;
}

function changeOf(db: Reader, row: Row): JsonObject {
  return {
    block_id: Number(row.slot),
    block_time: unixOf(db.clock, row.time),
    time: isoOf(db.clock, row.time),
    trans_id: String(row.signature),
    address: db.addressOf(Number(row.owner_id)),
    token_address: db.addressOf(Number(row.token_id)),
    token_account: db.addressOf(Number(row.account_id)),
    token_decimals: Number(row.decimals),
    amount: amountOf(row.amount),
    pre_balance: amountOf(row.pre),
    post_balance: amountOf(row.post),
    change_type: changeTypeOf(row),
    fee: Number(row.fee),
  };
}

/**
 * `/account/balance_change`: changes of an owner's balances, or of a token account's own. SOL has the account itself
 * as its token account.
 */
export const balanceChange: Query = ({ db, params }: Context) => {
  const range = {
    address: params.need("address"),
    tokenAccount: params.text("token_account"),
    narrow: filter(db, params),
    window: windowOf(params),
    direction: directionOf(params),
  };
  return { data: readChanges(db, range, ...pageOf(params)).map((row) => changeOf(db, row)) };
};
