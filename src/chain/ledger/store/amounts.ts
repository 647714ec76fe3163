/**
 * Amounts of tokens in SQLite. Amounts are unsigned 64-bit integers, SQLite's integers are signed: amounts from 2^63 on
 * are stored as text of 20 digits, which SQLite orders after all integers and compares digit by digit. So comparisons,
 * indexes and the order of lists are exact without a word about it; `CAST … AS TEXT` and `AS REAL` are right for both
 * forms. Arithmetic is not: sums and differences need the functions below. They return text too where an integer does
 * not suffice; sums of many amounts may have more digits.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

/** The first amount that is stored as text. */
const FIRST_TEXT = 2n ** 63n;
const DIGITS = 20;

/** Returns an amount as it is stored. */
export const storedAmount = (amount: bigint): bigint | string =>
  amount >= FIRST_TEXT ? String(amount).padStart(DIGITS, "0") : amount < -FIRST_TEXT ? String(amount) : amount;

/** Returns the SQL for the exact sum of amounts; NULL without any. Available where {@link addAmountFunctions} was called. */
export const sumAmounts = (amount: string): string => `amount_sum(${amount})`;

/** Returns the SQL for `a − b`, exact. */
export const subtractAmounts = (a: string, b: string): string =>
  `iif(typeof(${a}) = 'text' OR typeof(${b}) = 'text', amount_difference(${a}, ${b}), ${a} - ${b})`;

/** Returns the SQL for the distance of two amounts, exact. */
export const amountDistance = (a: string, b: string): string =>
  `iif(${a} >= ${b}, ${subtractAmounts(a, b)}, ${subtractAmounts(b, a)})`;

type Stored = Exclude<SQLOutputValue, Uint8Array>;

const amountOf = (stored: Stored): bigint => BigInt(stored ?? 0);

/** Registers the functions of amounts for a connection. */
export function addAmountFunctions(db: DatabaseSync): void {
  const options = { deterministic: true, useBigIntArguments: true } as const;
  db.function("amount_difference", options, (a, b) =>
    a === null || b === null ? null : storedAmount(amountOf(a as Stored) - amountOf(b as Stored)),
  );
  db.aggregate<bigint | null>("amount_sum", {
    ...options,
    start: null,
    step: (sum, amount) => (amount === null ? sum : (sum ?? 0n) + amountOf(amount as Stored)),
    result: (sum) => (sum === null ? null : storedAmount(sum)),
  });
}
