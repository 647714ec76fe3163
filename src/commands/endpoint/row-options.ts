/** `--sort-by` and `-o name` of endpoints: checked before the first request, and what the API itself can sort by. */
import { UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  loadEntityShape,
  MAX_LISTED_VALUES,
  optionName,
  type Param,
  type ParameterValues,
  returnsList,
  type Shape,
  shortValue,
} from "../../catalogue/index.ts";
import { matchEnumValue } from "../../client/index.ts";
import {
  type ContentSchema,
  checkFields,
  type Path,
  parsePath,
  parsePaths,
  requireIdentifier,
  type SortField,
} from "../../output/index.ts";
import { isNewestFirst } from "../follow/followable.ts";
import { changeShape } from "../follow/rule.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { deriveFields, displayFor } from "./answers.ts";

function findParameter({ query }: Endpoint, option: string): readonly [name: string, param: Param] | undefined {
  return Object.entries(query).find(([name]) => optionName(name) === option);
}

/**
 * Returns the parameters with the order of `--sort-by`, where the API sorts by that key; the option then has no other
 * effect. Any other fields remain in the option, and the parameter is left out.
 * @throws UsageError for two directions
 */
export function withApiOrder(context: RunContext, endpoint: Endpoint, values: ParameterValues): ParameterValues {
  const { sortBy = "", ...globals } = context.globals;
  const [name, param] = findParameter(endpoint, "sort-by") ?? [];
  if (name === undefined || param === undefined) return values;
  const { [name]: _, ...others } = values;
  const [key = "", direction, ...rest] = sortBy.replace(/^-([^:,]+)$/, "$1:desc").split(":");
  const [order] = findParameter(endpoint, "sort-order") ?? [];
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
export async function checkRowOptions(context: RunContext, endpoint: Endpoint, params: ParameterValues): Promise<void> {
  const { globals, printer } = context;
  const { sortBy, format, fields } = await printer.options();
  const derived = await deriveFields(context, endpoint);
  const own = await loadEntityShape(endpoint.returns.entity);
  const printsChanges = globals.follow !== undefined && !isNewestFirst(endpoint, params);
  const shape = printsChanges ? await changeShape() : (derived?.extendShape(own) ?? own);
  if (format === "name" && !fields && !printsChanges) requireIdentifier(createContentSchema(endpoint), shape);
  if (sortBy && globals.follow !== undefined) throw new UsageError("--sort-by and --follow cannot be used together");
  // The whole response has other fields than the entity, and a bare number has none.
  if (globals.envelope || (endpoint.returns.shape === "number" && !printsChanges)) return;
  checkPaths(fields?.map(({ path }) => parsePath(path)) ?? [], shape, "--fields");
  checkFollowed(globals, { shape, own });
  try {
    checkPaths(sortBy?.map(({ path }) => parsePath(path)) ?? [], shape, "--sort-by");
  } catch (error) {
    throw error instanceof UsageError ? withApiKeys(error, endpoint) : error;
  }
}

/** Checks the fields of conditions, and those whose changes are printed: fields of the answer itself. */
function checkFollowed(
  { until = "", when = "", changes }: GlobalOptions,
  { shape, own }: Record<"shape" | "own", Shape>,
) {
  checkPaths(readConditionPaths(until), shape, "--until");
  checkPaths(readConditionPaths(when), shape, "--when");
  if (changes !== undefined) checkPaths(parsePaths(changes, "--changes").map(parsePath), own, "--changes");
}

/** Fields that rows of many identifiers have beside those of the entity. */
const BATCH_FIELDS: ReadonlySet<unknown> = new Set(["input", "error"]);

/** @throws UsageError for a field that the rows do not have, with the option that names it */
function checkPaths(paths: readonly Path[], shape: Shape, option: string): void {
  try {
    const own = paths.filter(([field]) => !BATCH_FIELDS.has(field));
    checkFields(own, shape, []);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [name] = DERIVED_FIELD.exec(error.message) ?? [];
    const added = name === undefined ? undefined : `Add --with ${name === "value_usd" ? "value" : name}.`;
    throw new UsageError(`invalid value for ${option}: ${error.message}`, { hint: added ?? error.hint ?? "" });
  }
}

const DERIVED_FIELD = /value_usd|amount_ui/;

/**
 * Returns the fields of the row that a jq condition reads. A program that changes its input (`|`), or reads lists, is not
 * understood: it has none.
 */
function readConditionPaths(condition: string): readonly Path[] {
  const program = condition.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (!/^[\s\w.<>=!()+*/%"-]*$/.test(program) || /\.\./.test(program)) return [];
  return [...program.matchAll(/(?<![\w)"])\.[A-Za-z_][\w.]*/g)].map(([path]) => parsePath(path.slice(1)));
}

function createContentSchema(endpoint: Endpoint): ContentSchema {
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
  const keys = findParameter(endpoint, "sort-by")?.[1].values ?? [];
  const api =
    keys.length > 0 && keys.length <= MAX_LISTED_VALUES ? ` The API sorts by ${keys.map(shortValue).join(", ")}.` : "";
  return new UsageError(error.message, { hint: `${error.hint ?? ""}${api}` });
}

/** Returns the first of the fields that the API itself sorts by, as it is typed; undefined where there is none. */
export function findSortKey(endpoint: Endpoint, fields: readonly SortField[]): string | undefined {
  const [, param] = findParameter(endpoint, "sort-by") ?? [];
  return param && fields.find(({ path }) => matchEnumValue(path, param) !== undefined)?.path;
}
