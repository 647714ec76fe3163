/** The solx command that prints what a view shows. */

import type { Json } from "../../base/index.ts";
import { commandArguments, type Endpoint, type ParameterValues, returnsList } from "../../catalogue/index.ts";
import { leadsTo, parsePath } from "../../output/index.ts";
import type { DisplayColumn, Subject } from "../navigation/context.ts";
import { entityPage, namedPage } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route } from "../navigation/route.ts";
import { sortProgram } from "./sort-program.ts";

/** A command, and what the screen does beyond it. */
export interface ViewCommand {
  /** The arguments after `solx`, unquoted. */
  readonly args: readonly string[];
  /** What only the screen does to the rows, in words. */
  readonly local: readonly string[];
  /** A jq program with the same effect, if there is one. */
  readonly jq: string | undefined;
}

/** What a command is built from. */
export interface CommandSource {
  readonly route: Route;
  readonly subject: Subject | undefined;
  /** Whether the user chose the visible columns. */
  readonly hasCustomColumns: boolean;
}

/** Builds the command of a view: its request with all parameters, and the chosen columns. */
export function buildViewCommand({ route, subject, hasCustomColumns }: CommandSource): ViewCommand {
  const request = requestOfView(route, subject);
  if (!request) return { args: routeArgs(route), local: [], jq: undefined };
  const { endpoint, params } = request;
  const rows = subject?.rows;
  // Rows that a page derived from an object have other fields than the answer.
  const isList = returnsList(endpoint);
  const paths = hasCustomColumns && isList && subject?.columns ? fieldPaths(subject.columns, rows ?? [], endpoint) : [];
  const local = subject?.local ?? [];
  return {
    args: [
      ...commandArguments(endpoint, params),
      ...extentArgs(subject),
      ...(paths.length > 0 ? ["--fields", paths.join(",")] : []),
    ],
    local,
    jq: paths.length > 0 ? undefined : jqProgram(local, endpoint, subject),
  };
}

/** Returns the arguments that print what a route shows; chosen columns become the fields. */
export function viewArguments(route: Route, columns: readonly string[]): readonly string[] {
  const { args } = buildViewCommand({ route, subject: undefined, hasCustomColumns: false });
  const endpoint = endpointOfRoute(route);
  const paths = endpoint
    ? fieldPaths(
        columns.map((path) => ({ head: path, path })),
        [],
        endpoint,
      )
    : [];
  return paths.length > 0 ? [...args, "--fields", paths.join(",")] : args;
}

/** Returns the options for as many rows as are loaded. */
function extentArgs(subject: Subject | undefined): readonly string[] {
  const { loaded } = subject ?? {};
  if (!loaded) return [];
  return loaded.isComplete ? ["--all"] : ["--limit", String(loaded.rows.length)];
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

/** Returns the arguments that show a route without a single request. */
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

/** Returns the jq program of the order of the screen. Filters have none, since they match the displayed text. */
function jqProgram(local: readonly string[], endpoint: Endpoint, subject: Subject | undefined): string | undefined {
  const { rows = [], sort } = subject ?? {};
  if (sort === undefined || local.length > 1 || !returnsList(endpoint)) return undefined;
  return sortProgram(rows, sort);
}
