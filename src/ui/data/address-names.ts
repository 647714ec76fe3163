/**
 * Names that answers tell in passing: an address says little, and nearly every answer brings some symbols and labels
 * along. Nothing is asked for them. A name is only ever shown beside its address: anybody may take any name.
 */
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { isAddress } from "../../catalogue/validate.ts";
import { safeText } from "../../output/text/safe.ts";
import { WELL_KNOWN_TOKENS } from "../../output/text/well-known-tokens.ts";

/** The names of a session. */
export interface AddressNames {
  /** Looks through an answer. */
  learn(value: Json): void;
  /** The name of an address, as one harmless line; undefined where it is not famous and no answer told one. */
  of(address: string): string | undefined;
  /** The addresses of a name, whatever its case; that of a famous symbol comes first. */
  addressesOf(name: string): readonly string[];
  /** Symbols of tokens, by their mints. */
  tokens(): ReadonlyMap<string, string>;
}

/** What is called so need be no token. */
const LABEL = "account_label";

/** Where answers tell an address, and its name beside it. */
const PAIRS: readonly (readonly [address: string, name: string])[] = [
  ["token_address", "token_symbol"],
  ["address", "symbol"],
  ["mint", "symbol"],
  ["account_address", LABEL],
];

const MAX_NAMES = 5000;
/** Levels and entries of an answer that are looked through. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 500;
const MAX_NAME_LENGTH = 24;

/** Puts a name among those that came last, the oldest of which go. */
function remember(names: Map<string, string>, address: string, name: string): void {
  names.delete(address);
  names.set(address, name);
  if (names.size > MAX_NAMES) for (const old of [...names.keys()].slice(0, names.size - MAX_NAMES)) names.delete(old);
}

/** Knows nothing yet. */
export function createAddressNames(): AddressNames {
  const names = new Map<string, string>();
  const tokens = new Map<string, string>();
  const learnFrom = (holder: JsonObject) => {
    for (const [addressField, nameField] of PAIRS) {
      const [address, name] = [holder[addressField], holder[nameField]];
      if (typeof address !== "string" || typeof name !== "string" || !isAddress(address)) continue;
      const text = safeText(name).trim();
      if (text === "" || text.length > MAX_NAME_LENGTH) continue;
      remember(names, address, text);
      if (nameField !== LABEL) remember(tokens, address, text);
    }
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
    of: (address) => WELL_KNOWN_TOKENS.get(address) ?? names.get(address),
    addressesOf(name) {
      const target = name.trim().toLowerCase();
      const all = [...new Map([...WELL_KNOWN_TOKENS, ...names, ...WELL_KNOWN_TOKENS])];
      return all.filter(([, known]) => known.toLowerCase() === target).map(([address]) => address);
    },
  };
}
