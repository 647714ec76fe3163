/** Runs the command of an endpoint: checks the options, sends the requests, prints the rows. */
import {
  CheckError,
  isObject,
  type Json,
  pluralize,
  SolxError,
  splitIntoBatches,
  toSentence,
  UsageError,
  withMessage,
} from "../../base/index.ts";
import { type Coverage, type Endpoint, type Param, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import type { Answer, Page } from "../../client/index.ts";
import { type Content, clearRows, type RowContent } from "../../output/index.ts";
import type { OutputFile } from "../file/output-file.ts";
import { resolveTokens } from "../names/resolve-names.ts";
import { failsOn, hasBatchMode } from "../options/global-options.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import {
  deriveFields,
  displayFor,
  parseRequestedRows,
  type Query,
  type RequestedRows,
  releasePage,
  withOutputFile,
} from "./answers.ts";
import type { Batch } from "./batch.ts";
import type { DerivedFields } from "./derived-fields.ts";
import { type IdentifierInput, isIdentifierSource, missingIdentifierError, openIdentifiers } from "./identifiers.ts";

/** Runs the command of an endpoint with typed identifiers and the text of its options. */
export async function runEndpoint(
  context: RunContext,
  endpoint: Endpoint,
  args: readonly string[],
  values: ParameterValues,
): Promise<void> {
  // Output that cannot be printed is refused first.
  const { sortBy, format, fields } = await context.printer.options();
  const { until, when, changes, with: added } = context.globals;
  if (format === "name" || (sortBy ?? fields ?? until ?? when ?? changes ?? added) !== undefined)
    await (await import("./row-options.ts")).checkRowOptions(context, endpoint, values);
  const [name, param] = positionalOf(endpoint) ?? [];
  const requestedRows = parseRequestedRows(context, endpoint);
  checkFollowOptions(context);
  if (name === undefined || param === undefined) {
    const { values: resolved } = await resolveTokens(context, endpoint, { values });
    return runOne(context, { endpoint, params: resolved, requestedRows });
  }
  const { [name]: fromOption = [], ...typedParams } = values;
  const typedIdentifiers = [...args, ...(fromOption as string[])];
  const { identifiers, values: params } = await resolveTokens(context, endpoint, {
    name,
    identifiers: await openIdentifiers(context, typedIdentifiers, param.type),
    values: typedParams,
  });
  const isSource = typedIdentifiers.some(isIdentifierSource);
  await runIdentifiers(context, { endpoint, name, param, identifiers, params, requestedRows, isSource }).catch(
    async (error: unknown) => {
      throw await identifiers.locate(error);
    },
  );
}

/** Options that only mean something when something is followed. */
const FOLLOW_OPTIONS = ["until", "changes", "when", "exec", "webhook", "notify"] as const;

function checkFollowOptions({ globals }: RunContext): void {
  const flag = FOLLOW_OPTIONS.find((name) => globals[name] !== undefined);
  if (flag !== undefined && globals.follow === undefined) throw new UsageError(`--${flag} requires --follow`);
}

/** A command with identifiers, of which there may be none. */
interface IdentifiedCommand extends Batch {
  readonly param: Param;
  /** Whether some of the identifiers come from a file or a pipe. */
  readonly isSource: boolean;
}

async function runIdentifiers(context: RunContext, command: IdentifiedCommand): Promise<void> {
  const { endpoint, name, param, identifiers, params, isSource } = command;
  if (identifiers.count === 0) {
    if (param.required) throw missingIdentifierError(name);
    return runOne(context, command);
  }
  const single = await singleRequestIdentifiers(context, endpoint, param, identifiers);
  const [only] = single ? groupByRequest(endpoint, single, param) : [];
  // A file or a pipe is a batch even if it has one line; with selected fields, each row needs its identifier.
  const isBatch =
    param.arity === "one"
      ? hasBatchMode(context.globals, "inline") || isSource
      : endpoint.isMulti && context.globals.fields !== undefined && (single?.length ?? 0) > 1;
  if (only !== undefined && !isBatch) return runOne(context, { ...command, params: { ...params, [name]: only } });
  if (context.globals.dryRun || context.globals.curl) {
    const requests = groupByRequest(endpoint, await collectIdentifiers(identifiers.read(context.io.signal)), param);
    const { previewBatch } = await import("./preview.ts");
    return previewBatch(context, command, { name, requests });
  }
  if (context.globals.follow !== undefined) {
    const inputs = [...new Set(await collectIdentifiers(identifiers.read(context.io.signal)))];
    return (await import("../follow/follow.ts")).follow(context, { ...command, inputs });
  }
  const { runBatch } = await import("./batch.ts");
  return runBatch(context, command);
}

/** Returns the identifiers if one request takes all of them. */
async function singleRequestIdentifiers(
  context: RunContext,
  { isMulti }: Endpoint,
  { arity, maxItems = 1 }: Param,
  { known, read }: IdentifierInput,
) {
  // A filter that takes a list is one request; only multi endpoints answer for each identifier.
  if (arity === "list" && !isMulti) return known ?? collectIdentifiers(read(context.io.signal), maxItems + 1);
  const maxCount = arity === "one" ? 1 : maxItems;
  return known && new Set(known).size <= maxCount && (arity === "list" || known.length === 1) ? known : undefined;
}

/** Collects identifiers; with a limit, until that many different ones were read. */
async function collectIdentifiers(input: AsyncIterable<string>, limit = Number.POSITIVE_INFINITY): Promise<string[]> {
  const all: string[] = [];
  const unique = new Set<string>();
  for await (const one of input) {
    all.push(one);
    if (limit < Number.POSITIVE_INFINITY && unique.add(one).size >= limit) break;
  }
  return all;
}

/** Groups identifiers by request: one each, or as many as a request takes. */
function groupByRequest(endpoint: Endpoint, ids: readonly string[], param: Param): (string | string[])[] {
  if (param.arity === "one") return [...ids];
  const size = param.maxItems ?? 1;
  const unique = [...new Set(ids)];
  if (!endpoint.isMulti || unique.length <= size) return [unique];
  return splitIntoBatches(unique, size);
}

async function runOne(context: RunContext, query: Query): Promise<void> {
  const { endpoint, params, requestedRows } = query;
  const { dryRun, curl, sortBy } = context.globals;
  if (sortBy !== undefined) (await import("./row-options.ts")).checkOrder(context, endpoint);
  if (dryRun || curl) return (await import("./preview.ts")).previewRequest(context, query);
  if (context.globals.follow !== undefined) return (await import("../follow/follow.ts")).follow(context, query);
  await withOutputFile(context, { endpoint, params }, async (out) => {
    const pages = await openPages(context, query, out);
    const derived = await deriveFields(context, endpoint);
    const display = displayFor(endpoint);
    await printList(context, endpoint, {
      ...{ pages, requestedRows, params, out, derived },
      display: derived?.extend(display) ?? display,
    });
  });
}

/** Opens the requested pages; long lists are confirmed if expensive, and report their progress. */
async function openPages(context: RunContext, query: Query, out?: OutputFile): Promise<AsyncGenerator<Page, void>> {
  const { endpoint, params, requestedRows } = query;
  const resume = out?.resume;
  const client = await context.session.client();
  const isWalk = sourceOf(await context.session.settings()).supports(endpoint).isWalk;
  const beforeWalk = isWalk ? (await import("./cost.ts")).confirmWalk(context, query, resume !== undefined) : undefined;
  const isLong = requestedRows.limit !== undefined || requestedRows.all;
  if (!isLong) return client.pages(endpoint, params, { signal: context.io.signal, resume, beforeWalk });
  const [{ readLongList }, { withProgress }] = await Promise.all([import("./cost.ts"), import("../run/progress.ts")]);
  const pages = readLongList(context, client, query, { resume, beforeWalk });
  return withProgress(context, pages, { ...requestedRows, before: out?.previousRows ?? 0 });
}

/** A list that is printed while it is read. */
export interface ListOutput {
  readonly pages: AsyncGenerator<Page, void>;
  /** The requested rows, and the parameters, for the command that prints more. */
  readonly requestedRows: RequestedRows;
  readonly params?: ParameterValues;
  readonly display: DisplayOptions;
  /** The file of `--out`; undefined for standard output. */
  readonly out: OutputFile | undefined;
  /** The fields that are added to the rows. */
  readonly derived?: DerivedFields | undefined;
}

/** The error codes of lists that were read to their end with rows missing. */
const ENDED_WITH_GAPS: ReadonlySet<number | string> = new Set(["INCOMPLETE_EXPORT", "LIST_SHRANK"]);

/** Prints a list as its pages arrive; an answer without rows is printed unchanged. */
export async function printList(context: RunContext, endpoint: Endpoint, list: ListOutput): Promise<void> {
  const { requestedRows, params, display, out } = list;
  const read = new ListTracker(list);
  // A resumed file already determines the form of the rows.
  const end = context.globals.envelope ? await import("./more-rows.ts") : undefined;
  const closing = end && {
    closing: () => ({
      ...end.listEnd(context, { endpoint, requestedRows, params, page: read.last }),
      ...coverageField(read.coverage),
    }),
  };
  const content = out?.resume
    ? ({ kind: "rows", pages: read.rows(), ...closing } as const)
    : await openContent(context, list, read, closing);
  if (!content) return;
  const { rows } = await context.printer.print(
    content,
    display,
    out?.destination(() => read.last?.state),
  );
  await out?.complete({ problem: read.gaps });
  await context.reporter.flush();
  if (read.gaps) throw read.gaps;
  if (content.kind !== "rows") return;
  if (endpoint.returns.shape !== "csv" && read.duplicates > 0) {
    const skipped = pluralize(read.duplicates, "duplicate row");
    await context.reporter.note(`The list changed while it was read: ${skipped} skipped.`);
  }
  // A jq program may print more or fewer values than rows were read.
  const { noteMoreRows } = await import("./more-rows.ts");
  await noteMoreRows(context, { endpoint, requestedRows, params, page: read.last }, out?.resume ? rows : read.count);
  if (rows === 0 && failsOn(context.globals, "empty")) throw new CheckError("no rows", { code: "EMPTY" });
}

/** Passes the rows of a list on, and tracks how far it was read. */
class ListTracker {
  count = 0;
  /** Rows left out because they arrived twice. */
  duplicates = 0;
  /** What is known after the last page. */
  last: (Pick<Page, "state" | "hasMore" | "isCut" | "next"> & { readonly lastRow: Json | undefined }) | undefined;
  /** Why rows are missing from a file that is otherwise complete. */
  gaps: SolxError | undefined;
  /** Of the list so far. */
  coverage: Coverage | undefined;
  readonly #list: ListOutput;
  #onPage: ((characters: number) => void) | undefined;

  constructor(list: ListOutput) {
    this.#list = list;
  }

  /** Returns the rows of all pages, of which the first may have been read before. */
  rows(first?: Page): AsyncIterableIterator<readonly Json[]> {
    const { pages } = this.#list;
    let [pending, previous]: (Page | undefined)[] = [first];
    return {
      next: async () => {
        if (previous) await this.#release(previous);
        const page = pending ?? (await this.#readPage());
        [pending, previous] = [undefined, page];
        if (!page) return { done: true, value: undefined };
        const lastRow = page.rows.at(-1) ?? this.last?.lastRow;
        this.last = { state: page.state, hasMore: page.hasMore, isCut: page.isCut, next: page.next, lastRow };
        this.duplicates += page.dropped;
        // A later page does not fill the gaps of an earlier one.
        const { coverage = this.coverage } = page.answer;
        this.coverage = coverage && { ...this.coverage, ...coverage };
        this.count += page.rows.length;
        return { done: false, value: (await this.#list.derived?.add(page.rows)) ?? page.rows };
      },
      return: async () => ({ done: true, value: await pages.return() }),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Releases a page whose rows were written, before another one is read. */
  async #release(page: Page): Promise<void> {
    const { length } = page.answer.body;
    releasePage(page);
    this.#onPage ??= await (await import("./tune-heap.ts")).tuneHeap();
    this.#onPage(length);
  }

  /** Reads the next page; undefined at the end. */
  async #readPage(): Promise<Page | undefined> {
    const { pages, out } = this.#list;
    try {
      return (await pages.next()).value ?? undefined;
    } catch (error) {
      if (!(error instanceof SolxError)) throw error;
      if (!out) throw withMessage(error, `${toSentence(error)} ${this.count} rows were written before that.`);
      if (!ENDED_WITH_GAPS.has(error.code)) throw error;
      this.gaps = error;
      return undefined;
    }
  }
}

/** Reads the first page and returns the content that begins with it; undefined where there is none. */
async function openContent(
  context: RunContext,
  { pages, requestedRows }: ListOutput,
  read: ListTracker,
  closing: Pick<RowContent, "closing"> | undefined,
): Promise<Content | undefined> {
  const first = (await pages.next()).value ?? undefined;
  return (
    first && selectContent(context, withoutCursor(first.answer, requestedRows), { pages: read.rows(first), ...closing })
  );
}

/** Returns the field of `--envelope` with what the source covers. */
const coverageField = (coverage: Coverage | undefined) =>
  coverage === undefined ? {} : { coverage: coverage as unknown as Json };

/** Returns an answer without the cursor of its next page, unless a single page is printed. */
function withoutCursor(answer: Answer, { limit, all }: RequestedRows): Answer {
  const { data, envelope, request } = answer;
  const field = request.endpoint?.cursorAt;
  if (field === undefined || !isObject(data) || (limit === undefined && !all)) return answer;
  const { [field]: _, ...rest } = data;
  return { ...answer, data: rest, envelope: envelope && { ...envelope, data: rest } };
}

/** Returns an answer as it is printed: rows, with `--envelope` inside everything that the API sent, or one value. */
function selectContent(context: RunContext, answer: Answer, rowsOf: Pick<RowContent, "pages" | "closing">): Content {
  const { envelope, data, rows, at } = answer;
  const isWhole = context.globals.envelope === true;
  const metadata = envelope?.metadata;
  if (rows === undefined) {
    const all = envelope ?? data;
    const whole = isWhole && isObject(all) ? { ...all, ...coverageField(answer.coverage) } : all;
    return { kind: "object", value: isWhole ? whole : data, metadata };
  }
  const content = { kind: "rows", ...rowsOf, metadata } as const;
  // A bare answer is its own envelope.
  const around = at !== undefined && isObject(data) ? clearRows({ value: data, path: [at] }) : undefined;
  const beside = around && { beside: around.value };
  if (!isWhole) return { ...content, ...beside };
  const whole = envelope === undefined && around ? around : { value: envelope ?? {}, path: ["data", at ?? []].flat() };
  return { ...content, ...beside, envelope: clearRows(whole) };
}
