/**
 * The first step of the pipeline: the arguments of an endpoint become a request that the API accepts, or a validation
 * error (specification §8) before anything is sent.
 */
import { type Hints, type InvalidParameter, nearestName, UsageError } from "../../base/index.ts";
import {
  allowedValues,
  type Endpoint,
  endpoints,
  expectedValue,
  type Family,
  isLess,
  type Param,
  positionalOf,
  VALIDATION_CODE,
  validateParameter,
  validateRequest,
  validationMessages,
} from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import { explainMismatch, recognise } from "./recognise.ts";
import {
  dayStart,
  formatIso,
  isImpossibleDate,
  isTooEarly,
  MAX_TIME,
  MIN_TIME,
  tooLateHint,
  toWireValues,
  yearHint,
} from "./wire-values.ts";

/** A request that can be sent: everything except server, key and headers. */
export interface PreparedRequest {
  /** The entry of the catalogue; undefined for raw requests to unknown paths. */
  readonly endpoint?: Endpoint;
  /** The family of the path. */
  readonly family: Family;
  /** The path below the family's base URL, with path parameters filled in and URL-encoded. */
  readonly path: string;
  /** Names and values as they are sent, not yet URL-encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /**
   * The identifier of the one thing that the request is about; an empty answer then means that it does not exist.
   * Undefined for lists and for raw requests.
   */
  readonly subject?: string;
  /** Compute units. */
  readonly cost: number;
  /** What was interpreted: relative times, links, removed characters. */
  readonly notes: readonly string[];
}

/** What preparing depends on besides the arguments. */
export interface CheckContext {
  /** Returns the time in milliseconds since the epoch, for relative times. */
  readonly now: () => number;
}

/**
 * Turns the arguments of an endpoint into a request. Accepts what people type, numbers, big integers, Dates and lists.
 * Defaults of the API are sent only where the endpoint requires the parameter.
 * @throws UsageError with the API's message, code 1100, and the invalid parameter as data
 */
export function prepare(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  { now }: CheckContext,
): PreparedRequest {
  const time = now();
  const wireValues = new Map<string, readonly string[]>();
  const notes: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    const param = Object.hasOwn(endpoint.query, name) ? endpoint.query[name] : undefined;
    if (!param) throw unknownName(name, endpoint);
    const wire = toWireValues(param, value, time);
    if (!wire) {
      throw invalidError(`Validation Error: "${name}" must be a string`, valueProblem(name, param, typeof value));
    }
    wireValues.set(name, wire.values);
    notes.push(...wire.notes.map((note) => `${name}: ${note}`));
    if (param.deprecated !== undefined) notes.push(`${name}: ${param.deprecated}`);
  }
  for (const [name, param] of Object.entries(endpoint.query)) {
    if (param.required && param.default !== undefined && !wireValues.has(name))
      wireValues.set(name, [String(param.default)]);
  }
  validate(endpoint, wireValues);
  notes.push(...windowNotes(endpoint, wireValues, time));
  const subject = subjectOf(endpoint, wireValues);
  return {
    endpoint,
    family: endpoint.family,
    ...(subject === undefined ? {} : { subject }),
    path: fillPath(endpoint.path, wireValues),
    query: Object.entries(endpoint.query).flatMap(([name, param]) =>
      toQueryPairs(name, param, wireValues.get(name) ?? []),
    ),
    cost: computeCost(endpoint, wireValues),
    notes,
  };
}

/** The wire values of parameters by name. */
type WireMap = ReadonlyMap<string, readonly string[]>;

function subjectOf(endpoint: Endpoint, wireValues: WireMap): string | undefined {
  const [name, param] = positionalOf(endpoint) ?? [];
  const isOne = endpoint.returns.shape === "object" && param?.arity === "one";
  return isOne && name !== undefined ? wireValues.get(name)?.[0] : undefined;
}

/**
 * Prepares consecutive requests of one endpoint, as {@link prepare} does. When only the page number differs from the
 * previous request, as for the pages of a list, nothing else is prepared again.
 */
export function createRequestPreparer(
  endpoint: Endpoint,
  context: CheckContext,
): (params: Readonly<Record<string, unknown>>) => PreparedRequest {
  const [name = "", param] = Object.entries(endpoint.query).find((entry) => entry[1].role === "page") ?? [];
  let last: { readonly params: Readonly<Record<string, unknown>>; readonly request: PreparedRequest } | undefined;
  const withPage = (params: Readonly<Record<string, unknown>>): PreparedRequest | undefined => {
    if (!last || !param || typeof params[name] !== "number" || typeof last.params[name] !== "number") return undefined;
    const page = String(params[name]);
    const names = Object.keys({ ...last.params, ...params });
    const isSame = names.every((each) => each === name || params[each] === last?.params[each]);
    if (!isSame || validateParameter(name, param, page) !== undefined) return undefined;
    return { ...last.request, query: last.request.query.map((pair) => (pair[0] === name ? [name, page] : pair)) };
  };
  return (params) => {
    const request = withPage(params) ?? prepare(endpoint, params, context);
    last = { params, request };
    return request;
  };
}

function validate(endpoint: Endpoint, wireValues: WireMap): void {
  for (const [name, values] of wireValues) {
    const param = endpoint.query[name];
    if (param?.type !== "time") continue;
    for (const value of values) {
      const [tooLate, year] = [tooLateHint(value), yearHint(value)];
      const refused = valueProblem(name, param, value);
      if (tooLate !== undefined) throw invalidError(validationMessages.atMost(name, MAX_TIME), refused, tooLate);
      if (year !== undefined) throw invalidError(validationMessages.atLeast(name, MIN_TIME), refused, year);
    }
  }
  const problem = validateRequest(endpoint.query, wireValues);
  if (problem !== undefined) {
    const { message, invalid } = problem;
    throw invalidError(shortenValue(message, wireValues), invalid, hintFor(invalid, endpoint, wireValues));
  }
  checkRangeOrder(endpoint, wireValues);
  const [from, to] = timeWindow(endpoint, wireValues);
  if (from && to && BigInt(from.value) > BigInt(to.value)) {
    throw invalidError(
      validationMessages.atLeast(to.name, BigInt(from.value)),
      {
        reason: "value",
        parameter: to.name,
        value: formatBound(to),
        expected: `${formatBound(from)} or later`,
        start: from.name,
      },
      `The range would start at ${formatBound(from)} and end at ${formatBound(to)}.`,
    );
  }
}

/**
 * Checks that ranges start with the smaller value. The API accepts others, but they match nothing.
 * @throws UsageError
 */
function checkRangeOrder(endpoint: Endpoint, wireValues: WireMap): void {
  for (const [name, values] of wireValues) {
    const [param, [first, second]] = [endpoint.query[name], values];
    if (param?.arity !== "range" || first === undefined || second === undefined || !isLess(second, first)) continue;
    const problem = { ...valueProblem(name, param, values.join(",")), expected: "the smaller value first" };
    throw invalidError(validationMessages.order(name), problem);
  }
}

function invalidError(message: string, invalid: InvalidParameter, hint?: string | Hints): UsageError {
  const { value } = invalid;
  const clipped = value === undefined ? invalid : { ...invalid, value: displayText(value) };
  return new UsageError(message, { code: VALIDATION_CODE, invalid: clipped, hint });
}

function valueProblem(name: string, param: Param, value: string): InvalidParameter {
  const allowed = allowedValues(param);
  const expected = expectedValue(param);
  return { reason: "value", parameter: name, value, expected, ...(allowed ? { allowed } : {}) };
}

function unknownName(name: string, endpoint: Endpoint): UsageError {
  const known = Object.keys(endpoint.query);
  const near = nearestName(name, known);
  const listed = known.length === 0 ? "It takes no parameters." : `Its parameters: ${known.join(", ")}.`;
  return invalidError(
    validationMessages.notAllowed(displayText(name)),
    { reason: "unknown", parameter: displayText(name), allowed: known },
    near === undefined ? listed : `Did you mean ${near}?`,
  );
}

/** Returns the message with long or unprintable values shortened. */
function shortenValue(problem: string, wireValues: WireMap): string {
  const value = [...wireValues.values()]
    .flat()
    .find((text) => text !== "" && displayText(text) !== text && problem.includes(text));
  return value === undefined ? problem : problem.replaceAll(value, () => displayText(value));
}

const RANGE_HINTS: Hints = {
  ...{ command: "A range has two ends: 1..100 or 1,100.", program: "A range has two ends: [1, 100]." },
  tool: "Pass a range as a list: [1, 100].",
};

function hintFor(
  { reason, parameter }: InvalidParameter,
  endpoint: Endpoint,
  wireValues: WireMap,
): string | Hints | undefined {
  const [param, values] = [endpoint.query[parameter], wireValues.get(parameter)];
  if (reason !== "value" || !param || !values) return undefined;
  if (param.arity === "range" && values.length !== 2) return RANGE_HINTS;
  const single = { ...param, arity: "one", wire: "plain" } as const;
  const refused = values.find((value) => validateParameter(parameter, single, value) !== undefined);
  return refused === undefined || refused === "" ? undefined : HINTS[param.type]?.(refused, param);
}

const identifierHint = (value: string, { type }: Param) =>
  explainMismatch(type as "address" | "signature" | "slot", recognise(value));

/** Returns what the text is instead, when it is an identifier of another kind. */
function slotHint(value: string): string | Hints {
  const recognised = recognise(value);
  const isOther = ["address", "signature", "url"].includes(recognised.kind);
  return isOther ? explainMismatch("slot", recognised) : "A slot is a whole number, such as 385804412.";
}

const TIME_FORMS =
  "Times are Unix seconds, ISO 8601 (2024-07-05, 2024-07-05T12:00Z; UTC by default), durations before now (30m, 2h, 7d, 1w, 1y), now, today or yesterday.";
const DATE_FORMS = "Dates are YYYYMMDD, YYYY-MM-DD, durations before now (7d, 1w, 1y), today or yesterday.";

function timeHint(value: string, noun: string, forms: string): string {
  if (isImpossibleDate(value)) return `${displayText(value)} is not a valid ${noun}.`;
  return isTooEarly(value) ? "Use a later date, or a shorter duration." : forms;
}

const HINTS: Partial<Record<Param["type"], (value: string, param: Param) => string | Hints | undefined>> = {
  address: identifierHint,
  signature: identifierHint,
  slot: slotHint,
  time: (value) => timeHint(value, "time", TIME_FORMS),
  date: (value) => timeHint(value, "date", DATE_FORMS),
  enum: (value, param) => {
    const near = nearestName(
      value,
      (allowedValues(param) ?? []).filter((word) => typeof word === "string"),
    );
    return near === undefined ? undefined : `Did you mean ${near}?`;
  },
};

interface WindowBound {
  readonly name: string;
  readonly param: Param;
  readonly value: string;
}

function formatBound({ param, value }: WindowBound): string {
  return param.type === "time" ? formatIso(Number(value)) : value;
}

function timeWindow(
  endpoint: Endpoint,
  wireValues: WireMap,
): readonly [from: WindowBound | undefined, to: WindowBound | undefined] {
  const end = (role: "from" | "to") => {
    for (const [name, values] of wireValues) {
      const param = endpoint.query[name];
      const [value] = values;
      if (param?.role === role && value !== undefined) return { name, param, value };
    }
    return undefined;
  };
  return [end("from"), end("to")];
}

/**
 * Returns when the time range of a request starts, in milliseconds since the epoch; undefined for a request without one.
 */
export function windowStart({ endpoint, query }: PreparedRequest): number | undefined {
  for (const [name, { role, arity, type }] of Object.entries(endpoint?.query ?? {})) {
    if (role !== "from" && (arity !== "range" || type !== "time")) continue;
    const [, value] = query.find(([key]) => key === name || key === `${name}[]`) ?? [];
    if (value !== undefined) return (type === "date" ? dayStart(value) : Number(value.split(",")[0])) * 1000;
  }
  return undefined;
}

/** A window that starts in the future is valid but empty, so it is probably a mistake. */
function windowNotes(endpoint: Endpoint, wireValues: WireMap, now: number): readonly string[] {
  const [from] = timeWindow(endpoint, wireValues);
  const isFuture = from?.param.type === "time" && Number(from.value) * 1000 > now;
  return isFuture ? [`${from.name}: ${formatBound(from)} is in the future`] : [];
}

function fillPath(template: string, wireValues: WireMap): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(wireValues.get(name)?.[0] ?? ""));
}

function toQueryPairs(name: string, param: Param, values: readonly string[]): readonly (readonly [string, string])[] {
  if (param.in === "path" || values.length === 0) return [];
  if (param.wire === "brackets") return values.map((value) => [`${name}[]`, value]);
  return [[name, values.join(",")]];
}

/** Returns the cost in compute units; multi endpoints are charged by item. */
export function computeCost({ cost, query }: Endpoint, wireValues: WireMap): number {
  if (cost.per === "request") return cost.units;
  const items = Object.entries(query).find(([, param]) => param.required && param.arity === "list")?.[0];
  return cost.units * (items === undefined ? 1 : (wireValues.get(items)?.length ?? 1));
}

/** Why a value or a request is invalid, and what to do about it. */
export interface ValueProblem {
  readonly message: string;
  readonly hint: string | undefined;
}

/** A value as it is sent, or why it is invalid. */
type CheckedValue =
  | { readonly values: readonly string[]; readonly problem?: undefined }
  | { readonly problem: ValueProblem };

/** Parses and checks a value as {@link prepare} does, whatever the other parameters are. */
export function checkValue(name: string, param: Param, value: unknown, now: number): CheckedValue {
  const { needs: _needs, ...alone } = param;
  const query = { [name]: { ...alone, in: "query", required: false } } as const;
  const problem = checkRequest({ ...(endpoints[0] as Endpoint), path: "/", query }, { [name]: value }, now);
  return problem ? { problem } : { values: toWireValues(param, value, now)?.values ?? [] };
}

/** Returns why {@link prepare} refuses a request; undefined when it may be sent. */
export function checkRequest(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  now: number,
): ValueProblem | undefined {
  try {
    prepare(endpoint, params, { now: () => now });
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { message: error.message, hint: error.hint };
  }
}
