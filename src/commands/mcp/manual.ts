/** The manual as resources of the server, and its search index. */
import type { Command } from "commander";
import { nearestName, UsageError } from "../../base/index.ts";
import { displayText } from "../../client/index.ts";
import type { ManualPage } from "../docs/manual/page.ts";
import type { ManualSearch } from "../docs/search/search-index.ts";

/** The beginning of the URIs of pages. */
export const DOCS_URI = "solx://docs/";

/** The manual of a program. Its pages and their index are read when they are first needed. */
export class Manual {
  readonly #program: Command;
  #pages: Promise<readonly ManualPage[]> | undefined;

  constructor(program: Command) {
    this.#program = program;
  }

  /** Returns the topics as resources. */
  async topics(): Promise<readonly { uri: string; name: string; title: string; description: string }[]> {
    const topics = (await this.#load()).filter(({ kind }) => kind === "topic");
    return topics.map(({ id, title, summary }) => ({ uri: DOCS_URI + id, name: id, title, description: summary }));
  }

  /** Returns the names of pages that start with a text, in the order of the manual. */
  async complete(text: string): Promise<string[]> {
    return (await this.#load()).map(({ id }) => id).filter((id) => id.startsWith(text));
  }

  /** Returns a page as Markdown. Throws UsageError for an unknown page, with the nearest one. */
  async read(name: string): Promise<string> {
    const [{ createMarkdownFiles }, pages] = await Promise.all([import("../docs/manual/markdown.ts"), this.#load()]);
    const text = createMarkdownFiles(pages).get(`${name}.md`);
    if (text !== undefined) return text;
    const ids = pages.map(({ id }) => id);
    const nearest = nearestName(name, ids);
    throw new UsageError(`unknown page "${displayText(name)}"`, {
      code: "UNKNOWN_PAGE",
      hint: nearest === undefined ? `${DOCS_URI}README lists all.` : `Did you mean ${DOCS_URI}${nearest}?`,
    });
  }

  /** Returns the search of all pages. */
  async search(): Promise<ManualSearch> {
    return (await import("../docs/search/search-command.ts")).loadSearch(this.#program);
  }

  #load(): Promise<readonly ManualPage[]> {
    this.#pages ??= import("../docs/manual/all-pages.ts").then(({ pagesOfProgram }) => pagesOfProgram(this.#program));
    return this.#pages;
  }
}
