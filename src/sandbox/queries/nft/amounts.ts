/** Prices of NFTs in SOL, whatever currency they are asked in. */
import { decimalText, type Numeric, numericOf, parseDecimal, scaleDown } from "../../../base/index.ts";

import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../ledger/reader.ts";
import { asText, idOrUnknown } from "../sql.ts";

const LAMPORTS = 1_000_000_000;

/** The place after all others: prices are the latest ones. */
export const LATEST_ROW = String(Number.MAX_SAFE_INTEGER);

/** The numbers of SOL as a currency: native and wrapped. */
export const solIds = (db: LedgerReader): readonly [native: number, wrapped: number] => [
  idOrUnknown(db, NATIVE_SOL),
  idOrUnknown(db, WRAPPED_SOL),
];

/**
 * Columns that {@link lamportsOf} reads: the price of an activity `a`, its currency's decimals from the token `n`, and
 * what the currency and SOL cost at a place on the chain, where the currency is not SOL.
 * @param row the place, as SQL
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

/** Lamports that a price is worth, by its dollars where it is not in SOL; undefined where those are unknown. */
export function lamportsOf(row: LedgerRow): bigint | undefined {
  if (row.is_sol === 1) return BigInt(String(row.price));
  const [own, sol] = [Number(row.own_price), Number(row.sol_price)];
  if (row.own_price === null || sol === 0) return undefined;
  return BigInt(Math.round(((Number(row.price) * own) / sol / Number(`1e${row.decimals}`)) * LAMPORTS));
}

/** Whole SOL of lamports, every digit kept. */
export function solOf(lamports: bigint): Numeric {
  const value = parseDecimal(String(lamports));
  return value ? numericOf(decimalText(scaleDown(value, 9))) : 0;
}
