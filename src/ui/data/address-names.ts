/**
 * Names of addresses, collected from the symbols and labels in answers; no request is sent for them. A name is always
 * shown beside its address, since names on chain are not unique.
 */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import { isAddress, WELL_KNOWN_TOKENS } from "../../catalogue/index.ts";
import { safeText, tokenMintOf } from "../../output/index.ts";

/** The names known in a session. */
export interface AddressNames {
  /** Collects the names in an answer. */
  learn(value: Json): void;
  /** Returns the name of an address as one line of safe text; undefined when it is unknown. */
  of(address: string): string | undefined;
  /** Returns the addresses with a name, ignoring case; that of a well-known symbol comes first. */
  addressesOf(name: string): readonly string[];
  /** Returns the symbols of tokens by mint. */
  tokens(): ReadonlyMap<string, string>;
}

/** The fields with the symbol of a token, in the spellings of all families. */
const SYMBOL_FIELDS = ["token_symbol", "symbol", "tokenSymbol"];

const MAX_NAMES = 5000;
/** Levels and entries of an answer that are scanned. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 500;
const MAX_NAME_LENGTH = 24;

/** Adds a name as the newest one and drops the oldest beyond the limit. */
function remember(names: Map<string, string>, address: string, name: string): void {
  names.delete(address);
  names.set(address, name);
  if (names.size > MAX_NAMES) for (const old of [...names.keys()].slice(0, names.size - MAX_NAMES)) names.delete(old);
}

/** Creates an empty set of names. */
export function createAddressNames(): AddressNames {
  const names = new Map<string, string>();
  const tokens = new Map<string, string>();
  const learnName = (address: Json | undefined, name: Json | undefined): string | undefined => {
    if (typeof address !== "string" || typeof name !== "string" || !isAddress(address)) return undefined;
    const text = safeText(name).trim();
    if (text === "" || text.length > MAX_NAME_LENGTH) return undefined;
    remember(names, address, text);
    return text;
  };
  const learnFrom = (holder: JsonObject) => {
    learnName(holder.account_address, holder.account_label);
    const symbolField = SYMBOL_FIELDS.find((name) => Object.hasOwn(holder, name));
    const mint = symbolField === undefined ? undefined : tokenMintOf(holder);
    if (symbolField === undefined || mint === undefined) return;
    const symbol = learnName(mint, holder[symbolField]);
    if (symbol !== undefined) remember(tokens, mint, symbol);
  };
  const scan = (value: Json, depth: number) => {
    if (depth > MAX_DEPTH) return;
    if (isArray(value)) for (const item of value.slice(0, MAX_ENTRIES)) scan(item, depth + 1);
    else if (isObject(value)) {
      learnFrom(value);
      for (const inner of Object.values(value).slice(0, MAX_ENTRIES)) {
        if (typeof inner === "object" && inner !== null) scan(inner, depth + 1);
      }
    }
  };
  return {
    learn: (value) => scan(value, 0),
    tokens: () => tokens,
    of: (address) => WELL_KNOWN_TOKENS.get(address)?.symbol ?? names.get(address),
    addressesOf(name) {
      const target = name.trim().toLowerCase();
      const all = withWellKnown(names);
      return all.filter(([, known]) => known.toLowerCase() === target).map(([address]) => address);
    },
  };
}

/** Returns names by address, with those of well-known tokens first. */
export function withWellKnown(names: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const known = [...WELL_KNOWN_TOKENS.values()].map(({ mint, symbol }) => [mint, symbol] as const);
  return [...new Map([...known, ...names, ...known])];
}
