/** Lists of tokens. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { MAX_TOKEN_LIST_ITEMS } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import { addressOf, columnNumber, columnText, pageLimits, sortDirection, unixTimeOf } from "../sql.ts";
import { IS_LISTED } from "./mints.ts";
import { priceChange } from "./prices.ts";

/** Rows of `/token/top`. */
const TOP_ROWS = 50;

/**
 * Returns the SQL for the rows of a page of ids `p`. The age of tokens older than the ledger is that of the ledger
 * unless known.
 */
const listSql = (
  { facts }: LedgerReader,
  page: string,
) => `SELECT t.id, t.name, t.symbol, t.decimals, t.creator_id, t.platform,
  s.market_cap, s.price, s.price_prev, s.holders,
  coalesce(b.time, t.founded, ${!facts.isComplete ? "NULL" : "(SELECT min(time) FROM blocks)"}) AS created_time
FROM (${page}) p CROSS JOIN tokens t ON t.id = p.id LEFT JOIN token_stats s ON s.token_id = t.id
  LEFT JOIN transactions x ON x.id = t.created LEFT JOIN blocks b ON b.slot = x.slot`;

function nameFields(db: LedgerReader, row: LedgerRow) {
  return omitMissing({
    address: db.addressOf(Number(row.id)),
    decimals: columnNumber(row.decimals),
    name: columnText(row.name),
    symbol: columnText(row.symbol),
  });
}

const originFields = (db: LedgerReader, row: LedgerRow): JsonObject =>
  omitMissing({ created_time: unixTimeOf(db, row.created_time), creator: addressOf(db, row.creator_id) });

/** Returns a token of a list; without an earlier price the change is 0. */
const listedTokenJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  ...nameFields(db, row),
  ...omitMissing({
    market_cap: columnNumber(row.market_cap),
    price: columnNumber(row.price),
    price_24h_change: row.price === null ? undefined : priceChange(row),
    holder: columnNumber(row.holders),
  }),
  ...originFields(db, row),
});

/** Returns a token that may have no market. */
const latestTokenJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  ...nameFields(db, row),
  ...(row.price === null ? {} : omitMissing({ market_cap: columnNumber(row.market_cap), price: Number(row.price) })),
  ...(row.price === null || row.price_prev === null ? {} : { price_24h_change: priceChange(row) }),
  ...omitMissing({ holder: columnNumber(row.holders) }),
  ...originFields(db, row),
  ...omitMissing({ platform: columnText(row.platform) }),
});

/** The SQL condition that a token of `token_stats s` has a price. Tokens of a chain need none. */
const hasPrice = ({ facts }: LedgerReader): string => (!facts.hasPrices ? "true" : "s.market_cap IS NOT NULL");

/** Returns the SQL for tokens by statistics; ties are broken by id, and tokens without a value come last. */
const byStatistics = (
  db: LedgerReader,
  columns: readonly string[],
  direction: "ASC" | "DESC",
  condition = hasPrice(db),
) =>
  `SELECT t.id FROM token_stats s CROSS JOIN tokens t ON t.id = s.token_id WHERE ${condition} AND ${IS_LISTED}
  ORDER BY ${[...columns, "s.token_id"].map((column) => `${column} ${direction}${db.facts.nullsLast}`).join()}
  LIMIT ? OFFSET ?`;

/** Returns the SQL for tokens by age; those older than the ledger are the oldest. */
const byAge = (db: LedgerReader, direction: "ASC" | "DESC") =>
  `SELECT t.id FROM tokens t CROSS JOIN token_stats s ON s.token_id = t.id WHERE ${IS_LISTED} AND ${hasPrice(db)}
  ORDER BY t.created ${direction}, t.founded ${direction} NULLS ${direction === "ASC" ? "LAST" : "FIRST"}, t.id ${direction} LIMIT ? OFFSET ?`;

/** `/token/list`: fungible tokens that have a price (of a chain: all), with SOL in its wrapped form. */
export const list: Query = ({ db, params }) => {
  const [limit, offset] = pageLimits(params);
  const [key, direction] = [params.text("sort_by"), sortDirection(params)];
  const page =
    key === "created_time"
      ? byAge(db, direction)
      : byStatistics(db, [key === "holder" ? "s.holders" : "s.market_cap"], direction);
  const rows = Math.max(0, Math.min(limit, MAX_TOKEN_LIST_ITEMS - offset));
  return { data: db.all(listSql(db, page), rows, offset).map((row) => listedTokenJson(db, row)) };
};

/**
 * `/token/top`: the first 50 tokens by market capitalisation. The total counts all tokens that have one, so that it may
 * exceed the number of rows.
 */
export const top: Query = ({ db }) => {
  const items = db
    .all(listSql(db, byStatistics(db, ["s.market_cap"], "DESC")), TOP_ROWS, 0)
    .map((row) => listedTokenJson(db, row));
  const counted = db.get(
    `SELECT count(*) AS total FROM token_stats s CROSS JOIN tokens t ON t.id = s.token_id
    WHERE ${hasPrice(db)} AND ${IS_LISTED}`,
  );
  return { data: { total: Number(counted?.total), items } };
};

/**
 * `/token/trending`: tokens by distinct traders of the last 24 hours, then by volume; tokens without traders are
 * omitted.
 */
export const trending: Query = ({ db, params }) => {
  const traded = `${hasPrice(db)} AND s.traders_24h > 0`;
  const page = byStatistics(db, ["s.traders_24h", "s.volume_24h"], "DESC", traded);
  return { data: db.all(listSql(db, page), params.integer("limit") ?? 10, 0).map((row) => nameFields(db, row)) };
};

/**
 * `/token/latest`: the newest tokens of one launch platform or of all; tokens launched elsewhere are omitted. Of a chain
 * platforms are unknown: without one, all tokens that were created in the ledger are listed.
 */
export const latest: Query = ({ db, params }) => {
  const platform = params.text("platform_id");
  const page = `SELECT t.id FROM tokens t WHERE t.kind = 'fungible' AND ${platform !== undefined ? "t.platform = ?" : !db.facts.isComplete ? "t.created IS NOT NULL" : "t.platform IS NOT NULL"}
    ORDER BY t.created DESC, t.id DESC LIMIT ? OFFSET ?`;
  const values = platform === undefined ? [] : [platform];
  return { data: db.all(listSql(db, page), ...values, ...pageLimits(params)).map((row) => latestTokenJson(db, row)) };
};
