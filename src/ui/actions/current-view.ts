/** What the actions do with the world: copy, open, save, keep; each says in a sentence how it went. */

import { parse } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { SolxError } from "../../base/errors.ts";
import { safeText } from "../../output/text/safe.ts";
import type { Explorer, Subject } from "../app/context.ts";
import { formatKeyHints, type KeyLabels } from "../app/keys/key-hints.ts";
import { isSameRoute, type Route, routeTitle } from "../app/route.ts";
import type { EndpointRequest } from "../data/store.ts";
import type { CopySources } from "./copy-choices.ts";
import { type ExportRequest, startExport } from "./export.ts";
import { buildViewCommand, requestOfView, type ViewCommand } from "./view-command.ts";

/** What is looked at now. */
export interface CurrentView {
  readonly route: Route;
  readonly subject: Subject | undefined;
}

/** What is looked at now. */
export function currentView({ navigation, subject }: Explorer): CurrentView {
  return { route: navigation.current().route, subject: subject() };
}

/** A failure as a sentence, with what to do about it. */
export function errorText(error: unknown): string {
  if (error instanceof SolxError) return safeText([error.message, error.hint].filter(Boolean).join(" "));
  return safeText(errorMessage(error));
}

/** The command of what is looked at. */
export function commandOf({ services }: Pick<Explorer, "services">, { route, subject }: CurrentView): ViewCommand {
  const endpointRoute = subject?.request?.endpoint.route;
  const chosen = endpointRoute === undefined ? [] : (services.memory.columns()[endpointRoute] ?? []);
  return buildViewCommand({ route, subject, hasCustomColumns: chosen.length > 0 });
}

/** How to make the texts that are more than values. */
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

/** The place to keep: of a list with what it is filtered by, but not the page that happens to be open. */
export function bookmarkRoute({ route, subject }: CurrentView): Route {
  const request = requestOfView(route, subject);
  if (route.kind === "page" && route.page === "leaderboard" && request) {
    // The hall itself has the usual order: another one is that of its list.
    const { endpoint, params } = withoutPage(request);
    return Object.keys(params).length === 0 ? route : { kind: "endpoint", endpointRoute: endpoint.route, params };
  }
  if (route.kind !== "endpoint" || request?.endpoint.route !== route.endpointRoute) return route;
  return { ...route, params: withoutPage(request).params };
}

const PAGING: readonly (string | undefined)[] = ["page", "size", "offset", "cursor"];

/** A request for its list as a whole: without the page that happens to be open. */
export function withoutPage(request: EndpointRequest): EndpointRequest {
  const { query } = request.endpoint;
  const params = Object.entries(request.params).filter(
    ([name, value]) => value !== undefined && !PAGING.includes(query[name]?.role),
  );
  return { ...request, params: Object.fromEntries(params) };
}

/** Whether a place can be bookmarked: the list of bookmarks and where one begins are a key away anyway. */
export function canBookmark(route: Route): boolean {
  return route.kind !== "page" || (route.page !== "bookmarks" && route.page !== "home");
}

/** Adds a bookmark for what is looked at, or takes it away. */
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
    const way = formatKeyHints(keyOf, [["go.bookmarks", "lists all bookmarks."]]);
    toast(isNew ? `Bookmarked: ${name}. ${way}`.trimEnd() : `The bookmark is gone: ${name}.`, "good");
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

/** How an export ended. */
export type SaveResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly text: string };

/** Writes an export into a new file. */
export async function saveExport({ services }: Explorer, one: ExportRequest, name: string): Promise<SaveResult> {
  try {
    const { chunks, done } = startExport(one);
    const path = await services.save(name, chunks);
    const { rows, notes } = await done;
    const what = one.scope === "object" ? "the object" : `${rows} ${rows === 1 ? "row" : "rows"}`;
    const { base, dir } = parse(path);
    return { ok: true, text: safeText([`Saved ${what}: ${base} in ${dir}`, ...notes].join("  ")) };
  } catch (error) {
    return { ok: false, text: errorText(error) };
  }
}
