/** Pages of the public explorer: addresses that are built here alone, of identifiers that were checked. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { positionalOf } from "../../catalogue/index.ts";
import { isAddress, isSignature } from "../../catalogue/validate.ts";
import { type Shape, UNKNOWN_SHAPE } from "../../output/fields/shape.ts";
import type { Subject } from "../app/context.ts";
import { type Route } from "../app/route.ts";
import { type EntityKind, entityKindOfGroup } from "../app/entity-pages.ts";
import { routeForValue } from "../app/route-for.ts";
import { linksIn } from "../widgets/list/links.ts";
import { requestOfView } from "./view-command.ts";

/** Where the public explorer is. */
const BASE_URL = "https://solscan.io";

/** A page of the public explorer. */
export interface WebPage {
  readonly url: string;
  readonly entity: EntityKind | undefined;
}

interface PagePath {
  /** The word of the page's address. */
  readonly segment: string;
  readonly isId: (id: string) => boolean;
}

const PAGE_PATHS: Readonly<Record<EntityKind, PagePath>> = {
  account: { segment: "account", isId: isAddress },
  token: { segment: "token", isId: isAddress },
  transaction: { segment: "tx", isId: isSignature },
  block: { segment: "block", isId: (id) => /^\d{1,15}$/.test(id) },
  market: { segment: "account", isId: isAddress },
  program: { segment: "account", isId: isAddress },
  collection: { segment: "collection", isId: (id) => /^[0-9A-Za-z]{8,88}$/.test(id) },
};

/** The page of a thing; undefined for what is no identifier of one. */
export function webPage(entity: EntityKind, id: string): WebPage | undefined {
  const { segment, isId } = PAGE_PATHS[entity];
  return isId(id) ? { url: `${BASE_URL}/${segment}/${encodeURIComponent(id)}`, entity } : undefined;
}

/**
 * The page of what is looked at: of the cell, else of the row, else of the place; undefined where none has one.
 * @param shape the form of a row, where it is known
 */
export function webPageOfView(
  route: Route,
  subject: Subject | undefined,
  shape: Shape = UNKNOWN_SHAPE,
): WebPage | undefined {
  return webPageOfCell(subject) ?? webPageOfRow(subject, shape) ?? webPageOfLocation(route, subject);
}

function webPageOfRoute(route: Route | undefined): WebPage | undefined {
  return route?.kind === "entity" ? webPage(route.entity, route.id) : undefined;
}

function webPageOfCell(subject: Subject | undefined): WebPage | undefined {
  const { cell } = subject ?? {};
  return (
    cell &&
    webPageOfRoute(routeForValue(cell.value, cell.kind, cell.field, plainAddressEntity(subject?.request?.endpoint)))
  );
}

/** The page of what a row of a list leads to, the transaction first; an object is what its place is about. */
function webPageOfRow(subject: Subject | undefined, shape: Shape): WebPage | undefined {
  const { row, rows, request } = subject ?? {};
  if (rows === undefined || row === undefined) return undefined;
  const pages = linksIn(row, "", shape, plainAddressEntity(request?.endpoint)).map(({ route }) =>
    webPageOfRoute(route),
  );
  return pages.find((page) => page?.entity === "transaction") ?? pages.find((page) => page !== undefined);
}

function identifierText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** What an address of a field called `address` is, by the endpoint's group. */
function plainAddressEntity(endpoint: Endpoint | undefined): EntityKind {
  const entity = entityKindOfGroup(endpoint?.group);
  return entity === "token" || entity === "market" || entity === "program" ? entity : "account";
}

function webPageOfLocation(route: Route, subject: Subject | undefined): WebPage | undefined {
  if (route.kind === "entity") return webPage(route.entity, route.id);
  const request = requestOfView(route, subject);
  const name = request && positionalOf(request.endpoint)?.[0];
  const id = name === undefined ? undefined : identifierText(request?.params[name]);
  const entity = entityKindOfGroup(request?.endpoint.group);
  if (id !== undefined && entity !== undefined) return webPage(entity, id);
  return route.kind === "page" && route.page === "home" ? { url: `${BASE_URL}/`, entity: undefined } : undefined;
}
