/** Validates a value of one parameter with the rules and messages of the client. */
import { SolxError } from "../../base/index.ts";
import { type Endpoint, endpoints, type Param, type ParameterValues } from "../../catalogue/index.ts";
import { prepare, toWireValues } from "../../client/index.ts";

/** Why a value is invalid, and what to do about it. */
export interface ValueProblem {
  readonly message: string;
  readonly hint: string | undefined;
}

/** A value in wire form, or why it is invalid. */
export type CheckedValue =
  | { readonly values: readonly string[]; readonly problem?: undefined }
  | { readonly problem: ValueProblem };

/** Validates a value as if its parameter were the only one of an endpoint. @param now milliseconds since the epoch */
export function checkValue(name: string, param: Param, value: unknown, now: number): CheckedValue {
  const { needs: _needs, ...alone } = param;
  const query = { [name]: { ...alone, in: "query", required: false } } as const;
  const problem = requestProblem({ ...(endpoints[0] as Endpoint), path: "/", query }, { [name]: value }, now);
  if (problem) return { problem };
  return { values: toWireValues(param, value, now)?.values ?? [] };
}

/** Returns why a request is invalid; undefined when it may be sent. @param now milliseconds since the epoch */
export function requestProblem(endpoint: Endpoint, params: ParameterValues, now: number): ValueProblem | undefined {
  try {
    prepare(endpoint, params, { now: () => now });
    return undefined;
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    return { message: error.message, hint: error.hint };
  }
}
