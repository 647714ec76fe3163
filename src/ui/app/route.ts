/** Where one can be: what a screen is about, as plain data that can be kept, compared and typed as a command. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpointByRoute, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";

/** Things of the chain that have a screen of their own. */
export const ENTITY_KINDS = ["account", "token", "transaction", "block", "market", "program", "collection"] as const;

/** A thing that has a screen. */
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** The group of the catalogue that is about a thing. */
export function catalogueGroupOf(entity: EntityKind): string {
  return entity === "collection" ? "nft" : entity;
}

/** The thing that a group of the catalogue is about; undefined for groups about nothing single. */
export function entityKindOfGroup(group: string | undefined): EntityKind | undefined {
  return ENTITY_KINDS.find((entity) => catalogueGroupOf(entity) === group);
}

/** Screens that are about nothing single. */
export type PageName = "home" | "leaderboard" | "usage" | "bookmarks";

/** A place. */
export type Route =
  | { readonly kind: "page"; readonly page: PageName }
  /** `tab` is the name of the tab to open first. */
  | { readonly kind: "entity"; readonly entity: EntityKind; readonly id: string; readonly tab?: string }
  /** Any endpoint, as a list or a detail. */
  | { readonly kind: "endpoint"; readonly endpointRoute: string; readonly params: ParameterValues };

/** The place where one begins. */
export const HOME: Route = { kind: "page", page: "home" };

/** Whether two places are the same, whatever tab is open. */
export function isSameRoute(a: Route, b: Route): boolean {
  return routeKey(a) === routeKey(b);
}

function routeKey(route: Route): string {
  if (route.kind === "entity") return `${route.entity} ${route.id}`;
  return JSON.stringify(route);
}

/** The endpoint of a place that is one; undefined where the catalogue has no such route. */
export function endpointOfRoute(route: Route): Endpoint | undefined {
  return route.kind === "endpoint" ? endpointByRoute(route.endpointRoute) : undefined;
}

/** The last crumb of a place: `token EPjF…Dt1v`, `account transfer 5Q54…e4j1`. */
export function routeTitle(route: Route): string {
  if (route.kind === "page") return route.page;
  if (route.kind === "entity") return `${route.entity} ${shortId(route.id)}`;
  const endpoint = endpointOfRoute(route);
  const [name] = (endpoint && positionalOf(endpoint)) ?? [];
  const id = name === undefined ? undefined : route.params[name];
  return [endpoint?.command ?? route.endpointRoute, ...(typeof id === "string" ? [shortId(id)] : [])].join(" ");
}

const END_LENGTH = 4;

/** Both ends of an identifier; short ones whole. */
export function shortId(id: string): string {
  return safeText(id.length > 2 * END_LENGTH + 3 ? `${id.slice(0, END_LENGTH)}…${id.slice(-END_LENGTH)}` : id);
}
