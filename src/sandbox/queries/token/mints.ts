/** Tokens by their mints, and the parts of SQL that answers about them share. */
import type { LedgerReader } from "../../ledger/reader.ts";
import { SOL } from "../../ledger/schema.ts";
import { notFoundError } from "../query.ts";

/** The number of a token; undefined for an address that is no mint. */
const findToken = (db: LedgerReader, address: string): number | undefined =>
  db.get("SELECT t.id FROM accounts a CROSS JOIN tokens t ON t.id = a.id WHERE a.address = ?", address)?.id as
    | number
    | undefined;

/**
 * The number of a token.
 * @throws ApiError 404 when the address is no mint
 */
export function requireToken(db: LedgerReader, address: string): number {
  const token = findToken(db, address);
  if (token === undefined) throw notFoundError("Token");
  return token;
}

/** Tokens of a request with their numbers, each once, in the order of the request; what is no mint is left out. */
export function findTokens(db: LedgerReader, addresses: readonly string[]): readonly (readonly [string, number])[] {
  return [...new Set(addresses)].flatMap((address) => {
    const token = findToken(db, address);
    return token === undefined ? [] : [[address, token] as const];
  });
}

/**
 * The rank by market capitalisation of the token in `token_stats s`, NULL without one. Of tokens that are worth the same,
 * the one with the greater number comes first, as in lists. SOL is not ranked: its wrapped form is.
 */
export const MARKET_CAP_RANK = `CASE WHEN s.market_cap IS NOT NULL AND s.token_id <> ${SOL} THEN 1 + (
  SELECT count(*) FROM token_stats r WHERE r.market_cap >= s.market_cap AND r.token_id <> ${SOL}
    AND (r.market_cap > s.market_cap OR r.token_id > s.token_id)) END`;

/** Fungible tokens of `tokens t` but SOL, which lists show in its wrapped form. */
export const IS_LISTED = `t.kind = 'fungible' AND t.id <> ${SOL}`;
