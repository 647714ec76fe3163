/** The records of all pages of entities, and the requests of routes. No React here. */
import { familyOfPath } from "../../catalogue/index.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import { type EntityKind, namedPage } from "../navigation/entity-pages.ts";
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
  return tab !== undefined && !tab.rows && !tab.params;
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
