/** The time range of an export: under which names it travels, and where it begins and ends. */

import { UsageError } from "../../base/errors.ts";
import { CHAIN_START } from "../../catalogue/constants.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { type PreparedRequest, prepare } from "../request/prepare.ts";

/** An export over a range of time. */
export interface ExportRange {
  /** Unix seconds, both included. */
  readonly from: number;
  readonly to: number;
  /** The parameters of the part between two moments. */
  readonly between: (from: number, to: number) => ParameterValues;
  /** The request of the whole range, for what is to be told of it. */
  readonly request: PreparedRequest;
}

/** An end that is later than any range. */
const FAR = 99_999_999_999;

/**
 * The range that parameters name: from the chain's first block, where they name no beginning, to the moment when
 * reading begins, where they name no end.
 * @param now milliseconds since the epoch
 * @throws UsageError for parameters that the API would refuse, or an endpoint that takes no times
 */
export function resolveExportRange(endpoint: Endpoint, params: ParameterValues, now: number): ExportRange {
  const [fromName, toName] = [endName(endpoint, "from", params), endName(endpoint, "to", params)];
  const pair = pairName(endpoint, params);
  const { [pair ?? ""]: both, ...others } = params;
  const isOpen = (name: string) => !isGiven(params[name]);
  const filled = {
    ...params,
    ...(isOpen(fromName) && both === undefined && { [fromName]: CHAIN_START }),
    ...(isOpen(toName) && both === undefined && { [toName]: FAR }),
  };
  const { query, ...request } = prepare(endpoint, filled, { now: () => now });
  const texts = (name: string | undefined) => query.filter(([key]) => key === name).map(([, value]) => Number(value));
  const [first, second] = texts(`${pair}[]`);
  const from = texts(fromName)[0] ?? first ?? CHAIN_START;
  const given = isOpen(toName) ? second : texts(toName)[0];
  const to = given ?? Math.max(from, Math.floor(now / 1000));
  return {
    from,
    to,
    between: (start, end) => ({ ...others, [fromName]: start, [toName]: end }),
    request: { ...request, query: query.map(([name, value]) => [name, value === String(FAR) ? String(to) : value]) },
  };
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** The parameter of an end of the range: the one that was given, where servers differ in its name. */
function endName({ command, query }: Endpoint, role: "from" | "to", params: ParameterValues): string {
  const own = Object.entries(query).find(([, param]) => param.role === role)?.[0];
  const others = Object.entries(query).filter(
    ([name, param]) => param.type === "time" && param.arity === "one" && !param.role && name.includes(role),
  );
  const found = [own, ...others.map(([name]) => name)].find((name) => name !== undefined && isGiven(params[name]));
  if (own === undefined) throw new UsageError(`${command} takes no times: it cannot be read window by window.`);
  return found ?? own;
}

/** The parameter that holds both ends, where it was given. */
function pairName({ query }: Endpoint, params: ParameterValues): string | undefined {
  return Object.entries(query).find(
    ([name, param]) => param.type === "time" && param.arity === "range" && isGiven(params[name]),
  )?.[0];
}
