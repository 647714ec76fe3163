/** Holders of a token, and its supply, holders and trades by day. */

import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { type QueryParams, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { storedAmount, sumAmounts } from "../../store/amounts.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { CHANGES_HOLDERS, CHANGES_SUPPLY, MINT, SOL, slotSql } from "../../store/schema.ts";
import { notFoundError, type Query } from "../query.ts";
import { addRange, amountOf, asText, columnNumber, dollars, pageLimits, WhereClause, wholeText } from "../sql.ts";
import { type CalendarDay, dayOf, daysBetween, maximumAmount, requireToken, tokenValue } from "./prices.ts";

const FILTERS = ["from_amount", "to_amount", "from_value", "to_value"];

/** Restricts amounts to those whose reported value is in the requested range. */
function addValueRange(where: WhereClause, params: QueryParams, token: LedgerRow): void {
  const [from, to] = [params.text("from_value"), params.text("to_value")];
  // Without a price, the values of a chain are unknown and in no range.
  if ((from ?? to) !== undefined && token.isValued === 0) where.add("false");
  const valueOfAmount = (amount: bigint) => tokenValue(amount, Number(token.decimals), Number(token.price));
  if (from !== undefined) {
    where.add("amount > ?", storedAmount(maximumAmount((amount) => valueOfAmount(amount) < Number(from))));
  }
  if (to !== undefined) {
    where.add("amount <= ?", storedAmount(maximumAmount((amount) => valueOfAmount(amount) <= Number(to))));
  }
}

/** Reads a page of token accounts, largest amount first; ties by descending id. */
export function readHolders(db: LedgerReader, where: WhereClause, limit: number, offset: number): readonly LedgerRow[] {
  return db.all(
    `SELECT b.account_id, b.owner_id, ${asText("b.amount")} AS amount FROM (
      SELECT account_id, token_id FROM balances ${where.sql} ORDER BY amount DESC, account_id DESC LIMIT ? OFFSET ?) p
      CROSS JOIN balances b ON b.account_id = p.account_id AND b.token_id = p.token_id`,
    ...where.values,
    limit,
    offset,
  );
}

/** Returns the number of token accounts, as far as they are known. */
export function countHolders(db: LedgerReader, token: number, where: WhereClause, isFiltered: boolean): number {
  const row = isFiltered
    ? db.get(`SELECT count(*) AS total FROM balances ${where.sql}`, ...where.values)
    : db.get("SELECT known_holders AS total FROM token_stats WHERE token_id = ?", token);
  return Number(row?.total ?? 0);
}

/**
 * Reads the decimals, supply and price of a token, and whether balances have a value: in a simulated chain, it is 0
 * without a price.
 */
const tokenStats = (db: LedgerReader, token: number): LedgerRow =>
  db.get(
    `SELECT t.decimals, ${asText("s.supply")} AS supply, s.price,
      ${!db.facts.hasPrices ? "s.price IS NOT NULL AND t.decimals IS NOT NULL" : "1"} AS isValued
    FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id WHERE t.id = ?`,
    token,
  ) ?? {};

/** Selects the holders of a token with an amount in a range. */
export function holderConditions(token: number, amounts: readonly (string | undefined)[]): WhereClause {
  return addRange(new WhereClause().add("token_id = ?", token).add("amount > 0"), "amount", amounts);
}

/**
 * `/token/holders`: token accounts with a balance, largest first. Total and rank count within the filter. Without a
 * price values are 0. Percentages are relative to the supply.
 */
export const holders: Query = ({ db, params }) => {
  const id = requireToken(db, params.required("address"));
  const token = tokenStats(db, id);
  const where = holderConditions(id, [params.text("from_amount"), params.text("to_amount")]);
  addValueRange(where, params, token);
  const [limit, offset] = pageLimits(params);
  const [decimals, supply] = [columnNumber(token.decimals), columnNumber(token.supply ?? db.facts.assume(0))];
  const items = readHolders(db, where, limit, offset).map((row, n) =>
    omitMissing({
      address: db.addressOf(Number(row.account_id)),
      amount: amountOf(row.amount),
      amount_str: String(row.amount),
      decimals,
      owner: db.addressOf(Number(row.owner_id)),
      rank: offset + n + 1,
      value: token.isValued === 1 ? tokenValue(String(row.amount), decimals ?? 0, Number(token.price)) : undefined,
      percentage: supply === undefined ? undefined : supply === 0 ? 0 : (Number(row.amount) / supply) * 100,
    }),
  );
  const isFiltered = FILTERS.some((name) => params.text(name) !== undefined);
  return { data: { total: countHolders(db, id, where, isFiltered), items } };
};

function readActivity(db: LedgerReader, token: number, { first, end }: CalendarDay): JsonObject {
  const trades =
    db.get(
      `SELECT count(DISTINCT iif(is_buy, trader_id, NULL)) AS buyers, count(DISTINCT iif(is_buy, NULL, trader_id)) AS sellers,
        ifnull(sum(iif(is_buy, value, 0)), 0) AS bought, ifnull(sum(iif(is_buy, 0, value)), 0) AS sold,
        count(value) AS priced, count(*) AS trades, total(iif(is_buy, amount, 0)) AS bought_amount, total(iif(is_buy, 0, amount)) AS sold_amount
      FROM token_trades WHERE token_id = ? AND id >= ? AND id < ?`,
      token,
      first,
      end,
    ) ?? {};
  const transfers = db.get(
    "SELECT count(*) AS number FROM transfers WHERE token_id = ? AND id >= ? AND id < ?",
    token,
    first,
    end,
  );
  const [boughtAmount, soldAmount] = [Number(trades.bought_amount), Number(trades.sold_amount)];
  const isValued = db.facts.hasPrices || Number(trades.priced) > 0 || trades.trades === 0;
  const value = (micro: unknown) => (isValued ? dollars(micro) : undefined);
  return omitMissing({
    num_transfers: Number(transfers?.number),
    total_volume_buying: value(trades.bought),
    total_volume_selling: value(trades.sold),
    total_trade_amount: boughtAmount + soldAmount,
    num_buyers: Number(trades.buyers),
    num_sellers: Number(trades.sellers),
    total_amount_buying: boughtAmount,
    total_amount_selling: soldAmount,
    total_trade_volume: value(Number(trades.bought) + Number(trades.sold)),
  });
}

/** Returns the SQL for the change of a supply by rows in a range: wrapped SOL has no mints and burns. */
const supplyChange = (isWrapped: boolean) =>
  isWrapped
    ? `SELECT ${asText("ifnull(sum(post - pre), 0)")} AS amount FROM balance_changes WHERE token_id = ? AND id >= ? AND id < ?`
    : `SELECT ${asText(`ifnull(amount_difference(${sumAmounts(`iif(type = ${MINT}, amount, 0)`)}, ${sumAmounts(`iif(type = ${MINT}, 0, amount)`)}), 0)`)} AS amount FROM transfers
       WHERE token_id = ? AND ${CHANGES_SUPPLY} AND id >= ? AND id < ?`;

const bigintOf = (value: unknown): bigint | undefined => (value == null ? undefined : BigInt(String(value)));

function endsOfDays(db: LedgerReader, token: number, days: readonly CalendarDay[]) {
  const now = db.get(`SELECT ${asText("supply")} AS supply, holders FROM token_stats WHERE token_id = ?`, token);
  const isWrapped = db.idOf(WRAPPED_SOL) === token;
  const unknown = db.facts.assume(0);
  let [supply, holders] = [bigintOf(now?.supply ?? unknown), columnNumber(now?.holders ?? unknown)];
  return days
    .toReversed()
    .map(({ first, end }) => {
      const dayEnd = { supply, holders };
      const change = db.get(supplyChange(isWrapped), token, first, end)?.amount;
      const joined = db.get(
        `SELECT ifnull(sum(iif(post > 0, 1, -1)), 0) AS number FROM balance_changes
        WHERE token_id = ? AND ${CHANGES_HOLDERS} AND id >= ? AND id < ?`,
        token,
        first,
        end,
      )?.number;
      if (supply !== undefined) supply -= BigInt(String(change));
      if (holders !== undefined) holders -= Number(joined);
      return dayEnd;
    })
    .reverse();
}

/** Returns the ledger time of the transaction that created a token; undefined for one that is older than the ledger. */
function creationTime(db: LedgerReader, token: number): number | undefined {
  const row = db.get(
    `SELECT b.time FROM tokens t CROSS JOIN blocks b ON b.slot = ${slotSql("t.created")} WHERE t.id = ?`,
    token,
  );
  return columnNumber(row?.time);
}

/** `/token/historical-data`: the last 7 or 30 days, today included, oldest first; none before the token's creation. */
export const historicalData: Query = ({ db, params }) => {
  const address = params.required("address");
  const token = requireToken(db, address);
  if (token === SOL) throw notFoundError("Token");
  const { clock } = db;
  const today = dayOf(clock, clock.end);
  const days = daysBetween(db, today - Number(params.integer("range")) + 1, today, creationTime(db, token));
  const decimals = columnNumber(db.get("SELECT decimals FROM tokens WHERE id = ?", token)?.decimals);
  const ends = endsOfDays(db, token, days);
  const data = days.map((day, n) => {
    const { supply, holders } = ends[n] ?? {};
    return omitMissing({
      date: day.date,
      supply: supply === undefined || decimals === undefined ? undefined : Number(wholeText(supply, decimals)),
      num_holders: holders,
      ...readActivity(db, token, day),
    });
  });
  return { data: { token_address: address, data } };
};
