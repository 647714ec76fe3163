/** Conditions in a question, such as `transfers > 1000 last 7d`, as parameters of the endpoints that answer it. */
import type { JsonObject } from "../../base/index.ts";
import { allEndpoints, type Endpoint, type ParameterValues, returnsList } from "../../catalogue/index.ts";
import type { View } from "../navigation/view.ts";
import { pageOfRoute } from "../pages/records.ts";
import { answerShape } from "../widgets/cells.ts";
import { FAILED } from "../widgets/list/filters.ts";
import type { Candidate } from "./candidates.ts";

/** What a question requires of rows. */
export interface Conditions {
  /** The question without them. */
  readonly subject: string;
  /** A range of values in USD, as it is typed in a form: `1000..`. */
  readonly value?: string | undefined;
  /** The beginning of a time range: `7d`. */
  readonly from?: string | undefined;
  readonly hasFailed: boolean;
}

const AMOUNT = String.raw`\s*\$?(\d[\d,]*(?:\.\d+)?)\s*([kmb])?(?:illion)?\b\s*(?:usd|dollars?)?`;
const AT_LEAST = new RegExp(`(?:>=?|\\b(?:over|above|more than|at least))${AMOUNT}`, "i");
const AT_MOST = new RegExp(`(?:<=?|\\b(?:under|below|less than|at most))${AMOUNT}`, "i");
const SINCE =
  /\b(?:in the )?(?:last|past|since)\s+(?:(\d+)\s*)?(minutes?|min|m|hours?|h|days?|d|weeks?|w|months?|years?)\b/i;
const DAY_NAME = /\b(today|yesterday)\b/i;
const UNITS: Readonly<Record<string, readonly [count: number, unit: string]>> = {
  ...{ m: [1, "m"], h: [1, "h"], d: [1, "d"], w: [7, "d"] },
  ...{ mo: [30, "d"], y: [365, "d"] },
};
const SCALES: Readonly<Record<string, string>> = { k: "000", m: "000000", b: "000000000" };

/** Reads the conditions of a question. */
export function readConditions(text: string): Conditions {
  const [least, most] = [AT_LEAST, AT_MOST].map((pattern) => readAmount(pattern.exec(text)));
  const [, count = "1", word = ""] = SINCE.exec(text) ?? [];
  const [times, unit] = UNITS[/^mo|^./i.exec(word)?.[0]?.toLowerCase() ?? ""] ?? [];
  const day = DAY_NAME.exec(text)?.[1]?.toLowerCase();
  const subject = [AT_LEAST, AT_MOST, SINCE, DAY_NAME].reduce((rest, pattern) => rest.replace(pattern, " "), text);
  return {
    subject: subject.replace(/\s+/g, " ").trim(),
    value: (least ?? most) ? `${least ?? ""}..${most ?? ""}` : undefined,
    from: times === undefined ? day : `${Number(count) * times}${unit}`,
    hasFailed: /\bfail(?:s|ed|ing|ures?)?\b/i.test(text),
  };
}

function readAmount(match: RegExpExecArray | null): string | undefined {
  const [, number, scale = ""] = match ?? [];
  if (number === undefined) return undefined;
  const digits = number.replaceAll(",", "");
  const zeros = SCALES[scale.toLowerCase()];
  return zeros === undefined ? digits : String(Number(digits) * Number(`1${zeros}`));
}

/** Returns the parameters of an endpoint that state conditions, as far as it has some. */
function paramsOf({ query, failedOnly }: Endpoint, { value, from, hasFailed }: Conditions): ParameterValues {
  const [start] = Object.entries(query).find(([, { role }]) => role === "from") ?? [];
  const hasValue = query.value?.arity === "range";
  return {
    ...(value !== undefined && hasValue && { value }),
    ...(from !== undefined && start !== undefined && { [start]: from }),
    ...(hasFailed && failedOnly),
  };
}

/** Returns whether an endpoint lists transactions with their status. */
const hasStatus = (endpoint: Endpoint) =>
  returnsList(endpoint) && !endpoint.isMulti && answerShape(endpoint).field("status").meta?.kind === "status";

/**
 * Returns the state in which the list of an endpoint has only failed transactions, where the API has no parameter for
 * it; undefined where that is not asked for.
 */
export function failedOnlyState(endpoint: Endpoint, route: View["route"]): JsonObject | undefined {
  if (endpoint.failedOnly || !hasStatus(endpoint)) return undefined;
  const page = pageOfRoute(route);
  const part = page.kind === "entity" ? page.tab : page.kind === "page" ? page.page : "list";
  const cell = { key: "status", head: "status", value: FAILED, label: FAILED };
  return part === undefined ? undefined : { [part]: { cells: [cell] } };
}

/** Returns the candidates with the conditions of a question: the endpoints first that can state most of them. */
export function withConditions(candidates: readonly Candidate[], conditions: Conditions): readonly Candidate[] {
  const found = candidates.flatMap((candidate) => {
    const endpoint = endpointOf(candidate);
    if (!endpoint) return [];
    const params = paramsOf(endpoint, conditions);
    const isFailedOnly = conditions.hasFailed && (endpoint.failedOnly !== undefined || hasStatus(endpoint));
    const words = Object.entries(params).map(([name, value]) => `${name} = ${String(value)}`);
    if (isFailedOnly && !endpoint.failedOnly) words.push(`status = ${FAILED}`);
    if (words.length === 0) return [];
    const about = `${words.join(", ")} · ${candidate.about}`;
    return [
      { ...candidate, count: words.length, about, action: { type: "ask", endpoint, params, isFailedOnly } as const },
    ];
  });
  const stated = found.toSorted((a, b) => b.count - a.count).map(({ count: _, ...candidate }): Candidate => candidate);
  const titles = new Set(stated.map(({ title }) => title));
  return [...stated, ...candidates.filter(({ title }) => !titles.has(title))];
}

function endpointOf({ kind, action }: Candidate): Endpoint | undefined {
  if (kind !== "endpoint") return undefined;
  if (action.type === "ask") return action.endpoint;
  const route = action.type === "open" && action.route.kind === "endpoint" ? action.route : undefined;
  return allEndpoints.find((endpoint) => endpoint.route === route?.endpointRoute);
}
