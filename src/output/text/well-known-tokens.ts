/** Tokens that everybody knows by their symbol, and others that take it to pass for them. */
import { NATIVE_SOL, USDC, WRAPPED_SOL } from "../../catalogue/samples.ts";

/** The symbols of famous tokens by their mints. What the API calls SOL is two things: SOL itself, and its token. */
export const FAMOUS: ReadonlyMap<string, string> = new Map([
  [USDC, "USDC"],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT"],
  [NATIVE_SOL, "SOL"],
  [WRAPPED_SOL, "wSOL"],
]);

const SYMBOLS = new Set([...FAMOUS.values()].map((symbol) => symbol.toUpperCase()));

/** Whether a token bears the symbol of a famous one that it is not. */
export function isPretender(mint: string, symbol: string): boolean {
  return SYMBOLS.has(symbol.trim().toUpperCase()) && !FAMOUS.has(mint);
}
