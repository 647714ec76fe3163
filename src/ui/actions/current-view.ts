/** The current view: its request and command, and its identifier. */

import type { Json } from "../../base/index.ts";
import {
  commandArguments,
  type Endpoint,
  type ParameterValues,
  positionalOf,
  returnsList,
} from "../../catalogue/index.ts";
import { fieldNames, formatPath, leadsTo, parsePath } from "../../output/index.ts";
import type { DisplayColumn, Explorer, Subject } from "../navigation/context.ts";
import { entityPage, namedPage } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route, routeTitle } from "../navigation/route.ts";
import type { ExplorerMemory } from "../navigation/services.ts";
import type { View } from "../navigation/view.ts";
import { requestOfKept } from "../pages/kept-request.ts";
import { isEndpointTab } from "../pages/records.ts";
import { answerShape } from "../widgets/cells.ts";
import { columnByKey, DERIVED_VALUE, rangedFields } from "../widgets/list/columns.ts";

/** The current route and the subject of its active view. */
export interface CurrentView {
  readonly route: Route;
  readonly subject: Subject | undefined;
}

/** Returns the current view. */
export function currentView({ navigation, subjects }: Explorer): CurrentView {
  return { route: navigation.current().route, subject: subjects.current() };
}

/** Returns the solx command of a view. */
export function commandOf({ services }: Pick<Explorer, "services">, { route, subject }: CurrentView): ViewCommand {
  const endpointRoute = subject?.request?.endpoint.route;
  const { columns = [] } = services.memory.lists()[endpointRoute ?? ""] ?? {};
  return buildViewCommand({ route, subject, hasCustomColumns: columns.length > 0 });
}

/** A command, and what the screen does beyond it. */
export interface ViewCommand {
  /** The arguments after `solx`, unquoted. */
  readonly args: readonly string[];
  /** What only the screen does to the rows, in words. */
  readonly local: readonly string[];
}

interface CommandSource {
  readonly route: Route;
  readonly subject: Subject | undefined;
  /** Whether the user chose the visible columns. */
  readonly hasCustomColumns: boolean;
}

/** Builds the command of a view: its request with all parameters, the order of its rows, and the chosen columns. */
export function buildViewCommand({ route, subject, hasCustomColumns }: CommandSource): ViewCommand {
  const request = requestOfView(route, subject);
  if (!request) return { args: subject?.args ?? routeArgs(route), local: [] };
  const { endpoint, params } = request;
  const rows = subject?.rows;
  // Rows that a page derived from an object have other fields than the answer.
  const isList = returnsList(endpoint);
  const paths = hasCustomColumns && isList && subject?.columns ? fieldPaths(subject.columns, rows ?? [], endpoint) : [];
  const display = [...orderArgs(subject), ...(paths.length > 0 ? ["--fields", paths.join(",")] : [])];
  const fields = [...rangedFields(endpoint, params, fieldNames(answerShape(endpoint), rows ?? [])), display.join()];
  const isValued = isList && fields.some((text) => text.includes(DERIVED_VALUE));
  return {
    args: [
      ...commandArguments(endpoint, params),
      ...extentArgs(subject),
      ...(isValued ? ["--with", "value"] : []),
      ...display,
    ],
    local: subject?.local ?? [],
  };
}

/**
 * Returns the arguments that print what a view shows, all pages of it.
 * @param lists what the user chose for lists, by the route of the endpoint
 */
export function viewArguments(view: View, lists: ReturnType<ExplorerMemory["lists"]>): readonly string[] {
  const { route } = view;
  const request = route.kind === "entity" && !isEndpointTab(route) ? undefined : requestOfKept(view);
  if (!request) return routeArgs(route);
  const { endpoint, list } = request;
  const { sort } = list.rows;
  const columns = (list.chosenColumns ?? lists[endpoint.route]?.columns ?? []).map((path) => ({ head: path, path }));
  const sorted = sort && sort.api === undefined ? columnByKey(sort.column, answerShape(endpoint)) : undefined;
  const subject = {
    request,
    columns,
    sort: sort && sorted && { sources: sorted.sources, isDescending: sort.isDescending },
  };
  return buildViewCommand({ route, subject, hasCustomColumns: columns.length > 0 }).args;
}

/** Returns the options for as many rows as are loaded. */
function extentArgs(subject: Subject | undefined): readonly string[] {
  const { loaded } = subject ?? {};
  if (!loaded) return [];
  return loaded.isComplete ? ["--all"] : ["--limit", String(loaded.rows.length)];
}

/** Returns the options for the order of the screen: that of the API is a parameter of the request. */
function orderArgs({ sort, rows = [] }: Subject = {}): readonly string[] {
  const paths = (sort?.sources ?? []).map(({ path }) => path).filter(({ length }) => length > 0);
  const path = paths.find((one) => rows.some((row) => leadsTo(row, one))) ?? paths[0];
  return path ? ["--sort-by", `${formatPath(path)}${sort?.isDescending ? ":desc" : ""}`] : [];
}

/** Returns the request of a view: that of its subject, else that of the route. */
export function requestOfView(
  route: Route,
  subject: Subject | undefined,
): { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined {
  if (subject?.request) return subject.request;
  const endpoint = endpointOfRoute(route);
  return endpoint && route.kind === "endpoint" ? { endpoint, params: route.params } : undefined;
}

function routeArgs(route: Route): readonly string[] {
  if (route.kind === "endpoint") return ["docs", route.endpointRoute];
  return route.kind === "entity" ? entityPage(route.entity).command(route.id) : namedPage(route.page).command;
}

/**
 * Returns the paths of columns for `--fields`, each once: of alternative paths the one that the rows have, including the
 * alternatives that the endpoint defines. Columns without a path into a row are omitted.
 */
export function fieldPaths(
  columns: readonly DisplayColumn[],
  rows: readonly Json[],
  endpoint?: Endpoint,
): readonly string[] {
  const alternatives = (endpoint?.columns ?? []).map((column) =>
    (typeof column === "string" ? column : column.path).split("|"),
  );
  const paths = columns.map(({ path }) => {
    const all = alternatives.find((one) => one.length > 1 && one[0] === path) ?? path.split("|");
    const options = all.filter(isPath);
    return options.find((one) => rows.some((row) => leadsTo(row, parsePath(one)))) ?? options[0];
  });
  return [...new Set(paths.filter((path) => path !== undefined))];
}

function isPath(text: string): boolean {
  try {
    return parsePath(text).length > 0;
  } catch {
    return false;
  }
}

/** Returns the identifier of a route; undefined when it has none. */
export function identifierOfRoute(route: Route, subject: Subject | undefined): string | undefined {
  if (route.kind === "entity") return route.id;
  const request = requestOfView(route, subject);
  const name = request && positionalOf(request.endpoint)?.[0];
  const id = name === undefined ? undefined : request?.params[name];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** Returns a file name without extension for a route: `account-transfer-5Q54e4j1`. */
export function fileBaseName(route: Route, subject: Subject | undefined): string {
  const request = requestOfView(route, subject);
  const id = identifierOfRoute(route, subject);
  const parts = request ? [request.endpoint.command, id ?? ""] : [routeTitle(route)];
  return parts
    .map((word) => (word === id && word.length > 12 ? word.slice(0, 4) + word.slice(-4) : word))
    .join(" ")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
