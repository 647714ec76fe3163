/** DeFi activities of an account, a pool or a token: rows and CSV records, with the filters of the catalogue. */
import { type JsonObject, omitMissing } from "../../../base/index.ts";
import {
  type CsvRecord,
  DEFI_ACTIVITIES,
  MAX_EXPORT_ROWS,
  NEWER_DEFI_ACTIVITIES,
  type QueryParams,
} from "../../../catalogue/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../store/reader.ts";
import { ROWS_PER_TRANSACTION, rowRange, transactionIdSql, transactionOfRow } from "../store/schema.ts";
import { type CsvColumns, csvRecords, type QueryContext } from "./query.ts";
import {
  addRange,
  addressOf,
  addTimeWindow,
  amountOf,
  asText,
  decimalsOf,
  dollarsOf,
  idOrUnknown,
  idsOrUnknown,
  isoTimeOf,
  joinBlock,
  pageLimits,
  positionFields,
  readPage,
  sortDirection,
  timeWindow,
  unixTimeOf,
  valueCell,
  WhereClause,
} from "./sql.ts";

/** DeFi activity types by their number in the ledger. */
export const DEFI_TYPES: readonly string[] = [...DEFI_ACTIVITIES, ...NEWER_DEFI_ACTIVITIES];

/**
 * Selects activities by the account that started them, the pool they go through, or a token on either side. Values are
 * account ids; −1 matches nothing.
 */
export type DefiSubject = { readonly from: number } | { readonly pool: number } | { readonly token: number };

/** Returns the subject that an address stands for in account endpoints. */
export function defiSubject(db: LedgerReader, address: string): DefiSubject {
  const id = idOrUnknown(db, address);
  const isPool = db.get("SELECT 1 FROM pools WHERE account_id = ?", id) !== undefined;
  return isPool ? { pool: id } : { from: id };
}

/** The tables that a list of activities is read from; `d` is the activity. */
interface ActivitySource {
  readonly from: string;
  /** Joins the activities where `from` does not include them; lists without filters omit it. */
  readonly join: string;
  readonly id: string;
  readonly order: string;
  readonly condition: string;
}

const STARTED_BY_ACCOUNT: ActivitySource = {
  from: "defi d",
  join: "",
  id: "d.id",
  order: "d.id",
  condition: "d.from_id = ?",
};
const WITH_TOKEN: ActivitySource = {
  from: "defi_tokens s",
  join: "CROSS JOIN defi d ON d.id = s.defi_id",
  id: "s.defi_id",
  order: "s.defi_id",
  condition: "s.token_id = ?",
};
/** The activity id of a row of `routes r`. */
const ACTIVITY = `${transactionIdSql("r.id")} * ${ROWS_PER_TRANSACTION} + r.activity`;
/** An activity with several routes through the pool is listed for the first of them. */
const THROUGH_POOL: ActivitySource = {
  from: "routes r",
  join: `CROSS JOIN defi d ON d.id = ${ACTIVITY}`,
  id: ACTIVITY,
  order: "r.id",
  condition: `r.pool_id = ? AND NOT EXISTS (SELECT 1 FROM routes e WHERE e.id >= ${transactionIdSql("r.id")} * ${ROWS_PER_TRANSACTION}
    AND e.id < r.id AND e.pool_id = r.pool_id AND e.activity = r.activity)`,
};

function sourceOf(subject: DefiSubject): readonly [plan: ActivitySource, id: number] {
  if ("token" in subject) return [WITH_TOKEN, subject.token];
  return "pool" in subject ? [THROUGH_POOL, subject.pool] : [STARTED_BY_ACCOUNT, subject.from];
}

/** Returns the conditions on the activity itself. The + leaves the choice of the index to the source. */
function buildConditions(db: LedgerReader, params: QueryParams): WhereClause {
  const where = new WhereClause();
  where.addIn(
    "d.type",
    params.list("activity_type").map((name) => DEFI_TYPES.indexOf(name)),
  );
  where.addIn("+d.from_id", idsOrUnknown(db, params.list("from")));
  where.addIn("d.platform_id", idsOrUnknown(db, params.list("platform")));
  const tokens = idsOrUnknown(db, params.list("token"));
  if (tokens.length > 0) {
    const list = tokens.map(() => "?").join();
    where.add(`(d.token1_id IN (${list}) OR ifnull(d.token2_id, 0) IN (${list}))`, ...tokens, ...tokens);
  }
  const sources = idsOrUnknown(db, params.list("source"));
  if (sources.length > 0) {
    const list = sources.map(() => "?").join();
    where.add(`EXISTS (SELECT 1 FROM defi_sources v WHERE v.defi_id = d.id AND v.source_id IN (${list}))`, ...sources);
  }
  return addRange(where, "d.value", params.list("value"), 6);
}

const COLUMNS = `d.id, d.type, d.from_id, d.to_id, d.platform_id, d.token1_id, ${asText("d.amount1")} AS amount1,
  d.token2_id, ${asText("d.amount2")} AS amount2, ${asText("d.value")} AS value,
  b.slot, x.signature, b.time`;

function readActivities({ db, params }: QueryContext, subject: DefiSubject, limit: number, offset: number) {
  const [source, id] = sourceOf(subject);
  const where = addTimeWindow(new WhereClause().add(source.condition, id), db, source.order, ...timeWindow(params));
  const conditions = buildConditions(db, params);
  const join = conditions.sql === "" ? "" : source.join;
  const ids = `SELECT ${source.id} AS id FROM ${source.from} ${join} ${where.sqlWith(conditions)}`;
  const joins = `CROSS JOIN defi d ON d.id = p.id ${joinBlock("d.id")}`;
  const values = [...where.values, ...conditions.values];
  const page = { columns: COLUMNS, ids, values, order: [source.order], joins, direction: sortDirection(params) };
  return readPage(db, page, limit, offset);
}

function readRoutes(db: LedgerReader, activity: number): readonly LedgerRow[] {
  return db.all(
    `SELECT r.id, r.parent, r.pool_id, r.program_id, r.token1_id, ${asText("r.amount1")} AS amount1,
      r.token2_id, ${asText("r.amount2")} AS amount2
    FROM routes r WHERE r.id >= ? AND r.id < ? AND r.activity = ? ORDER BY r.id`,
    ...rowRange(transactionOfRow(activity)),
    activity % ROWS_PER_TRANSACTION,
  );
}

/** Returns both legs; one-sided activities have no second. Amounts are numbers in activities and text in hops. */
function legsOf(db: LedgerReader, row: LedgerRow, amount: (text: string) => JsonObject[string]): JsonObject {
  const first = omitMissing({
    token1: db.addressOf(Number(row.token1_id)),
    token1_decimals: decimalsOf(db, row.token1_id),
    amount1: amount(String(row.amount1)),
  });
  if (row.token2_id === null) return first;
  return omitMissing({
    ...first,
    token2: db.addressOf(Number(row.token2_id)),
    token2_decimals: decimalsOf(db, row.token2_id),
    amount2: row.amount2 === null ? db.facts.assume(amount("0")) : amount(String(row.amount2)),
  });
}

function hopsOf(db: LedgerReader, routes: readonly LedgerRow[], parent: number): readonly JsonObject[] {
  return routes
    .filter((route) => route.parent === parent)
    .map((route) => {
      const below = hopsOf(db, routes, Number(route.id) % ROWS_PER_TRANSACTION);
      return {
        ...legsOf(db, route, (text) => text),
        program_address: db.addressOf(Number(route.program_id)),
        pool_address: db.addressOf(Number(route.pool_id)),
        ...(below.length === 0 ? {} : { child_routers: below }),
      };
    });
}

/** Returns the distinct programs of the venues; without venues, the platform. */
function sourcesOf(db: LedgerReader, row: LedgerRow, routes: readonly LedgerRow[]): readonly string[] {
  const programs = routes.length > 0 ? routes.map(({ program_id: id }) => id) : [row.platform_id];
  return [...new Set(programs)].map((id) => db.addressOf(Number(id)));
}

/**
 * Returns an activity. The amounts have two names, and so do the hops in them, which one-sided activities lack. In lists
 * of a token the platform is a list and there is no counterparty.
 */
function activityOf(db: LedgerReader, row: LedgerRow, subject: DefiSubject): JsonObject {
  const routes = readRoutes(db, Number(row.id));
  const hops = row.token2_id === null ? [] : hopsOf(db, routes, -1);
  const platform = db.addressOf(Number(row.platform_id));
  const isOfToken = "token" in subject;
  const legs = legsOf(db, row, amountOf);
  const hopFields = (...names: readonly string[]) =>
    hops.length === 0 ? {} : Object.fromEntries(names.map((name) => [name, hops]));
  return {
    ...positionFields(db, row),
    activity_type: DEFI_TYPES[Number(row.type)] ?? "",
    from_address: db.addressOf(Number(row.from_id)),
    ...(isOfToken ? {} : { to_address: db.addressOf(Number(row.to_id)) }),
    sources: sourcesOf(db, row, routes),
    platform: isOfToken ? [platform] : platform,
    ...omitMissing({ value: dollarsOf(row.value) }),
    amount_info: { ...legs, ...hopFields("routers") },
    routers: { ...legs, ...(isOfToken ? hopFields("child_routers") : hopFields("routers", "child_routers")) },
  };
}

/**
 * Returns a page of activities as the entity `DefiActivity`, newest first unless `sort_order` is asc. Supported
 * filters: activity_type, from, platform, source (pools, or programs of venues), token, value, from_time, to_time,
 * block_time.
 */
export function defiRows(context: QueryContext, subject: DefiSubject): readonly JsonObject[] {
  const rows = readActivities(context, subject, ...pageLimits(context.params));
  return mapRows(rows, (row) => activityOf(context.db, row, subject));
}

const exportColumns = (db: LedgerReader): CsvColumns<LedgerRow> => [
  ["Signature", ({ signature }) => String(signature)],
  ["Block Time", ({ time }) => unixTimeOf(db, time) ?? ""],
  ["Human Time", ({ time }) => isoTimeOf(db, time) ?? ""],
  ["Action", ({ type }) => (DEFI_TYPES[Number(type)] ?? "").replace("ACTIVITY_", "").replaceAll("_", " ")],
  ["From", ({ from_id }) => db.addressOf(Number(from_id))],
  ["Token1", ({ token1_id }) => db.addressOf(Number(token1_id))],
  ["Amount1", ({ amount1 }) => String(amount1)],
  ["TokenDecimals1", ({ token1_id }) => decimalsOf(db, token1_id) ?? ""],
  ["Token2", ({ token2_id }) => addressOf(db, token2_id) ?? ""],
  ["Amount2", ({ token2_id, amount2 }) => (token2_id === null ? "" : String(amount2 ?? 0))],
  ["TokenDecimals2", ({ token2_id }) => decimalsOf(db, token2_id) ?? ""],
  ["Value", ({ value }) => valueCell(value)],
  ["Platforms", ({ platform_id }) => db.addressOf(Number(platform_id))],
  ["Sources", (row) => sourcesOf(db, row, readRoutes(db, Number(row.id))).join("|")],
];

/** Returns the same activities as CSV records, up to the row limit of exports. */
export const defiRecords = (context: QueryContext, subject: DefiSubject): readonly CsvRecord[] =>
  csvRecords(exportColumns(context.db), readActivities(context, subject, MAX_EXPORT_ROWS, 0));
