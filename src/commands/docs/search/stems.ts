/** Words of texts and of questions, as the search compares them. */
import { distance } from "fastest-levenshtein";
import { GROUPS } from "../../endpoint/groups.ts";

/** A word of a text. */
export interface Word {
  readonly stem: string;
  readonly from: number;
  readonly to: number;
}

/** The part of a word that its forms share: `transfers` and `transfer` are one. */
export function stemOf(word: string): string {
  const plain = word.toLowerCase();
  const stem = plain.replace(/(?:ings?|ed|es|s|e)$/, "");
  return stem.length >= 3 ? stem : plain;
}

/** The words of a text, and where they are; `from_address` is two words. */
export function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/[A-Za-z]+|\d+/g)].map(({ 0: word, index }) => ({
    stem: stemOf(word),
    from: index,
    to: index + word.length,
  }));
}

/** The stems of a text, each once. */
export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(({ stem }) => stem));

/** Words that ask, and say nothing of what about. */
const EMPTY: ReadonlySet<string> = stemsOf(
  "a all an and any are as at be been by can could did do does for from get give has have how i in is it its me my of on or show that the their there these this to was what when where which who whose why will with you your",
);

/** Words that people use for what the pages call something else. */
const SENSES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, { aliases = [] }]) => aliases.map((alias) => [alias, group])),
  ),
  whale: "value large",
  big: "value large",
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

/** What another word for it is worth. */
const SENSE = 0.6;
const BEGINNING = 0.7;
const MISTYPED = 0.5;

const senses = new Map(Object.entries(SENSES).map(([word, meant]) => [stemOf(word), stemsOf(meant)]));

/** Turns of phrase, and what the pages call what is meant. Words alone are in `SENSES`. */
const PHRASES: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\$[a-z][a-z0-9]+|\b(?:bonk|jup|jto|orca|pyth|ray|trump|usdc|usdt|wif)\b/gi, "token"],
  [
    /\b(?:who (?:has |have )?(?:bought|buys?|sold|sells?|traded?|swapped)|buyers?|sellers?|traders?)\b(?!.*\bnfts?\b)/gi,
    "defi activities",
  ],
  [/\b(?:top|largest|biggest|main) (?=holders?\b)/gi, ""],
  [/\bnet[- ]?worth\b/gi, "portfolio value"],
  [/\b(?:profits?(?: (?:and|&|or) loss(?:es)?)?|p&l|pnl)\b/gi, "portfolio defi activities"],
  [/\bair-?drops?\b/gi, "transfer"],
  [/\b(?:wallet|account|token)s?(?:'s)? balances?\b(?! change)/gi, "account portfolio"],
  [/\bbalances? of (?:an? |the |my |this )?(?:wallet|account|tokens?)s?\b/gi, "account portfolio"],
  [/\b(?:shares?|percent(?:age)?)\b/gi, "percentage"],
];

/** What no endpoint tells, and what comes nearest. */
const UNTOLD: readonly (readonly [asked: RegExp, told: string])[] = [
  [
    /\bprofits?\b|\bp&l\b|\bpnl\b/i,
    "No endpoint tells profit and loss: it is to be worked out from defi activities and the portfolio's values.",
  ],
  [/\bair-?drops?\b/i, "No endpoint tells airdrops apart: they are transfers into an account (flow in)."],
];

/** What is to be said of a question that no page answers as it was asked. */
export function untold(question: string): string | undefined {
  return UNTOLD.find(([asked]) => asked.test(question))?.[1];
}

/** The stems that a question is about. */
export function askedFor(question: string): readonly string[] {
  const meant = PHRASES.reduce((text, [said, words]) => text.replace(said, words), question);
  const stems = [...stemsOf(meant)];
  const telling = stems.filter((stem) => !EMPTY.has(stem));
  return telling.length > 0 ? telling : stems;
}

/** The known stems that are what was asked for, each with how well it fits: 1 for the same word. */
export function likeStems(asked: string, known: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (stem: string, worth: number) => found.set(stem, Math.max(found.get(stem) ?? 0, worth));
  for (const stem of known) {
    if (stem === asked) add(stem, 1);
    else if (asked.length >= 3 && stem.startsWith(asked)) add(stem, BEGINNING);
    else if (senses.get(asked)?.has(stem)) add(stem, SENSE);
  }
  // A word that is there as it was typed is no typing mistake.
  if (found.size === 0) for (const stem of known) if (isMistyped(asked, stem)) add(stem, MISTYPED);
  return found;
}

function isMistyped(asked: string, stem: string): boolean {
  const most = asked.length >= 7 ? 2 : 1;
  if (asked.length < 4 || stem.length < 4 || Math.abs(stem.length - asked.length) > most) return false;
  return distance(asked, stem) <= most || isSwapped(asked, stem);
}

/** Whether two letters beside each other are all that differs in their order. */
function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(0, at)}${one[at + 1]}${one[at]}${one.slice(at + 2)}` === other;
}
