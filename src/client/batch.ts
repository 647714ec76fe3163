/**
 * One endpoint for many identifiers. Items come in the order of the input; an identifier that is there twice is asked
 * for once; one that is none is an error of its item, without a request. Where the catalogue has an endpoint that takes
 * many, requests are packed into it; when that is refused, each identifier is asked for alone. What would fail for all
 * (key, plan, quota, rate limit, the user's stop) ends the batch, after the items that were answered until then.
 */
import { chunksOf } from "../base/chunks.ts";
import {
  AuthError,
  InterruptedError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  UsageError,
} from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { multiOf, positionalOf } from "../catalogue/index.ts";
import { prepare } from "./check.ts";
import { type Answer, rowsIn } from "./decode.ts";
import { wireOf } from "./human.ts";
import { valueAt } from "./repeats.ts";
import { shown } from "./text.ts";

/** What became of one identifier: data or an error. */
export interface BatchItem {
  /** The identifier as it was given. */
  readonly input: string;
  /** What the endpoint's own answer has as `data`. */
  readonly data?: Json;
  /** The answer, where it was asked for alone. */
  readonly answer?: Answer;
  readonly error?: SolxError;
}

/** Identifiers to ask for. */
export interface BatchSource {
  readonly endpoint: Endpoint;
  /** Parameters beside the identifier. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly fetch: (
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Milliseconds since the epoch when the batch begins. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

type Outcome = Omit<BatchItem, "input">;
type Outcomes = ReadonlyMap<string, Outcome>;

/** What became of the identifiers of one request, and the failure that concerns all others too. */
interface Result {
  readonly outcomes: Outcomes;
  readonly fatal?: SolxError;
}

/** Requests under way at a time; the budget bounds them further. */
const CONCURRENCY = 8;

/**
 * Asks an endpoint for many identifiers.
 * @throws UsageError when the endpoint takes none or a parameter is wrong; what would fail for every item
 */
export async function* many(source: BatchSource, inputs: Iterable<string>): AsyncGenerator<BatchItem, void> {
  const items = [...inputs].map((input) => ({ input, ...identify(source, input) }));
  const uses = new Map<string, number>();
  for (const { id } of items) if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + 1);
  const stop = new AbortController();
  const signal = source.signal ? AbortSignal.any([source.signal, stop.signal]) : stop.signal;
  const halt = () => stop.abort();
  const outcomes = new Pending(inOrder(tasksFor(source, [...uses.keys()], signal), CONCURRENCY), uses, halt);
  try {
    for (const { input, id, error } of items) {
      const outcome = id === undefined ? { ...(error && { error }) } : await outcomes.of(id);
      if (outcome && (id !== undefined || !outcomes.fatal)) yield { input, ...outcome };
    }
    if (outcomes.fatal) throw outcomes.fatal;
  } finally {
    stop.abort();
  }
}

/** Outcomes that came and are still to be told; memory does not grow with the batch. */
class Pending {
  readonly #results: AsyncIterator<Result, void>;
  readonly #uses: Map<string, number>;
  readonly #halt: () => void;
  readonly #waiting = new Map<string, Outcome>();
  /** The first failure that concerns all; what was answered when it came is still told. */
  fatal: SolxError | undefined;

  constructor(results: AsyncIterator<Result, void>, uses: Map<string, number>, halt: () => void) {
    this.#results = results;
    this.#uses = uses;
    this.#halt = halt;
  }

  /** Undefined for an identifier that was not answered before the batch ended. */
  async of(id: string): Promise<Outcome | undefined> {
    while (!this.#waiting.has(id)) {
      const { value, done } = await this.#results.next();
      if (done) break;
      for (const [key, outcome] of value.outcomes) this.#waiting.set(key, outcome);
      if (value.fatal && !this.fatal) {
        this.fatal = value.fatal;
        this.#halt();
      }
    }
    const outcome = this.#waiting.get(id);
    const left = (this.#uses.get(id) ?? 1) - 1;
    this.#uses.set(id, left);
    if (left === 0) this.#waiting.delete(id);
    return outcome;
  }
}

/** The parameter that takes the identifier. */
function identifierOf({ endpoint }: BatchSource) {
  const found = positionalOf(endpoint);
  if (found) return found;
  throw new UsageError(`${endpoint.command} takes no identifier.`, { hint: `See: solx ${endpoint.command} --help` });
}

/** The identifier as it travels, or why it is none. */
function identify(source: BatchSource, input: string): { readonly id?: string; readonly error?: SolxError } {
  const [name, param] = identifierOf(source);
  const { endpoint, now } = source;
  try {
    prepare({ ...endpoint, query: { [name]: param } }, { [name]: input }, { now: () => now });
  } catch (error) {
    if (error instanceof SolxError) return { error };
    throw error;
  }
  const id = wireOf(param, input, now)?.values[0];
  return id === undefined ? {} : { id };
}

type Task = () => Promise<Result>;

function tasksFor(source: BatchSource, ids: readonly string[], signal: AbortSignal): readonly Task[] {
  const first = ids[0];
  if (first === undefined) return [];
  // A parameter that is wrong is wrong for all: it is told once, before anything is sent.
  const [name] = identifierOf(source);
  prepare(source.endpoint, { ...source.params, [name]: first }, { now: () => source.now });
  const multi = ids.length > 1 ? packing(source) : undefined;
  if (!multi) return ids.map((id) => () => askAlone(source, [id], signal));
  return chunksOf(ids, multi.size).map((chunk) => () => askTogether(source, multi, chunk, signal));
}

/** How identifiers are packed into an endpoint that takes many. */
export interface Packing {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly size: number;
  readonly echo: string;
  refused: boolean;
}

/** The endpoint that takes many, where it takes the other parameters too and its rows tell what they answer. */
export function packing({ endpoint, params }: Pick<BatchSource, "endpoint" | "params">): Packing | undefined {
  const multi = multiOf(endpoint);
  const [name, param] =
    Object.entries(multi?.query ?? {}).find(([, { required, arity }]) => required && arity === "list") ?? [];
  const echo = multi?.echo;
  const takesAll = Object.keys(params).every(
    (key) => params[key] === undefined || Object.hasOwn(multi?.query ?? {}, key),
  );
  if (!multi || name === undefined || echo === undefined || !takesAll) return undefined;
  return { endpoint: multi, name, size: param?.maxItems ?? 1, echo, refused: false };
}

async function askTogether(
  source: BatchSource,
  multi: Packing,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result> {
  if (multi.refused) return askAlone(source, ids, signal);
  try {
    const answer = await source.fetch(multi.endpoint, { ...source.params, [multi.name]: ids }, signal);
    const byId = rowsById(answer, multi);
    return { outcomes: new Map(ids.map((id) => [id, outcomeOf(source.endpoint, id, byId.get(id))])) };
  } catch (error) {
    if (error instanceof PermissionError || error instanceof UsageError) {
      multi.refused = true;
      return askAlone(source, ids, signal);
    }
    return isFatal(error)
      ? { outcomes: new Map(), fatal: error }
      : { outcomes: new Map(ids.map((id) => [id, { error: itemError(error) }])) };
  }
}

/**
 * The rows of a multi answer by what they answer.
 * @throws ServerError when it is no list, or no row of it tells what it answers
 */
function rowsById({ rows, data, status }: Answer, { echo, endpoint }: Packing): ReadonlyMap<Json | undefined, Json> {
  const byId = new Map((rows ?? []).map((row) => [valueAt(row, echo), row] as const));
  byId.delete(undefined);
  if (rows && data !== null && (rows.length === 0 || byId.size > 0)) return byId;
  throw new ServerError(`The API answered ${endpoint.command} with something that is no list of what was asked for.`, {
    code: "MALFORMED",
    status,
    hint: "Try again later, or ask for one alone.",
  });
}

/** The part of a multi answer that one identifier alone would have been answered with. */
function outcomeOf({ command, returns }: Endpoint, id: string, row: Json | undefined): Outcome {
  if (row === undefined) {
    return {
      error: new NotFoundError(`The API knows nothing of ${shown(id)}.`, {
        hint: `Ask for it alone: solx ${command} ${id}`,
      }),
    };
  }
  return { data: returns.shape === "object" ? row : (rowsIn(row, returns.at, true)?.rows ?? row) };
}

async function askAlone(source: BatchSource, ids: readonly string[], signal: AbortSignal): Promise<Result> {
  const [name] = identifierOf(source);
  const outcomes = new Map<string, Outcome>();
  for (const id of ids) {
    try {
      const answer = await source.fetch(source.endpoint, { ...source.params, [name]: id }, signal);
      outcomes.set(id, { data: answer.data, answer });
    } catch (error) {
      if (isFatal(error)) return { outcomes, fatal: error };
      outcomes.set(id, { error: itemError(error) });
    }
  }
  return { outcomes };
}

const FATAL = [AuthError, PermissionError, QuotaError, RateLimitError, InterruptedError];

/** Whether an error concerns every item and not one alone. */
export function isFatal(error: unknown): error is SolxError {
  return FATAL.some((kind) => error instanceof kind);
}

/** An error of an item; what is no typed error is thrown. */
function itemError(error: unknown): SolxError {
  if (error instanceof SolxError) return error;
  throw error;
}

/** Runs tasks, a few at a time, and gives their results in order; none is begun after one that ended the batch. */
async function* inOrder(tasks: readonly Task[], width: number): AsyncGenerator<Result, void> {
  const running: Promise<Result>[] = [];
  let isOver = false;
  for (const task of tasks) {
    if (isOver) break;
    const result = task();
    result.then(
      ({ fatal }) => {
        isOver ||= fatal !== undefined;
      },
      // What fails is met when its turn comes; until then it must not count as unhandled.
      () => {},
    );
    running.push(result);
    if (running.length >= width) yield await (running.shift() as Promise<Result>);
  }
  for (const result of running) yield await result;
}
