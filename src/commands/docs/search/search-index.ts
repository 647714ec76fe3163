/** The search index of the manual: the lines of all pages and their word stems. Plain data, made by the build. */
import { type ContentBlock, type ManualPage, plainText, sentence } from "../manual/page.ts";
import { stemsOf } from "./stems.ts";

/** A line of a page: its section, its text, and how much a match in it counts. */
export type IndexedLine = readonly [section: string, text: string, weight: number];

/** A page in the index. */
export interface IndexedPage extends Pick<ManualPage, "id" | "kind" | "title" | "command" | "summary"> {
  readonly lines: readonly IndexedLine[];
}

/** All pages, and for each stem the pages that contain it: page number, weight, page number, weight, … */
export interface SearchIndex {
  readonly pages: readonly IndexedPage[];
  readonly stems: Readonly<Record<string, readonly number[]>>;
}

const TITLE_WEIGHT = 8;
const SUMMARY_WEIGHT = 5;
const NOTES_WEIGHT = 2;
const TERMS_WEIGHT = 2;
const EXAMPLES_WEIGHT = 1.5;
const OTHER_WEIGHT = 1;

/** Sections that are nearly the same on every page, or repeat other pages. */
const REPEATED_SECTIONS: ReadonlySet<string> = new Set(["Usage", "API request", "Errors", "curl", "Global flags"]);

/** Makes the index of pages. */
export function indexPages(pages: readonly ManualPage[]): SearchIndex {
  const stems = new Map<string, number[]>();
  const indexed = pages.map((page, number) => {
    const lines = linesOf(page);
    const weights = new Map<string, number>();
    const add = (text: string, weight: number) => {
      for (const stem of stemsOf(text)) weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
    };
    add([page.id, page.title, page.command, ...page.aliases].join(" "), TITLE_WEIGHT);
    for (const [, text, weight] of lines) add(text, weight);
    for (const [stem, weight] of weights) stems.set(stem, [...(stems.get(stem) ?? []), number, weight]);
    const { id, kind, title, command, summary } = page;
    return { id, kind, title, command, summary, lines };
  });
  return { pages: indexed, stems: Object.fromEntries(stems) };
}

function linesOf(page: ManualPage): readonly IndexedLine[] {
  const sections = page.sections.filter(({ title }) => !REPEATED_SECTIONS.has(title));
  return [
    ["", sentence(page.summary), SUMMARY_WEIGHT],
    ...sections.flatMap(({ title, blocks }) =>
      blocks.flatMap((block) => textsOf(block).map((text): IndexedLine => [title, text, weightOf(title, block)])),
    ),
  ];
}

function weightOf(title: string, { kind }: ContentBlock): number {
  if (kind === "terms") return TERMS_WEIGHT;
  if (kind === "examples") return EXAMPLES_WEIGHT;
  return title === "Notes" ? NOTES_WEIGHT : OTHER_WEIGHT;
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
