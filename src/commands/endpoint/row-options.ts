/** `--sort-by` and `-o name` of endpoints: checked before the first request, and what the API itself can sort by. */
import { UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  MAX_LISTED_VALUES,
  optionName,
  type Param,
  type ParameterValues,
  returnsList,
  shortValue,
} from "../../catalogue/index.ts";
import { matchEnumValue } from "../../client/index.ts";
import {
  type ContentSchema,
  checkFields,
  loadEntityShape,
  parsePath,
  requireIdentifier,
  type SortField,
} from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { displayFor } from "./answers.ts";

/** Returns the parameter of an endpoint that an option stands for, and its name. */
function parameterOf({ query }: Endpoint, option: string): readonly [name: string, param: Param] | undefined {
  return Object.entries(query).find(([name]) => optionName(name) === option);
}

/**
 * Returns the parameters with the order of `--sort-by`, where the API sorts by that key; the option then has no other
 * effect. Any other fields remain in the option, and the parameter is left out.
 * @throws UsageError for two directions
 */
export function withApiOrder(context: RunContext, endpoint: Endpoint, values: ParameterValues): ParameterValues {
  const { sortBy = "", ...globals } = context.globals;
  const [name, param] = parameterOf(endpoint, "sort-by") ?? [];
  if (name === undefined || param === undefined) return values;
  const { [name]: _, ...others } = values;
  const [key = "", direction, ...rest] = sortBy.replace(/^-([^:,]+)$/, "$1:desc").split(":");
  const [order] = parameterOf(endpoint, "sort-order") ?? [];
  const isSorted = matchEnumValue(key, param) !== undefined && rest.length === 0;
  const isDirected = direction === undefined || (order !== undefined && /^(asc|desc)$/.test(direction));
  if (!isSorted || !isDirected) return others;
  if (direction === undefined || order === undefined) {
    context.globals = globals;
    return { ...others, [name]: key };
  }
  if (others[order] !== undefined && others[order] !== direction) {
    throw new UsageError(`--sort-by ${sortBy} and --sort-order ${String(others[order])} cannot be used together`);
  }
  context.globals = globals;
  return { ...others, [name]: key, [order]: direction };
}

/**
 * Checks the options about rows against the fields of an endpoint.
 * @throws UsageError for an unknown field, a followed list, or an answer without identifiers
 */
export async function checkRowOptions(context: RunContext, endpoint: Endpoint): Promise<void> {
  const { sortBy, format, fields, columns } = await context.printer.options();
  if (format !== "name" && sortBy === undefined) return;
  const shape = await loadEntityShape(endpoint.returns.entity);
  if (format === "name" && !(fields ?? columns)) requireIdentifier(contentSchemaOf(endpoint), shape);
  if (sortBy === undefined) return;
  if (context.globals.follow !== undefined) throw new UsageError("--sort-by and --follow cannot be used together");
  // Rows of many identifiers start with the field `input`.
  const paths = sortBy.filter(({ path }) => path !== "input").map(({ path }) => parsePath(path));
  try {
    checkFields(paths, shape, []);
  } catch (error) {
    throw error instanceof UsageError ? withApiKeys(error, endpoint) : error;
  }
}

function contentSchemaOf(endpoint: Endpoint): ContentSchema {
  const { columns = [], identifier } = displayFor(endpoint);
  return { columns, identifier };
}

/** @throws UsageError for an order of an answer that is no list */
export function checkOrder({ globals: { sortBy } }: RunContext, endpoint: Endpoint): void {
  if (sortBy === undefined || returnsList(endpoint)) return;
  throw new UsageError(
    `--sort-by cannot be used with ${endpoint.command}, which returns one ${endpoint.returns.shape}`,
  );
}

/** Adds the keys that the API sorts by to the error of an unknown field. */
function withApiKeys(error: UsageError, endpoint: Endpoint): UsageError {
  const keys = parameterOf(endpoint, "sort-by")?.[1].values ?? [];
  const api =
    keys.length > 0 && keys.length <= MAX_LISTED_VALUES ? ` The API sorts by ${keys.map(shortValue).join(", ")}.` : "";
  return new UsageError(`invalid value for --sort-by: ${error.message}`, { hint: `${error.hint ?? ""}${api}` });
}

/** Returns the first of the fields that the API itself sorts by, as it is typed; undefined where there is none. */
export function apiKeyOf(endpoint: Endpoint, fields: readonly SortField[]): string | undefined {
  const [, param] = parameterOf(endpoint, "sort-by") ?? [];
  return param && fields.find(({ path }) => matchEnumValue(path, param) !== undefined)?.path;
}
