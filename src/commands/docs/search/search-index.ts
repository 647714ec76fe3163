/** The search index of the manual: the lines of all pages, and the words in them. Plain data, made by the build. */
import MiniSearch, { type AsPlainObject, type Options, type SearchOptions, type SearchResult } from "minisearch";
import { INTENTS, phrasesOf } from "../../../catalogue/intents.ts";
import { type BlockForms, type ContentBlock, formBlock, type ManualPage, plainText, sentence } from "../manual/page.ts";
import { PAGE_INTENTS } from "./page-intents.ts";
import { meaningfulTerms, questionTerms, splitWords, termOf, wordsIn } from "./question-words.ts";

/** How much a match counts by where it is. */
const WEIGHTS = { title: 4, phrases: 3, summary: 3, notes: 2, terms: 2, examples: 1.5, other: 1 } as const;

/** A line of a page: its section, its text, and what it is. */
export type IndexedLine = readonly [section: string, text: string, part: keyof typeof WEIGHTS];

/** A page in the index. */
export interface IndexedPage extends Pick<ManualPage, "id" | "kind" | "title" | "command" | "summary" | "aliases"> {
  readonly lines: readonly IndexedLine[];
}

/** All pages and the words in them. */
export interface SearchIndex {
  readonly pages: readonly IndexedPage[];
  readonly words: AsPlainObject;
}

/** A page that matches. */
export interface SearchHit extends Omit<IndexedPage, "aliases"> {
  /** How much of the question the phrases of the page have: 1 if they have all its words. */
  readonly coverage: number;
  /** The terms that match. */
  readonly terms: ReadonlySet<string>;
}

/** The line of a page that matches best. */
export interface Excerpt {
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
  tokenize: splitWords,
  processTerm: termOf,
  extractField: (page, field) => {
    if (field === "number") return String(page.number);
    if (field === "title") return page.names;
    if (field === "phrases") return phrasesOfPage(page).join("\n");
    return page.lines.flatMap(([, text, part]) => (part === field ? [text] : [])).join("\n");
  },
};

/** Makes the index of pages. */
export function indexPages(pages: readonly ManualPage[]): SearchIndex {
  const engine = new MiniSearch(OPTIONS);
  const indexed = pages.map((page, number): IndexedPage => {
    const { id, kind, title, command, summary, aliases } = page;
    const entry = { id, kind, title, command, summary, aliases, lines: linesOf(page) };
    engine.add({ ...entry, number, names: [id, title, command, ...aliases].join(" ") });
    return entry;
  });
  return { pages: indexed, words: engine.toJSON() };
}

/** Returns what people want who need a page, in their words; its names and its summary are among them. */
function phrasesOfPage({ id, command, summary, aliases }: IndexedPage): readonly string[] {
  const names = [command, ...aliases.map((alias) => command.replace(/\S+$/, alias)), summary];
  return [...names, ...phrasesOf(INTENTS[command] ?? PAGE_INTENTS[id] ?? "")].filter(Boolean);
}

/** Returns the pages that match a question, best first. */
export type ManualSearch = (question: string, count?: number) => readonly SearchHit[];

/** How much the phrases of a page count, compared with its text, and those that are not the most similar one. */
const PHRASE_WEIGHT = 4;
const OTHER_PHRASES_WEIGHT = 0.6;

/**
 * Prepares the search of an index. A page ranks by the phrase that is most similar to the question, and by its text: one
 * with all words of the question ranks before one that has some of them often.
 */
export function createSearch({ pages, words }: SearchIndex): ManualSearch {
  const engine = MiniSearch.loadJS(words, OPTIONS);
  const phrases = pages.map((page) => phrasesOfPage(page).map(meaningfulTerms));
  const unions = phrases.map((own) => new Set(own.flatMap((phrase) => [...phrase])));
  const rarity = rarityIn(unions);
  const isKnown = (term: string) => engine.search(term, EXACTLY).length > 0;
  return (question, count = pages.length) => {
    const terms = questionTerms(question, isKnown).map((term) => matchTerm(engine, term));
    const found = terms.filter(({ results }) => results.length > 0);
    const total = found.reduce((sum, { term }) => sum + rarity(term), 0);
    const matchIn = (phrase: ReadonlySet<string>) =>
      found.reduce((sum, { term, weights }) => sum + rarity(term) * weightIn(phrase, weights), 0);
    const similarity = (phrase: ReadonlySet<string>) => {
      const match = matchIn(phrase);
      const own = [...phrase].reduce((sum, term) => sum + rarity(term), 0);
      return match === 0 ? 0 : (match / total) * Math.sqrt(Math.min(1, match / own));
    };
    const matched = new Set(found.flatMap(({ weights }) => [...weights.keys()]));
    const texts = textScores(terms);
    const best = Math.max(...texts.values());
    return [...texts]
      .map(([number, text]) => {
        const coverage = matchIn(unions[number] ?? new Set()) / total;
        const intent = Math.max(...(phrases[number] ?? []).map(similarity)) + OTHER_PHRASES_WEIGHT * coverage;
        const page = pages[number] as IndexedPage;
        return { page, coverage, rank: (text / best + PHRASE_WEIGHT * intent) * pageFactor(page) };
      })
      .sort((one, other) => other.rank - one.rank)
      .slice(0, count)
      .map(({ page, coverage }) => ({ ...page, coverage: coverage * (found.length / terms.length), terms: matched }));
  };
}

const pageFactor = ({ command }: IndexedPage) => (/^legacy\b/.test(command) ? LEGACY_FACTOR : 1);

/** A term of a question, the terms of pages that it matches with the quality of the match, and these pages. */
interface TermMatch {
  readonly term: string;
  readonly weights: ReadonlyMap<string, number>;
  readonly results: readonly SearchResult[];
}

const weightIn = (phrase: ReadonlySet<string>, weights: TermMatch["weights"]) =>
  [...weights].reduce((most, [term, weight]) => (weight > most && phrase.has(term) ? weight : most), 0);

/** Returns the scores of the texts of pages, by the number of the page. */
function textScores(terms: readonly TermMatch[]): ReadonlyMap<number, number> {
  const scores = new Map<number, { score: number; words: number }>();
  for (const { id, score } of terms.flatMap(({ results }) => results)) {
    const { score: sum, words } = scores.get(Number(id)) ?? { score: 0, words: 0 };
    scores.set(Number(id), { score: sum + score, words: words + 1 });
  }
  return new Map([...scores].map(([id, { score, words }]) => [id, score * (words / terms.length) ** 2]));
}

/** Returns how much a term says about a page, by the number of pages with it in their phrases. */
function rarityIn(unions: readonly ReadonlySet<string>[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const term of unions.flatMap((union) => [...union])) counts.set(term, (counts.get(term) ?? 0) + 1);
  const rarities = new Map([...counts].map(([term, count]) => [term, Math.log(1 + unions.length / count)]));
  const most = Math.log(1 + unions.length);
  return (term) => rarities.get(term) ?? most;
}

const PREFIX_WEIGHT = 0.7;
const MISTYPED_WEIGHT = 0.5;

const EXACTLY: SearchOptions = {
  boost: WEIGHTS,
  weights: { prefix: PREFIX_WEIGHT, fuzzy: MISTYPED_WEIGHT },
  // Pages of options are not worse for being long.
  bm25: { k: 1.2, b: 0.3, d: 0.5 },
  tokenize: (text) => [text],
  processTerm: (term) => term,
};

/** Letters of a word in which one may be mistyped, and in which two may. */
const MIN_MISTYPED = 4;
const MIN_MISTYPED_TWICE = 8;

/** Searches a term and words that start with it. Only a word that nothing matches may be mistyped. */
function matchTerm(engine: MiniSearch, term: string): TermMatch {
  const match = (options: SearchOptions, weight: number): TermMatch => {
    const results = engine.search(term, { ...EXACTLY, ...options });
    const terms = new Set(results.flatMap((result) => result.terms));
    return { term, results, weights: new Map([...terms].map((one) => [one, one === term ? 1 : weight])) };
  };
  const found = match({ prefix: term.length >= 3 }, PREFIX_WEIGHT);
  if (found.results.length > 0 || term.length < MIN_MISTYPED) return found;
  return match({ fuzzy: term.length >= MIN_MISTYPED_TWICE ? 2 : 1 }, MISTYPED_WEIGHT);
}

/** Returns the line of a hit that matches best. */
export function excerptOf({ lines, terms, summary }: SearchHit): Excerpt {
  const scored = lines.map((line) => {
    const matched = new Set(
      splitWords(line[1])
        .map(termOf)
        .filter((stem) => terms.has(stem)),
    );
    return { line, score: matched.size * (1 + WEIGHTS[line[2]] / 50) };
  });
  const [first] = scored.toSorted((one, other) => other.score - one.score);
  const [section, line] = first?.line ?? ["", summary];
  const marks = [...wordsIn(line)]
    .filter(([word]) => terms.has(termOf(word)))
    .map(({ 0: word, index }) => [index, index + word.length] as const);
  return { section, line, marks };
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
