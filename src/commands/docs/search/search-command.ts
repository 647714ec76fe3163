/** `solx docs --search`: the pages of the manual that match some words. */

import type { Command } from "commander";
import { type Hints, type Json, readProgramFile, toHints, UsageError } from "../../../base/index.ts";
import { allEndpoints, type Endpoint, positionalOf } from "../../../catalogue/index.ts";
import type { Support } from "../../../client/index.ts";
import { clip, isTable, type Theme } from "../../../output/index.ts";
import { parseNumberOption } from "../../number-option.ts";
import type { RunContext } from "../../run/context.ts";
import { sourceOf } from "../../run/data-source.ts";
import { commandLineOf } from "../manual/page.ts";
import { headingText } from "../manual/terminal-page.ts";
import { unansweredNote } from "./question-words.ts";
import {
  createSearch,
  type Excerpt,
  excerptOf,
  indexPages,
  type ManualSearch,
  type SearchHit,
} from "./search-index.ts";

/** The file of the index, beside the built program. */
export const INDEX_FILE = "search.json";

const DEFAULT_HITS = 8;
const MAX_HITS = 1000;

/** Prints the pages that match the words, best first. No match is not an error. */
export async function searchDocs(context: RunContext, program: Command, words: string): Promise<void> {
  if (words.trim() === "") {
    throw new UsageError("flag needs a value: --search", { hint: "For example: solx docs --search largest holders" });
  }
  const search = await loadSearch(program);
  const hits = search(words, hitLimit(context));
  if (isTable(await context.printer.format())) {
    const { width, theme } = await context.printer.options();
    await context.printer.printText(hits.map((hit) => hitText(hit, width, theme)).join("\n"));
    const [first] = hits;
    if (first) await context.reporter.hint(`To read a page: solx docs ${pageName(first)}`);
  } else {
    await context.printer.printRows(hits.map(hitObject));
  }
  const { supports } = sourceOf(await context.session.settings());
  const note = explainHits(words, hits, supports)?.command;
  if (note !== undefined) await context.reporter.note(note);
  if (hits.length === 0) await context.reporter.note(`No page matches "${words}". To list all pages: solx docs`);
}

function hitLimit({ globals: { limit, all } }: RunContext): number {
  if (all) return MAX_HITS;
  return limit === undefined ? DEFAULT_HITS : parseNumberOption("--limit", limit, { min: 1, max: MAX_HITS });
}

let loaded: Promise<ManualSearch> | undefined;

/** Returns the search by the index that the build made; from source there is none, and it is made. */
export function loadSearch(program: Command): Promise<ManualSearch> {
  loaded ??= openSearch(program);
  return loaded;
}

async function openSearch(program: Command): Promise<ManualSearch> {
  try {
    return createSearch(JSON.parse(readProgramFile(new URL(INDEX_FILE, import.meta.url))));
  } catch {
    const { pagesOfProgram } = await import("../manual/all-pages.ts");
    return createSearch(indexPages(pagesOfProgram(program)));
  }
}

/** Returns the endpoint of a hit; undefined for commands and topics. */
export const endpointOfHit = ({ kind, command }: SearchHit): Endpoint | undefined =>
  kind === "endpoint" ? allEndpoints.find((endpoint) => endpoint.command === command) : undefined;

/** Returns the command line of a hit, with what it has to be completed with. */
export function lineOfHit(hit: SearchHit): string {
  const endpoint = endpointOfHit(hit);
  const [identifier] = (endpoint && positionalOf(endpoint)) ?? [];
  return `${commandLineOf(hit.id)}${identifier === undefined ? "" : ` <${identifier}>`}${endpoint?.family === "node" ? " --rpc mainnet" : ""}`;
}

/** Returns why nothing answers a question here, or what does; undefined where the best hit answers it. */
export function explainHits(
  question: string,
  [first]: readonly SearchHit[],
  supports: (endpoint: Endpoint) => Support,
): Hints | undefined {
  const note = unansweredNote(question);
  if (note !== undefined) return toHints(note);
  const endpoint = first && endpointOfHit(first);
  const refusal = endpoint && supports(endpoint).refusal;
  if (!refusal) return undefined;
  const { command, program, tool } = toHints(refusal.instead);
  const explain = (hint = "") => `${refusal.reason} ${hint}`.trimEnd();
  return { command: explain(command), program: explain(program), tool: explain(tool) };
}

const pageName = ({ id, kind, command }: SearchHit) => (kind === "topic" ? id : command || id);

function hitText(hit: SearchHit, width: number, theme: Theme | undefined): string {
  const { section, ...matched } = excerptOf(hit);
  const isSummary = section === "";
  const lead = isSummary ? "  " : `  ${section}: `;
  const line = `${lead}${excerpt(matched, Math.max(30, width - lead.length), theme)}`;
  const title = commandLineOf(hit.id) + (hit.kind === "endpoint" ? `  (${hit.title})` : "");
  const heading = isSummary ? title : clip(`${title}  ${hit.summary}`, width);
  return `${headingText(heading.slice(0, title.length), theme)}${heading.slice(title.length)}\n${line}\n`;
}

/** Returns the part of the line around the first match that fits the width, with the matches in bold. */
function excerpt({ line, marks }: Pick<Excerpt, "line" | "marks">, width: number, theme: Theme | undefined): string {
  const start = line.length <= width ? 0 : Math.max(0, Math.min((marks[0]?.[0] ?? 0) - 20, line.length - width + 1));
  const end = Math.min(line.length, start + width - (start > 0 ? 1 : 0) - (line.length > start + width - 1 ? 1 : 0));
  let text = start > 0 ? "…" : "";
  let position = start;
  for (const [from, to] of marks) {
    if (from < position || to > end) continue;
    text += line.slice(position, from) + headingText(line.slice(from, to), theme);
    position = to;
  }
  return text + line.slice(position, end) + (end < line.length ? "…" : "");
}

function hitObject(hit: SearchHit): Json {
  const { id, kind, title, command, summary } = hit;
  const { section, line } = excerptOf(hit);
  return { kind, page: kind === "endpoint" ? title : id, command, summary, section, line };
}
