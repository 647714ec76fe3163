/** The number of rows that the options `--limit` and `--all` request. */
import { UsageError } from "../../base/index.ts";
import { type Endpoint, integer, returnsList, VALIDATION_CODE, validateParameter } from "../../catalogue/index.ts";
import type { RunContext } from "../run/context.ts";

/** The number of rows that the global options request; neither is one page. */
export interface RequestedRows {
  readonly limit?: number;
  readonly all?: true;
}

/**
 * Returns the rows that `--limit` and `--all` request.
 * @throws UsageError for both, an invalid number, or an endpoint without rows
 */
export function parseRequestedRows({ globals: { limit, all } }: RunContext, endpoint: Endpoint): RequestedRows {
  if (limit === undefined && all === undefined) return {};
  if (limit !== undefined && all) throw new UsageError("--limit and --all cannot be used together");
  if (!returnsList(endpoint)) {
    throw new UsageError(
      `${all ? "--all" : "--limit"} cannot be used with ${endpoint.command}, which returns one ${endpoint.returns.shape}`,
    );
  }
  if (limit === undefined) return { all: true };
  const problem = validateParameter("limit", integer("", { min: 1 }), limit);
  if (problem !== undefined) throw new UsageError(problem.message, { code: VALIDATION_CODE, invalid: problem.invalid });
  return { limit: Number(limit) };
}
