/** The pages of the public explorer for what is on the screen. */
import { type Endpoint, positionalOf, WEB_SITE, webPageUrl } from "../../catalogue/index.ts";
import { type Shape, UNKNOWN_SHAPE } from "../../output/index.ts";
import type { Subject } from "../navigation/context.ts";
import { type EntityKind, entityKindOfGroup } from "../navigation/entity-pages.ts";
import type { Route } from "../navigation/route.ts";
import { routeForValue } from "../navigation/route-for.ts";
import { linksIn } from "../widgets/list/links.ts";
import { requestOfView } from "./view-command.ts";

/** A page of the public explorer. */
export interface WebPage {
  readonly url: string;
  readonly entity: EntityKind | undefined;
}

/** Returns the page of an entity; undefined when the identifier is invalid. */
export function webPage(entity: EntityKind, id: string): WebPage | undefined {
  const url = webPageUrl(entity, id);
  return url === undefined ? undefined : { url, entity };
}

/**
 * Returns the page of a view: of its cell, else of its row, else of its route; undefined when none has a page.
 * @param shape the shape of a row, if known
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

/** Returns the page of a link in a row, preferring the transaction; undefined for objects, whose route has the page. */
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

/** Returns what a field called `address` identifies, by the group of the endpoint. */
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
  return route.kind === "page" && route.page === "home" ? { url: `${WEB_SITE}/`, entity: undefined } : undefined;
}
