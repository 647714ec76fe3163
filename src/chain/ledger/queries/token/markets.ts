/** Pools that trade tokens. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import { asText, columnNumber, idsOrUnknown, pageLimits, volumeOf, WhereClause } from "../sql.ts";

/** Columns of `pool_stats s` by sort key. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  volume: "s.volume_24h",
  trade: "s.trades_24h",
  tvl: "s.tvl",
  trader: "s.traders_24h",
};

/** Restricts `pools p` to those of one token, or between any two of several tokens. */
export function addTradedTokens(where: WhereClause, tokens: readonly number[]): WhereClause {
  const list = tokens.map(() => "?").join();
  const sides = [`p.token1_id IN (${list})`, `p.token2_id IN (${list})`];
  return where.add(`(${sides.join(tokens.length === 1 ? " OR " : " AND ")})`, ...tokens, ...tokens);
}

/**
 * Returns a page of pools as the entity `TokenMarket`, highest value first; ties by descending id. Without trades in the
 * previous 24 hours their fields are missing.
 */
export function poolRows(
  db: LedgerReader,
  where: WhereClause,
  key: string,
  limit: number,
  offset: number,
): readonly JsonObject[] {
  const rows = db.all(
    `SELECT p.account_id, p.program_id, p.token1_id, p.token2_id, p.vault1_id, p.vault2_id,
      s.trades_24h, s.trades_prev_24h, ${asText("s.volume_24h")} AS volume, ${asText("s.volume_prev_24h")} AS volume_prev,
      s.traders_24h, s.traders_prev_24h, s.tvl
    FROM pools p CROSS JOIN pool_stats s ON s.pool_id = p.account_id ${where.sql}
    ORDER BY ${SORT_COLUMNS[key] ?? SORT_COLUMNS.volume} DESC${db.facts.nullsLast}, p.account_id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    limit,
    offset,
  );
  const account = (id: unknown) => db.addressOf(Number(id));
  return rows.map((row) =>
    omitMissing({
      pool_id: account(row.account_id),
      program_id: account(row.program_id),
      token_1: account(row.token1_id),
      token_2: account(row.token2_id),
      token_account_1: account(row.vault1_id),
      token_account_2: account(row.vault2_id),
      total_trades_24h: Number(row.trades_24h),
      total_volume_24h: volumeOf(db, row.volume, row.trades_24h),
      total_tvl: columnNumber(row.tvl),
      num_trader_24h: Number(row.traders_24h),
      ...(row.trades_prev_24h === 0
        ? {}
        : {
            total_trades_prev_24h: Number(row.trades_prev_24h),
            total_volume_prev_24h: volumeOf(db, row.volume_prev, row.trades_prev_24h),
            num_trader_prev_24h: Number(row.traders_prev_24h),
          }),
    }),
  );
}

/** `/token/markets`: all pools of one token, or those between any two of several; by volume by default. */
export const markets: Query = ({ db, params }) => {
  const where = addTradedTokens(new WhereClause(), idsOrUnknown(db, [...new Set(params.list("token"))]));
  where.addIn("p.program_id", idsOrUnknown(db, params.list("program")));
  return { data: poolRows(db, where, params.text("sort_by") ?? "volume", ...pageLimits(params)) };
};
