/** Generates the manual's files from the commands, the catalogue and the topics. Used by the build and by tests. */
import { createContext } from "../../run/create-context.ts";
import { HELP_WIDTH } from "../../run/help.ts";
import { buildProgram } from "../../run/run.ts";
import { indexPages } from "../search/search-index.ts";
import { referencePages } from "./all-pages.ts";
import { buildCommandTree, type CommandNode } from "./command-tree.ts";
import { type DatedVersion, manPage, manPageName, manSection } from "./man-page.ts";
import { createMarkdownFiles } from "./markdown.ts";
import type { ManualPage } from "./page.ts";

type FileTexts = ReadonlyMap<string, string>;

/** Returns every command with every option. Reads no settings and sends no request. */
export function commandTree(): CommandNode {
  return buildCommandTree(emptyProgram());
}

const emptyProgram = () => buildProgram(createContext(emptyEnvironment()));

/** Returns all pages of the manual. */
export function manualPages(): readonly ManualPage[] {
  return referencePages(commandTree());
}

/** Returns the Markdown files by name, the index included. */
export const markdownFiles = (pages: readonly ManualPage[] = manualPages()): FileTexts => createMarkdownFiles(pages);

/** Returns the man pages by path: `man1/solx-account-transfer.1`. */
export function manFiles(version: DatedVersion, pages: readonly ManualPage[] = manualPages()): FileTexts {
  return new Map(
    pages.map((page): [string, string] => {
      const section = manSection(page);
      return [`man${section}/${manPageName(page.id)}.${section}`, manPage(page, pages, version)];
    }),
  );
}

/** Returns the text of the search index file. */
export function searchIndexFile(pages: readonly ManualPage[] = manualPages()): string {
  return JSON.stringify(indexPages(pages));
}

/** Streams and an environment for a program of which no command runs. */
function emptyEnvironment(): Parameters<typeof createContext>[0] {
  const stream = { isTTY: false } as never;
  const { signal } = new AbortController();
  return { argv: [], env: {}, version: "", stdin: stream, stdout: stream, stderr: stream, now: () => 0, signal };
}

/** The help by the columns of a terminal; wider ones than the widest show the same. */
export interface StoredHelp {
  readonly texts: Readonly<Record<string, string>>;
  readonly widest: number;
}

const NARROWEST = 80;

/** Returns the help of the program for every usual width; texts of most widths are the same. */
export function storedHelp(): StoredHelp {
  const widths = Array.from({ length: HELP_WIDTH + 1 - NARROWEST }, (_, at) => NARROWEST + at);
  const text = (width: number) =>
    emptyProgram()
      .configureOutput({ getOutHelpWidth: () => width })
      .helpInformation();
  return { texts: Object.fromEntries(widths.map((width) => [width, text(width)])), widest: HELP_WIDTH };
}
