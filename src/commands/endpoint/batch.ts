/** One command for many identifiers: rows as they come, each failure told without losing the others. */
import { InterruptedError, SolxError, toSentence, UsageError, withMessage } from "../../base/errors.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { batchArrivals } from "../../base/together.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { checkSharedParams, findPacking, parseIdentifier, takesMany, withItemName } from "../../client/batch/items.ts";
import { readLists } from "../../client/batch/lists.ts";
import type { Client, Page } from "../../client/index.ts";
import { intoFile, type OutFile } from "../file/output-file.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { type Progress, progressOf } from "../run/progress.ts";
import { shownAs } from "./answers.ts";
import { guardMany } from "./batch-cost.ts";
import { Failures, isForNow } from "./batch-failures.ts";
import { innerOf, Place } from "./batch-position.ts";
import type { CostGuard } from "./cost.ts";
import type { Given } from "./identifiers.ts";
import { viaOf } from "./long-list.ts";

/** A command with many identifiers. */
export interface Batch {
  readonly endpoint: Endpoint;
  /** The parameter of the identifiers. */
  readonly name: string;
  readonly given: Given;
  readonly params: Readonly<Record<string, unknown>>;
  readonly wanted: { readonly limit?: number; readonly all?: true };
}

/** Items that are written together when they are there together. */
const MOST_TOGETHER = 100;

/**
 * Asks for all identifiers and prints the rows as they come.
 * @throws IncompleteError (exit 10) when some failed, the failure itself when all failed alike
 */
export async function runMany(context: RunContext, batch: Batch): Promise<void> {
  const { endpoint, params, given } = batch;
  checkOptions(context, endpoint);
  // Which identifiers they are is in the state of the file.
  const checkEnd = (reading: JsonObject) => new Place().checkEnd(given.read(context.io.signal), reading);
  await intoFile(context, { endpoint, params, checkEnd }, (out) => printMany(context, batch, out));
}

async function printMany(context: RunContext, batch: Batch, out: OutFile | undefined): Promise<void> {
  const { endpoint, given } = batch;
  const canGoOn = out?.isResumable === true && !context.globals.unordered;
  const how = { atEnd: !out && (await isDocument(context)), resume: out?.resume, canGoOn };
  const run = new Many(context, await context.client(), batch, how);
  const expected = run.isOneRowEach && given.count !== undefined ? { total: given.count } : {};
  const progress = progressOf(context, { before: out?.rowsBefore ?? 0, ...expected });
  const state = context.globals.unordered ? undefined : () => run.state();
  try {
    const content = { kind: "rows", pages: run.pages(progress) } as const;
    await context.print(content, shownWithInput(endpoint, run.inline), out?.to(state));
  } finally {
    await progress.end();
    await run.failures.end();
  }
  // Everything that can be had is in the file.
  const problem = run.failures.problem(run.place.done);
  await out?.done({ problem, reading: run.state() });
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
class Many {
  readonly failures: Failures;
  readonly place = new Place();
  /** Whether failures are rows too: then every row names its identifier. */
  readonly inline: boolean;
  readonly #frame: RunContext;
  readonly #client: Client;
  readonly #batch: Batch;
  readonly #resume: JsonObject | undefined;
  /** Whether a failure that may pass ends the run: in a file that is gone on with, nothing then is missing. */
  readonly #stopsForNow: boolean;

  constructor(context: RunContext, client: Client, batch: Batch, { atEnd, resume, canGoOn }: Telling) {
    this.#frame = context;
    this.#client = client;
    this.#batch = batch;
    this.#resume = resume;
    this.inline = context.globals.errors === "inline";
    this.#stopsForNow = canGoOn && !this.inline;
    const tell = async (input: string, error: SolxError) => {
      if (!this.inline) await context.itemError(input, error);
    };
    this.failures = new Failures({ tell, atEnd }, resume?.failures);
  }

  /** Whether an identifier gives one row. */
  get isOneRowEach(): boolean {
    const { endpoint } = this.#batch;
    return endpoint.returns.shape === "object" || takesMany(endpoint);
  }

  /** Whether each is answered as a whole, and packed where there is an endpoint for that. */
  get #isPacked(): boolean {
    const { endpoint, params, wanted } = this.#batch;
    return this.isOneRowEach || (wanted.limit === undefined && findPacking({ endpoint, params }) !== undefined);
  }

  /** What a later run needs to go on after the rows that were given last. */
  state(): JsonObject {
    return { ...this.place.state(), failures: this.failures.state() };
  }

  /** The rows of all identifiers. */
  async *pages(progress: Progress): AsyncGenerator<readonly Json[], void> {
    const isPacked = this.#isPacked;
    const guard = await guardMany(this.#frame, { ...this.#batch, count: this.#batch.given.count, isPacked });
    const ends = new AbortController();
    const signal = AbortSignal.any([this.#frame.io.signal, ends.signal]);
    let inputs = this.#batch.given.read(signal);
    if (this.#resume) inputs = this.place.from(inputs, this.#resume);
    const stopListening = this.#countRequests(progress);
    const steady = await (await import("./tune-heap.ts")).steadyHeap();
    try {
      for await (const rows of isPacked ? this.#objects(inputs, signal, guard) : this.#lists(inputs, signal, guard)) {
        yield rows;
        progress.add(rows.length);
        steady();
      }
    } catch (error) {
      throw error instanceof SolxError ? this.#afterwards(error) : error;
    } finally {
      stopListening();
      // What still waits for identifiers or answers ends.
      ends.abort();
    }
  }

  #countRequests(progress: Progress): () => void {
    return this.#frame.reporter.onEvent(({ type }) => {
      if (type === "request") progress.add(0, 1);
      return false;
    });
  }

  /** What ended the run says how far it came. */
  #afterwards(error: SolxError): SolxError {
    const { done } = this.place;
    if (done === 0 || error instanceof InterruptedError || this.#frame.globals.out !== undefined) return error;
    return withMessage(
      error,
      `${toSentence(error)} ${done} ${done === 1 ? "identifier was" : "identifiers were"} done before that.`,
    );
  }

  /** One answer an identifier, packed into the multi endpoint where there is one. */
  async *#objects(inputs: AsyncIterable<string>, signal: AbortSignal, guard: CostGuard): AsyncGenerator<Json[], void> {
    const { endpoint, params, given } = this.#batch;
    const { unordered, failFast } = this.#frame.globals;
    const items = this.#client.many(endpoint, inputs, params, { signal, unordered, failFast });
    let spent = 0;
    for await (const run of batchArrivals(items, MOST_TOGETHER)) {
      // Only what is followed by more has to be confirmed.
      if (spent > 0) await guard.spend(spent, 0);
      spent = 0;
      const rows: Json[] = [];
      for (const { input, data = null, error } of run) {
        if (error && this.#stops(error)) {
          // What was answered before it is kept.
          yield rows;
          throw withItemName(input, error);
        }
        if (error) rows.push(...(await this.#failed(input, error)));
        else rows.push(...(this.isOneRowEach || !isArray(data) ? [data] : data).map((row) => this.#row(row, input)));
        this.place.pass(input);
      }
      yield rows;
      // Of so many as were counted, the costs are confirmed.
      if (given.count === undefined) spent += run.length * endpoint.cost.units;
    }
  }

  /** The lists of all identifiers. */
  async *#lists(inputs: AsyncIterable<string>, signal: AbortSignal, guard: CostGuard): AsyncGenerator<Json[], void> {
    const { endpoint, name, params, wanted } = this.#batch;
    const { unordered, failFast } = this.#frame.globals;
    const inner = innerOf(this.#resume);
    const question = { endpoint, params, now: (await this.#frame.clock())() };
    const via = viaOf(this.#frame, endpoint, params);
    let isChecked = false;
    const open = (input: string, number: number, stop: AbortSignal) => {
      // A parameter that is wrong is wrong for all: it is told once, before anything is sent.
      if (!isChecked && parseIdentifier(question, input).id !== undefined) {
        checkSharedParams(question, input);
        isChecked = true;
      }
      const resume = number === 0 && inner ? { resume: inner } : {};
      const how = { ...wanted, ...resume, via, signal: stop, priority: "background" } as const;
      return this.#client.pages(endpoint, { ...params, [name]: input }, how);
    };
    const ended = new Set<number>();
    const read = new Map<number, number>();
    let spent = 0;
    for await (const part of readLists({ open, signal }, inputs, { unordered, failFast })) {
      const { input, number, page } = part;
      if (page) {
        const rows = (read.get(number) ?? 0) + page.rows.length;
        read.set(number, rows);
        if (isLast(page, wanted, rows)) {
          ended.add(number);
          this.place.pass(input);
        } else this.place.within(input, page.state);
        yield page.rows.map((row) => this.#row(row, input));
        const { cost } = page.answer.request;
        spent += cost;
        if (ended.has(number)) continue;
        await guard.spend(spent, cost);
        spent = 0;
        continue;
      }
      read.delete(number);
      if (part.error && this.#stops(part.error)) throw withItemName(input, part.error);
      const rows = part.error ? await this.#failed(input, part.error) : [];
      if (!ended.delete(number)) this.place.pass(input);
      yield rows;
    }
  }

  #stops(error: SolxError): boolean {
    return this.#stopsForNow && isForNow(error);
  }

  /** The rows of a failure: none where it is told on standard error. */
  async #failed(input: string, error: SolxError): Promise<Json[]> {
    await this.failures.add(input, error);
    const { code, message, status = null, retryable } = error;
    return this.inline ? [{ input, error: { code, message, status, retryable } }] : [];
  }

  /** A row with its identifier: as `input` where it does not repeat it, as `identifier` where it has another `input`. */
  #row(row: Json, input: string): Json {
    const { echo } = this.#batch.endpoint;
    if (!isObject(row)) return { input, data: row };
    if (echo !== undefined && row[echo] === input && !this.inline) return row;
    return Object.hasOwn(row, "input") ? { identifier: input, ...row } : { input, ...row };
  }
}

/** How a run begins. */
interface Telling {
  /** Whether failures are told when all rows are written. */
  readonly atEnd: boolean;
  /** The state of an earlier run: only what comes after it is given. */
  readonly resume: JsonObject | undefined;
  /** Whether a later run can go on where this one stops. */
  readonly canGoOn: boolean;
}

/** Whether a page is certainly the last one of its list. */
function isLast(page: Page, { limit, all }: Batch["wanted"], rows: number): boolean {
  if (limit === undefined && !all) return true;
  return page.more === false || page.cut || (limit !== undefined && rows >= limit);
}

/**
 * The view of an endpoint's rows for many identifiers: rows that do not repeat their identifier show it first. With
 * `inline` all do, and there is a field for the error.
 */
function shownWithInput(endpoint: Endpoint, inline: boolean): DisplayOptions {
  const shown = shownAs(endpoint);
  if (endpoint.echo !== undefined && !inline) return shown;
  const error = inline ? [{ path: "error.message", head: "error" }] : [];
  // What fields there are is known before the first row, so that all rows have the same.
  const entity = async () => {
    const [z, entities] = await Promise.all([import("zod"), import("../../catalogue/entities/index.ts")]);
    const { shape } = entities[endpoint.returns.entity];
    const anything = z.unknown().optional();
    const failure = z.looseObject({ code: anything, message: anything, status: anything, retryable: anything });
    return z.looseObject({ input: z.string(), ...shape, ...(inline && { error: failure.optional() }) });
  };
  return { columns: ["input", ...endpoint.columns, ...error], entity };
}
