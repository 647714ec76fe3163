/** The items of a batch: parsing identifiers, packing them into an endpoint that takes many, and their outcomes. */

import {
  AuthError,
  fieldAt,
  InterruptedError,
  type Json,
  PermissionError,
  pluralize,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  UsageError,
  withMessage,
} from "../../base/index.ts";
import {
  type Coverage,
  type Endpoint,
  multiEndpointOf,
  type Param,
  type ParameterValues,
  positionalOf,
  requestValues,
  returnsList,
} from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { noDataError } from "../answer/api-errors.ts";
import { findRows } from "../answer/decode.ts";
import { prepare } from "../request/prepare.ts";
import { toWireValues } from "../request/wire-values.ts";

/** What became of one identifier: data or an error. */
export interface ItemOutcome<Value = Json> {
  /** What the endpoint's own answer has as `data`. */
  readonly data?: Value;
  /** The answer, if it was requested by itself. */
  readonly answer?: Answer<Value>;
  readonly error?: SolxError;
}

/** What a batch requests for its identifiers. */
export interface BatchQuery {
  readonly endpoint: Endpoint;
  /** Parameters besides the identifier. */
  readonly params: ParameterValues;
  /** When the batch began, in milliseconds since the epoch. */
  readonly now: number;
}

/** Sends a request of a batch. */
export type BatchFetch = (endpoint: Endpoint, params: ParameterValues, signal: AbortSignal) => Promise<Answer>;

/** Returns the parameter that takes the identifier. @throws UsageError when the endpoint takes none */
export function identifierParam(endpoint: Endpoint): readonly [name: string, param: Param] {
  const entry = positionalOf(endpoint);
  if (entry) return entry;
  throw new UsageError(`${endpoint.command} takes no identifier.`, {
    hint: { command: `See: solx ${endpoint.command} --help` },
  });
}

/** Returns the wire form of an identifier, or why it is invalid. */
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
 * Checks the parameters that all identifiers share, together with one of them.
 * @throws UsageError for an invalid parameter
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
 * Returns the packing of an endpoint, if an endpoint that takes many has the other parameters, too, and its rows name
 * their identifier. An endpoint that itself takes many is its own packing.
 */
export function findPacking({ endpoint, params }: Pick<BatchQuery, "endpoint" | "params">): Packing | undefined {
  const multi = endpoint.isMulti ? endpoint : multiEndpointOf(endpoint);
  const [name, param] =
    Object.entries(multi?.query ?? {}).find(([, { required, arity }]) => required && arity === "list") ?? [];
  const echo = multi?.echo;
  const takesAll = Object.keys(params).every(
    (key) => params[key] === undefined || Object.hasOwn(multi?.query ?? {}, key),
  );
  if (!multi || name === undefined || echo === undefined || !takesAll) return undefined;
  return { endpoint: multi, name, size: param?.maxItems ?? 1, echo };
}

/** Sends a request for some identifiers of a batch. */
export type PackSender = (endpoint: Endpoint, params: ParameterValues) => Promise<Answer>;

/** Requests several identifiers at once. The outcomes are in their order. */
export async function fetchPack(
  { endpoint, params }: BatchQuery,
  multi: Packing,
  ids: readonly string[],
  send: PackSender,
): Promise<ItemOutcome[]> {
  const answer = await send(multi.endpoint, { ...params, [multi.name]: ids });
  const byId = rowsById(answer, multi);
  return ids.map((id) => toOutcome(endpoint, id, byId.get(id), answer));
}

/**
 * Returns the rows of a multi answer by identifier.
 * @throws ServerError when it is not a list, or no row names its identifier
 */
function rowsById({ rows, data, status }: Answer, { echo, endpoint }: Packing): ReadonlyMap<Json | undefined, Json> {
  const byId = new Map((rows ?? []).map((row) => [fieldAt(row, echo.split(".")), row] as const));
  byId.delete(undefined);
  if (rows && data !== null && (rows.length === 0 || byId.size > 0)) return byId;
  throw new ServerError(
    `The API answered ${endpoint.command} with something that is not a list of the requested items.`,
    {
      code: "MALFORMED",
      status,
      hint: "Try again later, or request a single one.",
    },
  );
}

/** States in the coverage of an answer about many identifiers that it lacks some of them, or has some twice. */
export function checkItems(answer: Answer): Answer {
  const { request, rows, coverage } = answer;
  const multi = request.endpoint?.isMulti && rows ? findPacking({ endpoint: request.endpoint, params: {} }) : undefined;
  if (!multi) return answer;
  const { values } = requestValues(multi.endpoint, request.path, request.query);
  const asked = new Set(values.get(multi.name));
  const found = (rows ?? []).map((row) => String(fieldAt(row, multi.echo.split("."))));
  const missing = [...asked].filter((id) => !found.includes(id));
  const repeated = found.length - (asked.size - missing.length);
  const incomplete = [
    coverage?.incomplete ?? [],
    missing.length > 0 ? `The answer lacks ${missing.join(", ")}.` : [],
    repeated > 0 ? `The answer has ${pluralize(repeated, "row")} twice.` : [],
  ].flat();
  if (incomplete.length === 0) return answer;
  return Object.assign(answer, {
    coverage: { missing: [], ...coverage, incomplete: incomplete.join(" ") } satisfies Coverage,
  });
}

/** Returns what the answer for a single identifier would have been. */
function toOutcome(endpoint: Endpoint, id: string, row: Json | undefined, { source }: Answer): ItemOutcome {
  const { command, returns } = endpoint;
  if (row === undefined) {
    return {
      error: noDataError(id, { hint: `To request it by itself: solx ${command} ${id}` }, source),
    };
  }
  const isWhole = !returnsList(endpoint) || endpoint.isMulti;
  return { data: isWhole ? row : (findRows(row, returns.at, true)?.rows ?? row) };
}

/** Requests one identifier. */
export async function fetchSingle(
  { endpoint, params }: BatchQuery,
  id: string,
  send: PackSender,
): Promise<ItemOutcome> {
  const multi = endpoint.isMulti ? findPacking({ endpoint, params }) : undefined;
  const answer = await send(endpoint, { ...params, [identifierParam(endpoint)[0]]: multi ? [id] : id });
  if (!multi) return { data: answer.data, answer };
  return toOutcome(endpoint, id, rowsById(answer, multi).get(id), answer);
}

const FATAL = [AuthError, PermissionError, QuotaError, RateLimitError, InterruptedError];

/** Whether an error concerns every item of a batch. */
export function isFatal(error: unknown): error is SolxError {
  return FATAL.some((kind) => error instanceof kind);
}

/** Names the item in the error of an item. */
export function withItemName(input: string, error: SolxError): SolxError {
  return error.message.includes(input) ? error : withMessage(error, `${input}: ${error.message}`);
}
