/** Amounts as people type them: `1.5usdc` stands for 1500000 base units. Exact: no amount passes through a double. */
import { type Decimal, decimalText, parseDecimal, trimZeros } from "../../base/index.ts";

/** An amount, with the symbol of its token where one was typed. */
export interface TypedAmount {
  readonly number: Decimal;
  readonly symbol?: string;
}

/** Longer texts are no amounts. */
const MAX_LENGTH = 100;
const AMOUNT = /^(\d[\d_]*\.?\d*(?:e[+-]?\d{1,2})?|\.\d+)\s*(\$?\p{L}.*)?$/iu;

/** Parses an amount such as `1.5usdc`, `1_000 USDC` or `1500000`; undefined for other text. */
export function parseAmount(text: string): TypedAmount | undefined {
  const [, digits = "", symbol] = (text.length <= MAX_LENGTH && AMOUNT.exec(text.trim())) || [];
  const number = parseDecimal(digits.replaceAll("_", ""));
  return number && { number, ...(symbol === undefined ? {} : { symbol }) };
}

/** Multiplies by 10^`decimals`: whole units to base units. Undefined when the result is not a whole number. */
export function toBaseUnits(number: Decimal, decimals: number): string | undefined {
  const { negative, digits, scale } = trimZeros(number);
  if (scale > decimals) return undefined;
  return decimalText({ negative, digits: digits * 10n ** BigInt(decimals - scale), scale: 0 });
}
