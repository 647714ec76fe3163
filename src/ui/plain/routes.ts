/** Requests and links of routes: endpoints of an entity, links of the start page. */
import { allEndpoints, type Endpoint, familyOfPath, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/index.ts";
import type { EndpointRequest } from "../data/store.ts";
import { availableEndpoints, availablePages } from "../navigation/availability.ts";
import { type EntityKind, entityPage, namedPage, type PageName } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { bookmarkRows } from "../pages/bookmarks/rows.ts";
import { sectionsFor } from "../pages/home/sections.ts";
import { endpointAt } from "../widgets/cells.ts";
import type { PlainLink } from "./page.ts";

/** Paths of the endpoints about an entity that only a node answers. */
const NODE_PATHS: Readonly<Partial<Record<EntityKind, readonly string[]>>> = {
  account: ["/node/account"],
  program: ["/node/program"],
  transaction: ["/node/instructions"],
  block: ["/node/block/rewards", "/node/block/programs", "/node/block/accounts"],
};

/** Returns the endpoints that need only the identifier of an entity. */
function entityEndpoints(entity: EntityKind): readonly Endpoint[] {
  return allEndpoints.filter((endpoint) => {
    const { family, group, path, returns, query } = endpoint;
    const [name, param] = positionalOf(endpoint) ?? [];
    const others = Object.entries(query).filter(([other]) => other !== name);
    const isWhole = others.every(([, param]) => !param.required || param.default !== undefined);
    return (
      (family === "v2" ? group === entityPage(entity).group : NODE_PATHS[entity]?.includes(path) === true) &&
      param?.arity !== "list" &&
      name !== undefined &&
      isWhole &&
      returns.shape !== "csv"
    );
  });
}

/** Returns the request of a route; undefined when it has none. */
export function requestForRoute(route: Route): EndpointRequest | undefined {
  if (route.kind === "endpoint") {
    const endpoint = endpointOfRoute(route);
    return endpoint && { endpoint, params: route.params };
  }
  if (route.kind === "page") return requestForPage(route.page);
  const views = entityEndpoints(route.entity);
  const { overviewPath } = entityPage(route.entity);
  const overview = overviewPath === undefined ? undefined : endpointAt(overviewPath, familyOfPath(overviewPath));
  const endpoint = overview ?? views.find(({ returns }) => returns.shape === "object") ?? views[0];
  return endpoint && { endpoint, params: entityParams(endpoint, route.id) };
}

function requestForPage(page: PageName): EndpointRequest | undefined {
  const { path } = namedPage(page);
  return path === undefined ? undefined : { endpoint: endpointAt(path, familyOfPath(path)), params: {} };
}

/** Returns the parameters of an endpoint that identify an entity. */
function entityParams(endpoint: Endpoint, id: string): EndpointRequest["params"] {
  const [name, param] = positionalOf(endpoint) ?? [];
  return name === undefined ? {} : { [name]: param?.arity === "list" ? [id] : id };
}

/** Returns links to the statistics of the network, apart from the one that the page shows. */
function networkLinks(main: string | undefined, supports: Services["supports"]): readonly PlainLink[] {
  return availableEndpoints(supports)
    .filter(({ group, path }) => group === "analytics" && path !== main)
    .map(({ summary, route }) => ({ label: summary, route: { kind: "endpoint", endpointRoute: route, params: {} } }));
}

/** Returns the links of a route. */
export function linksFrom(route: Route, services: Services): readonly PlainLink[] {
  const { memory, supports } = services;
  if (route.kind === "entity") {
    const main = requestForRoute(route)?.endpoint;
    return entityEndpoints(route.entity)
      .filter((endpoint) => endpoint !== main && supports(endpoint))
      .map((endpoint) => ({
        label: endpoint.summary,
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: entityParams(endpoint, route.id) },
      }));
  }
  if (route.kind !== "page") return [];
  if (route.page === "bookmarks")
    return bookmarkRows(memory.bookmarks(), memory.recent()).map((row) => ({
      label: `${row.kind === "bookmark" ? "bookmark" : "recent"}: ${safeText(row.name)}`,
      route: row.route,
    }));
  if (route.page === "network") return networkLinks(namedPage(route.page).path, supports);
  if (route.page !== "home") return [];
  const pages = availablePages(supports).filter((page) => page !== "home");
  return [
    ...sectionsFor(services).map(
      ({ title, endpoint, listParams: whole }): PlainLink => ({
        label: title,
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: whole },
      }),
    ),
    ...pages.map((page): PlainLink => ({ label: page, route: { kind: "page", page } })),
  ];
}
