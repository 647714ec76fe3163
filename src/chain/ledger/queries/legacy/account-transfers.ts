/** Transfers and balance changes of an account in the legacy family. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { MAX_EXPORT_ROWS, type QueryParams } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { SOL, transactionOfRow } from "../../store/schema.ts";
import { type ChangeRange, changeTypeOf, countChanges, readChanges } from "../account/changes.ts";
import { wholeText } from "../account/holdings.ts";
import type { CsvRecord, Query } from "../query.ts";
import {
  addTimeWindow,
  amountOf,
  asText,
  columnNumber,
  columnText,
  idOrUnknown,
  isInTransactionSql,
  joinBlock,
  sliceLimits,
  timeCells,
  unixTimeOf,
  WhereClause,
} from "../sql.ts";

/** Returns the identifier of a row with the length of the API's identifiers: 24 hexadecimal digits. */
const rowIdentifier = (row: LedgerRow): string => Number(row.id).toString(16).padStart(24, "0");

/** Returns the time window of a legacy request. */
const legacyWindow = (params: QueryParams) => [params.integer("fromTime"), params.integer("toTime")] as const;

/** Returns a balance change read by `readChanges` as the entity `LegacyTokenTransfer`. */
export function legacyChangeOf(db: LedgerReader, row: LedgerRow): JsonObject {
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

/** Selects the changes of an account's token balances, without SOL. */
const tokenChanges = (params: QueryParams): ChangeRange => ({
  address: params.required("account"),
  conditions: new WhereClause().add(`c.token_id <> ${SOL}`),
  window: legacyWindow(params),
  direction: "DESC",
});

/** `/account/splTransfers`. */
export const splTransfers: Query = ({ db, params }) => {
  const range = tokenChanges(params);
  const data = readChanges(db, range, ...sliceLimits(params)).map((row) => legacyChangeOf(db, row));
  return { data: { total: countChanges(db, range), data } };
};

/** Reads the SOL transfers of an account, newest first. */
function readSol(db: LedgerReader, params: QueryParams, limit: number, offset: number): readonly LedgerRow[] {
  const where = new WhereClause().add("s.account_id = ?", idOrUnknown(db, params.required("account")));
  addTimeWindow(where, db, "s.transfer_id", ...legacyWindow(params)).add("t.token_id = ?", SOL);
  return db.all(
    `SELECT t.id, t.from_id, t.to_id, ${asText("t.amount")} AS amount, x.slot, x.signature, ${asText("x.fee")} AS fee, b.time,
      (SELECT count(*) FROM transfers o WHERE ${isInTransactionSql("o.id", "x.id")} AND o.token_id = ${SOL}) AS together
    FROM account_transfers s CROSS JOIN transfers t ON t.id = s.transfer_id ${joinBlock("t.id")}
    ${where.sql} ORDER BY s.transfer_id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    limit,
    offset,
  );
}

/** `/account/solTransfers`. */
export const solTransfers: Query = ({ db, params }) => ({
  data: {
    data: readSol(db, params, ...sliceLimits(params)).map((row) =>
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
        txNumberSolTransfer: Number(row.together),
      }),
    ),
  },
});

/** The columns of a transaction export. */
const HEADER = [
  "Type",
  "Txhash",
  "BlockTime Unix",
  "BlockTime",
  "Fee (SOL)",
  "TokenAccount",
  "ChangeType",
  "SPL BalanceChange",
  "PreBalancer",
  "PostBalancer",
  "TokenAddress",
  "TokenName(off-chain)",
  "Symbol(off-chain)",
  "SolTransfer Source",
  "SolTransfer Destination",
  "Amount (SOL)",
];

const recordHead = (db: LedgerReader, type: string, row: LedgerRow): CsvRecord => [
  type,
  String(row.signature),
  ...timeCells(db, row.time),
  wholeText(row.fee, 9),
];

function changeRecord(db: LedgerReader, row: LedgerRow): CsvRecord {
  const decimals = columnNumber(row.decimals);
  const cell = (amount: unknown) => (decimals === undefined ? "" : wholeText(amount, decimals));
  return [
    ...recordHead(db, "tokenchange", row),
    db.addressOf(Number(row.account_id)),
    changeTypeOf(row),
    ...[row.amount, row.pre, row.post].map(cell),
    db.addressOf(Number(row.token_id)),
    String(row.name ?? ""),
    String(row.symbol ?? ""),
    "",
    "",
    "",
  ];
}

const solRecord = (db: LedgerReader, row: LedgerRow): CsvRecord => [
  ...recordHead(db, "soltransfer", row),
  ...Array.from({ length: 8 }, () => ""),
  db.addressOf(Number(row.from_id)),
  db.addressOf(Number(row.to_id)),
  wholeText(row.amount, 9),
];

/** `/account/exportTransactions`: changes of token balances, transfers of SOL, or both, newest first. */
export const exportTransactions: Query = ({ db, params }) => {
  const type = params.required("type");
  const read = (
    rowType: string,
    rows: () => readonly LedgerRow[],
    record: (db: LedgerReader, row: LedgerRow) => CsvRecord,
  ) =>
    type === rowType || type === "all" ? rows().map((row) => ({ id: Number(row.id), record: record(db, row) })) : [];
  const changes = read("tokenchange", () => readChanges(db, tokenChanges(params), MAX_EXPORT_ROWS, 0), changeRecord);
  const transfers = read("soltransfer", () => readSol(db, params, MAX_EXPORT_ROWS, 0), solRecord);

  const records = [...changes, ...transfers]
    .sort((a, b) => transactionOfRow(b.id) - transactionOfRow(a.id))
    .slice(0, MAX_EXPORT_ROWS)
    .map(({ record }) => record);
  return { csv: [HEADER, ...records] };
};
