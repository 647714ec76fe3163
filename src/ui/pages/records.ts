/** The records of all pages of entities, and the requests of routes. No React here. */
import { familyOfPath, positionalOf } from "../../catalogue/index.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import { type EntityKind, entityPage, namedPage, PAGE_NAMES } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route } from "../navigation/route.ts";
import { endpointAt } from "../widgets/cells.ts";
import { ACCOUNT } from "./account/record.ts";
import { BLOCK } from "./block/record.ts";
import { COLLECTION } from "./collection/record.ts";
import { type EntityRecord, mainRequest, tabRequest } from "./entity/record.ts";
import { EPOCH } from "./epoch/record.ts";
import { MARKET } from "./market/record.ts";
import { PROGRAM_PAGE } from "./program/record.ts";
import type { EntityRoute } from "./props.ts";
import { TOKEN } from "./token/record.ts";
import { TRANSACTION } from "./transaction/record.ts";

/** The records by kind of entity. An inspection has no endpoint: its transaction is decoded by a node. */
const RECORDS: Readonly<Record<Exclude<EntityKind, "inspection">, EntityRecord>> = {
  account: ACCOUNT,
  token: TOKEN,
  transaction: TRANSACTION,
  block: BLOCK,
  program: PROGRAM_PAGE,
  market: MARKET,
  collection: COLLECTION,
  epoch: EPOCH,
};

/** Returns the record of a kind of entity. */
export function recordOfEntity(entity: EntityKind): EntityRecord | undefined {
  return entity === "inspection" ? undefined : RECORDS[entity];
}

/** Returns whether a route names a tab that is the answer of an endpoint. */
export function isEndpointTab({ entity, tab: name }: EntityRoute): boolean {
  const tab = recordOfEntity(entity)?.tabs.find((one) => one.name === name);
  return tab !== undefined && !tab.rows && !tab.readRows && !tab.params;
}

/** Returns the request that a route is about; undefined when it has none. */
export function requestForRoute(route: Route): EndpointRequest | undefined {
  if (route.kind === "endpoint") {
    const endpoint = endpointOfRoute(route);
    return endpoint && { endpoint, params: route.params };
  }
  if (route.kind === "page") {
    const { path } = namedPage(route.page);
    return path === undefined ? undefined : { endpoint: endpointAt(path, familyOfPath(path)), params: {} };
  }
  const record = recordOfEntity(route.entity);
  const tab = record?.tabs.find(({ name }) => name === route.tab);
  return record && (tab && !tab.params ? tabRequest(tab, route.id, {}) : mainRequest(record, route.id));
}

/**
 * Returns the page that shows the answer of a route's endpoint as links do: the tab of an entity, or a page with a name.
 * Returns the route itself where its request has further parameters or no page shows it.
 */
export function pageOfRoute(route: Route): Route {
  const endpoint = endpointOfRoute(route);
  if (!endpoint || route.kind !== "endpoint") return route;
  const given = Object.entries(route.params).filter(([, value]) => value !== undefined && value !== null);
  const [name] = positionalOf(endpoint) ?? [];
  if (given.length === 0) {
    const page = PAGE_NAMES.find((one) => requestForRoute({ kind: "page", page: one })?.endpoint === endpoint);
    return page === undefined ? route : { kind: "page", page };
  }
  const [id, ...others] = given.flatMap(([one, value]) => (one === name ? [value].flat().map(String) : ["", ""]));
  if (id === undefined || others.length > 0) return route;
  const pages = Object.entries(RECORDS) as readonly (readonly [EntityKind, EntityRecord])[];
  for (const [entity, record] of pages) {
    const tab = record.tabs.find((one) => one.endpoint === endpoint && !one.params && !one.readRows);
    const isMain = Object.values(record.requests)[0]?.endpoint === endpoint;
    if ((tab || isMain) && entityPage(entity).isIdentifier(id))
      return { kind: "entity", entity, id, ...(tab && !isMain && { tab: tab.name }) };
  }
  return route;
}
