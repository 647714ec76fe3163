/** Search, filters and order by typed text. */
import type { Json } from "../../base/index.ts";
import { type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { checkValue } from "../../client/index.ts";
import { safeText } from "../../output/index.ts";
import type { DataStore, EndpointRequest } from "../navigation/data-store.ts";
import type { ListSort } from "../navigation/list-settings.ts";
import type { Services } from "../navigation/services.ts";
import { type Candidate, listCandidates } from "../palette/candidates.ts";
import { searchKnownNames } from "../palette/names.ts";
import { searchCandidates } from "../palette/search.ts";
import { answerShape } from "../widgets/cells.ts";
import { apiSortKey, listColumns } from "../widgets/list/columns.ts";
import type { PlainLink } from "./page.ts";

const MAX_RESULTS = 9;

/** Searches for a text. Returns the numbered results and their lines, or why there are none. */
export function searchRoutes(
  text: string,
  services: Services,
  { names, nameOf }: Pick<DataStore, "names" | "nameOf">,
): { steps: readonly PlainLink[]; lines: readonly string[] } {
  const { memory } = services;
  const known = { bookmarks: memory.bookmarks(), recent: memory.recent() };
  const all = listCandidates({ ...services, ...known, bindings: [], unicode: false, nameOf });
  const { candidates, note } = searchCandidates(text, [...all, ...searchKnownNames(names, text)], services);
  const steps = candidates.flatMap((one) => {
    const step = stepOf(one);
    return step ? [{ step, about: one.about }] : [];
  });
  const results = steps.slice(0, MAX_RESULTS);
  const lines = results.map(({ step, about }, at) => `${at + 1}. ${step.label}${about === "" ? "" : `: ${about}`}`);
  const noMatch = note ?? `No results for ${safeText(text)}. Type ? for help.`;
  return { steps: results.map(({ step }) => step), lines: results.length === 0 ? [noMatch] : ["Results:", ...lines] };
}

function stepOf({ title, action }: Candidate): PlainLink | undefined {
  if (action.type === "open") return { label: title, route: action.route };
  return action.type === "ask" ? { label: title, endpoint: action.endpoint } : undefined;
}

/** The result of a filter command: changed parameters, or lines that list the filters or report a problem. */
type FilterResult = { readonly params: ParameterValues } | { readonly lines: readonly string[] };

/** Parses `name value`, `name` to remove a filter, or nothing to list all. @param now milliseconds since the epoch */
export function parseFilter(text: string, request: EndpointRequest | undefined, now: number): FilterResult {
  const { endpoint, params = {} } = request ?? {};
  const fixed = endpoint && positionalOf(endpoint)?.[0];
  const query = Object.entries(endpoint?.query ?? {}).filter(([name, { role }]) => name !== fixed && role !== "page");
  if (query.length === 0) return { lines: ["No filters here."] };
  if (text === "") {
    const common = query.filter(([, { pattern }]) => pattern?.isCommon !== false);
    const lines = common.map(([name, { description, values }]) => {
      const choices = values === undefined ? "" : `; one of ${values.join(", ")}`;
      const value = params[name] === undefined ? "" : ` (now ${safeText(String(params[name]))})`;
      return `${name}: ${description}${choices}${value}`;
    });
    return { lines };
  }
  const [, name = "", value = ""] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  const param = query.find(([known]) => known === name)?.[1];
  if (!param) return { lines: [`Unknown filter ${safeText(name)}. F lists all filters.`] };
  const problem = value === "" ? undefined : checkValue(name, param, value, now).problem;
  if (problem) return { lines: [problem.message, ...(problem.hint ? [problem.hint] : [])] };
  return { params: { [name]: value === "" ? undefined : value } };
}

/** The result of a sort command: the order, or lines that report a problem. */
type SortResult = { readonly sort: ListSort } | { readonly lines: readonly string[] };

/** Parses the prefix of a column name; sorting by the same column again reverses the order. */
export function parseSort(
  text: string,
  request: EndpointRequest | undefined,
  rows: readonly Json[] | undefined,
  before: ListSort | undefined,
): SortResult {
  if (!rows || !request) return { lines: ["No rows to sort here."] };
  const { endpoint } = request;
  const columns = listColumns({ endpoint, shape: answerShape(endpoint), rows });
  const column = columns.find(({ head }) => head.toLowerCase().startsWith(text.toLowerCase()));
  const names = columns.map(({ head }) => head.toLowerCase()).join(", ");
  if (!column) return { lines: [`Unknown column ${safeText(text)}. Columns: ${names}.`] };
  const isDescending = before?.column === column.key ? !before.isDescending : true;
  return { sort: { column: column.key, isDescending, api: apiSortKey(endpoint, column, columns) } };
}
