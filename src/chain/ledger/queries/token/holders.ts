/** Holders of a token. */
import { omitMissing } from "../../../../base/index.ts";
import type { QueryParams } from "../../../../catalogue/index.ts";
import { storedAmount } from "../../store/amounts.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import { addRange, amountOf, asText, columnNumber, pageLimits, WhereClause } from "../sql.ts";
import { requireToken } from "./mints.ts";
import { maximumAmount, tokenValue } from "./prices.ts";

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

/** Selects the token accounts with a balance of a token. */
const holding = (token: number): WhereClause => new WhereClause().add("token_id = ?", token).add("amount > 0");

/** Reads a page of token accounts, largest amount first; ties by descending id. */
export function readHolders(db: LedgerReader, where: WhereClause, limit: number, offset: number): readonly LedgerRow[] {
  return db.all(
    `SELECT b.account_id, b.owner_id, ${asText("b.amount")} AS amount FROM (
      SELECT account_id, token_id FROM balances ${where.sql} ORDER BY amount DESC, account_id DESC LIMIT ? OFFSET ?
    ) p CROSS JOIN balances b ON b.account_id = p.account_id AND b.token_id = p.token_id`,
    ...where.values,
    limit,
    offset,
  );
}

/** Returns the number of token accounts. */
export const countHolders = (db: LedgerReader, where: WhereClause): number =>
  Number(db.get(`SELECT count(*) AS total FROM balances ${where.sql}`, ...where.values)?.total);

/**
 * Reads the decimals, supply, price and number of holders of a token, and whether balances have a value: in a simulated
 * chain, it is 0 without a price.
 */
const tokenStats = (db: LedgerReader, token: number): LedgerRow =>
  db.get(
    `SELECT t.decimals, ${asText("s.supply")} AS supply, s.price, s.holders,
      ${!db.facts.hasPrices ? "s.price IS NOT NULL AND t.decimals IS NOT NULL" : "1"} AS isValued
    FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id WHERE t.id = ?`,
    token,
  ) ?? {};

/** Selects the holders of a token with an amount in a range. */
export function holderConditions(token: number, amounts: readonly (string | undefined)[]): WhereClause {
  return addRange(holding(token), "amount", amounts);
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
  // Where not all holders are known, those that are known are counted.
  const isCounted =
    FILTERS.some((name) => params.text(name) !== undefined) || (!db.facts.isComplete && token.holders === null);
  return { data: { total: isCounted ? countHolders(db, where) : Number(token.holders ?? 0), items } };
};
