/** Finds tokens by their mints; SQL that token queries share. */
import type { LedgerReader } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import { notFoundError } from "../query.ts";

/** Returns the id of a token, or undefined for an address that is not a mint. */
const findToken = (db: LedgerReader, address: string): number | undefined =>
  db.get("SELECT t.id FROM accounts a CROSS JOIN tokens t ON t.id = a.id WHERE a.address = ?", address)?.id as
    | number
    | undefined;

/**
 * Returns the id of a token.
 * @throws UnknownSubjectError when the address is not a mint
 */
export function requireToken(db: LedgerReader, address: string): number {
  const token = findToken(db, address);
  if (token === undefined) throw notFoundError("Token");
  return token;
}

/** Returns the distinct requested tokens with their ids, in the order of the request, without unknown mints. */
export function findTokens(db: LedgerReader, addresses: readonly string[]): readonly (readonly [string, number])[] {
  return [...new Set(addresses)].flatMap((address) => {
    const token = findToken(db, address);
    return token === undefined ? [] : [[address, token] as const];
  });
}

/**
 * SQL of the market capitalisation rank of the token in `token_stats s`, NULL without one. Ties are ranked by
 * descending id, as in lists. SOL is ranked in its wrapped form only.
 */
export const MARKET_CAP_RANK = `CASE WHEN s.market_cap IS NOT NULL AND s.token_id <> ${SOL} THEN 1 + (
  SELECT count(*) FROM token_stats r WHERE r.market_cap >= s.market_cap AND r.token_id <> ${SOL}
    AND (r.market_cap > s.market_cap OR r.token_id > s.token_id)) END`;

/** SQL condition for the fungible tokens of `tokens t` except SOL, which lists show in its wrapped form. */
export const IS_LISTED = `t.kind = 'fungible' AND t.id <> ${SOL}`;
