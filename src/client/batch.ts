/**
 * One endpoint for many identifiers. Items come in the order of the input; an identifier that is there twice is asked
 * for once; one that is none is an error of its item, without a request. Where the catalogue has an endpoint that takes
 * many, requests are packed into it; when that is refused, each identifier is asked for alone. What would fail for all
 * (key, plan, quota, rate limit, the user's stop) ends the batch.
 */
import {
  AuthError,
  InterruptedError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
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
  const outcomes = new Pending(inOrder(tasksFor(source, [...uses.keys()], signal), CONCURRENCY), uses);
  try {
    for (const { input, id, error } of items) {
      yield id === undefined ? { input, ...(error && { error }) } : { input, ...(await outcomes.of(id)) };
    }
  } finally {
    stop.abort();
  }
}

/** Outcomes that came and are still to be told; memory does not grow with the batch. */
class Pending {
  readonly #answers: AsyncIterator<Outcomes, void>;
  readonly #uses: Map<string, number>;
  readonly #waiting = new Map<string, Outcome>();

  constructor(answers: AsyncIterator<Outcomes, void>, uses: Map<string, number>) {
    this.#answers = answers;
    this.#uses = uses;
  }

  async of(id: string): Promise<Outcome> {
    while (!this.#waiting.has(id)) {
      const { value, done } = await this.#answers.next();
      if (done) break;
      for (const [key, outcome] of value) this.#waiting.set(key, outcome);
    }
    const outcome = this.#waiting.get(id) ?? {};
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

type Task = () => Promise<Outcomes>;

function tasksFor(source: BatchSource, ids: readonly string[], signal: AbortSignal): readonly Task[] {
  const first = ids[0];
  if (first === undefined) return [];
  // A parameter that is wrong is wrong for all: it is told once, before anything is sent.
  const [name] = identifierOf(source);
  prepare(source.endpoint, { ...source.params, [name]: first }, { now: () => source.now });
  const multi = ids.length > 1 ? packing(source) : undefined;
  if (!multi) return ids.map((id) => () => askAlone(source, [id], signal));
  const chunks = Array.from({ length: Math.ceil(ids.length / multi.size) }, (_, at) =>
    ids.slice(at * multi.size, (at + 1) * multi.size),
  );
  return chunks.map((chunk) => () => askTogether(source, multi, chunk, signal));
}

/** How identifiers are packed into an endpoint that takes many. */
interface Packing {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly size: number;
  readonly echo: string;
  refused: boolean;
}

/** The endpoint that takes many, where it takes the other parameters too and its rows tell what they answer. */
function packing({ endpoint, params }: BatchSource): Packing | undefined {
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
): Promise<Outcomes> {
  if (multi.refused) return askAlone(source, ids, signal);
  try {
    const answer = await source.fetch(multi.endpoint, { ...source.params, [multi.name]: ids }, signal);
    const byId = new Map((answer.rows ?? []).map((row) => [valueAt(row, multi.echo), row]));
    return new Map(ids.map((id) => [id, outcomeOf(source.endpoint, id, byId.get(id))]));
  } catch (error) {
    if (error instanceof PermissionError || error instanceof UsageError) {
      multi.refused = true;
      return askAlone(source, ids, signal);
    }
    const failed = itemError(error);
    return new Map(ids.map((id) => [id, { error: failed }]));
  }
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

async function askAlone(source: BatchSource, ids: readonly string[], signal: AbortSignal): Promise<Outcomes> {
  const [name] = identifierOf(source);
  const outcomes = new Map<string, Outcome>();
  for (const id of ids) {
    try {
      const answer = await source.fetch(source.endpoint, { ...source.params, [name]: id }, signal);
      outcomes.set(id, { data: answer.data, answer });
    } catch (error) {
      outcomes.set(id, { error: itemError(error) });
    }
  }
  return outcomes;
}

const FATAL = [AuthError, PermissionError, QuotaError, RateLimitError, InterruptedError];

/** An error that concerns one item alone; any other is thrown. */
function itemError(error: unknown): SolxError {
  if (error instanceof SolxError && !FATAL.some((kind) => error instanceof kind)) return error;
  throw error;
}

/** Runs tasks, a few at a time, and gives their results in order. */
async function* inOrder<T>(tasks: readonly (() => Promise<T>)[], width: number): AsyncGenerator<T, void> {
  const running: Promise<T>[] = [];
  for (const task of tasks) {
    const result = task();
    // What fails is met when its turn comes; until then it must not count as unhandled.
    result.catch(() => {});
    running.push(result);
    if (running.length >= width) yield await (running.shift() as Promise<T>);
  }
  for (const result of running) yield await result;
}
