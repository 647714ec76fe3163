/** Holdings of accounts: portfolios, token accounts and pool positions. */
import {
  decimalText,
  type JsonObject,
  type Numeric,
  omitMissing,
  parseDecimal,
  sumDecimals,
  toNumeric,
} from "../../../../base/index.ts";
import { WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { sumAmounts } from "../../store/amounts.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import { portfolioPositions } from "../market/positions.ts";
import type { Query } from "../query.ts";
import { amountOf, asText, columnNumber, columnText, idOrUnknown, pageLimits, wholeText } from "../sql.ts";
import { MIN_TRUSTED_REPUTATION, readState } from "./state.ts";

/** Returns the exact sum of numbers in their decimal notation. */
const sumOf = (values: readonly number[]): Numeric =>
  toNumeric(decimalText(sumDecimals(values.flatMap((value) => parseDecimal(String(value)) ?? []))));

/** Returns a holding of a portfolio; tokens without a price have no value. */
function holdingOf(row: LedgerRow, address?: string): JsonObject {
  const [decimals, price] = [columnNumber(row.decimals), columnNumber(row.price)];
  const balance = decimals === undefined ? undefined : wholeText(row.amount, decimals);
  return omitMissing({
    token_address: address,
    amount: amountOf(row.amount),
    amount_str: String(row.amount),
    balance: balance === undefined ? undefined : toNumeric(balance),
    balance_str: balance,
    token_price: price,
    token_decimals: decimals,
    token_name: columnText(row.name),
    token_symbol: columnText(row.symbol),
    token_icon: columnText(row.icon),
    value: price === undefined || balance === undefined ? undefined : Number(balance) * price,
  });
}

const holdingValue = (holding: JsonObject): number => Number(holding.value ?? 0);

/** Returns the SOL of an account, which has no exact text of its balance. */
function nativeHolding(db: LedgerReader, account: number): JsonObject {
  const row = db.get(
    `SELECT n.name, n.symbol, ifnull(n.icon, w.icon) AS icon, n.decimals, ifnull(s.price, v.price) AS price,
      ${asText("b.amount")} AS amount
    FROM tokens n LEFT JOIN balances b ON b.account_id = ? AND b.token_id = n.id
      LEFT JOIN token_stats s ON s.token_id = n.id LEFT JOIN tokens w ON w.id = ? LEFT JOIN token_stats v ON v.token_id = w.id
    WHERE n.id = ${SOL}`,
    account,
    idOrUnknown(db, WRAPPED_SOL),
  );
  if (!row || (row.amount === null && !db.facts.isComplete)) return {};
  const { balance_str: _, ...holding } = holdingOf({ ...row, amount: row.amount ?? "0" });
  return holding;
}

/**
 * `/account/portfolio`: SOL and the balances of fungible tokens over all token accounts, highest value first. A value
 * is the balance in whole units times the price; the total is the exact sum of the values. A token account holds SOL
 * alone, for its rent: its tokens are its owner's.
 */
export const portfolio: Query = ({ db, params }) => {
  const { id } = readState(db, params.required("address"));
  const minimumReputation = params.flag("exclude_low_score_tokens") ? MIN_TRUSTED_REPUTATION : 0;
  const tokens = db
    .all(
      `SELECT n.id, n.name, n.symbol, n.icon, n.decimals, s.price, ${asText("p.total")} AS amount
      FROM (SELECT token_id, ${sumAmounts("amount")} AS total FROM balances WHERE owner_id = ? AND token_id <> ${SOL}
        GROUP BY token_id HAVING max(amount) > 0) p
      CROSS JOIN tokens n ON n.id = p.token_id LEFT JOIN token_stats s ON s.token_id = n.id
      WHERE n.kind = 'fungible' AND ifnull(n.reputation, 100) >= ? ORDER BY n.id`,
      id,
      minimumReputation,
    )
    .map((row) => holdingOf(row, db.addressOf(Number(row.id))))
    .sort((a, b) => holdingValue(b) - holdingValue(a));
  const native = nativeHolding(db, id);
  const isValued = db.facts.hasPrices || [native, ...tokens].every(({ value }) => value !== undefined);
  return {
    data: {
      ...(isValued ? { total_value: sumOf([native, ...tokens].map(holdingValue)) } : {}),
      native_balance: native,
      tokens,
      positions: portfolioPositions(db, id),
    },
  };
};

/** `/account/token-accounts`: open token accounts of a wallet, for tokens or for NFTs. */
export const tokenAccounts: Query = ({ db, params }) => {
  const address = params.required("address");
  const rows = db.all(
    `SELECT a.account_id, a.token_id, n.decimals, ${asText("ifnull(b.amount, 0)")} AS amount
    FROM token_accounts a CROSS JOIN tokens n ON n.id = a.token_id
    LEFT JOIN balances b ON b.account_id = a.account_id AND b.token_id = a.token_id
    WHERE a.owner_id = ? AND a.closed = 0 AND n.kind = ? AND ifnull(b.amount, 0) >= ?
    ORDER BY a.account_id LIMIT ? OFFSET ?`,
    idOrUnknown(db, address),
    params.text("type") === "nft" ? "nft" : "fungible",
    params.flag("hide_zero") ? 1 : 0,
    ...pageLimits(params),
  );
  return {
    data: mapRows(rows, (row) =>
      omitMissing({
        token_account: db.addressOf(Number(row.account_id)),
        token_address: db.addressOf(Number(row.token_id)),
        amount: amountOf(row.amount),
        amount_str: String(row.amount),
        token_decimals: columnNumber(row.decimals),
        owner: address,
      }),
    ),
  };
};
