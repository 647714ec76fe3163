/** What there is at a place beside its answer: the views of a thing, the ways from the start page. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";
import { catalogueGroupOf, type EntityKind, endpointOfRoute, type PageName, type Route } from "../app/route.ts";
import type { ExplorerMemory } from "../app/services.ts";
import type { EndpointRequest } from "../data/store.ts";
import { bookmarkRows } from "../pages/bookmarks/rows.ts";
import { SECTIONS } from "../pages/home/sections.ts";
import { endpointAt } from "../widgets/cells.ts";
import type { Step } from "./page.ts";

/** What is said of a thing first, where that is not the first object of its group. */
const FIRST: Readonly<Partial<Record<EntityKind, Endpoint>>> = {
  account: endpointAt("/account/detail"),
  program: endpointAt("/account/detail"),
};

/** The requests that a thing's identifier is all that is needed for. */
export function viewsOf(thing: EntityKind): readonly Endpoint[] {
  return endpoints.filter((endpoint) => {
    const { family, group, returns, query } = endpoint;
    const [name, param] = positionalOf(endpoint) ?? [];
    const others = Object.entries(query).filter(([other]) => other !== name);
    const isWhole = others.every(([, param]) => !param.required || param.default !== undefined);
    return (
      family === "v2" &&
      group === catalogueGroupOf(thing) &&
      param?.arity !== "list" &&
      name !== undefined &&
      isWhole &&
      returns.shape !== "csv"
    );
  });
}

/** What is asked at a place; undefined where nothing is. */
export function requestAt(place: Route): EndpointRequest | undefined {
  if (place.kind === "endpoint") {
    const endpoint = endpointOfRoute(place);
    return endpoint && { endpoint, params: place.params };
  }
  if (place.kind === "hall") return hallRequest(place.page);
  const views = viewsOf(place.entity);
  const endpoint = FIRST[place.entity] ?? views.find(({ returns }) => returns.shape === "object") ?? views[0];
  return endpoint && { endpoint, params: paramsFor(endpoint, place.id) };
}

function hallRequest(hall: PageName): EndpointRequest | undefined {
  if (hall === "leaderboard") return { endpoint: endpointAt("/account/leaderboard"), params: {} };
  return hall === "usage" ? { endpoint: endpointAt("/monitor/usage"), params: {} } : undefined;
}

/** The parameters that name a thing, as an endpoint takes them. */
function paramsFor(endpoint: Endpoint, id: string): EndpointRequest["params"] {
  const [name, param] = positionalOf(endpoint) ?? [];
  return name === undefined ? {} : { [name]: param?.arity === "list" ? [id] : id };
}

/** The ways that lead on from a place, each in words. */
export function waysFrom(place: Route, memory: ExplorerMemory): readonly Step[] {
  if (place.kind === "thing") {
    const main = requestAt(place)?.endpoint;
    return viewsOf(place.entity)
      .filter((endpoint) => endpoint !== main)
      .map((endpoint) => ({
        label: endpoint.summary,
        place: { kind: "endpoint", route: endpoint.route, params: paramsFor(endpoint, place.id) },
      }));
  }
  if (place.kind !== "hall") return [];
  if (place.page === "bookmarks")
    return bookmarkRows(memory.bookmarks(), memory.recent()).map((row) => ({
      label: `${row.kind === "bookmark" ? "bookmark" : "where you were"}: ${safeText(row.name)}`,
      place: row.place,
    }));
  if (place.page !== "home") return [];
  const halls = ["leaderboard", "usage", "bookmarks"] as const;
  return [
    ...SECTIONS.map(
      ({ title, endpoint, whole }): Step => ({
        label: title,
        place: { kind: "endpoint", endpointRoute: endpoint.route, params: whole },
      }),
    ),
    ...halls.map((hall): Step => ({ label: hall, place: { kind: "hall", page: hall } })),
  ];
}
