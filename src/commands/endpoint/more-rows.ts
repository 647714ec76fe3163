/** What follows the rows of a list: whether it is complete, in which order they are, and the command that continues it. */
import { fieldAt, IncompleteError, type Json, pluralize } from "../../base/index.ts";
import {
  type Endpoint,
  findParamByRole,
  hasPages,
  optionName,
  type ParameterValues,
  quoteForShell,
} from "../../catalogue/index.ts";
import { endTimeOfState, type Page } from "../../client/index.ts";
import { failsOn } from "../options/global-options.ts";
import { definitionOf } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";
import { maskArguments, programName, withOption } from "../run/printed-command.ts";
import { limitText, type Query } from "./answers.ts";

/** What is known after the last page that was read. */
type ReadPage = Pick<Page, "hasMore" | "isCut" | "next" | "state"> & { readonly lastRow: Json | undefined };

/** A list as far as it was printed. */
export interface PrintedList extends Pick<Query, "endpoint" | "requestedRows"> {
  readonly params?: ParameterValues | undefined;
  readonly page: ReadPage | undefined;
}

/** The end of a list, as `--envelope` and notes for programs have it. */
export interface ListEnd {
  /** Whether no rows follow; null where only another request would show it. */
  readonly complete: boolean | null;
  /** The command that prints the rows that follow; null where there is none. */
  readonly next: string | null;
}

/** Returns whether no rows follow a page; undefined where only another request would show it. */
export function isComplete({ hasMore, isCut }: Pick<ReadPage, "hasMore" | "isCut">): boolean | undefined {
  return isCut ? false : hasMore === undefined ? undefined : !hasMore;
}

/** Returns whether a list is complete, and the command that continues it. */
export function listEnd(context: RunContext, list: PrintedList): ListEnd {
  const { page, requestedRows } = list;
  const isEnd = (page && isComplete(page)) ?? null;
  // The list was read to its end, but the source may not have all of it.
  const complete = isEnd && context.outcome.missingHistory !== undefined ? null : isEnd;
  return { complete, next: (page && isEnd !== true && !requestedRows.all && nextCommand(context, list)) || null };
}

/** Options of `--out`: the rows that follow are not written to its file. */
const FILE_SWITCHES: ReadonlySet<string> = new Set(["--resume", "--force"]);

/** Returns where the rows start that follow those of `--limit`; undefined where they cannot be requested. */
function rowsBeyond(
  { endpoint, page, requestedRows: { skip = 0 } }: PrintedList,
  limit: number,
): ParameterValues | undefined {
  const [cursor] = findParamByRole(endpoint, "cursor") ?? [];
  const value = endpoint.cursorField && fieldAt(page?.lastRow, endpoint.cursorField.split("."));
  if (cursor !== undefined && value) return { [cursor]: value, limit: limitText(0, limit) };
  if (endpoint.cursorAt !== undefined)
    return page?.next && !page.isCut ? { ...page.next, limit: limitText(0, limit) } : undefined;
  const [name = "", size] = findParamByRole(endpoint, "size") ?? [];
  // Of a server with pages of another size.
  const isOtherSize = endpoint.paging === "page" && page?.next?.[name] !== undefined;
  const [to = ""] = findParamByRole(endpoint, "to") ?? [];
  const end = page && endTimeOfState(page.state());
  const known = { ...(isOtherSize && { [name]: page.next?.[name] }), ...(end !== undefined && { [to]: end }) };
  const last = size?.max ?? Math.max(...(size?.values?.map(Number) ?? [0]));
  const isReachable = endpoint.paging === "limit" ? skip + limit < last : hasPages(endpoint) || page?.isCut;
  return isReachable ? { ...known, limit: limitText(skip + limit, limit) } : undefined;
}

/**
 * Returns the command of the rows that follow: the typed one, with other parameters. It can be pasted into a POSIX shell;
 * keys are masked. Undefined where there is none.
 */
function nextCommand({ io, command }: RunContext, list: PrintedList): string | undefined {
  const { endpoint, requestedRows, page } = list;
  const { limit } = requestedRows;
  const next = limit === undefined ? page?.next : rowsBeyond(list, limit);
  // The parameters of a path outside the catalogue are typed in another form.
  const isTyped = command !== undefined && definitionOf(command)?.endpoint === endpoint;
  if (next === undefined || !isTyped || endpoint.returns.shape === "csv") return undefined;
  const typed = withOption(io.argv, "--out").filter((word) => !FILE_SWITCHES.has(word));
  const argv = Object.entries(next).reduce<readonly string[]>(
    (words, [name, value]) =>
      withOption(words, `--${optionName(name)}`, value === undefined ? undefined : String(value)),
    typed,
  );
  return [...programName(io), ...maskArguments(argv)].map(quoteForShell).join(" ");
}

/** Returns what to say of a list that may have more rows: the fact, and lines with what to do. */
function describeMore({ endpoint, requestedRows: { limit, all } }: PrintedList, end: ListEnd, rows: number) {
  const isShort = limit !== undefined && rows < limit && endpoint.paging === "limit";
  const fact = isShort
    ? `${endpoint.command} returns at most ${rows} rows.`
    : `${pluralize(rows, "row")} shown; there ${end.complete === null ? "may be" : "are"} more.`;
  const more = endpoint.paging === "limit" ? "--limit 100" : "--limit 100 or --all";
  return {
    isShort,
    fact,
    advice: limit === undefined && !all ? [`Add ${more}.`] : [],
    next: end.next === null ? [] : [`Next page: ${end.next}`],
  };
}

/**
 * Notes that there may be more rows, and how to fetch them.
 * @param rows the number of rows that were printed
 * @throws IncompleteError with `--fail-on incomplete`
 */
export async function noteMoreRows(context: RunContext, list: PrintedList, rows: number): Promise<void> {
  const { globals, reporter, io } = context;
  const { endpoint, page, requestedRows } = list;
  const end = listEnd(context, list);
  if (globals.sortBy !== undefined && page) await noteOrder(context, endpoint, page, rows);
  if ((page && isComplete(page)) === true || rows === 0) return;
  const { isShort, fact, advice, next } = describeMore(list, end, rows);
  if (failsOn(globals, "incomplete")) {
    const hint = [...advice, ...next].join("\n");
    throw new IncompleteError(fact, { code: "MORE_ROWS", ...(hint !== "" && { hint }) });
  }
  // Who sets a limit expects no more rows.
  if (!isShort && (requestedRows.limit !== undefined || requestedRows.all)) return;
  const isForPerson = io.stderr.isTTY && !reporter.isForPrograms();
  const text = [fact, ...advice].join(" ");
  // A file is read later, when the command is forgotten; a list of the latest rows has no next page.
  const isNote = isShort || globals.out !== undefined || (!isForPerson && end.next !== null);
  if (isNote) return reporter.note([text, ...next].join(" "), { ...end });
  for (const line of [text, ...next]) await reporter.hint(line);
}

/**
 * Notes how many lists of a batch have, or may have, more rows than were printed.
 * @throws IncompleteError with `--fail-on incomplete`
 */
export async function noteOpenLists(
  context: RunContext,
  { endpoint, requestedRows: { limit, all } }: Omit<PrintedList, "page">,
  { open, total }: { readonly open: number; readonly total: number },
): Promise<void> {
  if (open === 0 || endpoint.paging === "limit") return;
  const text = `${open} of ${pluralize(total, "list")} may have more rows.`;
  if (failsOn(context.globals, "incomplete"))
    throw new IncompleteError(text, { code: "MORE_ROWS", hint: "Add --all." });
  if (limit === undefined && !all)
    await context.reporter.note(`${text} Add --limit 100 or --all.`, { complete: false });
}

/** Notes which rows were sorted, and that the API can sort the whole list, where it can. */
async function noteOrder(
  context: RunContext,
  endpoint: Endpoint,
  { hasMore, next }: ReadPage,
  rows: number,
): Promise<void> {
  const { sortBy = [] } = await context.printer.options();
  const isComplete = hasMore === false || (hasMore === undefined && next === undefined && endpoint.paging !== "limit");
  const rest = isComplete ? "" : hasMore ? "; the list has more" : "; the list may have more";
  const { findSortKey } = await import("./row-options.ts");
  const key = isComplete ? undefined : findSortKey(endpoint, sortBy);
  const hint = key === undefined ? "" : ` To let the API sort the whole list: --sort-by ${key}`;
  await context.reporter.note(`Sorted ${pluralize(rows, "fetched row")} by ${context.globals.sortBy}${rest}.${hint}`);
}
