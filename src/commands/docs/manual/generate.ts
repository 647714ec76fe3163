/** Generates the manual's files from the commands, the catalogue and the topics. Used by the build and by tests. */
import { createContext } from "../../run/create-context.ts";
import { buildProgram } from "../../run/program.ts";
import { indexPages } from "../search/search-index.ts";
import { referencePages } from "./all-pages.ts";
import { type CommandNode, commandTreeOf } from "./command-tree.ts";
import { manPage, manPageName, manSection } from "./man-page.ts";
import { markdownFilesOf } from "./markdown.ts";
import type { ManualPage } from "./page.ts";

/** The text of each file by its path. */
type FileTexts = ReadonlyMap<string, string>;

/** Returns every command with every option. Reads no settings and sends no request. */
export function commandTree(): CommandNode {
  return commandTreeOf(emptyProgram());
}

/** Returns the program without settings, of which no command runs. */
export const emptyProgram = () => buildProgram(createContext(emptyEnvironment()));

/** Returns all pages of the manual. */
export function manualPages(): readonly ManualPage[] {
  return referencePages(commandTree());
}

/** Returns the Markdown files by name, the index included. */
export const markdownFiles = (pages: readonly ManualPage[] = manualPages()): FileTexts => markdownFilesOf(pages);

/** Returns the man pages by path: `man1/solx-account-transfer.1`. */
export function manFiles(version: string, pages: readonly ManualPage[] = manualPages()): FileTexts {
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
