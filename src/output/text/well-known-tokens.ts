/** Tokens that everybody knows by their symbol, and others that take it to pass for them. */
import { NATIVE_SOL, USDC, WRAPPED_SOL } from "../../catalogue/samples.ts";

/** The symbols of famous tokens by their mints. What the API calls SOL is two things: SOL itself, and its token. */
export const WELL_KNOWN_TOKENS: ReadonlyMap<string, string> = new Map([
  [USDC, "USDC"],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT"],
  [NATIVE_SOL, "SOL"],
  [WRAPPED_SOL, "wSOL"],
]);

const SYMBOLS = new Set([...WELL_KNOWN_TOKENS.values()].map((symbol) => symbol.toUpperCase()));

/** Whether a token bears the symbol of a famous one that it is not. */
export function isImpostor(mint: string, symbol: string): boolean {
  return SYMBOLS.has(symbol.trim().toUpperCase()) && !WELL_KNOWN_TOKENS.has(mint);
}
