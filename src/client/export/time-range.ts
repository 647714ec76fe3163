/** The time range of an export: the parameters that carry it, and its bounds. */
import { UsageError } from "../../base/index.ts";
import { CHAIN_START, type Endpoint, type ParameterValues } from "../../catalogue/index.ts";
import { type PreparedRequest, prepare } from "../request/prepare.ts";
import { toWireValues } from "../request/wire-values.ts";

/** An export over a time range. */
export interface ExportRange {
  /** Unix seconds, both included. */
  readonly from: number;
  readonly to: number;
  /** Whether the caller set no end, so that it is the present time of the server. */
  readonly isOpen: boolean;
  /** The end of the first request; undefined where the endpoint defaults to the present time of the server. */
  readonly firstTo: number | undefined;
  /** Returns the parameters of the part between two times; without an end where the endpoint needs none. */
  readonly between: (from: number, to: number | undefined) => ParameterValues;
  readonly request: PreparedRequest;
}

/**
 * Returns the range that parameters name. Without a start it begins with the first block of the chain; without an end it
 * ends when reading begins.
 * @param now milliseconds since the epoch
 * @throws UsageError for parameters that the API would refuse, or an endpoint without a time range
 */
export function resolveExportRange(endpoint: Endpoint, params: ParameterValues, now: number): ExportRange {
  const [fromName, toName] = [boundName(endpoint, "from", params), boundName(endpoint, "to", params)];
  const pairName = rangeParamName(endpoint, params) ?? "";
  const { [pairName]: pair, ...others } = params;
  const filled: Record<string, unknown> = { ...params };
  const isOpen = pair === undefined && !isSet(params[toName]);
  if (pair === undefined) {
    filled[fromName] ??= CHAIN_START;
    filled[toName] ??= defaultEnd(endpoint, [fromName, filled[fromName]], now);
  }
  const request = prepare(endpoint, filled, { now: () => now });
  const values = (name: string) => request.query.filter(([key]) => key === name).map(([, value]) => Number(value));
  const [pairFrom, pairTo] = values(`${pairName}[]`);
  const from = values(fromName)[0] ?? pairFrom ?? CHAIN_START;
  const to = values(toName)[0] ?? pairTo ?? from;
  return {
    from,
    to,
    isOpen,
    firstTo: isOpen && !endpoint.query[toName]?.required ? undefined : to,
    between: (start, end) => ({ ...others, [fromName]: start, ...(end !== undefined && { [toName]: end }) }),
    request,
  };
}

/** The end of a range without one: now, or its start where that is in the future. */
function defaultEnd({ query }: Endpoint, [name, value]: readonly [name: string, value: unknown], now: number): number {
  const param = query[name];
  const from = Number(param && toWireValues(param, value, now)?.values[0]);
  return Math.max(Math.floor(now / 1000), Number.isSafeInteger(from) ? from : 0);
}

const isSet = (value: unknown) => value !== undefined && value !== null;

/** The parameter of a bound: the one that is set, where servers differ in its name. */
function boundName({ command, query }: Endpoint, role: "from" | "to", params: ParameterValues): string {
  const standard = Object.entries(query).find(([, param]) => param.role === role)?.[0];
  if (standard === undefined) {
    throw new UsageError(`${command} has no time range: it cannot be read window by window.`);
  }
  const others = Object.entries(query)
    .filter(([name, param]) => param.type === "time" && param.arity === "one" && !param.role && name.includes(role))
    .map(([name]) => name);
  return [standard, ...others].find((name) => isSet(params[name])) ?? standard;
}

/** The parameter that carries both bounds, where it is set. */
function rangeParamName({ query }: Endpoint, params: ParameterValues): string | undefined {
  return Object.entries(query).find(
    ([name, param]) => param.type === "time" && param.arity === "range" && isSet(params[name]),
  )?.[0];
}
