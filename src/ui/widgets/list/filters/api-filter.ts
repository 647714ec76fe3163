/** Filters by the value of a cell that the API applies: parameters of the endpoint that compare a field of its rows. */
import { DAY_SECONDS } from "../../../../base/index.ts";
import type { Endpoint, Param, ParameterValues } from "../../../../catalogue/index.ts";
import type { ListColumn } from "../columns.ts";

/** A value of a cell, and whether the rows with it are left out. */
export interface CellChoice {
  readonly column: ListColumn;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** Returns the paths of a column, as the catalogue writes them. */
const joinPaths = ({ sources }: ListColumn) => sources.map(({ path }) => path.join("."));

/**
 * Returns the parameters with those that filter by the value of a cell; undefined where the API has no such filter.
 * @param params the parameters so far
 */
export function withApiFilter(
  { query }: Endpoint,
  params: ParameterValues,
  choice: CellChoice,
): ParameterValues | undefined {
  const paths = joinPaths(choice.column);
  const entry = Object.entries(query).find(
    ([, { field, excludes = false }]) =>
      field !== undefined && excludes === choice.isExcluded && field.split("|").some((path) => paths.includes(path)),
  );
  if (!entry) return withDay(query, params, choice);
  const [name, param] = entry;
  const value = wireValue(param, choice.value);
  if (value === undefined) return undefined;
  if (param.arity !== "list") return { ...params, [name]: value };
  const before = choice.isExcluded ? [params[name] ?? []].flat() : [];
  const all = [...before.filter((one) => one !== value), value];
  return param.maxItems !== undefined && all.length > param.maxItems ? undefined : { ...params, [name]: all };
}

/** Returns the value of a parameter for the value of a cell; undefined where the parameter does not accept it. */
function wireValue({ type, values, newer = [] }: Param, value: string): unknown {
  if (type === "boolean") return value === "true";
  const allowed = values && [...values, ...newer];
  return allowed === undefined || allowed.map(String).includes(value) ? value : undefined;
}

/** The day of a time, for endpoints with a time range. */
function withDay(
  query: Endpoint["query"],
  params: ParameterValues,
  { column, value, isExcluded }: CellChoice,
): ParameterValues | undefined {
  const name = (role: Param["role"]) =>
    Object.entries(query).find(([, param]) => param.role === role && param.type === "time")?.[0];
  const [from, to] = [name("from"), name("to")];
  const isTime = column.sources[0]?.meta?.kind === "unixTime" && /^\d+$/.test(value);
  if (isExcluded || !isTime || from === undefined || to === undefined) return undefined;
  const start = Math.floor(Number(value) / DAY_SECONDS) * DAY_SECONDS;
  return { ...params, [from]: start, [to]: start + DAY_SECONDS - 1 };
}
