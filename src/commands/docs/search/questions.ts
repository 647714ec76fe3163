/** Questions as users ask them: word stems, synonyms, phrases, and what no page answers. */
import { GROUPS } from "../../endpoint/groups.ts";

/** Returns the part of a word that its inflections share: `transfers` and `transfer` have one stem. */
export function stemOf(word: string): string {
  const plain = word.toLowerCase();
  const stem = plain.replace(/(?:ings?|ed|es|s|e)$/, "");
  return stem.length >= 3 ? stem : plain;
}

/** Matches a word; `from_address` is two words. */
export const WORD = /[A-Za-z]+|\d+/g;

/** Returns the words in a text. */
export const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** Returns the distinct stems of a text. */
export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stemOf));

/** Words without meaning for a search. */
const STOP_WORDS: ReadonlySet<string> = stemsOf(
  "a all an and any are as at be been by can could did do does for from get give has have how i in is it its me my of on or show that the their there these this to was what when where which who whose why will with you your",
);

/** Words that users type and the terms that the pages use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, { aliases = [] }]) => aliases.map((alias) => [alias, group])),
  ),
  whale: "value amount",
  big: "value amount large",
  coin: "token",
  trade: "defi activities swap",
  swap: "defi activities",
  candle: "price day",
  ohlc: "price day",
  chart: "price day",
  history: "day newest time",
  owner: "holder",
  download: "export file",
  save: "out file",
  spreadsheet: "csv",
  excel: "csv",
  throttled: "rate 429",
  login: "key auth",
  password: "key",
  autocomplete: "completion",
  shell: "completion",
  mock: "sandbox",
  test: "sandbox",
  stream: "follow",
  watch: "follow",
  tail: "follow",
  ai: "mcp skill",
  llm: "mcp skill",
  swagger: "openapi",
};

const synonyms = new Map(Object.entries(SYNONYMS).map(([word, terms]) => [stemOf(word), [...stemsOf(terms)]]));

/** Returns the stems of the terms that the pages use for a word. */
export const synonymsOf = (stem: string): readonly string[] => synonyms.get(stem) ?? [];

/** Phrases that users type and the terms that the pages use; single words are in `SYNONYMS`. */
const PHRASES: readonly (readonly [phrase: RegExp, terms: string])[] = [
  [/\$[a-z][a-z0-9]+|\b(?:bonk|jup|jto|orca|pyth|ray|trump|usdc|usdt|wif)\b/gi, "token"],
  [
    /\b(?:who (?:has |have )?(?:bought|buys?|sold|sells?|traded?|swapped)|buyers?|sellers?|traders?)\b(?!.*\bnfts?\b)/gi,
    "defi activities",
  ],
  [/\bwho (?:holds?|owns?|has)\b/gi, "holders"],
  [/\b(?:top|largest|biggest|main) (?=holders?\b)/gi, ""],
  [/\bnet[- ]?worth\b/gi, "portfolio value"],
  [/\b(?:profits?(?: (?:and|&|or) loss(?:es)?)?|p&l|pnl)\b/gi, "portfolio defi activities"],
  [/\bair-?drops?\b/gi, "account transfer flow"],
  [/\b(?:wallet|account|token)s?(?:'s)? balances?\b(?! change)/gi, "account portfolio"],
  [/\bbalances? of (?:an? |the |my |this )?(?:wallet|account|tokens?)s?\b/gi, "account portfolio"],
  [/\b(?:shares?|percent(?:age)?)\b/gi, "percentage"],
];

/** Questions that no endpoint answers, with a note about the closest data. */
const UNSUPPORTED: readonly (readonly [question: RegExp, note: string])[] = [
  [
    /\bprofits?\b|\bp&l\b|\bpnl\b/i,
    "No endpoint reports profit and loss; compute it from DeFi activities and the values of the portfolio.",
  ],
  [/\bair-?drops?\b/i, "No endpoint identifies airdrops; they are transfers into an account (--flow in)."],
];

/** Returns a note for a question that no page answers directly; undefined for other questions. */
export function unsupportedQuestion(question: string): string | undefined {
  return UNSUPPORTED.find(([pattern]) => pattern.test(question))?.[1];
}

/** Returns the stems of a question, in the terms that the pages use. */
export function questionStems(question: string): readonly string[] {
  const normalized = PHRASES.reduce((text, [phrase, terms]) => text.replace(phrase, terms), question);
  const stems = [...stemsOf(normalized)];
  const meaningful = stems.filter((stem) => !STOP_WORDS.has(stem));
  return meaningful.length > 0 ? meaningful : stems;
}
