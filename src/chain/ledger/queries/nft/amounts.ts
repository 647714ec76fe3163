/** Prices of NFTs in SOL, converted from any currency. */
import { decimalText, type Numeric, numericOf, parseDecimal, scaleDown } from "../../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { asText, idOrUnknown } from "../sql.ts";

const LAMPORTS = 1_000_000_000;

/** A row id after all others, for the latest prices. */
export const LATEST_ROW = String(Number.MAX_SAFE_INTEGER);

/** Returns the ids of SOL as a currency: native and wrapped. */
export const solIds = (db: LedgerReader): readonly [native: number, wrapped: number] => [
  idOrUnknown(db, NATIVE_SOL),
  idOrUnknown(db, WRAPPED_SOL),
];

/**
 * Returns the columns that {@link lamportsOf} reads: the price of an activity `a`, the decimals of its currency from
 * the token `n`, and the prices of the currency and of SOL at a row, where the currency is not SOL.
 * @param row the row id, as SQL
 */
export function priceColumns(db: LedgerReader, row: string, price = "a.price"): string {
  const [native, wrapped] = solIds(db);
  const isSol = `a.currency_id IN (${native}, ${wrapped})`;
  const dollars = (token: string | number) =>
    `CASE WHEN ${isSol} THEN NULL ELSE (SELECT p.price FROM prices p WHERE p.token_id = ${token} AND p.id <= ${row}
    ORDER BY p.id DESC LIMIT 1) END`;
  return `${asText(price)} AS price, n.decimals, ${isSol} AS is_sol,
    ${dollars("a.currency_id")} AS own_price, ${dollars(wrapped)} AS sol_price`;
}

/**
 * Returns a price in lamports, converted by dollar prices where it is not in SOL; undefined where those are unknown.
 */
export function lamportsOf(row: LedgerRow): bigint | undefined {
  if (row.is_sol === 1) return BigInt(String(row.price));
  const [own, sol] = [Number(row.own_price), Number(row.sol_price)];
  if (row.own_price === null || sol === 0) return undefined;
  return BigInt(Math.round(((Number(row.price) * own) / sol / Number(`1e${row.decimals}`)) * LAMPORTS));
}

/** Returns lamports in whole SOL with all digits. */
export function solOf(lamports: bigint): Numeric {
  const value = parseDecimal(String(lamports));
  return value ? numericOf(decimalText(scaleDown(value, 9))) : 0;
}
