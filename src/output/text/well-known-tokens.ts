/** Tokens that are known by their symbol, and impostors that use the same symbol. */
import { NATIVE_SOL, USDC, WRAPPED_SOL } from "../../catalogue/index.ts";

/** The symbols of well-known tokens by their mints. SOL appears twice: SOL itself, and its wrapped token. */
export const WELL_KNOWN_TOKENS: ReadonlyMap<string, string> = new Map([
  [USDC, "USDC"],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT"],
  [NATIVE_SOL, "SOL"],
  [WRAPPED_SOL, "wSOL"],
]);

const SYMBOLS = new Set([...WELL_KNOWN_TOKENS.values()].map((symbol) => symbol.toUpperCase()));

/** Returns whether a token uses the symbol of a well-known one without being it. */
export function isImpostor(mint: string, symbol: string): boolean {
  return SYMBOLS.has(symbol.trim().toUpperCase()) && !WELL_KNOWN_TOKENS.has(mint);
}
