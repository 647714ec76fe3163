/** Runs one command for many identifiers: prints rows as they arrive and reports each failure without stopping. */
import {
  type BatchingOptions,
  batchArrivals,
  InterruptedError,
  isArray,
  type Json,
  type JsonObject,
  pluralize,
  SolxError,
  toSentence,
  UsageError,
  withMessage,
} from "../../base/index.ts";
import { type Endpoint, returnsList } from "../../catalogue/index.ts";
import {
  type BatchItem,
  checkSharedParams,
  findPacking,
  type Page,
  parseIdentifier,
  readLists,
  withItemName,
} from "../../client/index.ts";
import { isTable } from "../../output/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { OutputFile } from "../file/output-file.ts";
import { hasBatchMode } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { type Progress, startProgress } from "../run/progress.ts";
import {
  deriveFields,
  displayWithInput,
  identifiedFields,
  labelRow,
  type Query,
  releasePage,
  selectsInput,
  withOutputFile,
} from "./answers.ts";
import { BatchFailures, BatchPosition, CountedInputs, innerState, mayRecover } from "./batch-state.ts";
import { type CostGuard, guardBatchCost } from "./cost.ts";
import type { IdentifierInput } from "./identifiers.ts";
import { isComplete, noteOpenLists } from "./more-rows.ts";

/** A command with many identifiers. */
export interface Batch extends Query {
  /** The parameter of the identifiers. */
  readonly name: string;
  readonly identifiers: IdentifierInput;
}

const MAX_CHUNK = 100;
/** Characters of answers at which no other item is added to those. */
const MAX_CHUNK_CHARACTERS = 1_048_576;
/** Items that are written together at first, where their number is known: the columns of a table follow from them. */
const MAX_FIRST = 20;

/**
 * Requests all identifiers and prints the rows as they arrive.
 * @throws IncompleteError (exit 10) when some failed; an error of the same kind when all failed in the same way
 */
export async function runBatch(context: RunContext, batch: Batch): Promise<void> {
  const { endpoint, params, identifiers } = batch;
  checkOptions(context, endpoint);
  // The identifiers are part of the state in the checkpoint.
  const checkEnd = (reading: JsonObject) =>
    new BatchPosition().checkComplete(identifiers.read(context.io.signal), reading);
  await withOutputFile(context, { endpoint, params, checkEnd }, (out) => printBatch(context, batch, out));
}

async function printBatch(context: RunContext, batch: Batch, out: OutputFile | undefined): Promise<void> {
  const { endpoint, identifiers, requestedRows } = batch;
  const canResume = out?.isResumable === true && !hasBatchMode(context.globals, "unordered");
  const format = await context.printer.format();
  // On a terminal, errors that are reported before the end of a document would appear inside it.
  const reportsAtEnd = !out && (format === "json" || isTable(format));
  const options = { reportsAtEnd, resume: out?.resume, canResume };
  const run = new BatchRun(context, await context.session.client(), batch, options);
  const expected = run.hasOneRowEach && identifiers.count !== undefined ? { total: identifiers.count } : {};
  const progress = startProgress(context, { before: out?.previousRows ?? 0, ...expected });
  const { sortBy } = context.globals;
  const state = hasBatchMode(context.globals, "unordered") || sortBy !== undefined ? undefined : () => run.state();
  try {
    const derived = await deriveFields(context, endpoint);
    const pages = run.pages(progress);
    const content = { kind: "rows", pages: derived?.addToPages(pages) ?? pages } as const;
    const display = displayWithInput(endpoint, run);
    const destination = out?.destination(state);
    const options = { ...destination?.options, ...(await identifiedFields(context, run)) };
    const { rows } = await context.printer.print(content, derived?.extend(display) ?? display, {
      ...destination,
      options,
    });
    if (sortBy !== undefined) await context.reporter.note(`Sorted ${pluralize(rows, "fetched row")} by ${sortBy}.`);
  } finally {
    await progress.end();
    await run.failures.flush();
  }
  const summary = run.empty.summary(run.position.done, "had no rows");
  if (summary !== undefined) await context.reporter.note(summary);
  await noteOpenLists(context, { endpoint, requestedRows }, { open: run.openLists, total: run.position.done });
  // The file contains all available data now.
  const problem = run.failures.toError(run.position.done);
  await out?.complete({ problem, resumeState: run.state() });
  if (problem) throw problem;
}

function checkOptions({ globals }: RunContext, { command }: Endpoint): void {
  if (!hasBatchMode(globals, "unordered") || !globals.resume) return;
  throw new UsageError("--resume and --batch unordered cannot be used together: resuming needs ordered rows.", {
    hint: `Use only one of them. See: solx ${command} --help`,
  });
}

class BatchRun {
  readonly failures: BatchFailures;
  readonly position = new BatchPosition();
  readonly empty: CountedInputs;
  /** The number of lists that have, or may have, more rows than were printed. */
  openLists = 0;
  /** Whether failures are printed as rows; then every row contains its identifier. */
  readonly printsFailures: boolean;
  /** Whether every row has its identifier as `input`, also one that contains it in another field. */
  readonly isLabelled: boolean;
  readonly #context: RunContext;
  readonly #client: ConnectedClient;
  readonly #batch: Batch;
  readonly #resume: JsonObject | undefined;
  /** Characters of the answers whose rows were passed on last. */
  #characters = 0;
  /** Whether a temporary failure ends the run, so that no rows are missing in a file that can be resumed. */
  readonly #stopsOnTransient: boolean;

  constructor(
    context: RunContext,
    client: ConnectedClient,
    batch: Batch,
    {
      reportsAtEnd,
      resume,
      canResume,
    }: { readonly reportsAtEnd: boolean; readonly resume: JsonObject | undefined; readonly canResume: boolean },
  ) {
    this.#context = context;
    this.#client = client;
    this.#batch = batch;
    this.#resume = resume;
    this.printsFailures = hasBatchMode(context.globals, "inline");
    this.isLabelled = this.printsFailures || selectsInput(context, batch.endpoint);
    this.#stopsOnTransient = canResume && !this.printsFailures;
    const report = async (input: string, error: SolxError) => {
      if (!this.printsFailures) await context.reporter.itemError(input, error);
    };
    this.failures = new BatchFailures({ report, isDeferred: reportsAtEnd }, resume?.failures);
    this.empty = new CountedInputs(resume?.empty);
  }

  /** Whether each identifier returns one row. */
  get hasOneRowEach(): boolean {
    const { endpoint } = this.#batch;
    return !returnsList(endpoint) || endpoint.isMulti;
  }

  /** Whether identifiers are packed into requests to the multi endpoint where possible. */
  get #isPacked(): boolean {
    const { endpoint, params, requestedRows } = this.#batch;
    return this.hasOneRowEach || (requestedRows.limit === undefined && findPacking({ endpoint, params }) !== undefined);
  }

  /** Returns the state from which a later run resumes after the last yielded rows. */
  state(): JsonObject {
    return { ...this.position.state(), failures: this.failures.state(), empty: this.empty.state() };
  }

  async *pages(progress: Progress): AsyncGenerator<readonly Json[], void> {
    const isPacked = this.#isPacked;
    const { count } = this.#batch.identifiers;
    const guard = await guardBatchCost(this.#context, this.#batch, { count, isPacked });
    const cancel = new AbortController();
    const signal = AbortSignal.any([this.#context.io.signal, cancel.signal]);
    let inputs = this.#batch.identifiers.read(signal);
    if (this.#resume) inputs = this.position.remainingInputs(inputs, this.#resume);
    const stopListening = this.#countRequests(progress);
    const steady = await (await import("./tune-heap.ts")).tuneHeap();
    try {
      for await (const rows of isPacked
        ? this.#readObjects(inputs, signal, guard)
        : this.#readLists(inputs, signal, guard)) {
        yield rows;
        progress.add(rows.length);
        steady(this.#characters);
        this.#characters = 0;
      }
    } catch (error) {
      throw error instanceof SolxError ? this.#addProgress(error) : error;
    } finally {
      stopListening();
      // Cancels everything that still waits for identifiers or answers.
      cancel.abort();
    }
  }

  #countRequests(progress: Progress): () => void {
    return this.#context.reporter.onEvent(({ type }) => {
      if (type === "request") progress.add(0, 1);
      return false;
    });
  }

  /** Adds the number of completed identifiers to the error that ended the run. */
  #addProgress(error: SolxError): SolxError {
    const { done } = this.position;
    if (done === 0 || error instanceof InterruptedError || this.#context.globals.out !== undefined) return error;
    return withMessage(
      error,
      `${toSentence(error)} ${done} ${done === 1 ? "identifier was" : "identifiers were"} completed before that.`,
    );
  }

  get #order() {
    const { globals } = this.#context;
    return { unordered: hasBatchMode(globals, "unordered"), failFast: hasBatchMode(globals, "fail-fast") };
  }

  /** Yields the rows of endpoints with one answer per identifier, packed into the multi endpoint where possible. */
  async *#readObjects(
    inputs: AsyncIterable<string>,
    signal: AbortSignal,
    guard: CostGuard,
  ): AsyncGenerator<Json[], void> {
    const { endpoint, params, identifiers } = this.#batch;
    const { unordered, failFast } = this.#order;
    const items = this.#client.many(endpoint, inputs, params, { signal, unordered, failFast });
    let spent = 0;
    const batching: BatchingOptions<BatchItem> = {
      maxSize: MAX_CHUNK,
      firstSize: unordered ? 1 : Math.min(identifiers.count ?? 1, MAX_FIRST),
      weigh: measureAnswer,
      maxWeight: MAX_CHUNK_CHARACTERS,
    };
    for await (const run of batchArrivals(items, batching)) {
      // Confirmation is only needed when more requests follow.
      if (spent > 0) await guard.recordUnits(spent, 0);
      spent = 0;
      this.#characters += run.reduce((sum, item) => sum + measureAnswer(item), 0);
      const rows: Json[] = [];
      for (const item of run) {
        const { input, data = null, error } = item;
        releaseItem(item);
        if (error && this.#stops(error)) {
          // Rows before the failure are still printed.
          yield rows;
          throw withItemName(input, error);
        }
        const itemRows = error ? await this.#recordFailure(input, error) : this.#rowsOf(input, data);
        rows.push(...itemRows);
        this.#complete(input, itemRows.length, error);
      }
      yield rows;
      rows.length = 0;
      // For a known number of identifiers, the cost was confirmed at the start.
      if (identifiers.count === undefined) spent += run.length * endpoint.cost.units;
    }
  }

  async *#readLists(
    inputs: AsyncIterable<string>,
    signal: AbortSignal,
    guard: CostGuard,
  ): AsyncGenerator<Json[], void> {
    const { endpoint, name, params, requestedRows } = this.#batch;
    const inner = innerState(this.#resume);
    const request = { endpoint, params, now: (await this.#context.session.clock())() };
    let isChecked = false;
    const open = (input: string, number: number, stop: AbortSignal) => {
      // An invalid parameter is invalid for all identifiers, so it is reported once, before the first request.
      if (!isChecked && parseIdentifier(request, input).id !== undefined) {
        checkSharedParams(request, input);
        isChecked = true;
      }
      const resume = number === 0 && inner ? { resume: inner } : {};
      const options = { ...requestedRows, ...resume, signal: stop, priority: "background" } as const;
      return this.#client.pages(endpoint, { ...params, [name]: input }, options);
    };
    const ended = new Set<number>();
    const rowCounts = new Map<number, number>();
    let spent = 0;
    for await (const part of readLists({ open, signal }, inputs, this.#order)) {
      const { input, number, page } = part;
      if (page) {
        const rows = (rowCounts.get(number) ?? 0) + page.rows.length;
        rowCounts.set(number, rows);
        if (isLastPage(page, requestedRows, rows)) {
          ended.add(number);
          if (rows > 0 && !isComplete(page)) this.openLists += 1;
          this.#complete(input, rows);
        } else this.position.enterList(input, page.state);
        this.#characters += page.answer.body.length;
        yield page.rows.map((row) => this.#labelRow(row, input));
        releasePage(page);
        const { cost } = page.answer.request;
        spent += cost;
        if (ended.has(number)) continue;
        await guard.recordUnits(spent, cost);
        spent = 0;
        continue;
      }
      const count = rowCounts.get(number) ?? 0;
      rowCounts.delete(number);
      if (part.error && this.#stops(part.error)) throw withItemName(input, part.error);
      const rows = part.error ? await this.#recordFailure(input, part.error) : [];
      if (!ended.delete(number)) this.#complete(input, count, part.error);
      yield rows;
    }
  }

  #complete(input: string, rows: number, error?: SolxError): void {
    if (rows === 0 && error === undefined) this.empty.add(input);
    this.position.advance(input);
  }

  #stops(error: SolxError): boolean {
    return this.#stopsOnTransient && mayRecover(error);
  }

  /** Records a failure and returns its row; none when it is reported on standard error. */
  async #recordFailure(input: string, failure: SolxError): Promise<Json[]> {
    const { problems, locate } = this.#batch.identifiers;
    const error = await locate(problems?.get(input) ?? failure);
    await this.failures.add(input, error);
    if (!this.printsFailures) return [];
    const { code, status = null, retryable } = error;
    const { reporter } = this.#context;
    const message = reporter.withoutKeys(error.message);
    return [{ input: reporter.withoutKeys(input), error: { code, message, status, retryable } }];
  }

  /** Returns the rows of an answer, each with its identifier. */
  #rowsOf(input: string, data: Json): readonly Json[] {
    const rows = this.hasOneRowEach || !isArray(data) ? [data] : data;
    return rows.map((row) => this.#labelRow(row, input));
  }

  #labelRow(value: Json, input: string): Json {
    return labelRow(this.#batch.endpoint, value, input, this.isLabelled);
  }
}

/** Returns the characters of an item's answer; 0 for its part of a larger one. */
const measureAnswer = ({ answer }: BatchItem): number => answer?.body.length ?? 0;

/** Empties an item whose rows are written next, so that a large answer is not in memory besides its text. */
function releaseItem(item: BatchItem): void {
  Object.assign(item, { answer: undefined, data: undefined });
}

/** Whether a page is known to be the last of its list. */
function isLastPage(page: Page, { limit, all }: Batch["requestedRows"], rows: number): boolean {
  if (limit === undefined && !all) return true;
  return page.hasMore === false || page.isCut || (limit !== undefined && rows >= limit);
}
