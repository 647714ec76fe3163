/** The search index of the manual: the lines of all pages, and the words in them. Plain data, made by the build. */
import MiniSearch, { type AsPlainObject, type Options, type SearchOptions, type SearchResult } from "minisearch";
import { type ContentBlock, type ManualPage, plainText, sentence } from "../manual/page.ts";
import { questionStems, stemOf, stemsOf, synonymsOf, WORD, wordsOf } from "./questions.ts";

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
  /** The line that matches best. */
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
      blocks.flatMap((block) => textsOf(block).map((text): IndexedLine => [title, text, partOf(title, block)])),
    ),
  ];
}

function partOf(title: string, { kind }: ContentBlock): keyof typeof WEIGHTS {
  if (kind === "terms" || kind === "examples") return kind;
  return title === "Notes" ? "notes" : "other";
}

function textsOf(block: ContentBlock): readonly string[] {
  switch (block.kind) {
    case "text":
      return [plainText(block.text)];
    case "items":
      return block.items.map(plainText);
    case "terms":
      // The text of a link is on the page that it leads to.
      return block.terms
        .filter(([term]) => !term.startsWith("[["))
        .map(([term, text]) => `${plainText(term)}: ${plainText(text)}`);
    case "examples":
      return block.examples.map(([about, command]) => `${about}: ${command}`);
    case "code":
      return block.text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    default:
      return block satisfies never;
  }
}
