/** What is looked for by name, and the filters of a list, in lines. */
import type { Json } from "../../base/json.ts";
import { type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";
import type { Services } from "../app/services.ts";
import type { EndpointRequest } from "../data/store.ts";
import { checkValue } from "../form/check-value.ts";
import { type Candidate, listCandidates } from "../palette/candidates.ts";
import { nextPrompt } from "../palette/prompt.ts";
import { searchCandidates } from "../palette/search.ts";
import { searchKnownTokens } from "../palette/token-search.ts";
import { apiSortKey, listColumns } from "../widgets/list/columns.ts";
import type { ListSort } from "../widgets/list/reducer.ts";
import { shapeFor } from "./answer.ts";
import type { PlainLink } from "./page.ts";

/** Candidates that can be kept in mind. */
const MAX_RESULTS = 9;

/** What a text finds: numbered steps, and the lines that say them or why there are none. */
export function searchRoutes(
  text: string,
  { memory, now }: Services,
  symbols: ReadonlyMap<string, string>,
): { steps: readonly PlainLink[]; lines: readonly string[] } {
  const sources = { bindings: [], bookmarks: memory.bookmarks(), recent: memory.recent(), unicode: false };
  const { candidates, note } = searchCandidates(
    text,
    [...listCandidates(sources), ...searchKnownTokens(symbols, text)],
    now(),
  );
  const steps = candidates.flatMap((one) => {
    const step = stepOf(one);
    return step ? [{ step, about: one.about }] : [];
  });
  const results = steps.slice(0, MAX_RESULTS);
  const lines = results.map(({ step, about }, at) => `${at + 1}. ${step.label}${about === "" ? "" : `: ${about}`}`);
  const noMatch = note ?? `Nothing is called ${safeText(text)}. Type ? for help.`;
  return { steps: results.map(({ step }) => step), lines: results.length === 0 ? [noMatch] : ["Found:", ...lines] };
}

function stepOf({ title, action: effect }: Candidate): PlainLink | undefined {
  if (effect.type === "open") return { label: title, route: effect.route };
  if (effect.type !== "ask") return undefined;
  const { target: asked } = effect;
  if (asked.kind === "entity" || nextPrompt(asked)) return { label: title, target: asked };
  return { label: title, route: { kind: "endpoint", endpointRoute: asked.endpoint.route, params: {} } };
}

/** What a line about filters comes to: another value for one, or lines that list them or say what is wrong. */
export type FilterResult = { readonly params: ParameterValues } | { readonly lines: readonly string[] };

/** Takes `name value`, `name` alone to take it away, or nothing to list all. @param now milliseconds since the epoch */
export function parseFilter(text: string, request: EndpointRequest | undefined, now: number): FilterResult {
  const { endpoint, params = {} } = request ?? {};
  const fixed = endpoint && positionalOf(endpoint)?.[0];
  const query = Object.entries(endpoint?.query ?? {}).filter(([name, { role }]) => name !== fixed && role !== "page");
  if (query.length === 0) return { lines: ["There is nothing to filter by here."] };
  if (text === "") {
    const lines = query.map(([name, { description, values }]) => {
      const choices = values === undefined ? "" : `; one of ${values.join(", ")}`;
      const value = params[name] === undefined ? "" : ` (now ${safeText(String(params[name]))})`;
      return `${name}: ${description}${choices}${value}`;
    });
    return { lines };
  }
  const [, name = "", value = ""] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  const param = query.find(([known]) => known === name)?.[1];
  if (!param) return { lines: [`There is no filter ${safeText(name)}; F lists them.`] };
  const problem = value === "" ? undefined : checkValue(name, param, value, now).problem;
  if (problem) return { lines: [problem.message, ...(problem.hint ? [problem.hint] : [])] };
  return { params: { [name]: value === "" ? undefined : value } };
}

/** What a line about the order comes to: another order, or lines that say why not. */
export type SortResult = { readonly sort: ListSort } | { readonly lines: readonly string[] };

/** Takes the beginning of a column's name; the same column once more turns the order round. */
export function parseSort(
  text: string,
  request: EndpointRequest | undefined,
  rows: readonly Json[] | undefined,
  before: ListSort | undefined,
): SortResult {
  if (!rows || !request) return { lines: ["There are no rows to sort here."] };
  const { endpoint } = request;
  const columns = listColumns({ endpoint, shape: shapeFor(endpoint), rows });
  const column = columns.find(({ head }) => head.toLowerCase().startsWith(text.toLowerCase()));
  const names = columns.map(({ head }) => head.toLowerCase()).join(", ");
  if (!column) return { lines: [`No column is called ${safeText(text)}. There are: ${names}.`] };
  const isDescending = before?.column === column.key ? !before.isDescending : true;
  return { sort: { column: column.key, isDescending, api: apiSortKey(endpoint, column, columns) } };
}
