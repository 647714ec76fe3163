/**
 * Names of addresses, collected from the symbols and labels in answers; no request is sent for them. A name is always
 * shown beside its address, since names on chain are not unique.
 */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import { isAddress } from "../../catalogue/index.ts";
import { safeText, WELL_KNOWN_TOKENS } from "../../output/index.ts";

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

/** A label of any account, not only of tokens. */
const LABEL = "account_label";

/** Fields that hold an address, and the fields beside them that hold its name. */
const PAIRS: readonly (readonly [address: string, name: string])[] = [
  ["token_address", "token_symbol"],
  ["address", "symbol"],
  ["mint", "symbol"],
  ["account_address", LABEL],
];

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
