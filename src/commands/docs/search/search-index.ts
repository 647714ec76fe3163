/** The search index of the manual: the lines of all pages, and the words in them. Plain data, made by the build. */
import MiniSearch, { type AsPlainObject, type Options, type SearchOptions, type SearchResult } from "minisearch";
import { GROUPS } from "../../endpoint/groups.ts";
import { type BlockForms, type ContentBlock, formBlock, type ManualPage, plainText, sentence } from "../manual/page.ts";

/** Returns the part of a word that its inflections share: `transfers` and `transfer` have one stem. */
function stemOf(word: string): string {
  const plain = word.toLowerCase();
  const stem = plain.replace(/(?:ings?|ed|es|s|e)$/, "");
  return stem.length >= 3 ? stem : plain;
}

/** Matches a word; `from_address` is two words. */
const WORD = /[A-Za-z]+|\d+/g;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** Returns the distinct stems of a text. */
export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stemOf));

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

const synonymsOf = (stem: string): readonly string[] => synonyms.get(stem) ?? [];

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

function questionStems(question: string): readonly string[] {
  const normalized = PHRASES.reduce((text, [phrase, terms]) => text.replace(phrase, terms), question);
  const stems = [...stemsOf(normalized)];
  const meaningful = stems.filter((stem) => !STOP_WORDS.has(stem));
  return meaningful.length > 0 ? meaningful : stems;
}

/** How much a match counts by where it is. */
const WEIGHTS = { title: 4, summary: 3, notes: 2, terms: 2, examples: 1.5, other: 1 } as const;

/** A line of a page: its section, its text, and what it is. */
export type IndexedLine = readonly [section: string, text: string, part: keyof typeof WEIGHTS];

/** A page in the index. */
export interface IndexedPage extends Pick<ManualPage, "id" | "kind" | "title" | "command" | "summary"> {
  readonly lines: readonly IndexedLine[];
}

/** All pages and the words in them. */
export interface SearchIndex {
  readonly pages: readonly IndexedPage[];
  readonly words: AsPlainObject;
}

/** A page that matches. */
export interface SearchHit extends Pick<IndexedPage, "id" | "kind" | "title" | "command" | "summary"> {
  /** The section of the line; empty for the first line of the page. */
  readonly section: string;
  readonly line: string;
  /** The positions of the matches in the line. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** Sections that are nearly the same on every page, or repeat other pages. */
const REPEATED_SECTIONS: ReadonlySet<string> = new Set(["Usage", "API request", "Errors", "curl", "Global flags"]);

/** Factor for the older families, which repeat much of the newer one. */
const LEGACY_FACTOR = 0.9;

const OPTIONS: Options<IndexedPage & { readonly number: number; readonly names: string }> = {
  fields: Object.keys(WEIGHTS),
  idField: "number",
  tokenize: wordsOf,
  processTerm: stemOf,
  extractField: (page, field) => {
    if (field === "number") return String(page.number);
    if (field === "title") return page.names;
    return page.lines.flatMap(([, text, part]) => (part === field ? [text] : [])).join("\n");
  },
};

/** Makes the index of pages. */
export function indexPages(pages: readonly ManualPage[]): SearchIndex {
  const engine = new MiniSearch(OPTIONS);
  const indexed = pages.map((page, number): IndexedPage => {
    const { id, kind, title, command, summary, aliases } = page;
    const entry = { id, kind, title, command, summary, lines: linesOf(page) };
    engine.add({ ...entry, number, names: [id, title, command, ...aliases].join(" ") });
    return entry;
  });
  return { pages: indexed, words: engine.toJSON() };
}

/**
 * Returns the pages that match a question, best first. A page with all words ranks before one that has some of them
 * often.
 * @param question words as a user types them
 */
export function searchPages({ pages, words }: SearchIndex, question: string, count: number): readonly SearchHit[] {
  const engine = MiniSearch.loadJS(words, OPTIONS);
  const stems = questionStems(question);
  const matches = new Map<string, Match>();
  for (const stem of stems) {
    for (const { id, score, terms } of searchStem(engine, stem)) {
      const match = matches.get(id) ?? { score: 0, words: 0, terms: [] };
      matches.set(id, { score: match.score + score, words: match.words + 1, terms: [...match.terms, ...terms] });
    }
  }
  return [...matches]
    .flatMap(([number, { score, words: found, terms }]) => {
      const page = pages[Number(number)];
      if (!page) return [];
      const matched = new Set(terms);
      return [{ page, matched, score: score * (found / stems.length) ** 2 * pageFactor(page, matched) }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, count)
    .map(({ page, matched }) => hitOf(page, matched));
}

/** Prefers current endpoints to legacy ones, and of commands with the same words the one that has no others. */
function pageFactor({ kind, command }: IndexedPage, matched: ReadonlySet<string>): number {
  if (/^legacy\b/.test(command)) return LEGACY_FACTOR;
  if (kind !== "endpoint") return 1;
  const stems = [...stemsOf(command)];
  return 1 + stems.filter((stem) => matched.has(stem)).length / stems.length / 2;
}

/** What a page matches: the stems in it, and how many words of the question they stand for. */
interface Match {
  readonly score: number;
  readonly words: number;
  readonly terms: readonly string[];
}

/** Searches a word, words that start with it, and its synonyms. Only a word that nothing matches may be mistyped. */
function searchStem(engine: MiniSearch, stem: string): readonly SearchResult[] {
  const options: SearchOptions = {
    boost: WEIGHTS,
    weights: { prefix: 0.7, fuzzy: 0.5 },
    // Pages of options are not worse for being long.
    bm25: { k: 1.2, b: 0.3, d: 0.5 },
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
  };
  const found = engine.search([stem, ...synonymsOf(stem)].join(" "), {
    ...options,
    prefix: (_, at) => at === 0 && stem.length >= 3,
    boostTerm: (_, at) => (at === 0 ? 1 : 0.6),
  });
  if (found.length > 0 || stem.length < 4) return found;
  return engine.search(stem, { ...options, fuzzy: stem.length > 4 ? 2 : 1 });
}

function hitOf({ lines, ...page }: IndexedPage, terms: ReadonlySet<string>): SearchHit {
  const { id, kind, title, command, summary } = page;
  const scored = lines.map((line) => {
    const matched = new Set(
      wordsOf(line[1])
        .map(stemOf)
        .filter((stem) => terms.has(stem)),
    );
    return { line, score: matched.size * (1 + WEIGHTS[line[2]] / 50) };
  });
  const [first] = scored.toSorted((one, other) => other.score - one.score);
  const [section, line] = first?.line ?? ["", summary];
  const marks = [...line.matchAll(WORD)]
    .filter(([word]) => terms.has(stemOf(word)))
    .map(({ 0: word, index }) => [index, index + word.length] as const);
  return { id, kind, title, command, summary, section, line, marks };
}

function linesOf(page: ManualPage): readonly IndexedLine[] {
  const sections = page.sections.filter(({ title }) => !REPEATED_SECTIONS.has(title));
  return [
    ["", sentence(page.summary), "summary"],
    ...sections.flatMap(({ title, blocks }) =>
      blocks.flatMap((block) =>
        formBlock(block, SEARCHED_TEXTS).map((text): IndexedLine => [title, text, partOf(title, block)]),
      ),
    ),
  ];
}

function partOf(title: string, { kind }: ContentBlock): keyof typeof WEIGHTS {
  if (kind === "terms" || kind === "examples") return kind;
  return title === "Notes" ? "notes" : "other";
}

const SEARCHED_TEXTS: BlockForms<readonly string[]> = {
  text: (content) => [plainText(content)],
  items: (content) => content.map(plainText),
  // The text of a link is on the page that it leads to.
  terms: (content) =>
    content.filter(([term]) => !term.startsWith("[[")).map(([term, text]) => `${plainText(term)}: ${plainText(text)}`),
  examples: (content) => content.map(([about, command]) => `${about}: ${command}`),
  code: (content) =>
    content
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
};
