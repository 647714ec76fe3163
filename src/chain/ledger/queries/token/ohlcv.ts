/** Candles of a token. */
import type { JsonObject } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { candleData, type TradeSelection } from "../candles.ts";
import type { Query, QueryContext } from "../query.ts";
import { idOrUnknown } from "../sql.ts";
import { findTokens } from "./mints.ts";
import { pricedToken } from "./prices.ts";

/** Selects the trades of a token in all pools. */
const tradesOf = (token: number): TradeSelection => ({
  sql: "SELECT id, time, price, value FROM token_trades WHERE token_id = ? AND price IS NOT NULL",
  values: [token],
});

/** Returns the SQL for the price in the other token of the pool, whose amount is on the other side of the trade. */
function quotePrice(db: LedgerReader, token: number, pool: number): string {
  const units = db.get(
    `SELECT t.decimals, o.decimals AS other FROM pools p CROSS JOIN tokens t ON t.id = ?
      CROSS JOIN tokens o ON o.id = iif(p.token1_id = t.id, p.token2_id, p.token1_id) WHERE p.account_id = ?`,
    token,
    pool,
  );
  return `iif(t.is_buy, r.amount1, r.amount2) / 1e${units?.other ?? 0} / (t.amount / 1e${units?.decimals ?? 0})`;
}

/** Selects the trades of a token in one pool. */
const poolTradesOf = ({ db, params }: QueryContext, token: number, pool: number): TradeSelection => ({
  sql: `SELECT r.id, t.time, ${params.text("currency") === "quote" ? quotePrice(db, token, pool) : "t.price"} AS price, t.value
    FROM routes r CROSS JOIN token_trades t ON t.token_id = ? AND t.id = r.id
    WHERE r.pool_id = ? AND r.is_trade AND r.amount1 > 0 AND r.amount2 > 0 AND t.price IS NOT NULL`,
  values: [token, pool],
});

/**
 * `/token/price-ohlcv`: candles of the token's prices in dollars, of all pools or of one. Only with a pool, prices can be
 * those in its other token. What is not a token has no candles. The currency is answered where it was requested.
 */
export const priceOhlcv: Query = (context) => {
  const { db, params } = context;
  const [[, id] = []] = findTokens(db, [params.required("address")]);
  const [pool, [currency]] = [params.text("pool_id"), params.list("currency")];
  const about: JsonObject = currency === undefined ? {} : { currency };
  if (id === undefined) return { data: candleData(context, undefined, { about, isOfToken: true }) };
  const token = pricedToken(db, id);
  const trades = pool === undefined ? tradesOf(token) : poolTradesOf(context, token, idOrUnknown(db, pool));
  return { data: candleData(context, trades, { about, isOfToken: true }) };
};
