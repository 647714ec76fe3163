/** What can be shown in this run: pages, endpoints and links whose endpoint something answers. */
import { allEndpoints, type Endpoint, endpointByPath, familyOfPath } from "../../catalogue/index.ts";
import { ENTITY_KINDS, type EntityKind, entityPage, namedPage, PAGE_NAMES, type PageName } from "./entity-pages.ts";
import { HOME, type Route } from "./route.ts";
import type { Services } from "./services.ts";

type Supports = Services["supports"];

function supportsPath(path: string | undefined, supports: Supports): boolean {
  const endpoint = path === undefined ? undefined : endpointByPath(familyOfPath(path), path);
  return endpoint === undefined || supports(endpoint);
}

/** Returns the endpoints that are answered, those of the API first. */
export function availableEndpoints(supports: Supports): readonly Endpoint[] {
  return allEndpoints.filter(supports);
}

/** Returns the kinds of entities with a page. */
export function availableEntities(supports: Supports): readonly EntityKind[] {
  return ENTITY_KINDS.filter((entity) => supportsPath(entityPage(entity).path, supports));
}

/** Returns whether a page without an entity has something to show. */
export function hasPage(page: PageName, supports: Supports): boolean {
  return supportsPath(namedPage(page).path, supports);
}

/** Returns the pages without an entity. */
export function availablePages(supports: Supports): readonly PageName[] {
  return PAGE_NAMES.filter((page) => hasPage(page, supports));
}

/** Returns the route, or the one that shows most of it: a pool that cannot be shown as a market is an account. */
export function availableRoute(route: Route, supports: Supports): Route {
  if (route.kind === "page") return hasPage(route.page, supports) ? route : HOME;
  if (route.kind !== "entity" || availableEntities(supports).includes(route.entity)) return route;
  const { isIdentifier } = entityPage("account");
  return isIdentifier(route.id) ? { kind: "entity", entity: "account", id: route.id } : HOME;
}
