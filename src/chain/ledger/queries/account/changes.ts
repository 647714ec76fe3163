/** Balance changes of an account, and the legacy lists of its token changes and SOL transfers. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { MAX_EXPORT_ROWS, type QueryParams, type QueryResult } from "../../../../catalogue/index.ts";
import { amountDistance } from "../../store/amounts.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { isInTransactionSql, rowRange, SOL, transactionIdSql, transactionOfRow } from "../../store/schema.ts";
import { type CsvColumns, csvRecords, type Query, type QueryContext } from "../query.ts";
import {
  addRange,
  addTimeWindow,
  amountOf,
  asText,
  columnNumber,
  columnText,
  idOrUnknown,
  idsOrUnknown,
  isoTimeOf,
  isTokenAccount,
  joinBlock,
  pageLimits,
  readPage,
  sliceLimits,
  sortDirection,
  timeFields,
  timeWindow,
  unixTimeOf,
  WhereClause,
  wholeText,
} from "../sql.ts";
import { MIN_TRUSTED_REPUTATION } from "./state.ts";

const COLUMNS = `c.id, c.account_id, c.owner_id, c.token_id, ${asText("c.pre")} AS pre, ${asText("c.post")} AS post,
  ${asText(amountDistance("c.post", "c.pre"))} AS amount, c.post >= c.pre AS grows,
  b.slot, x.signature, ${asText("x.fee")} AS fee, b.time, n.decimals, n.name, n.symbol`;

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

/** The changes of a token other than SOL, in the form of their index. */
const TOKEN_CHANGES: ChangeSource = { from: `balance_changes c`, order: ["c.id"] };

interface ChangeRange {
  /** The owner or the token account; by default the conditions select a token. */
  readonly address: string | undefined;
  readonly tokenAccount?: string | undefined;
  /** Further conditions on the change `c`. */
  readonly conditions: WhereClause;
  /** Time window in the caller's Unix seconds. */
  readonly window?: readonly [from: number | undefined, to: number | undefined];
  readonly direction?: "ASC" | "DESC";
}

function sourceOf(db: LedgerReader, { address, tokenAccount, window = [undefined, undefined] }: ChangeRange) {
  const where = new WhereClause();
  if (address === undefined) return [TOKEN_CHANGES, where.add(`c.token_id <> ${SOL}`)] as const;
  const id = idOrUnknown(db, address);
  const isHolding = isTokenAccount(db, id);
  const source = isHolding || tokenAccount !== undefined ? ACCOUNT_CHANGES : OWNER_CHANGES;
  if (tokenAccount !== undefined) where.add("k.account_id = ?", idOrUnknown(db, tokenAccount));
  where.add(isHolding ? "k.account_id = ?" : "c.owner_id = ?", id);
  return [source, addTimeWindow(where, db, source.order[0], ...window)] as const;
}

function readChanges(db: LedgerReader, range: ChangeRange, limit: number, offset: number) {
  const [{ from, order }, where] = sourceOf(db, range);
  const { conditions, direction = "DESC" } = range;
  const ids = `SELECT c.id AS id FROM ${from} ${where.sqlWith(conditions)}`;
  const joins = `CROSS JOIN balance_changes c ON c.id = p.id ${joinBlock("c.id")} CROSS JOIN tokens n ON n.id = c.token_id`;
  const values = [...where.values, ...conditions.values];
  return readPage(db, { columns: COLUMNS, ids, values, order, joins, direction }, limit, offset);
}

function countChanges(db: LedgerReader, range: ChangeRange): number {
  const [source, where] = sourceOf(db, range);
  const row = db.get(
    `SELECT count(*) AS total FROM ${source.from} ${where.sqlWith(range.conditions)}`,
    ...where.values,
    ...range.conditions.values,
  );
  return Number(row?.total);
}

const changeTypeOf = (row: LedgerRow): string => (row.grows === 1 ? "inc" : "dec");

function buildConditions(db: LedgerReader, params: QueryParams): WhereClause {
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
    trans_id: String(row.signature),
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
    conditions: buildConditions(db, params),
    window: timeWindow(params),
    direction: sortDirection(params),
  };
  return { data: mapRows(readChanges(db, range, ...pageLimits(params)), (row) => changeOf(db, row)) };
};

/** Returns the identifier of a row with the length of the API's identifiers: 24 hexadecimal digits. */
const rowIdentifier = (row: LedgerRow): string => Number(row.id).toString(16).padStart(24, "0");

const legacyWindow = (params: QueryParams) => [params.integer("fromTime"), params.integer("toTime")] as const;

/** Returns a change as the entity `LegacyTokenTransfer`. */
function legacyChangeOf(db: LedgerReader, row: LedgerRow): JsonObject {
  return omitMissing({
    _id: rowIdentifier(row),
    address: db.addressOf(Number(row.account_id)),
    signature: [String(row.signature)],
    changeType: changeTypeOf(row),
    decimals: columnNumber(row.decimals),
    changeAmount: String(row.amount),
    preBalance: String(row.pre),
    postBalance: String(row.post),
    tokenAddress: db.addressOf(Number(row.token_id)),
    symbol: columnText(row.symbol),
    blockTime: unixTimeOf(db, row.time),
    slot: Number(row.slot),
    fee: amountOf(row.fee),
    owner: db.addressOf(Number(row.owner_id)),
    balance: omitMissing({ amount: String(row.post), decimals: columnNumber(row.decimals) }),
  });
}

const tokenChanges = (params: QueryParams): ChangeRange => ({
  address: params.required("account"),
  conditions: new WhereClause().add(`c.token_id <> ${SOL}`),
  window: legacyWindow(params),
});

/** Answers a page of changes in the legacy form, with their total number. */
export const legacyChanges = (db: LedgerReader, params: QueryParams, range: ChangeRange): QueryResult => ({
  data: {
    total: countChanges(db, range),
    data: mapRows(readChanges(db, range, ...sliceLimits(params)), (row) => legacyChangeOf(db, row)),
  },
});

/** `/account/splTransfers`. */
export const splTransfers: Query = ({ db, params }) => legacyChanges(db, params, tokenChanges(params));

function readSol(db: LedgerReader, params: QueryParams, limit: number, offset: number): readonly LedgerRow[] {
  const where = new WhereClause().add("s.account_id = ?", idOrUnknown(db, params.required("account")));
  addTimeWindow(where, db, "s.transfer_id", ...legacyWindow(params)).add("t.token_id = ?", SOL);
  return db.all(
    `SELECT t.id, t.from_id, t.to_id, ${asText("t.amount")} AS amount, b.slot, x.signature, ${asText("x.fee")} AS fee, b.time
    FROM account_transfers s CROSS JOIN transfers t ON t.id = s.transfer_id ${joinBlock("t.id")}
    ${where.sql} ORDER BY s.transfer_id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    limit,
    offset,
  );
}

/** Returns the number of transfers of SOL in the transaction of a row. */
const countTogether = (db: LedgerReader, row: LedgerRow): number =>
  db.all(
    `SELECT id FROM transfers WHERE id >= ? AND id < ? AND token_id = ${SOL}`,
    ...rowRange(transactionOfRow(Number(row.id))),
  ).length;

/** `/account/solTransfers`. */
export const solTransfers: Query = ({ db, params }) => ({
  data: {
    data: mapRows(readSol(db, params, ...sliceLimits(params)), (row) =>
      omitMissing({
        _id: rowIdentifier(row),
        src: db.addressOf(Number(row.from_id)),
        dst: db.addressOf(Number(row.to_id)),
        lamport: amountOf(row.amount),
        blockTime: unixTimeOf(db, row.time),
        slot: Number(row.slot),
        txHash: String(row.signature),
        fee: amountOf(row.fee),
        status: "Success",
        decimals: 9,
        txNumberSolTransfer: countTogether(db, row),
      }),
    ),
  },
});

/** The columns of a transaction export: rows are changes of token balances, or transfers of SOL, which have senders. */
function exportColumns(db: LedgerReader): CsvColumns<LedgerRow> {
  const ofChange = (cell: (row: LedgerRow) => string) => (row: LedgerRow) =>
    row.from_id === undefined ? cell(row) : "";
  const ofTransfer = (cell: (row: LedgerRow) => string) => (row: LedgerRow) =>
    row.from_id === undefined ? "" : cell(row);
  const whole = (name: string) =>
    ofChange((row) => (row.decimals == null ? "" : wholeText(row[name], Number(row.decimals))));
  return [
    ["Type", ({ from_id }) => (from_id === undefined ? "tokenchange" : "soltransfer")],
    ["Txhash", ({ signature }) => String(signature)],
    ["BlockTime Unix", ({ time }) => unixTimeOf(db, time) ?? ""],
    ["BlockTime", ({ time }) => isoTimeOf(db, time) ?? ""],
    ["Fee (SOL)", ({ fee }) => wholeText(fee, 9)],
    ["TokenAccount", ofChange(({ account_id }) => db.addressOf(Number(account_id)))],
    ["ChangeType", ofChange(changeTypeOf)],
    ["SPL BalanceChange", whole("amount")],
    ["PreBalancer", whole("pre")],
    ["PostBalancer", whole("post")],
    ["TokenAddress", ofChange(({ token_id }) => db.addressOf(Number(token_id)))],
    ["TokenName(off-chain)", ofChange(({ name }) => columnText(name) ?? "")],
    ["Symbol(off-chain)", ofChange(({ symbol }) => columnText(symbol) ?? "")],
    ["SolTransfer Source", ofTransfer(({ from_id }) => db.addressOf(Number(from_id)))],
    ["SolTransfer Destination", ofTransfer(({ to_id }) => db.addressOf(Number(to_id)))],
    ["Amount (SOL)", ofTransfer(({ amount }) => wholeText(amount, 9))],
  ];
}

/** `/account/exportTransactions`: changes of token balances, transfers of SOL, or both, newest first. */
export const exportTransactions: Query = ({ db, params }) => {
  const type = params.required("type");
  const changes = type === "soltransfer" ? [] : readChanges(db, tokenChanges(params), MAX_EXPORT_ROWS, 0);
  const transfers = type === "tokenchange" ? [] : readSol(db, params, MAX_EXPORT_ROWS, 0);
  const rows = [...changes, ...transfers].sort(
    (a, b) => transactionOfRow(Number(b.id)) - transactionOfRow(Number(a.id)),
  );
  return { csv: csvRecords(exportColumns(db), rows.slice(0, MAX_EXPORT_ROWS)) };
};
