/** Plans the reading of a list: the page size, the parameters of all requests, and the number of rows. */

import { UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  hasPages,
  type Param,
  type ParameterValues,
  VALIDATION_CODE,
  validationMessages,
} from "../../catalogue/index.ts";
import type { PageSource, PagingOptions } from "./page.ts";
import { findParamByRole, integerParam } from "./page-strategy.ts";

/** What all pages of a reading have in common. */
export interface PagePlan {
  /** Number of rows: infinite for all, undefined for the page that the parameters name. */
  readonly rowLimit: number | undefined;
  /** Rows per page, where pages have a size. */
  readonly pageSize: number | undefined;
  /** The parameters of every request. */
  readonly params: ParameterValues;
  /** Whether more than one page may be requested. */
  readonly isMultiPage: boolean;
}

/** Plans a reading. @throws UsageError for a limit below 1 */
export function planPages(source: PageSource, { limit, all = false }: PagingOptions): PagePlan {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new UsageError(validationMessages.atLeast("limit", 1), {
      code: VALIDATION_CODE,
      invalid: { reason: "value", parameter: "limit", value: String(limit), expected: "a whole number from 1" },
    });
  }
  const rowLimit = limit ?? (all ? Number.POSITIVE_INFINITY : undefined);
  const pageSize = pageSizeOf(source, rowLimit);
  const isMultiPage =
    rowLimit !== undefined && hasPages(source.endpoint) && (pageSize === undefined || rowLimit > pageSize);
  const params = { ...source.params, ...pageSizeParam(source.endpoint, pageSize), ...daysParam(source, limit) };
  return { rowLimit, pageSize, params, isMultiPage };
}

/** Returns the page size: the caller's, else the valid size for the number of rows, else the API's default. */
function pageSizeOf({ endpoint, params }: PageSource, rowLimit: number | undefined): number | undefined {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  if (!param) return undefined;
  const requested = integerParam(params, name);
  if (requested !== undefined) return requested;
  if (rowLimit === undefined) return param.default === undefined ? undefined : Number(param.default);
  if (param.values) return smallestSize(param.values, rowLimit);
  return Math.max(param.min ?? 1, Math.min(rowLimit, param.max ?? Number(param.default ?? 1)));
}

/** Returns the smallest of the valid sizes that holds the rows, else the largest one. */
function smallestSize(values: NonNullable<Param["values"]>, rows: number): number | undefined {
  const sizes = values.map(Number).toSorted((a, b) => a - b);
  return sizes.find((size) => size >= rows) ?? sizes.at(-1);
}

/** Returns the number of days as a parameter where the default has fewer than the limit, and no range is requested. */
function daysParam({ endpoint, params }: PageSource, limit = 0): ParameterValues {
  const [name, param] = findParamByRole(endpoint, "days") ?? [];
  const hasRange = (["days", "from", "to"] as const).some((role) => {
    const [bound = ""] = findParamByRole(endpoint, role) ?? [];
    return params[bound] !== undefined;
  });
  if (name === undefined || hasRange || limit <= Number(param?.default)) return {};
  return { [name]: smallestSize(param?.values ?? [], limit) };
}

/** Returns the size as a parameter, unless it is the API's default. */
function pageSizeParam(endpoint: Endpoint, size: number | undefined): ParameterValues {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  return name === undefined || size === undefined || size === param?.default ? {} : { [name]: size };
}
