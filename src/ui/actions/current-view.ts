/** The current view, and the actions that read or store it. */

import { parse } from "node:path";
import { errorMessage, pluralize, SolxError } from "../../base/index.ts";
import { safeText } from "../../output/index.ts";
import { withoutPage } from "../data/query.ts";
import type { Explorer, Subject } from "../navigation/context.ts";
import { formatKeyHints, type KeyLabels } from "../navigation/keys/key-hints.ts";
import { isSameRoute, type Route, routeTitle } from "../navigation/route.ts";
import type { CopySources } from "./copy-choices.ts";
import { type ExportRequest, startExport } from "./export.ts";
import { buildViewCommand, requestOfView, type ViewCommand } from "./view-command.ts";

/** The current route and the subject of its active view. */
export interface CurrentView {
  readonly route: Route;
  readonly subject: Subject | undefined;
}

/** Returns the current view. */
export function currentView({ navigation, subjects }: Explorer): CurrentView {
  return { route: navigation.current().route, subject: subjects.current() };
}

/** Returns the message and hint of an error as safe text. */
export function errorText(error: unknown): string {
  if (error instanceof SolxError) return safeText([error.message, error.hint].filter(Boolean).join(" "));
  return safeText(errorMessage(error));
}

/** Returns the solx command of a view. */
export function commandOf({ services }: Pick<Explorer, "services">, { route, subject }: CurrentView): ViewCommand {
  const endpointRoute = subject?.request?.endpoint.route;
  const chosen = endpointRoute === undefined ? [] : (services.memory.columns()[endpointRoute] ?? []);
  return buildViewCommand({ route, subject, hasCustomColumns: chosen.length > 0 });
}

/** Returns the sources of the command texts in the copy menu. */
export function copySources(explorer: Explorer, view: CurrentView): CopySources {
  const { services } = explorer;
  return {
    command: () => services.command(commandOf(explorer, view).args),
    curl: async ({ endpoint, params }) => {
      const client = await services.client();
      return services.curl(client.url(client.prepare(endpoint, params)));
    },
  };
}

/** Returns the route to bookmark: for a list with its filters, but without its current page. */
function bookmarkRoute({ route, subject }: CurrentView): Route {
  const request = requestOfView(route, subject);
  if (route.kind === "page" && route.page === "leaderboard" && request) {
    // The leaderboard page has the default order; another order needs the route of its endpoint.
    const { endpoint, params } = withoutPage(request);
    return Object.keys(params).length === 0 ? route : { kind: "endpoint", endpointRoute: endpoint.route, params };
  }
  if (route.kind !== "endpoint" || request?.endpoint.route !== route.endpointRoute) return route;
  return { ...route, params: withoutPage(request).params };
}

/** Returns whether a route can be bookmarked; home and bookmarks have their own keys. */
export function canBookmark(route: Route): boolean {
  return route.kind !== "page" || (route.page !== "bookmarks" && route.page !== "home");
}

/** Adds or removes the bookmark of a view. */
export async function toggleBookmark(
  { services: { memory }, toast }: Pick<Explorer, "services" | "toast">,
  view: CurrentView,
  keyOf: KeyLabels,
): Promise<void> {
  const route = bookmarkRoute(view);
  const name = routeTitle(route);
  const before = memory.bookmarks();
  const others = before.filter((one) => !isSameRoute(one.route, route));
  const isNew = others.length === before.length;
  try {
    await memory.setBookmarks(isNew ? [...before, { route, name }] : others);
    const way = formatKeyHints(keyOf, [["go.bookmarks", "list bookmarks"]]);
    toast(isNew ? [`Bookmarked ${name}`, way].filter(Boolean).join(" · ") : `Removed bookmark ${name}`, "good");
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

/** The result of saving an export. */
export type SaveResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly text: string };

/** Saves an export in a new file. */
export async function saveExport(
  { services }: Pick<Explorer, "services">,
  one: ExportRequest,
  name: string,
): Promise<SaveResult> {
  try {
    const { chunks, done } = startExport(one);
    const path = await services.save(name, chunks);
    const { rows, notes } = await done;
    const what = one.scope === "object" ? "the object" : pluralize(rows, "row");
    const { base, dir } = parse(path);
    return { ok: true, text: safeText([`Saved ${what}: ${base} in ${dir}`, ...notes].join("  ")) };
  } catch (error) {
    return { ok: false, text: errorText(error) };
  }
}
