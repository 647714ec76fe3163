/** Tokens by symbol: an address is taken as it is, then come the well-known tokens, then the search of the API. */
import {
  isNumeric,
  isObject,
  type JsonObject,
  NotFoundError,
  PermissionError,
  tellAll,
  toNumber,
  UsageError,
} from "../../base/index.ts";
import {
  type Endpoint,
  endpointByPath,
  loadLookalikes,
  type Param,
  WELL_KNOWN_TOKENS,
  wellKnownToken,
} from "../../catalogue/index.ts";
import type { ClientCore } from "../client.ts";
import { recognise, searchWays } from "../request/recognise.ts";
import { displayText } from "../text.ts";

/** The mint that a text stands for. */
export interface ResolvedToken {
  /** The address of the token. */
  readonly mint: string;
  /** Unknown for an address that is not well known. */
  readonly symbol?: string;
  /** Decimals of the token. */
  readonly decimals?: number;
  /** How it was found. */
  readonly source: "address" | "well-known" | "search";
  /** For tokens of the search: whether the API lists the token as verified. */
  readonly isVerified?: boolean;
  /** For tokens of the search: how many other tokens have the same symbol. */
  readonly namesakes?: number;
  /** How the symbol imitates another one: `mixes Latin and Cyrillic letters`. Ask before such a mint is used or stored. */
  readonly imitation?: string;
}

/** How a symbol is resolved. */
export interface ResolveOptions {
  /** What SOL stands for: by default the mint of wrapped SOL, otherwise native SOL. */
  readonly accepts?: Param["accepts"];
  /** The parameter with the text, for errors. */
  readonly parameter?: string;
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
}

const ASCII = /^[\x20-\x7e]+$/;
/** One word with a letter, longer than most symbols and shorter than any address. */
const SYMBOL = /^\$?(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{N}._+-]{0,19}$/u;

/** Returns whether a text can be the symbol of a token, such as `USDC` or `$wif`, and is no identifier. */
export function isTokenSymbol(text: string): boolean {
  const { kind, value } = recognise(text);
  return kind === "unknown" && SYMBOL.test(value);
}

/**
 * Returns the token that an address or a symbol stands for. Symbols are compared without case; a `$` before them is
 * ignored. Only symbols that are not well known cost a request. Of several tokens with a symbol, the only verified one is
 * returned.
 * @throws UsageError when no token has the symbol (code `UNKNOWN_SYMBOL`), or several have it and none stands out (code
 * `AMBIGUOUS_SYMBOL`, with the tokens as `candidates`)
 */
export async function resolveToken(
  client: Pick<ClientCore, "fetch">,
  text: string,
  options: ResolveOptions = {},
): Promise<ResolvedToken> {
  const { kind, value } = recognise(text);
  if (kind === "address") return { ...WELL_KNOWN_TOKENS.get(value), mint: value, source: "address" };
  const symbol = value.replace(/^\$/, "");
  const known = wellKnownToken(symbol, options.accepts);
  if (known) return { ...known, source: "well-known" };
  if (!isTokenSymbol(text)) throw unknownSymbolError(value, options);
  return selectToken(await searchSymbol(client, symbol, options), symbol, options);
}

const search = endpointByPath("v2", "/token/search") as Endpoint;
/** Symbols change as rarely as metadata, other than the prices in the answers. */
const SYMBOL_SEARCH: Endpoint = { ...search, cachePolicy: "metadata" };
const MAX_CANDIDATES = 40;

async function searchSymbol(
  client: Pick<ClientCore, "fetch">,
  symbol: string,
  { parameter, signal }: ResolveOptions,
): Promise<readonly JsonObject[]> {
  const params = { keyword: symbol, search_by: "symbol", page_size: MAX_CANDIDATES };
  try {
    const { rows = [] } = await client.fetch(SYMBOL_SEARCH, params, { signal });
    const isMatch = (name: unknown) => String(name).toLowerCase() === symbol.toLowerCase();
    return rows.filter(isObject).filter(({ symbol: name }) => isMatch(name));
  } catch (error) {
    const isNode = error instanceof PermissionError && error.code === "NODE_UNSUPPORTED";
    if (!isNode && !(error instanceof NotFoundError)) throw error;
    const [server, subject] = isNode ? ["A Solana node", "a Solana node"] : ["The server", "the server"];
    throw new UsageError(`${server} cannot search for the symbol "${displayText(symbol)}".`, {
      code: "UNKNOWN_SYMBOL",
      hint: "Give the mint of the token.",
      cause: error,
      ...(parameter && {
        invalid: {
          reason: "value",
          parameter,
          value: symbol,
          expected: `a mint, since ${subject} cannot search for symbols`,
        },
      }),
    });
  }
}

async function selectToken(
  matches: readonly JsonObject[],
  symbol: string,
  options: ResolveOptions,
): Promise<ResolvedToken> {
  if (matches.length === 0) throw unknownSymbolError(symbol, options);
  const verified = matches.filter(({ is_verified }) => is_verified === true);
  const [only] = verified.length === 1 ? verified : matches.length === 1 ? matches : [];
  const { detectLookalike } = await loadLookalikes();
  const imitation = only && detectLookalike(symbol, String(only.address));
  // Letters that look like Latin ones are rarely typed: they are pasted from impostors.
  const isPlain = ASCII.test(symbol) && imitation === undefined;
  if (!only || (verified.length === 0 && !isPlain)) throw ambiguousSymbolError(matches, symbol, imitation, options);
  const decimals = isNumeric(only.decimals) ? toNumber(only.decimals) : undefined;
  return {
    mint: String(only.address),
    symbol: String(only.symbol),
    ...(decimals === undefined ? {} : { decimals }),
    source: "search",
    isVerified: only.is_verified === true,
    namesakes: matches.length - 1,
    ...(imitation !== undefined && { imitation }),
  };
}

function unknownSymbolError(symbol: string, { parameter }: ResolveOptions): UsageError {
  const value = displayText(symbol);
  const expected = "a mint or the symbol of a token; no token has this symbol";
  return new UsageError(`No token has the symbol "${value}".`, {
    code: "UNKNOWN_SYMBOL",
    hint: tellAll(searchWays(value), (way) => `To search for similar names: ${way}`),
    ...(parameter && { invalid: { reason: "value", parameter, value, expected } }),
  });
}

/** The fields by which tokens with the same symbol can be distinguished. */
const CANDIDATE_FIELDS = ["address", "symbol", "name", "is_verified", "holder", "market_cap", "created_time"] as const;

function ambiguousSymbolError(
  matches: readonly JsonObject[],
  symbol: string,
  imitation: string | undefined,
  { parameter }: ResolveOptions,
): UsageError {
  const value = displayText(symbol);
  const reason =
    matches.length === 1
      ? `the symbol ${imitation ?? "has letters that may imitate others"}`
      : `${matches.length} tokens have this symbol`;
  const expected = `a mint, since ${reason}`;
  return new UsageError(`invalid value "${value}": expected ${expected}`, {
    code: "AMBIGUOUS_SYMBOL",
    hint: "Give the mint of the token that you mean. Anyone can create a token with any symbol.",
    candidates: matches.map((match) =>
      Object.fromEntries(CANDIDATE_FIELDS.map((name) => [name, match[name] ?? null] as const)),
    ),
    ...(parameter && { invalid: { reason: "value", parameter, value, expected } }),
  });
}
