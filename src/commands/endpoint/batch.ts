/** One command for many identifiers: rows as they come, each failure told without losing the others. */

import { batchArrivals } from "../../base/batches.ts";
import { InterruptedError, SolxError, toSentence, UsageError, withMessage } from "../../base/errors.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { checkSharedParams, findPacking, parseIdentifier, takesMany, withItemName } from "../../client/batch/items.ts";
import { readLists } from "../../client/batch/lists.ts";
import type { Client, Page } from "../../client/index.ts";
import { type OutputFile, withOutputFile } from "../file/output-file.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { type Progress, startProgress } from "../run/progress.ts";
import { displayFor } from "./answers.ts";
import { guardBatchCost } from "./batch-cost.ts";
import { BatchFailures, mayRecover } from "./batch-failures.ts";
import { BatchPosition, innerState } from "./batch-position.ts";
import type { CostGuard } from "./cost.ts";
import type { IdentifierInput } from "./identifiers.ts";
import { parseVia } from "./long-list.ts";

/** A command with many identifiers. */
export interface Batch {
  readonly endpoint: Endpoint;
  /** The parameter of the identifiers. */
  readonly name: string;
  readonly identifiers: IdentifierInput;
  readonly params: Readonly<Record<string, unknown>>;
  readonly requestedRows: { readonly limit?: number; readonly all?: true };
}

/** Items that are written together when they are there together. */
const MAX_CHUNK = 100;

/**
 * Asks for all identifiers and prints the rows as they come.
 * @throws IncompleteError (exit 10) when some failed, the failure itself when all failed alike
 */
export async function runBatch(context: RunContext, batch: Batch): Promise<void> {
  const { endpoint, params, identifiers } = batch;
  checkOptions(context, endpoint);
  // Which identifiers they are is in the state of the file.
  const checkEnd = (reading: JsonObject) =>
    new BatchPosition().checkComplete(identifiers.read(context.io.signal), reading);
  await withOutputFile(context, { endpoint, params, checkEnd }, (out) => printBatch(context, batch, out));
}

async function printBatch(context: RunContext, batch: Batch, out: OutputFile | undefined): Promise<void> {
  const { endpoint, identifiers } = batch;
  const canResume = out?.isResumable === true && !context.globals.unordered;
  const options = { reportsAtEnd: !out && (await isDocument(context)), resume: out?.resume, canResume };
  const run = new BatchRun(context, await context.client(), batch, options);
  const expected = run.hasOneRowEach && identifiers.count !== undefined ? { total: identifiers.count } : {};
  const progress = startProgress(context, { before: out?.previousRows ?? 0, ...expected });
  const state = context.globals.unordered ? undefined : () => run.state();
  try {
    const content = { kind: "rows", pages: run.pages(progress) } as const;
    await context.print(content, displayWithInput(endpoint, run.inline), out?.destination(state));
  } finally {
    await progress.end();
    await run.failures.flush();
  }
  // Everything that can be had is in the file.
  const problem = run.failures.toError(run.position.done);
  await out?.complete({ problem, resumeState: run.state() });
  if (problem) throw problem;
}

/** Whether rows are written into one document: failures told in the middle of it would be glued into it. */
async function isDocument(context: RunContext): Promise<boolean> {
  return ["json", "table"].includes(await context.format());
}

/** @throws UsageError for options that contradict each other */
function checkOptions({ globals: { unordered, resume } }: RunContext, { command }: Endpoint): void {
  if (!unordered || !resume) return;
  throw new UsageError("--resume and --unordered contradict each other: to go on, the rows must have an order.", {
    hint: `Give one of them. See: solx ${command} --help`,
  });
}

/** A run over many identifiers. */
class BatchRun {
  readonly failures: BatchFailures;
  readonly position = new BatchPosition();
  /** Whether failures are rows too: then every row names its identifier. */
  readonly inline: boolean;
  readonly #frame: RunContext;
  readonly #client: Client;
  readonly #batch: Batch;
  readonly #resume: JsonObject | undefined;
  /** Whether a failure that may pass ends the run: in a file that is gone on with, nothing then is missing. */
  readonly #stopsOnTransient: boolean;

  constructor(context: RunContext, client: Client, batch: Batch, { reportsAtEnd, resume, canResume }: BatchRunOptions) {
    this.#frame = context;
    this.#client = client;
    this.#batch = batch;
    this.#resume = resume;
    this.inline = context.globals.errors === "inline";
    this.#stopsOnTransient = canResume && !this.inline;
    const report = async (input: string, error: SolxError) => {
      if (!this.inline) await context.reporter.itemError(input, error);
    };
    this.failures = new BatchFailures({ report, isDeferred: reportsAtEnd }, resume?.failures);
  }

  /** Whether an identifier gives one row. */
  get hasOneRowEach(): boolean {
    const { endpoint } = this.#batch;
    return endpoint.returns.shape === "object" || takesMany(endpoint);
  }

  /** Whether each is answered as a whole, and packed where there is an endpoint for that. */
  get #isPacked(): boolean {
    const { endpoint, params, requestedRows } = this.#batch;
    return this.hasOneRowEach || (requestedRows.limit === undefined && findPacking({ endpoint, params }) !== undefined);
  }

  /** What a later run needs to go on after the rows that were given last. */
  state(): JsonObject {
    return { ...this.position.state(), failures: this.failures.state() };
  }

  /** The rows of all identifiers. */
  async *pages(progress: Progress): AsyncGenerator<readonly Json[], void> {
    const isPacked = this.#isPacked;
    const guard = await guardBatchCost(this.#frame, { ...this.#batch, count: this.#batch.identifiers.count, isPacked });
    const cancel = new AbortController();
    const signal = AbortSignal.any([this.#frame.io.signal, cancel.signal]);
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
        steady();
      }
    } catch (error) {
      throw error instanceof SolxError ? this.#addProgress(error) : error;
    } finally {
      stopListening();
      // What still waits for identifiers or answers ends.
      cancel.abort();
    }
  }

  #countRequests(progress: Progress): () => void {
    return this.#frame.reporter.onEvent(({ type }) => {
      if (type === "request") progress.add(0, 1);
      return false;
    });
  }

  /** What ended the run says how far it came. */
  #addProgress(error: SolxError): SolxError {
    const { done } = this.position;
    if (done === 0 || error instanceof InterruptedError || this.#frame.globals.out !== undefined) return error;
    return withMessage(
      error,
      `${toSentence(error)} ${done} ${done === 1 ? "identifier was" : "identifiers were"} done before that.`,
    );
  }

  /** One answer an identifier, packed into the multi endpoint where there is one. */
  async *#readObjects(
    inputs: AsyncIterable<string>,
    signal: AbortSignal,
    guard: CostGuard,
  ): AsyncGenerator<Json[], void> {
    const { endpoint, params, identifiers } = this.#batch;
    const { unordered, failFast } = this.#frame.globals;
    const items = this.#client.many(endpoint, inputs, params, { signal, unordered, failFast });
    let spent = 0;
    for await (const run of batchArrivals(items, MAX_CHUNK)) {
      // Only what is followed by more has to be confirmed.
      if (spent > 0) await guard.recordUnits(spent, 0);
      spent = 0;
      const rows: Json[] = [];
      for (const { input, data = null, error } of run) {
        if (error && this.#stops(error)) {
          // What was answered before it is kept.
          yield rows;
          throw withItemName(input, error);
        }
        if (error) rows.push(...(await this.#recordFailure(input, error)));
        else
          rows.push(
            ...(this.hasOneRowEach || !isArray(data) ? [data] : data).map((labelRow) =>
              this.#labelRow(labelRow, input),
            ),
          );
        this.position.advance(input);
      }
      yield rows;
      // Of so many as were counted, the costs are confirmed.
      if (identifiers.count === undefined) spent += run.length * endpoint.cost.units;
    }
  }

  /** The lists of all identifiers. */
  async *#readLists(
    inputs: AsyncIterable<string>,
    signal: AbortSignal,
    guard: CostGuard,
  ): AsyncGenerator<Json[], void> {
    const { endpoint, name, params, requestedRows } = this.#batch;
    const { unordered, failFast } = this.#frame.globals;
    const inner = innerState(this.#resume);
    const request = { endpoint, params, now: (await this.#frame.clock())() };
    const via = parseVia(this.#frame, endpoint, params);
    let isChecked = false;
    const open = (input: string, number: number, stop: AbortSignal) => {
      // A parameter that is wrong is wrong for all: it is told once, before anything is sent.
      if (!isChecked && parseIdentifier(request, input).id !== undefined) {
        checkSharedParams(request, input);
        isChecked = true;
      }
      const resume = number === 0 && inner ? { resume: inner } : {};
      const options = { ...requestedRows, ...resume, via, signal: stop, priority: "background" } as const;
      return this.#client.pages(endpoint, { ...params, [name]: input }, options);
    };
    const ended = new Set<number>();
    const rowCounts = new Map<number, number>();
    let spent = 0;
    for await (const part of readLists({ open, signal }, inputs, { unordered, failFast })) {
      const { input, number, page } = part;
      if (page) {
        const rows = (rowCounts.get(number) ?? 0) + page.rows.length;
        rowCounts.set(number, rows);
        if (isLastPage(page, requestedRows, rows)) {
          ended.add(number);
          this.position.advance(input);
        } else this.position.enterList(input, page.state);
        yield page.rows.map((labelRow) => this.#labelRow(labelRow, input));
        const { cost } = page.answer.request;
        spent += cost;
        if (ended.has(number)) continue;
        await guard.recordUnits(spent, cost);
        spent = 0;
        continue;
      }
      rowCounts.delete(number);
      if (part.error && this.#stops(part.error)) throw withItemName(input, part.error);
      const rows = part.error ? await this.#recordFailure(input, part.error) : [];
      if (!ended.delete(number)) this.position.advance(input);
      yield rows;
    }
  }

  #stops(error: SolxError): boolean {
    return this.#stopsOnTransient && mayRecover(error);
  }

  /** The rows of a failure: none where it is told on standard error. */
  async #recordFailure(input: string, error: SolxError): Promise<Json[]> {
    await this.failures.add(input, error);
    const { code, message, status = null, retryable } = error;
    return this.inline ? [{ input, error: { code, message, status, retryable } }] : [];
  }

  /** A row with its identifier: as `input` where it does not repeat it, as `identifier` where it has another `input`. */
  #labelRow(labelRow: Json, input: string): Json {
    const { echo } = this.#batch.endpoint;
    if (!isObject(labelRow)) return { input, data: labelRow };
    if (echo !== undefined && labelRow[echo] === input && !this.inline) return labelRow;
    return Object.hasOwn(labelRow, "input") ? { identifier: input, ...labelRow } : { input, ...labelRow };
  }
}

/** How a run begins. */
interface BatchRunOptions {
  /** Whether failures are told when all rows are written. */
  readonly reportsAtEnd: boolean;
  /** The state of an earlier run: only what comes after it is given. */
  readonly resume: JsonObject | undefined;
  /** Whether a later run can go on where this one stops. */
  readonly canResume: boolean;
}

/** Whether a page is certainly the last one of its list. */
function isLastPage(page: Page, { limit, all }: Batch["requestedRows"], rows: number): boolean {
  if (limit === undefined && !all) return true;
  return page.more === false || page.cut || (limit !== undefined && rows >= limit);
}

/**
 * The view of an endpoint's rows for many identifiers: rows that do not repeat their identifier show it first. With
 * `inline` all do, and there is a field for the error.
 */
function displayWithInput(endpoint: Endpoint, inline: boolean): DisplayOptions {
  const display = displayFor(endpoint);
  if (endpoint.echo !== undefined && !inline) return display;
  const error = inline ? [{ path: "error.message", head: "error" }] : [];
  // What fields there are is known before the first row, so that all rows have the same.
  const entity = async () => {
    const [z, entities] = await Promise.all([import("zod"), import("../../catalogue/entities/index.ts")]);
    const { shape } = entities[endpoint.returns.entity];
    const anyValue = z.unknown().optional();
    const failure = z.looseObject({ code: anyValue, message: anyValue, status: anyValue, retryable: anyValue });
    return z.looseObject({ input: z.string(), ...shape, ...(inline && { error: failure.optional() }) });
  };
  return { columns: ["input", ...endpoint.columns, ...error], entity };
}
