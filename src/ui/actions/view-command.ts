/** The command line that shows in the shell what is on the screen. */

import { isNumeric, type Json } from "../../base/json.ts";
import { commandArguments } from "../../catalogue/command-line.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { leadsTo, parsePath, valueAt } from "../../output/fields/path.ts";
import type { DisplayColumn, Subject } from "../app/context.ts";
import { endpointOfRoute, type Route } from "../app/route.ts";

/** A command, and what it does not do that is done on the screen. */
export interface ViewCommand {
  /** The words after `solx`, unquoted. */
  readonly args: readonly string[];
  /** What the screen does to the rows by itself, in its own words. */
  readonly local: readonly string[];
  /** A jq program that does the same to the answer, where there is a simple one. */
  readonly jq: string | undefined;
}

/** What the command is about. */
export interface CommandSource {
  readonly route: Route;
  readonly subject: Subject | undefined;
  /** Whether the columns on view are the user's choice. */
  readonly hasCustomColumns: boolean;
}

/** The command of a view: its request with everything that was asked, and the columns that were chosen. */
export function buildViewCommand({ route, subject, hasCustomColumns: isChosen }: CommandSource): ViewCommand {
  const request = requestOfView(route, subject);
  if (!request) return { args: routeArgs(route), local: [], jq: undefined };
  const { endpoint, params } = request;
  const rows = subject?.rows;
  // Rows that a screen took out of an object have fields of their own.
  const isList = endpoint.returns.shape !== "object";
  const paths = isChosen && isList && subject?.columns ? fieldPaths(subject.columns, rows ?? [], endpoint) : [];
  const local = subject?.local ?? [];
  return {
    args: [...commandArguments(endpoint, params), ...(paths.length > 0 ? ["--fields", paths.join(",")] : [])],
    local,
    jq: paths.length > 0 ? undefined : jqProgram(local, endpoint, subject),
  };
}

/** The request of what is looked at: that of the active part, else of the place itself. */
export function requestOfView(
  route: Route,
  subject: Subject | undefined,
): { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined {
  if (subject?.request) return subject.request;
  const endpoint = endpointOfRoute(route);
  return endpoint && route.kind === "endpoint" ? { endpoint, params: route.params } : undefined;
}

/** The words that show a place which is no single request. */
function routeArgs(route: Route): readonly string[] {
  if (route.kind === "endpoint") return ["docs", route.endpointRoute];
  if (route.kind === "entity") {
    if (route.entity === "collection") return ["nft", "collection-items", route.id];
    return route.entity === "market" ? ["market", "info", route.id] : ["show", route.id];
  }
  const pageCommands = {
    home: ["overview"],
    leaderboard: ["account", "leaderboard"],
    usage: ["monitor", "usage"],
    bookmarks: ["explore"],
  } as const;
  return pageCommands[route.page];
}

/**
 * Paths of columns as `--fields` takes them: of alternatives the one that the rows have, each once; what is no path
 * into a row is left out. The alternatives of a column are also those that the endpoint's own column has.
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

/** How a list says that it put its rows in order: by which column, and which way. */
const SORTED = /^sorted by (.+?)(?: on this page)?(?:, (greatest|least) first)?$/;

/**
 * The jq program for an order by numbers, where nothing comes last as on the screen; filters look at the text on the
 * screen, which jq does not see.
 */
function jqProgram(local: readonly string[], { returns }: Endpoint, subject: Subject | undefined): string | undefined {
  const [only, ...others] = local;
  const [, head, direction] = SORTED.exec(only ?? "") ?? [];
  const { columns = [], rows = [] } = subject ?? {};
  const path = columns.find((column) => column.head.toLowerCase() === head?.toLowerCase())?.path ?? "";
  if (others.length > 0 || returns.shape === "object" || !/^\w+(\.\w+)*$/.test(path)) return undefined;
  const values = rows.map((row) => valueAt(row, parsePath(path)) ?? null);
  if (!values.every((value) => value === null || isNumeric(value))) return undefined;
  const sorting =
    direction === "greatest" ? `sort_by(.${path} != null, .${path}) | reverse` : `sort_by(.${path} == null, .${path})`;
  return returns.at === undefined ? sorting : `.${returns.at} |= (${sorting})`;
}
