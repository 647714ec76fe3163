/** What the search looks through: the lines of all pages, and where each word is. Plain data, made when solx is built. */
import { type Block, type Page, plainText } from "../manual/page.ts";
import { stemsOf } from "./stems.ts";

/** A line of a page: the heading that it stands under, its text, and how much a word in it says about the page. */
export type IndexedLine = readonly [section: string, text: string, weight: number];

/** A page as the search sees it. */
export interface IndexedPage extends Pick<Page, "id" | "kind" | "title" | "command" | "summary"> {
  readonly lines: readonly IndexedLine[];
}

/** All pages, and for each stem the pages that have it: number, weight, number, weight, … */
export interface SearchIndex {
  readonly pages: readonly IndexedPage[];
  readonly stems: Readonly<Record<string, readonly number[]>>;
}

const TITLE = 8;
const SUMMARY = 5;
const NOTES = 2;
const TERMS = 2;
const EXAMPLES = 1.5;
const OTHER = 1;

/** Sections that say the same on every page, or what other pages say. */
const ALIKE: ReadonlySet<string> = new Set([
  "Command",
  "Request",
  "Errors",
  "The same with curl",
  "Options of every command",
]);

/** Makes the index of pages. */
export function indexOf(pages: readonly Page[]): SearchIndex {
  const stems = new Map<string, number[]>();
  const indexed = pages.map((page, number) => {
    const lines = linesOf(page);
    const weights = new Map<string, number>();
    const add = (text: string, weight: number) => {
      for (const stem of stemsOf(text)) weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
    };
    add([page.title, page.command, ...page.aliases].join(" "), TITLE);
    for (const [, text, weight] of lines) add(text, weight);
    for (const [stem, weight] of weights) stems.set(stem, [...(stems.get(stem) ?? []), number, weight]);
    const { id, kind, title, command, summary } = page;
    return { id, kind, title, command, summary, lines };
  });
  return { pages: indexed, stems: Object.fromEntries(stems) };
}

function linesOf(page: Page): readonly IndexedLine[] {
  const sections = page.sections.filter(({ title }) => !ALIKE.has(title));
  return [
    ["", `${page.summary}.`, SUMMARY],
    ...sections.flatMap(({ title, blocks }) =>
      blocks.flatMap((block) => textsOf(block).map((text): IndexedLine => [title, text, weightOf(title, block)])),
    ),
  ];
}

function weightOf(title: string, { kind }: Block): number {
  if (kind === "terms") return TERMS;
  if (kind === "examples") return EXAMPLES;
  return title === "Notes" ? NOTES : OTHER;
}

function textsOf(block: Block): readonly string[] {
  switch (block.kind) {
    case "text":
      return [plainText(block.text)];
    case "items":
      return block.items.map(plainText);
    case "terms":
      // What leads to other pages is said there.
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
