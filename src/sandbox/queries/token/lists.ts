/** Lists of tokens. */
import type { JsonObject } from "../../../base/index.ts";
import { MAX_TOKEN_LIST_ITEMS } from "../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../ledger/reader.ts";
import type { Query } from "../query.ts";
import { pageLimits, sortDirection, toUnixTime } from "../sql.ts";
import { IS_LISTED } from "./mints.ts";
import { priceChange } from "./prices.ts";

/** Rows of `/token/top`. */
const TOP_ROWS = 50;

/**
 * Returns the SQL for the rows of a page of ids `p`. The age of tokens older than the ledger is that of the ledger
 * unless known.
 */
const listSql = (page: string) => `SELECT t.id, t.name, t.symbol, t.decimals, t.creator_id, t.platform,
  s.market_cap, s.price, s.price_prev, s.holders, coalesce(b.time, t.founded, (SELECT min(time) FROM blocks)) AS created_time
FROM (${page}) p CROSS JOIN tokens t ON t.id = p.id LEFT JOIN token_stats s ON s.token_id = t.id
  LEFT JOIN transactions x ON x.id = t.created LEFT JOIN blocks b ON b.slot = x.slot`;

function nameFields(db: LedgerReader, row: LedgerRow) {
  return {
    address: db.addressOf(Number(row.id)),
    decimals: Number(row.decimals),
    name: String(row.name),
    symbol: String(row.symbol),
  };
}

const originFields = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  created_time: toUnixTime(db.clock, row.created_time),
  ...(row.creator_id === null ? {} : { creator: db.addressOf(Number(row.creator_id)) }),
});

/** Returns a token that has a price; without an earlier price the change is 0. */
const listedTokenJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  ...nameFields(db, row),
  market_cap: Number(row.market_cap),
  price: Number(row.price),
  price_24h_change: priceChange(row),
  holder: Number(row.holders),
  ...originFields(db, row),
});

/** Returns a token that may have no market. */
const latestTokenJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  ...nameFields(db, row),
  ...(row.price === null ? {} : { market_cap: Number(row.market_cap), price: Number(row.price) }),
  ...(row.price === null || row.price_prev === null ? {} : { price_24h_change: priceChange(row) }),
  holder: Number(row.holders),
  ...originFields(db, row),
  platform: String(row.platform),
});

/** Returns the SQL for tokens that have a price, by statistics; ties are broken by id. */
const byStatistics = (columns: readonly string[], direction: "ASC" | "DESC", condition = "s.market_cap IS NOT NULL") =>
  `SELECT t.id FROM token_stats s CROSS JOIN tokens t ON t.id = s.token_id WHERE ${condition} AND ${IS_LISTED}
  ORDER BY ${[...columns, "s.token_id"].map((column) => `${column} ${direction}`).join()} LIMIT ? OFFSET ?`;

/** Returns the SQL for tokens that have a price, by age; those older than the ledger are the oldest. */
const byAge = (direction: "ASC" | "DESC") =>
  `SELECT t.id FROM tokens t CROSS JOIN token_stats s ON s.token_id = t.id WHERE ${IS_LISTED} AND s.market_cap IS NOT NULL
  ORDER BY t.created ${direction}, t.founded ${direction} NULLS ${direction === "ASC" ? "LAST" : "FIRST"}, t.id ${direction} LIMIT ? OFFSET ?`;

/** `/token/list`: fungible tokens that have a price, with SOL in its wrapped form. */
export const list: Query = ({ db, params }) => {
  const [limit, offset] = pageLimits(params);
  const [key, direction] = [params.text("sort_by"), sortDirection(params)];
  const page =
    key === "created_time"
      ? byAge(direction)
      : byStatistics([key === "holder" ? "s.holders" : "s.market_cap"], direction);
  const rows = Math.max(0, Math.min(limit, MAX_TOKEN_LIST_ITEMS - offset));
  return { data: db.all(listSql(page), rows, offset).map((row) => listedTokenJson(db, row)) };
};

/**
 * `/token/top`: the first 50 tokens by market capitalisation. The total counts all tokens that have one, so that it may
 * exceed the number of rows.
 */
export const top: Query = ({ db }) => {
  const items = db
    .all(listSql(byStatistics(["s.market_cap"], "DESC")), TOP_ROWS, 0)
    .map((row) => listedTokenJson(db, row));
  const counted = db.get(
    `SELECT count(*) AS total FROM token_stats s CROSS JOIN tokens t ON t.id = s.token_id
    WHERE s.market_cap IS NOT NULL AND ${IS_LISTED}`,
  );
  return { data: { total: Number(counted?.total), items } };
};

/**
 * `/token/trending`: tokens by distinct traders of the last 24 hours, then by volume; tokens without traders are
 * omitted.
 */
export const trending: Query = ({ db, params }) => {
  const traded = "s.market_cap IS NOT NULL AND s.traders_24h > 0";
  const page = byStatistics(["s.traders_24h", "s.volume_24h"], "DESC", traded);
  return { data: db.all(listSql(page), params.integer("limit") ?? 10, 0).map((row) => nameFields(db, row)) };
};

/** `/token/latest`: the newest tokens of one launch platform or of all; tokens launched elsewhere are omitted. */
export const latest: Query = ({ db, params }) => {
  const platform = params.text("platform_id");
  const page = `SELECT t.id FROM tokens t WHERE t.kind = 'fungible' AND t.platform ${platform === undefined ? "IS NOT NULL" : "= ?"}
    ORDER BY t.created DESC, t.id DESC LIMIT ? OFFSET ?`;
  const values = platform === undefined ? [] : [platform];
  return { data: db.all(listSql(page), ...values, ...pageLimits(params)).map((row) => latestTokenJson(db, row)) };
};
