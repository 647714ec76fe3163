/** `solx docs --search`: the pages that say something of what was asked for. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { UsageError } from "../../../base/errors.ts";
import type { Json } from "../../../base/json.ts";
import { integer } from "../../../catalogue/param.ts";
import { problemOf } from "../../../catalogue/validate.ts";
import type { RunContext } from "../../run/context.ts";
import { bold } from "../manual/terminal-page.ts";
import { type Found, search } from "./ranking.ts";
import type { SearchIndex } from "./search-index.ts";
import { untold } from "./stems.ts";

/** The file of the index, beside the program. */
export const INDEX_FILE = "search.json";

/** Pages that are shown where nothing is said. */
const USUAL = 8;
const MOST = 1000;

/** Prints the pages that fit the words, the best first; that there is none is no failure. */
export async function searchDocs(context: RunContext, program: Command, words: string): Promise<void> {
  if (words.trim() === "") {
    throw new UsageError("--search needs words.", { hint: "For example: solx docs --search largest holders" });
  }
  const found = search(await loadIndex(program), words, countOf(context));
  if ((await context.format()) === "table") {
    const { width, color } = await context.outputOptions();
    await context.printText(found.map((one) => foundText(one, width, color)).join("\n"));
    const [first] = found;
    if (first) await context.reporter.hint(`A page: solx docs ${pageName(first)}`);
  } else {
    await context.printRows(found.map(foundObject));
  }
  const missing = untold(words);
  if (missing !== undefined) await context.reporter.note(missing);
  if (found.length === 0) await context.reporter.note(`No page says anything of "${words}". All of them: solx docs`);
}

function countOf({ globals: { limit, all } }: RunContext): number {
  if (all) return MOST;
  if (limit === undefined) return USUAL;
  const problem = problemOf("limit", integer("", { min: 1, max: MOST }), limit);
  if (problem !== undefined) throw new UsageError(problem);
  return Number(limit);
}

/** The index that was made with the program; from source there is none, and it is made. */
async function loadIndex(program: Command): Promise<SearchIndex> {
  try {
    return JSON.parse(await readFile(new URL(INDEX_FILE, import.meta.url), "utf8"));
  } catch {
    const [{ indexAll }, { treeOf }] = await Promise.all([
      import("../manual/index-all.ts"),
      import("../manual/command-tree.ts"),
    ]);
    return indexAll(treeOf(program));
  }
}

/** What is typed after `solx docs` for a page. */
const pageName = ({ id, kind, command }: Found) => (kind === "topic" ? id : command || id);

/** What a page is called in the list: the command, with its route; the words that read a topic. */
function headOf({ kind, id, command, title }: Found): string {
  if (kind === "topic") return `solx help ${id}`;
  return kind === "endpoint" ? `solx ${command}  (${title})` : `solx ${command}`.trim();
}

function foundText(found: Found, width: number, color: boolean): string {
  const { section, summary } = found;
  const isSummary = section === "";
  const lead = isSummary ? "  " : `  ${section}: `;
  const line = `${lead}${lineText(found, Math.max(30, width - lead.length), color)}`;
  const head = `${bold(headOf(found), color)}${isSummary ? "" : `  ${summary}`}`;
  return `${isSummary ? head : cut(head, color ? width + 9 : width)}\n${line}\n`;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** As much of the line as there is room for, around the first word that was found, with the words marked. */
function lineText({ line, marks }: Found, width: number, color: boolean): string {
  const start = line.length <= width ? 0 : Math.max(0, Math.min((marks[0]?.[0] ?? 0) - 20, line.length - width + 1));
  const end = Math.min(line.length, start + width - (start > 0 ? 1 : 0) - (line.length > start + width - 1 ? 1 : 0));
  let text = start > 0 ? "…" : "";
  let at = start;
  for (const [from, to] of marks) {
    if (from < at || to > end) continue;
    text += line.slice(at, from) + bold(line.slice(from, to), color);
    at = to;
  }
  return text + line.slice(at, end) + (end < line.length ? "…" : "");
}

function foundObject(found: Found): Json {
  const { id, kind, title, command, summary, section, line } = found;
  return { kind, page: kind === "endpoint" ? title : id, command, summary, section, line };
}
