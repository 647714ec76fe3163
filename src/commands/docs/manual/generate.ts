/** The files that are made of the pages. */
import { indexOf } from "../search/search-index.ts";
import { manName, manPage, manSection } from "./man-page.ts";
import { markdownFile, markdownIndex, markdownPage } from "./markdown.ts";
import type { Page } from "./page.ts";
import { wholeReference } from "./whole.ts";

type Files = ReadonlyMap<string, string>;

/** The Markdown files by their names, the index among them. */
export function markdownFiles(pages: readonly Page[] = wholeReference()): Files {
  const titles = new Map(pages.map((page) => [page.id, page.command === "" ? page.title : `solx ${page.command}`]));
  return new Map([
    ["README.md", markdownIndex(pages)],
    ...pages.map((page): [string, string] => [markdownFile(page.id), markdownPage(page, titles)]),
  ]);
}

/** The manual pages by their paths: `man1/solx-account-transfer.1`. */
export function manFiles(version: string, pages: readonly Page[] = wholeReference()): Files {
  return new Map(
    pages.map((page): [string, string] => {
      const section = manSection(page);
      return [`man${section}/${manName(page.id)}.${section}`, manPage(page, pages, version)];
    }),
  );
}

/** The index of the search, as the text of its file. */
export function indexFile(pages: readonly Page[] = wholeReference()): string {
  return JSON.stringify(indexOf(pages));
}
