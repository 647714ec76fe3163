/** Statistics of tokens: one SQL expression per metric, for rows, filters and the order of lists. */
import type { SQLInputValue } from "node:sqlite";
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import {
  MAX_LISTED_TOKENS,
  METRIC_WINDOWS,
  type MetricWindow,
  type QueryParams,
  TOKEN_METRIC_NAMES,
  type TokenMetric,
  TRADE_MEASURES,
  type TradeMeasure,
  WRAPPED_SOL,
} from "../../../../catalogue/index.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import { SOL, slotSql } from "../../store/schema.ts";
import { notFoundError, type Query } from "../query.ts";
import { pageLimits, sortDirection, toUnixTime, WhereClause } from "../sql.ts";
import { IS_LISTED, requireToken } from "./prices.ts";

/** A metric: its SQL over `token_stats s` and the joined table that it needs. */
interface MetricSql {
  readonly sql: string;
  /** The alias of the table in {@link JOINS}. */
  readonly join?: string;
}

/** Joined tables by their aliases; `w0` to `w8` are the time windows. */
const JOINS: Readonly<Record<string, string>> = {
  t: "CROSS JOIN tokens t ON t.id = s.token_id",
  ...Object.fromEntries(
    Object.keys(METRIC_WINDOWS).map((_name, span) => [
      `w${span}`,
      `LEFT JOIN token_windows w${span} ON w${span}.span = ${span} AND w${span}.token_id = s.token_id`,
    ]),
  ),
  traders: "LEFT JOIN token_traders traders ON traders.token_id = s.token_id",
  holdings: "LEFT JOIN token_holdings holdings ON holdings.token_id = s.token_id",
};

/** Sums of trades by measure: columns of a time window, and the unit that they are divided by. */
const MEASURES: Readonly<Record<TradeMeasure, readonly [columns: readonly string[], divisor?: string]>> = {
  volume: [["bought", "sold"], "1e6"],
  buy_volume: [["bought"], "1e6"],
  sell_volume: [["sold"], "1e6"],
  num_trade: [["buys", "sells"]],
  num_buy_trade: [["buys"]],
  num_sell_trade: [["sells"]],
  num_trader: [["traders"]],
  num_buyer: [["buyers"]],
  num_seller: [["sellers"]],
};

/** Returns the SQL for a change in percent, 0 without an earlier value; the same numbers as `percentChange`. */
const changeSql = (now: string, before: string) =>
  `coalesce(iif(${before} = 0, 0.0, CAST(${now} - ${before} AS REAL) / ${before} * 100.0), 0.0)`;

/** The time windows, in the order of their numbers. */
const WINDOWS = Object.keys(METRIC_WINDOWS) as readonly MetricWindow[];

/** Returns the metrics of a window, whose row has an alias. */
function windowMetrics(window: string, join: string): readonly (readonly [string, MetricSql])[] {
  const measures = Object.keys(TRADE_MEASURES).flatMap((name) => {
    const [columns, divisor] = MEASURES[name as TradeMeasure];
    const sum = (prefix: string) => `(${columns.map((column) => `${join}.${prefix}${column}`).join(" + ")})`;
    const value = divisor === undefined ? sum("") : `${sum("")} / ${divisor}`;
    return [
      [`${name}_${window}`, { sql: `coalesce(${value}, 0)`, join }],
      [`${name}_${window}_change_pct`, { sql: changeSql(sum(""), sum("prev_")), join }],
    ] as const;
  });
  return [...measures, [`price_${window}_change_pct`, { sql: changeSql("s.price", `${join}.price_prev`), join }]];
}

/** Returns the SQL for a value of the pools `p` that trade the token: of those with the token on either side. */
const ofPools = (value: string, from = "pools p"): string =>
  ["p.token1_id = s.token_id", "p.token2_id = s.token_id AND p.token1_id <> p.token2_id"]
    .map((side) => `coalesce((SELECT ${value} FROM ${from} WHERE ${side}), 0)`)
    .join(" + ");

/** The time of the creation in the ledger's time: of the transaction, or where the token is older than the ledger. */
const CREATED = `coalesce((SELECT b.time FROM blocks b WHERE b.slot = ${slotSql("t.created")}), t.founded)`;
const SUPPLY = "CAST(s.supply AS REAL) / CAST('1e' || t.decimals AS REAL)";
const TOPS = [1, 5, 20, 100] as const;

const shares = (join: string, name: (top: number) => string) =>
  TOPS.map((top): readonly [string, MetricSql] => [name(top), { sql: `coalesce(${join}.top_${top}, 0.0)`, join }]);

const METRICS: Readonly<Record<string, MetricSql>> = Object.fromEntries<MetricSql>([
  ...WINDOWS.flatMap((window, span) => windowMetrics(window, `w${span}`)),
  ["trader_hhi_24h", { sql: "coalesce(traders.hhi, 0.0)", join: "traders" }],
  ...shares("traders", (top) => `trader_top_${top}_volume_pct_24h`),
  ["market_cap", { sql: "s.market_cap" }],
  ["fdv", { sql: "s.market_cap" }],
  [
    "liquidity",
    { sql: ofPools("coalesce(sum(v.tvl), 0.0)", "pools p CROSS JOIN pool_stats v ON v.pool_id = p.account_id") },
  ],
  ["total_supply", { sql: SUPPLY, join: "t" }],
  ["circulating_supply", { sql: SUPPLY, join: "t" }],
  ["num_pool", { sql: ofPools("count(*)") }],
  ["num_holder", { sql: "s.holders" }],
  // Of wrapped SOL it is unknown. The shift to the caller's time follows the statement.
  [
    "first_listing_time",
    {
      sql: `iif(t.id = (SELECT a.id FROM accounts a WHERE a.address = '${WRAPPED_SOL}'), NULL, ${CREATED})`,
      join: "t",
    },
  ],
  ["holder_gini", { sql: "coalesce(holdings.gini, 0.0)", join: "holdings" }],
  ["holder_hhi", { sql: "coalesce(holdings.hhi, 0.0)", join: "holdings" }],
  ...shares("holdings", (top) => `holder_top_${top}_balance_pct`),
]);

function metricSql(db: LedgerReader, metric: string, { sql } = METRICS[metric] ?? { sql: "NULL" }): string {
  if (!db.facts.hasPrices) return chainSql(metric, sql);
  return metric === "first_listing_time" ? `coalesce(${sql} + ${db.clock.shift}, 0)` : sql;
}

function fromTokens(metrics: readonly TokenMetric[], others: readonly string[] = []): string {
  const joins = new Set([...others, ...metrics.flatMap((metric) => METRICS[metric]?.join ?? [])]);
  return `token_stats s ${[...joins].map((name) => JOINS[name]).join(" ")}`;
}

/**
 * SQL condition for the tokens of lists: only fungible ones have a price, and SOL is in its wrapped form. Of a chain,
 * tokens without a price are listed too.
 */
const isIndexed = ({ facts }: LedgerReader): string =>
  !facts.hasPrices ? IS_LISTED : `s.market_cap IS NOT NULL AND s.token_id <> ${SOL}`;

/** Metrics in dollars, and those of the time before: of a chain, they are unknown where no trade has a value. */
const NEEDS_VALUE = /volume|trader_(hhi|top)|^(price_|market_cap|fdv|liquidity)/;
/** Metrics that count holders: of a chain, they are unknown for tokens older than the ledger. */
const NEEDS_HOLDERS = /^(holder_|num_holder)/;

function chainSql(metric: string, sql: string): string {
  if (NEEDS_VALUE.test(metric)) return `iif(s.price IS NULL, NULL, ${sql})`;
  return NEEDS_HOLDERS.test(metric) ? `iif(s.holders IS NULL, NULL, ${sql})` : sql;
}

/** The metrics of any window, and the names of these metrics by window. */
const ANY_WINDOW = windowMetrics("any", "w");
const WINDOW_NAMES = WINDOWS.map((window) => windowMetrics(window, "w").map(([name]) => name));
const OTHER_METRICS = TOKEN_METRIC_NAMES.filter((metric) => !/^w\d$/.test(METRICS[metric]?.join ?? ""));

/** Reads the metrics of all windows, each of which is a row: one row of all would join as many tables. */
function readWindows(db: LedgerReader, token: number, hasPrice: boolean): ReadonlyMap<string, unknown> {
  const columns = ANY_WINDOW.map(([name, metric]) => `${metricSql(db, name, metric)} AS ${name}`);
  const rows = db.all(
    `SELECT w.span, ${columns.join(", ")} FROM token_windows w CROSS JOIN token_stats s ON s.token_id = w.token_id
    WHERE w.span IN (${[...WINDOWS.keys()].join()}) AND w.token_id = ?`,
    token,
  );
  const isUnknown = !hasPrice && !db.facts.hasPrices;
  return new Map(
    WINDOW_NAMES.flatMap((names, span) => {
      const row = rows.find((each) => each.span === span);
      return names.map((name, at) => {
        const noTrades = isUnknown && NEEDS_VALUE.test(name) ? null : 0;
        return [name, row ? row[ANY_WINDOW[at]?.[0] ?? ""] : noTrades] as const;
      });
    }),
  );
}

/** Returns the statistics of a token, or undefined for one that is not listed or has no price. */
function readStatistics(db: LedgerReader, token: number): JsonObject | undefined {
  const columns = OTHER_METRICS.map((metric) => `${metricSql(db, metric)} AS ${metric}`);
  const row = db.get(
    `SELECT s.token_id, t.created, t.platform, s.price IS NOT NULL AS hasPrice, ${columns.join(", ")}
    FROM ${fromTokens(OTHER_METRICS)} WHERE s.token_id = ? AND ${isIndexed(db)}`,
    token,
  );
  if (!row) return undefined;
  const windows = readWindows(db, token, row.hasPrice === 1);
  const { platform } = row;
  const metrics = TOKEN_METRIC_NAMES.map((metric) => [metric, windows.has(metric) ? windows.get(metric) : row[metric]]);
  return {
    token_address: db.addressOf(token),
    ...omitMissing(Object.fromEntries(metrics)),
    updated_time: toUnixTime(db.clock, db.clock.end),
    platform: platform == null ? [] : [platform],
  };
}

/** `/token/statistic`: nothing for what is not a listed token with a price. */
export const statistic: Query = ({ db, params }) => {
  const statistics = readStatistics(db, requireToken(db, params.required("address")));
  if (!statistics) throw notFoundError("Token");
  return { data: statistics };
};

/** Ranked ids by statement and values, until the ledger grows: the pages of a list share them. */
const rankings = new WeakMap<LedgerReader, { readonly state: string; readonly ids: Map<string, readonly number[]> }>();
const MAX_RANKINGS = 16;

function readRanking(db: LedgerReader, sql: string, values: readonly SQLInputValue[]): readonly number[] {
  const state = `${db.clock.end} ${db.removals}`;
  const cached = rankings.get(db);
  const { ids } = cached?.state === state && cached.ids.size < MAX_RANKINGS ? cached : { ids: new Map() };
  rankings.set(db, { state, ids });
  const key = `${sql} ${values.join()}`;
  const ranking = ids.get(key) ?? db.all(sql, ...values).map(({ id }) => Number(id));
  ids.set(key, ranking);
  return ranking;
}

function findTokensByMetric(db: LedgerReader, params: QueryParams): readonly number[] {
  const key = params.required("sort_by") as TokenMetric;
  const platforms = params.list("platform");
  const where = new WhereClause().add(isIndexed(db)).addIn("t.platform", platforms);
  const used = TOKEN_METRIC_NAMES.filter((metric) => {
    const [from, to] = [params.text(`from_${metric}`), params.text(`to_${metric}`)];
    if (from !== undefined) where.add(`${metricSql(db, metric)} >= ?`, Number(from));
    if (to !== undefined) where.add(`${metricSql(db, metric)} <= ?`, Number(to));
    return from !== undefined || to !== undefined;
  });
  const direction = sortDirection(params);
  return readRanking(
    db,
    `SELECT s.token_id AS id FROM ${fromTokens([...used, key], platforms.length === 0 && db.facts.hasPrices ? [] : ["t"])} ${where.sql}
    ORDER BY ${metricSql(db, key)} ${direction}${db.facts.nullsLast}, s.token_id ${direction} LIMIT ${MAX_LISTED_TOKENS}`,
    where.values,
  );
}

/** `/token/list-v2`: after the maximum number of rows the list is empty, and so is its total. */
export const listV2: Query = ({ db, params }) => {
  const [limit, offset] = pageLimits(params);
  if (offset >= MAX_LISTED_TOKENS) return { data: { list_tokens: [], total: 0 } };
  const tokens = findTokensByMetric(db, params);
  const page = mapRows(tokens.slice(offset, offset + limit), (token) => readStatistics(db, token) ?? []).flat();
  return { data: { list_tokens: page, total: tokens.length } };
};
