/** Finds pages by words: ranked, forgiving of typing mistakes, with the line that says it. */
import type { IndexedLine, IndexedPage, SearchIndex } from "./search-index.ts";
import { askedFor, likeStems, stemsOf, wordsOf } from "./stems.ts";

/** A page that was found. */
export interface Found extends Pick<IndexedPage, "id" | "kind" | "title" | "command" | "summary"> {
  /** The heading that the line stands under; empty for the first line of the page. */
  readonly section: string;
  /** The line that says most of what was asked for. */
  readonly line: string;
  /** Where the words are in the line. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** An asked word: the stems that are it, and how much it tells. */
interface Asked {
  readonly like: ReadonlyMap<string, number>;
  /** Greater for words of few pages. */
  readonly rarity: number;
}

/** The older families say much that the newer one says, too. */
const OLDER = 0.9;

/** Pages whose lines are looked at, for each that is wanted. */
const LOOKED_AT = 3;

/**
 * The pages that say most of what was asked for, the best first.
 * @param question words as a person types them
 */
export function search({ pages, stems }: SearchIndex, question: string, count: number): readonly Found[] {
  const known = Object.keys(stems);
  const asked = askedFor(question).map((stem): Asked => {
    const like = likeStems(stem, known);
    const on = new Set([...like.keys()].flatMap((found) => (stems[found] ?? []).filter((_, at) => at % 2 === 0)));
    return { like, rarity: Math.log(1 + pages.length / (1 + on.size)) };
  });
  const scores = new Map<number, number[]>();
  for (const [at, { like, rarity }] of asked.entries()) {
    for (const [stem, worth] of like) {
      const places = stems[stem] ?? [];
      for (let place = 0; place < places.length; place += 2) {
        const [number = 0, weight = 0] = places.slice(place, place + 2);
        const score = scores.get(number) ?? asked.map(() => 0);
        score[at] = Math.max(score[at] ?? 0, worth * weight * rarity);
        scores.set(number, score);
      }
    }
  }
  const ranked = (found: readonly (readonly [number: number, score: number])[]) =>
    [...found].sort(([one, a], [other, b]) => b - a || one - other);
  const first = [...scores].map(([number, score]) => [number, total(score)] as const);
  const best = ranked(first)
    .slice(0, count * LOOKED_AT)
    .flatMap(([number, score]) => {
      const page = pages[number];
      return page ? [{ number, page, score, line: bestLine(page, asked) }] : [];
    });
  return best
    .map((found) => ({ ...found, score: (found.score + found.line.sum) * (isOlder(found.page) ? OLDER : 1) }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, count)
    .map(({ page: { id, kind, title, command, summary }, line }) => {
      const [section, text] = line.line;
      return { id, kind, title, command, summary, section, line: text, marks: marksOf(text, asked) };
    });
}

const isOlder = ({ command }: IndexedPage) => command === "legacy" || command.startsWith("legacy ");

/** What the words of a page add up to: a page that has them all goes before one that has a few often. */
function total(scores: readonly number[]): number {
  const matched = scores.filter((score) => score > 0).length;
  return scores.reduce((sum, score) => sum + score, 0) * (matched / scores.length) ** 2;
}

function bestLine(
  { lines }: IndexedPage,
  asked: readonly Asked[],
): { readonly line: IndexedLine; readonly sum: number } {
  const known = asked.flatMap(({ like }) => [...like.keys()]);
  let best = { line: lines[0] ?? NO_LINE, sum: 0 };
  for (const line of lines) {
    const [, text, weight] = line;
    const plain = text.toLowerCase();
    // A word begins with its stem: where no stem is, there is nothing to take apart.
    if (!known.some((stem) => plain.includes(stem))) continue;
    const stems = stemsOf(text);
    let sum = 0;
    for (const { like, rarity } of asked) {
      let most = 0;
      for (const [stem, worth] of like) if (worth > most && stems.has(stem)) most = worth;
      sum += rarity * most;
    }
    // Of lines that say the same, the one that says more about the page.
    sum *= 1 + weight / 50;
    if (sum > best.sum) best = { line, sum };
  }
  return best;
}

const NO_LINE: IndexedLine = ["", "", 0];

function marksOf(text: string, asked: readonly Asked[]): Found["marks"] {
  return wordsOf(text)
    .filter(({ stem }) => asked.some(({ like }) => like.has(stem)))
    .map(({ from, to }) => [from, to]);
}
