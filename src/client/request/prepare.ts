/**
 * The first step of the pipeline: what a person or a program gives for an endpoint becomes a request that the API
 * accepts, or an error in the API's own words (specification §8) before anything is sent.
 */
import { type InvalidParameter, nearestName, UsageError } from "../../base/index.ts";
import {
  allowedValues,
  type Endpoint,
  expectedValue,
  type Family,
  type Param,
  VALIDATION_CODE,
  validateParameter,
  validateRequest,
  validationMessages,
} from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import { explainMismatch, recognise } from "./recognise.ts";
import { formatIso, isImpossibleDate, MAX_TIME, MIN_TIME, tooFineHint, yearHint } from "./times.ts";
import { toWireValues } from "./wire-values.ts";

/** A request that may be sent: everything but the server, the key and the headers. */
export interface PreparedRequest {
  /** The entry of the catalogue; raw requests to unknown paths have none. */
  readonly endpoint?: Endpoint;
  readonly family: Family;
  /** The path below the family's base address, path parameters filled in and URL-encoded. */
  readonly path: string;
  /** Names and values as they travel, not yet URL-encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Compute units. */
  readonly cost: number;
  /** What was read in another sense than its letters: resolved times, unpacked links, dropped characters. */
  readonly notes: readonly string[];
}

/** What checking depends on beside the request. */
export interface CheckContext {
  /** Milliseconds since the epoch: relative times count from here. */
  readonly now: () => number;
}

/**
 * Turns the arguments of an endpoint into a request. Takes human forms: strings as typed at the prompt, numbers, big
 * integers, Dates, lists. A default of the API is sent only where the endpoint requires the parameter.
 * @throws UsageError with the message of specification §8 and code 1100
 */
export function prepare(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  { now }: CheckContext,
): PreparedRequest {
  const moment = now();
  const given = new Map<string, readonly string[]>();
  const notes: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    const param = Object.hasOwn(endpoint.query, name) ? endpoint.query[name] : undefined;
    if (!param) throw unknownName(name, endpoint);
    const wire = toWireValues(param, value, moment);
    if (!wire) {
      throw invalidError(`Validation Error: "${name}" must be a string`, valueProblem(name, param, typeof value));
    }
    given.set(name, wire.values);
    notes.push(...wire.notes.map((note) => `${name}: ${note}`));
    if (param.deprecated !== undefined) notes.push(`${name}: ${param.deprecated}`);
  }
  for (const [name, param] of Object.entries(endpoint.query)) {
    if (param.required && param.default !== undefined && !given.has(name)) given.set(name, [String(param.default)]);
  }
  check(endpoint, given);
  notes.push(...windowNotes(endpoint, given, moment));
  return {
    endpoint,
    family: endpoint.family,
    path: fillPath(endpoint.path, given),
    query: Object.entries(endpoint.query).flatMap(([name, param]) => pairs(name, param, given.get(name) ?? [])),
    cost: costOf(endpoint, given),
    notes,
  };
}

/**
 * Prepares requests of one endpoint after each other, as {@link prepare} does. Of one that differs from the request
 * before it in the number of its page alone, as the pages of a list do, nothing else is read again.
 */
export function createRequestPreparer(
  endpoint: Endpoint,
  context: CheckContext,
): (params: Readonly<Record<string, unknown>>) => PreparedRequest {
  const [name = "", param] = Object.entries(endpoint.query).find((entry) => entry[1].role === "page") ?? [];
  let last: { readonly params: Readonly<Record<string, unknown>>; readonly request: PreparedRequest } | undefined;
  const turned = (params: Readonly<Record<string, unknown>>): PreparedRequest | undefined => {
    if (!last || !param || typeof params[name] !== "number" || typeof last.params[name] !== "number") return undefined;
    const page = String(params[name]);
    const names = Object.keys({ ...last.params, ...params });
    const isSame = names.every((each) => each === name || params[each] === last?.params[each]);
    if (!isSame || validateParameter(name, param, page) !== undefined) return undefined;
    return { ...last.request, query: last.request.query.map((pair) => (pair[0] === name ? [name, page] : pair)) };
  };
  return (params) => {
    const request = turned(params) ?? prepare(endpoint, params, context);
    last = { params, request };
    return request;
  };
}

function check(endpoint: Endpoint, given: ReadonlyMap<string, readonly string[]>): void {
  for (const [name, values] of given) {
    const param = endpoint.query[name];
    if (param?.type !== "time") continue;
    for (const value of values) {
      const [tooFine, year] = [tooFineHint(value), yearHint(value)];
      const refused = valueProblem(name, param, value);
      if (tooFine !== undefined) throw invalidError(validationMessages.atMost(name, MAX_TIME), refused, tooFine);
      if (year !== undefined) throw invalidError(validationMessages.atLeast(name, MIN_TIME), refused, year);
    }
  }
  const problem = validateRequest(endpoint.query, given);
  if (problem !== undefined) {
    const { message, invalid } = problem;
    throw invalidError(inShort(message, given), invalid, hintFor(invalid, endpoint, given));
  }
  const [from, to] = windowOf(endpoint, given);
  if (from && to && BigInt(from.value) > BigInt(to.value)) {
    throw invalidError(
      validationMessages.atLeast(to.name, BigInt(from.value)),
      { reason: "value", parameter: to.name, value: endText(to), expected: `${endText(from)} or later` },
      `${to.name} (${endText(to)}) is before ${from.name} (${endText(from)}).`,
    );
  }
}

function invalidError(message: string, invalid: InvalidParameter, hint?: string): UsageError {
  const { value } = invalid;
  const clipped = value === undefined ? invalid : { ...invalid, value: displayText(value) };
  return new UsageError(message, { code: VALIDATION_CODE, invalid: clipped, ...(hint ? { hint } : {}) });
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

/** The message with long or unprintable values clipped. */
function inShort(problem: string, given: ReadonlyMap<string, readonly string[]>): string {
  const value = [...given.values()]
    .flat()
    .find((text) => text !== "" && displayText(text) !== text && problem.includes(text));
  return value === undefined ? problem : problem.replaceAll(value, () => displayText(value));
}

/** What to do about an illegal value. */
function hintFor(
  { reason, parameter }: InvalidParameter,
  endpoint: Endpoint,
  given: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const [param, values] = [endpoint.query[parameter], given.get(parameter)];
  if (reason !== "value" || !param || !values) return undefined;
  if (param.arity === "range" && values.length !== 2) return "Both ends are needed: 1..100 or 1,100.";
  const single = { ...param, arity: "one", wire: "plain" } as const;
  const refused = values.find((value) => validateParameter(parameter, single, value) !== undefined);
  return refused === undefined || refused === "" ? undefined : HINTS[param.type]?.(refused, param);
}

const identifierHint = (value: string, { type }: Param) =>
  explainMismatch(type as "address" | "signature" | "slot", recognise(value));

/** What the text is instead, where it is an identifier of another kind. */
function slotHint(value: string): string {
  const found = recognise(value);
  const isOther = ["address", "signature", "url"].includes(found.kind);
  return isOther ? explainMismatch("slot", found) : "A slot is a whole number, such as 281844070.";
}

const TIME_FORMS =
  "Times are Unix seconds, ISO 8601 (2024-07-05, 2024-07-05T12:00Z; without a zone: UTC), spans back from now (30m, 2h, 7d, 1w, 1y), now, today or yesterday.";
const DATE_FORMS = "Dates are YYYYMMDD, YYYY-MM-DD, spans back from now (7d, 1w, 1y), today or yesterday.";

const HINTS: Partial<Record<Param["type"], (value: string, param: Param) => string | undefined>> = {
  address: identifierHint,
  signature: identifierHint,
  slot: slotHint,
  time: (value) => (isImpossibleDate(value) ? `${displayText(value)} is not a moment of the calendar.` : TIME_FORMS),
  date: (value) => (isImpossibleDate(value) ? `${displayText(value)} is not a day of the calendar.` : DATE_FORMS),
  enum: (value, param) => {
    const near = nearestName(
      value,
      (allowedValues(param) ?? []).filter((word) => typeof word === "string"),
    );
    return near === undefined ? undefined : `Did you mean ${near}?`;
  },
};

interface WindowEnd {
  readonly name: string;
  readonly param: Param;
  readonly value: string;
}

/** The value of an end as a person reads it. */
function endText({ param, value }: WindowEnd): string {
  return param.type === "time" ? formatIso(Number(value)) : value;
}

/** The ends of the time window, where they are given. */
function windowOf(
  endpoint: Endpoint,
  given: ReadonlyMap<string, readonly string[]>,
): readonly [from: WindowEnd | undefined, to: WindowEnd | undefined] {
  const end = (role: "from" | "to") => {
    for (const [name, values] of given) {
      const param = endpoint.query[name];
      const [value] = values;
      if (param?.role === role && value !== undefined) return { name, param, value };
    }
    return undefined;
  };
  return [end("from"), end("to")];
}

/** A window that begins in the future is legal and empty: probably a mistake. */
function windowNotes(
  endpoint: Endpoint,
  given: ReadonlyMap<string, readonly string[]>,
  now: number,
): readonly string[] {
  const [from] = windowOf(endpoint, given);
  const isFuture = from?.param.type === "time" && Number(from.value) * 1000 > now;
  return isFuture ? [`${from.name}: ${endText(from)} is in the future`] : [];
}

function fillPath(template: string, given: ReadonlyMap<string, readonly string[]>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.get(name)?.[0] ?? ""));
}

function pairs(name: string, param: Param, values: readonly string[]): readonly (readonly [string, string])[] {
  if (param.in === "path" || values.length === 0) return [];
  if (param.wire === "brackets") return values.map((value) => [`${name}[]`, value]);
  return [[name, values.join(",")]];
}

/** Compute units: multi endpoints count their items. */
export function costOf({ cost, query }: Endpoint, given: ReadonlyMap<string, readonly string[]>): number {
  if (cost.per === "request") return cost.units;
  const items = Object.entries(query).find(([, param]) => param.required && param.arity === "list")?.[0];
  return cost.units * (items === undefined ? 1 : (given.get(items)?.length ?? 1));
}
