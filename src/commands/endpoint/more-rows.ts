/** What follows the rows of a list: how many there may be, in which order they are, and the command of the next page. */
import { pluralize } from "../../base/index.ts";
import { type Endpoint, optionName, quoteForShell } from "../../catalogue/index.ts";
import type { Page } from "../../client/index.ts";
import type { RunContext } from "../run/context.ts";
import { maskArguments, withOption } from "../run/mask-arguments.ts";
import { programName } from "../run/program-name.ts";
import type { RequestedRows } from "./requested-rows.ts";

/** What is known after the last page that was read. */
type ReadPage = Pick<Page, "more" | "next">;

/** How far a list was read. */
interface ReadRows {
  readonly requestedRows: RequestedRows;
  readonly rows: number;
}

/**
 * Returns the command of the next page: the typed one, with the parameters of that page. It can be pasted into a POSIX
 * shell; keys are masked. Undefined where no page may follow.
 */
function nextPageCommand({ io }: Pick<RunContext, "io">, { next, more }: ReadPage): string | undefined {
  if (next === undefined || more === false) return undefined;
  const argv = Object.entries(next).reduce<readonly string[]>(
    (words, [name, value]) => withOption(words, `--${optionName(name)}`, String(value)),
    io.argv,
  );
  return [...programName(io), ...maskArguments(argv)].map(quoteForShell).join(" ");
}

/** Notes that there may be more rows, and how to fetch them. */
export async function noteMoreRows(
  context: RunContext,
  endpoint: Endpoint,
  page: ReadPage,
  { requestedRows, rows }: ReadRows,
): Promise<void> {
  const { globals, reporter } = context;
  const { limit, all } = requestedRows;
  if (globals.sortBy !== undefined) await noteOrder(context, endpoint, page, rows);
  if (limit !== undefined && rows < limit && endpoint.paging === "limit" && page.more !== false) {
    return reporter.note(`${endpoint.command} returns at most ${rows} rows.`);
  }
  if (limit !== undefined || all || page.more === false || rows === 0) return;
  const more = endpoint.paging === "limit" ? "--limit 100" : "--limit 100 or --all";
  const text = `${pluralize(rows, "row")} shown; there may be more. Add ${more}.`;
  // A file is read later, when the command is forgotten.
  if (globals.out !== undefined) return reporter.note(text);
  await reporter.hint(text);
  const command = nextPageCommand(context, page);
  if (command !== undefined) await reporter.hint(`Next page: ${command}`);
}

/** Notes which rows were sorted, and that the API can sort the whole list, where it can. */
async function noteOrder(
  context: RunContext,
  endpoint: Endpoint,
  { more, next }: ReadPage,
  rows: number,
): Promise<void> {
  const { sortBy = [] } = await context.outputOptions();
  const isComplete = more === false || (more === undefined && next === undefined && endpoint.paging !== "limit");
  const rest = isComplete ? "" : more ? "; the list has more" : "; the list may have more";
  const { apiKeyOf } = await import("./row-options.ts");
  const key = isComplete ? undefined : apiKeyOf(endpoint, sortBy);
  const hint = key === undefined ? "" : ` To let the API sort the whole list: --sort-by ${key}`;
  await context.reporter.note(`Sorted ${pluralize(rows, "fetched row")} by ${context.globals.sortBy}${rest}.${hint}`);
}
