/** Ranks pages of the manual by the words in a question, tolerating typing mistakes. */
import type { IndexedLine, IndexedPage, SearchIndex } from "./search-index.ts";
import { matchStems, questionStems, stemsOf, wordsOf } from "./stems.ts";

/** A page that matches. */
export interface SearchHit extends Pick<IndexedPage, "id" | "kind" | "title" | "command" | "summary"> {
  /** The section of the line; empty for the first line of the page. */
  readonly section: string;
  /** The line that matches best. */
  readonly line: string;
  /** The positions of the matches in the line. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** A word of the question: the stems it matches, with how well, and how rare they are. */
interface QuestionTerm {
  readonly matches: ReadonlyMap<string, number>;
  /** Higher for words that few pages contain. */
  readonly rarity: number;
}

/** Factor for the older families, which repeat much of the newer one. */
const LEGACY_FACTOR = 0.9;

/** Pages whose lines are scored, per requested hit. */
const CANDIDATES_PER_HIT = 3;

/**
 * Returns the pages that match a question, best first.
 * @param question words as a user types them
 */
export function searchPages(index: SearchIndex, question: string, count: number): readonly SearchHit[] {
  const terms = questionTerms(index, question);
  const candidates = [...pageScores(index, terms)]
    .sort(([one, a], [other, b]) => b - a || one - other)
    .slice(0, count * CANDIDATES_PER_HIT)
    .flatMap(([number, score]) => {
      const page = index.pages[number];
      return page ? [{ number, page, score, best: bestLine(page, terms) }] : [];
    });
  return candidates
    .map((hit) => ({ ...hit, score: (hit.score + hit.best.score) * (isLegacy(hit.page) ? LEGACY_FACTOR : 1) }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, count)
    .map(({ page: { id, kind, title, command, summary }, best }) => {
      const [section, line] = best.line;
      return { id, kind, title, command, summary, section, line, marks: marksOf(line, terms) };
    });
}

function questionTerms({ pages, stems }: SearchIndex, question: string): readonly QuestionTerm[] {
  const known = Object.keys(stems);
  return questionStems(question).map((stem) => {
    const matches = matchStems(stem, known);
    const numbers = [...matches.keys()].flatMap((match) => (stems[match] ?? []).filter((_, at) => at % 2 === 0));
    return { matches, rarity: Math.log(1 + pages.length / (1 + new Set(numbers).size)) };
  });
}

/** Returns the score of each page that contains a term, by page number. */
function pageScores({ stems }: SearchIndex, terms: readonly QuestionTerm[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number[]>();
  for (const [at, { matches, rarity }] of terms.entries()) {
    for (const [stem, quality] of matches) {
      const postings = stems[stem] ?? [];
      for (let posting = 0; posting < postings.length; posting += 2) {
        const [number = 0, weight = 0] = postings.slice(posting, posting + 2);
        const score = scores.get(number) ?? terms.map(() => 0);
        score[at] = Math.max(score[at] ?? 0, quality * weight * rarity);
        scores.set(number, score);
      }
    }
  }
  return new Map([...scores].map(([number, score]) => [number, totalScore(score)]));
}

const isLegacy = ({ command }: IndexedPage) => command === "legacy" || command.startsWith("legacy ");

/** Adds up the scores of the terms; a page with all terms ranks before one that has some of them often. */
function totalScore(scores: readonly number[]): number {
  const matched = scores.filter((score) => score > 0).length;
  return scores.reduce((sum, score) => sum + score, 0) * (matched / scores.length) ** 2;
}

interface LineScore {
  readonly line: IndexedLine;
  readonly score: number;
}

function bestLine({ lines }: IndexedPage, terms: readonly QuestionTerm[]): LineScore {
  const known = terms.flatMap(({ matches }) => [...matches.keys()]);
  let best: LineScore = { line: lines[0] ?? ["", "", 0], score: 0 };
  for (const line of lines) {
    const [, text, weight] = line;
    const lowerCase = text.toLowerCase();
    // A word starts with its stem: a line without any stem needs no splitting.
    if (!known.some((stem) => lowerCase.includes(stem))) continue;
    const stems = stemsOf(text);
    let score = 0;
    for (const { matches, rarity } of terms) {
      let quality = 0;
      for (const [stem, value] of matches) if (value > quality && stems.has(stem)) quality = value;
      score += rarity * quality;
    }
    // Of lines with the same matches, the one with the higher weight.
    score *= 1 + weight / 50;
    if (score > best.score) best = { line, score };
  }
  return best;
}

function marksOf(text: string, terms: readonly QuestionTerm[]): SearchHit["marks"] {
  return wordsOf(text)
    .filter(({ stem }) => terms.some(({ matches }) => matches.has(stem)))
    .map(({ from, to }) => [from, to]);
}
