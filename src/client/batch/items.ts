/** What a batch asks: identifiers checked, packed into an endpoint that takes many, and what each answer says of them. */
import {
  AuthError,
  InterruptedError,
  type Json,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  UsageError,
  withMessage,
} from "../../base/index.ts";
import {
  type Endpoint,
  multiEndpointOf,
  type Param,
  type ParameterValues,
  positionalOf,
} from "../../catalogue/index.ts";
import { type Answer, findRows } from "../http/decode.ts";
import { valueAt } from "../paging/row-keys.ts";
import { prepare } from "../request/prepare.ts";
import { toWireValues } from "../request/wire-values.ts";
import { displayText } from "../text.ts";

/** What became of one identifier: data or an error. */
export interface ItemOutcome {
  /** What the endpoint's own answer has as `data`. */
  readonly data?: Json;
  /** The answer, where it was asked for alone. */
  readonly answer?: Answer;
  readonly error?: SolxError;
}

/** What identifiers are asked of. */
export interface BatchQuery {
  readonly endpoint: Endpoint;
  /** Parameters beside the identifier. */
  readonly params: ParameterValues;
  /** Milliseconds since the epoch when the batch begins. */
  readonly now: number;
}

/** How a request of a batch is sent. */
export type BatchFetch = (endpoint: Endpoint, params: ParameterValues, signal: AbortSignal) => Promise<Answer>;

/**
 * The parameter that takes the identifier.
 * @throws UsageError when the endpoint takes none
 */
export function identifierParam(endpoint: Endpoint): readonly [name: string, param: Param] {
  const entry = positionalOf(endpoint);
  if (entry) return entry;
  throw new UsageError(`${endpoint.command} takes no identifier.`, { hint: `See: solx ${endpoint.command} --help` });
}

/** The identifier as it travels, or why it is none. */
export function parseIdentifier(
  { endpoint, now }: Omit<BatchQuery, "params">,
  input: string,
): { readonly id?: string; readonly error?: SolxError } {
  const [name, param] = identifierParam(endpoint);
  try {
    prepare({ ...endpoint, query: { [name]: param } }, { [name]: input }, { now: () => now });
  } catch (error) {
    if (error instanceof SolxError) return { error };
    throw error;
  }
  const id = toWireValues(param, input, now)?.values[0];
  return id === undefined ? {} : { id };
}

/**
 * Checks the parameters that all identifiers share, with one of them.
 * @throws UsageError for a parameter that is wrong for all
 */
export function checkSharedParams({ endpoint, params, now }: BatchQuery, id: string): void {
  prepare(endpoint, { ...params, [identifierParam(endpoint)[0]]: id }, { now: () => now });
}

/** How identifiers are packed into an endpoint that takes many. */
export interface Packing {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly size: number;
  readonly echo: string;
}

/**
 * The endpoint that takes many, where it takes the other parameters too and its rows tell what they answer; an endpoint
 * that itself takes many is its own.
 */
export function findPacking({ endpoint, params }: Pick<BatchQuery, "endpoint" | "params">): Packing | undefined {
  const multi = endpoint.multi ? endpoint : multiEndpointOf(endpoint);
  const [name, param] =
    Object.entries(multi?.query ?? {}).find(([, { required, arity }]) => required && arity === "list") ?? [];
  const echo = multi?.echo;
  const takesAll = Object.keys(params).every(
    (key) => params[key] === undefined || Object.hasOwn(multi?.query ?? {}, key),
  );
  if (!multi || name === undefined || echo === undefined || !takesAll) return undefined;
  return { endpoint: multi, name, size: param?.maxItems ?? 1, echo };
}

/** Asks for several at once. The outcomes are in the order of the identifiers. */
export async function fetchPack(
  { endpoint, params }: BatchQuery,
  multi: Packing,
  ids: readonly string[],
  send: (endpoint: Endpoint, params: ParameterValues) => Promise<Answer>,
): Promise<ItemOutcome[]> {
  const answer = await send(multi.endpoint, { ...params, [multi.name]: ids });
  const byId = rowsById(answer, multi);
  return ids.map((id) => outcomeOf(endpoint, id, byId.get(id)));
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
function outcomeOf(endpoint: Endpoint, id: string, row: Json | undefined): ItemOutcome {
  const { command, returns } = endpoint;
  if (row === undefined) {
    return {
      error: new NotFoundError(`The API knows nothing of ${displayText(id)}.`, {
        hint: `Ask for it alone: solx ${command} ${id}`,
      }),
    };
  }
  const isWhole = returns.shape === "object" || endpoint.multi;
  return { data: isWhole ? row : (findRows(row, returns.at, true)?.rows ?? row) };
}

/** Asks for one. */
export async function fetchSingle(
  { endpoint, params }: BatchQuery,
  id: string,
  send: (endpoint: Endpoint, params: ParameterValues) => Promise<Answer>,
): Promise<ItemOutcome> {
  const multi = endpoint.multi ? findPacking({ endpoint, params }) : undefined;
  const answer = await send(endpoint, { ...params, [identifierParam(endpoint)[0]]: multi ? [id] : id });
  if (!multi) return { data: answer.data, answer };
  return outcomeOf(endpoint, id, rowsById(answer, multi).get(id));
}

const FATAL = [AuthError, PermissionError, QuotaError, RateLimitError, InterruptedError];

/** Whether an error concerns every item and not one alone. */
export function isFatal(error: unknown): error is SolxError {
  return FATAL.some((kind) => error instanceof kind);
}

/** The failure of an item as one that says which item it is. */
export function withItemName(input: string, error: SolxError): SolxError {
  return error.message.includes(input) ? error : withMessage(error, `${input}: ${error.message}`);
}
