/** What the names of fields say: their words, the headings of tables, and the kinds of entities that they refer to. */
import type { FieldMeta, Kind } from "../../catalogue/index.ts";
import type { Role } from "../text/roles.ts";

/** Words that are not written in lower case, or differently. */
const ACRONYMS: ReadonlyMap<string, string> = new Map([
  ...["CU", "DEX", "FDV", "HHI", "IDL", "LP", "NFT", "SOL", "SPL", "TPS", "TVL", "URI", "URL", "USD"].map(
    (word) => [word.toLowerCase(), word] as const,
  ),
  ...([
    ["cus", "CU"],
    ["pct", "%"],
    ["oncurve", "on curve"],
  ] as const),
]);

/** Returns a name in plain words: `block_time` is `block time`, `marketCapRank` is `market cap rank`. */
export function fieldWords(name: string): string {
  return name
    .replaceAll("_", " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/(\S)\(/g, "$1 (")
    .replace(/([A-Za-z]{3})(\d)\b/g, "$1 $2")
    .replace(/[A-Za-z]+/g, (word) => ACRONYMS.get(word.toLowerCase()) ?? word.toLowerCase());
}

/** Headings of names that are longer than what they say. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ["block time", "time"],
  ["block time unix", "time"],
  ["effective time", "time"],
  ["effective time unix", "time"],
  ["create block time", "created"],
  ["trans id", "signature"],
  ["tx hash", "signature"],
  ["txhash", "signature"],
  ["block id", "slot"],
  ["activity type", "activity"],
  ["change type", "change"],
  ["err", "error"],
  ["holder", "holders"],
  ["price change 24h", "24h"],
  ["price 24h change", "24h"],
]);

/** The kinds whose headings lack what every field of the kind is, and the words that are left out. */
const SELF_EVIDENT: Partial<Record<Kind, RegExp>> = {
  address: / (address|id)(?=s?$)/,
  program: / (address|id)(?=s?$)/,
  signature: / hash$/,
  unixTime: / time$/,
  count: /^(num|number) /,
  usd: / usd$/i,
  percent: / %$/,
  change: / %$/,
};

/** Returns the heading of a field in a table: its label, or its name without the words that its values say. */
export function headingOf(name: string, meta: FieldMeta | undefined): string {
  if (meta?.label !== undefined) return meta.label;
  const words = fieldWords(name);
  if (words === "address" && meta && entityOfDescription(meta) === "token") return "mint";
  const redundant = meta && SELF_EVIDENT[meta.kind];
  return HEADINGS.get(words) ?? (redundant ? words.replace(redundant, "") : words);
}

type AddressEntity = "account" | "market" | "collection" | "program" | "token";

/** What the name of an address field says about its entity; the first pattern that matches decides. */
const BY_NAME: readonly (readonly [AddressEntity, RegExp])[] = [
  ["account", /token_?account|associated|authority|owner/i],
  ["market", /pool|market(_|$)|amm/i],
  ["collection", /collection/i],
  ["program", /program/i],
  ["token", /token|mint/i],
];

/** What the description of an address field says about its entity. */
const BY_DESCRIPTION: readonly (readonly [AddressEntity, RegExp])[] = [
  ["token", /^(the )?mint of\b/i],
  ["market", /^(the )?(pool|market)\b/i],
];

/** Returns the kind of entity that an address field refers to by its name; undefined where the name does not say. */
export function entityOfName(field: string): AddressEntity | undefined {
  return BY_NAME.find(([, pattern]) => pattern.test(field))?.[0];
}

/** Returns the kind of entity that an address field refers to by its description. */
export function entityOfDescription({ description }: Pick<FieldMeta, "description">): AddressEntity {
  return BY_DESCRIPTION.find(([, pattern]) => pattern.test(description))?.[0] ?? "account";
}

const ROLES: Readonly<Record<AddressEntity, Role>> = {
  account: "account",
  market: "market",
  collection: "nft",
  program: "program",
  token: "token",
};

/** Returns the role of a field that refers to an entity: an identifier, a symbol or a label; undefined for all other fields. */
export function entityRole(field: string, meta: FieldMeta | undefined): Role | undefined {
  switch (meta?.kind) {
    case "signature":
      return "transaction";
    case "slot":
      return "block";
    case "program":
      return "program";
    case "hash":
      return /collection/i.test(field) ? "nft" : undefined;
    case "address":
      if (/\bNFT\b/.test(meta.description)) return "nft";
      return ROLES[entityOfName(field) ?? entityOfDescription(meta)];
    case "text":
      if (/(^|_)symbol$/i.test(field)) return "token";
      return /(^|_)account_label$/i.test(field) ? "account" : undefined;
    default:
      return undefined;
  }
}
