/** Routes: plain data that names a page of the explorer. */
import { type Endpoint, endpointByRoute, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/index.ts";
import type { EntityKind, PageName } from "./entity-pages.ts";

/** A page of the explorer. */
export type Route =
  | { readonly kind: "page"; readonly page: PageName }
  /** `tab` is the name of the tab to open first. */
  | { readonly kind: "entity"; readonly entity: EntityKind; readonly id: string; readonly tab?: string }
  /** Any endpoint by its documentation route, as a list or a detail view. */
  | { readonly kind: "endpoint"; readonly endpointRoute: string; readonly params: ParameterValues };

/** The start page. */
export const HOME: Route = { kind: "page", page: "home" };

/** Returns whether two routes are the same, ignoring the open tab. */
export function isSameRoute(a: Route, b: Route): boolean {
  return routeKey(a) === routeKey(b);
}

function routeKey(route: Route): string {
  if (route.kind === "entity") return `${route.entity} ${route.id}`;
  return JSON.stringify(route);
}

/** Returns the endpoint of a route; undefined when the route has none or the catalogue does not know it. */
export function endpointOfRoute(route: Route): Endpoint | undefined {
  return route.kind === "endpoint" ? endpointByRoute(route.endpointRoute) : undefined;
}

/**
 * Returns the title of a route: `token EPjF…Dt1v`, `account transfer Binance Hot Wallet 3`.
 * @param nameOf returns the name of an address, which replaces it
 */
export function routeTitle(route: Route, nameOf: (address: string) => string | undefined = () => undefined): string {
  const nameOrId = (id: string) => nameOf(id) ?? shortId(id);
  if (route.kind === "page") return route.page;
  if (route.kind === "entity") return `${route.entity} ${nameOrId(route.id)}`;
  const endpoint = endpointOfRoute(route);
  const [name] = (endpoint && positionalOf(endpoint)) ?? [];
  const id = name === undefined ? undefined : route.params[name];
  return [endpoint?.command ?? route.endpointRoute, ...(typeof id === "string" ? [nameOrId(id)] : [])].join(" ");
}

/** Describes a route in full; of an endpoint, its identifier comes first. */
export function describeRoute(route: Route, nameOf: (address: string) => string | undefined = () => undefined): string {
  if (route.kind === "page") return route.page;
  if (route.kind === "entity") return safeText(`${route.entity} ${route.id}`);
  const endpoint = endpointOfRoute(route);
  const isIdentifier = (name: string) => endpoint?.query[name]?.positional === true;
  const names = Object.keys(route.params);
  const ordered = [...names.filter(isIdentifier), ...names.filter((name) => !isIdentifier(name))];
  const parts = ordered.map((name) => {
    const value = String(route.params[name]);
    const text = nameOf(value) ?? value;
    return isIdentifier(name) ? text : `${name}=${text}`;
  });
  return safeText(parts.join(" "));
}

const END_LENGTH = 4;

/** Returns both ends of an identifier; short ones are returned whole. */
export function shortId(id: string): string {
  return safeText(id.length > 2 * END_LENGTH + 3 ? `${id.slice(0, END_LENGTH)}…${id.slice(-END_LENGTH)}` : id);
}
