/** Numbers of compute units as people type them. */

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9 };
/** Digits, with commas or underscores between thousands if any; then a fraction and a letter. */
const SYNTAX = /^(\d{1,3}(?:,\d{3})+|\d+(?:_\d{3})*)(\.\d+)? ?([kmgb]?)$/i;

/** The accepted forms, for messages. */
export const UNITS_SYNTAX = "500000, 500_000, 500k, 10M or 1.5G";

/** Parses a whole number of units: `500000`, `10_000_000`, `1,000,000`, `2.5k`, `10M`; undefined for other text. */
export function parseUnits(text: string): number | undefined {
  const [, whole, fraction = "", letter = ""] = SYNTAX.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const units = Number(`${whole.replace(/[_,]/g, "")}${fraction}`) * (FACTORS[letter.toLowerCase()] ?? Number.NaN);
  const rounded = Math.round(units);
  // Products of decimal fractions are not exact in binary.
  return Number.isSafeInteger(rounded) && Math.abs(units - rounded) < 1e-3 ? rounded : undefined;
}
