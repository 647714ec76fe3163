/** Names of fields as plain words: one case for the headings of tables, previews and details. */
import type { FieldMeta, Kind } from "../../catalogue/index.ts";
import { entityOfDescription } from "./entity-role.ts";

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
