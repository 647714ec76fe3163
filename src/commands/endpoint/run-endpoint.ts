/** What an endpoint's command does: checks, asks, prints. */
import { splitIntoBatches } from "../../base/batches.ts";
import { CheckError, SolxError, toSentence, UsageError, withMessage } from "../../base/errors.ts";
import { isObject, type Json } from "../../base/json.ts";
import { VALIDATION_CODE, validationMessages } from "../../catalogue/api-errors.ts";
import { commandLine } from "../../catalogue/command-line.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { integer, type Param } from "../../catalogue/param.ts";
import { validateParameter } from "../../catalogue/validate.ts";
import type { Answer, Page } from "../../client/index.ts";
import type { Content } from "../../output/index.ts";
import { type OutputFile, withOutputFile } from "../file/output-file.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { displayFor } from "./answers.ts";
import { type IdentifierInput, isIdentifierSource, openIdentifiers } from "./identifiers.ts";
import type { LongList } from "./long-list.ts";

/** How many rows are wanted, as the global options say. */
export interface RequestedRows {
  readonly limit?: number;
  readonly all?: true;
}

/** Runs the command of an endpoint with what was typed: identifiers and the texts of options. */
export async function runEndpoint(
  context: RunContext,
  endpoint: Endpoint,
  args: readonly string[],
  values: ParameterValues,
): Promise<void> {
  // What cannot be printed is refused before anything else.
  await context.outputOptions();
  const [name, param] = positionalOf(endpoint) ?? [];
  const requested = parseRequestedRows(context, endpoint);
  checkErrors(context);
  if (context.globals.until !== undefined && context.globals.follow === undefined)
    throw new UsageError("--until is only for --follow.");
  if (name === undefined || param === undefined) return runOne(context, endpoint, values, requested);
  const { [name]: fromOption = [], ...params } = values;
  const typedIdentifiers = [...args, ...(fromOption as string[])];
  const input = await openIdentifiers(context, typedIdentifiers);
  if (input.count === 0) throw missingIdentifierError(endpoint, name, param);
  const single = await singleRequestIdentifiers(context, endpoint, param, input);
  const [only] = single ? groupByRequest(endpoint, single, param) : [];
  // A file or a pipe is a list, also on the day when it has one line.
  const isList =
    param.arity === "one" && (context.globals.errors === "inline" || typedIdentifiers.some(isIdentifierSource));
  if (only !== undefined && !isList) return runOne(context, endpoint, { ...params, [name]: only }, requested);
  if (context.globals.dryRun || context.globals.curl) {
    const requests = groupByRequest(endpoint, await collectIdentifiers(input.read(context.io.signal)), param);
    const { previewBatch: showMany } = await import("./dry-run.ts");
    return showMany(context, endpoint, { name, requests, params, requestedRows: requested });
  }
  if (context.globals.follow !== undefined) {
    throw new UsageError("--follow follows one list; several identifiers were given.", {
      hint: "Start a command for each of them: they share the budget.",
    });
  }
  const { runBatch: runMany } = await import("./batch.ts");
  return runMany(context, { endpoint, name, identifiers: input, params, requestedRows: requested });
}

/** The identifiers where one request takes them all. */
async function singleRequestIdentifiers(
  context: RunContext,
  { multi }: Endpoint,
  { arity, maxItems = 1 }: Param,
  { known, read }: IdentifierInput,
) {
  // What takes a list, and is not one of the endpoints that answer each of them, takes it only as a whole.
  if (arity === "list" && !multi) return known ?? collectIdentifiers(read(context.io.signal), maxItems + 1);
  const most = arity === "one" ? 1 : maxItems;
  return known && new Set(known).size <= most && (arity === "list" || known.length === 1) ? known : undefined;
}

/** The first identifiers, each once where there are not to be all. */
async function collectIdentifiers(input: AsyncIterable<string>, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const all: string[] = [];
  const unique = new Set<string>();
  for await (const one of input) {
    all.push(one);
    if (most < Number.POSITIVE_INFINITY && unique.add(one).size >= most) break;
  }
  return all;
}

/** The identifiers of each request: all together where one request takes a list, else one by one. */
function groupByRequest(endpoint: Endpoint, ids: readonly string[], param: Param): (string | string[])[] {
  if (param.arity === "one") return [...ids];
  const size = param.maxItems ?? 1;
  const unique = [...new Set(ids)];
  if (!endpoint.multi || unique.length <= size) return [unique];
  return splitIntoBatches(unique, size);
}

/** @throws UsageError for a value of `--errors` that is none */
function checkErrors({ globals: { errors } }: RunContext): void {
  if (errors === undefined || errors === "inline" || errors === "stderr") return;
  throw new UsageError(`--errors must be inline or stderr, not ${errors}.`);
}

function missingIdentifierError(endpoint: Endpoint, name: string, param: Param): UsageError {
  const example = commandLine(endpoint, endpoint.examples[0]?.params ?? {});
  return new UsageError(validationMessages.required(name), {
    code: VALIDATION_CODE,
    hint: `Give the ${param.description.toLowerCase()}, e.g. ${example}`,
  });
}

/** The rows that `--limit` and `--all` ask for. */
export function parseRequestedRows({ globals: { limit, all } }: RunContext, endpoint: Endpoint): RequestedRows {
  if (limit === undefined && all === undefined) return {};
  if (limit !== undefined && all)
    throw new UsageError("--limit and --all contradict each other.", { hint: "Give one of them." });
  if (endpoint.returns.shape === "object") {
    throw new UsageError(`${endpoint.command} gives one object: there are no rows for ${all ? "--all" : "--limit"}.`);
  }
  if (limit === undefined) return { all: true };
  const problem = validateParameter("limit", integer("", { min: 1 }), limit);
  if (problem !== undefined) throw new UsageError(problem.message, { code: VALIDATION_CODE, invalid: problem.invalid });
  return { limit: Number(limit) };
}

async function runOne(
  context: RunContext,
  endpoint: Endpoint,
  params: ParameterValues,
  requested: RequestedRows,
): Promise<void> {
  const { dryRun, curl } = context.globals;
  if (dryRun || curl)
    return (await import("./dry-run.ts")).previewRequest(context, endpoint, { params, requestedRows: requested });
  if (context.globals.follow !== undefined)
    return (await import("./follow.ts")).follow(context, endpoint, params, requested);
  await withOutputFile(context, { endpoint, params }, async (out) => {
    const client = await context.client();
    const list = { client, endpoint, params, wanted: requested, resume: out?.resume };
    const pages = await openPages(context, list, out?.previousRows);
    await printList(context, endpoint, { pages, requested, display: displayFor(endpoint), out });
  });
}

/** The pages that are wanted; of long lists, what they cost and how far reading came is told. */
async function openPages(context: RunContext, list: LongList, before = 0): Promise<AsyncGenerator<Page, void>> {
  const { client, endpoint, params, wanted: requested } = list;
  const isLong = requested.limit !== undefined || requested.all || context.globals.via !== undefined;
  if (!isLong) return client.pages(endpoint, params, { signal: context.io.signal, resume: list.resume });
  const [{ readLongList: longReading }, { withProgress }] = await Promise.all([
    import("./long-list.ts"),
    import("../run/progress.ts"),
  ]);
  return withProgress(context, longReading(context, list), { ...requested, before });
}

/** A list on its way. */
export interface ListOutput {
  readonly pages: AsyncGenerator<Page, void>;
  /** What was asked for, to tell how to get more. */
  readonly requested: RequestedRows;
  readonly display: DisplayOptions;
  /** The file that it goes to, where it does not go to standard output. */
  readonly out: OutputFile | undefined;
}

/** The code of a list that was read to its end and is known to lack rows. */
const ENDED_WITH_GAPS = "INCOMPLETE_EXPORT";

/** Prints a list as its pages arrive; an answer that is no list is printed as it is. */
export async function printList(context: RunContext, endpoint: Endpoint, list: ListOutput): Promise<void> {
  const { pages, requested, display, out } = list;
  // What an earlier run wrote says how the rows go on.
  const first = out?.resume ? undefined : (await pages.next()).value;
  if (!first && !out?.resume) return;
  const read = trackRows(list, first ?? undefined);
  const content: Content = first ? contentOf(context, first.answer, read.rows()) : { kind: "rows", pages: read.rows() };
  const { rows } = await context.print(
    content,
    display,
    out?.destination(() => read.page?.state),
  );
  await out?.complete({ problem: read.gaps });
  await context.reporter.flush();
  if (read.gaps) throw read.gaps;
  if (content.kind !== "rows") return;
  if (endpoint.returns.shape !== "csv") await noteDuplicates(context, read.repeats);
  // A jq program may print more or less than there was.
  if (read.page) await noteMoreRows(context, endpoint, read.page, { requested, rows: out?.resume ? rows : read.count });
  if (rows === 0 && context.globals.failEmpty) throw new CheckError("There are no rows.", { code: "EMPTY" });
}

/** The rows of a list, and how far it was read. */
function trackRows({ pages, out }: ListOutput, first: Page | undefined) {
  const read = {
    page: first,
    /** Rows given out by this run. */
    count: first?.rows.length ?? 0,
    /** Rows that came twice. */
    repeats: first?.dropped ?? 0,
    /** Why rows are missing from a file that is complete but for them. */
    gaps: undefined as SolxError | undefined,
    async *rows() {
      if (first) yield first.rows;
      try {
        let steady: (() => void) | undefined;
        for await (const page of pages) {
          steady ??= await (await import("./tune-heap.ts")).tuneHeap();
          steady();
          read.page = page;
          read.repeats += page.dropped;
          read.count += page.rows.length;
          yield page.rows;
        }
      } catch (error) {
        if (!(error instanceof SolxError)) throw error;
        if (!out) throw withMessage(error, `${toSentence(error)} ${read.count} rows were written before that.`);
        if (error.code !== ENDED_WITH_GAPS) throw error;
        read.gaps = error;
      }
    },
  };
  return read;
}

/** The form in which an answer is printed: rows with what is around them, or one value. */
function contentOf(context: RunContext, answer: Answer, pages: AsyncIterable<readonly Json[]>): Content {
  const { envelope, data, rows, at } = answer;
  const whole = context.globals.envelope && envelope !== undefined;
  if (rows === undefined) return { kind: "object", value: whole ? envelope : data };
  if (whole)
    return { kind: "rows", pages, envelope: { value: envelope, path: at === undefined ? ["data"] : ["data", at] } };
  return {
    kind: "rows",
    pages,
    ...(at !== undefined && isObject(data) ? { envelope: { value: data, path: [at] } } : {}),
  };
}

/** Tells that the list moved while it was read. */
async function noteDuplicates(context: RunContext, count: number): Promise<void> {
  if (count === 0) return;
  const what =
    count === 1
      ? "1 row came twice while the list moved; it was"
      : `${count} rows came twice while the list moved; they were`;
  await context.reporter.note(`${what} left out.`);
}

/** Tells a person that a list was cut, and how to get the rest. */
async function noteMoreRows(
  context: RunContext,
  endpoint: Endpoint,
  page: Page,
  { requested, rows }: { readonly requested: RequestedRows; readonly rows: number },
): Promise<void> {
  if (requested.limit !== undefined && rows < requested.limit && endpoint.paging === "limit" && page.more !== false) {
    return context.reporter.note(`${endpoint.command} gives at most ${rows} rows.`);
  }
  if (requested.limit !== undefined || requested.all || page.more === false || rows === 0) return;
  const more = endpoint.paging === "limit" ? "--limit 100" : "--limit 100, or everything with --all";
  const text = `${rows} rows; there may be more: add ${more}.`;
  // A file is looked at later, when nobody remembers how it was made.
  await (context.globals.out === undefined ? context.reporter.hint(text) : context.reporter.note(text));
}
