/** What there is at a place beside its answer: the views of a thing, the ways from the start page. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";
import { endpointOfRoute, type Route } from "../app/route.ts";
import { type EntityKind, type PageName } from "../app/entity-pages.ts";
import type { ExplorerMemory } from "../app/services.ts";
import type { EndpointRequest } from "../data/store.ts";
import { bookmarkRows } from "../pages/bookmarks/rows.ts";
import { SECTIONS } from "../pages/home/sections.ts";
import { endpointAt } from "../widgets/cells.ts";
import type { PlainLink } from "./page.ts";

/** What is said of a thing first, where that is not the first object of its group. */
const MAIN_ENDPOINTS: Readonly<Partial<Record<EntityKind, Endpoint>>> = {
  account: endpointAt("/account/detail"),
  program: endpointAt("/account/detail"),
};

/** The requests that a thing's identifier is all that is needed for. */
export function entityEndpoints(entity: EntityKind): readonly Endpoint[] {
  return endpoints.filter((endpoint) => {
    const { family, group, returns, query } = endpoint;
    const [name, param] = positionalOf(endpoint) ?? [];
    const others = Object.entries(query).filter(([other]) => other !== name);
    const isWhole = others.every(([, param]) => !param.required || param.default !== undefined);
    return (
      family === "v2" &&
      group === catalogueGroupOf(entity) &&
      param?.arity !== "list" &&
      name !== undefined &&
      isWhole &&
      returns.shape !== "csv"
    );
  });
}

/** What is asked at a place; undefined where nothing is. */
export function requestForRoute(route: Route): EndpointRequest | undefined {
  if (route.kind === "endpoint") {
    const endpoint = endpointOfRoute(route);
    return endpoint && { endpoint, params: route.params };
  }
  if (route.kind === "page") return requestForPage(route.page);
  const views = entityEndpoints(route.entity);
  const endpoint = MAIN_ENDPOINTS[route.entity] ?? views.find(({ returns }) => returns.shape === "object") ?? views[0];
  return endpoint && { endpoint, params: entityParams(endpoint, route.id) };
}

function requestForPage(page: PageName): EndpointRequest | undefined {
  if (page === "leaderboard") return { endpoint: endpointAt("/account/leaderboard"), params: {} };
  return page === "usage" ? { endpoint: endpointAt("/monitor/usage"), params: {} } : undefined;
}

/** The parameters that name a thing, as an endpoint takes them. */
function entityParams(endpoint: Endpoint, id: string): EndpointRequest["params"] {
  const [name, param] = positionalOf(endpoint) ?? [];
  return name === undefined ? {} : { [name]: param?.arity === "list" ? [id] : id };
}

/** The ways that lead on from a place, each in words. */
export function linksFrom(route: Route, memory: ExplorerMemory): readonly PlainLink[] {
  if (route.kind === "entity") {
    const main = requestForRoute(route)?.endpoint;
    return entityEndpoints(route.entity)
      .filter((endpoint) => endpoint !== main)
      .map((endpoint) => ({
        label: endpoint.summary,
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: entityParams(endpoint, route.id) },
      }));
  }
  if (route.kind !== "page") return [];
  if (route.page === "bookmarks")
    return bookmarkRows(memory.bookmarks(), memory.recent()).map((row) => ({
      label: `${row.kind === "bookmark" ? "bookmark" : "where you were"}: ${safeText(row.name)}`,
      route: row.place,
    }));
  if (route.page !== "home") return [];
  const pages = ["leaderboard", "usage", "bookmarks"] as const;
  return [
    ...SECTIONS.map(
      ({ title, endpoint, listParams: whole }): PlainLink => ({
        label: title,
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: whole },
      }),
    ),
    ...pages.map((page): PlainLink => ({ label: page, route: { kind: "page", page } })),
  ];
}
