/** Routes: plain data that names a page of the explorer, and the routes of values and identifiers. */
import {
  type Endpoint,
  endpointByRoute,
  type FieldMeta,
  isAddress,
  type Kind,
  type ParameterValues,
  positionalOf,
} from "../../catalogue/index.ts";
import type { Recognised } from "../../client/index.ts";
import { entityOfName, type Names, safeText } from "../../output/index.ts";
import { ENTITY_KINDS, type EntityKind, entityPage, type PageName } from "./entity-pages.ts";

/** A page of the explorer. */
export type Route =
  | { readonly kind: "page"; readonly page: PageName }
  /** `tab` is the name of the tab to open first; `others` are of the same kind, and compared with it. */
  | {
      readonly kind: "entity";
      readonly entity: EntityKind;
      readonly id: string;
      readonly tab?: string;
      readonly others?: readonly string[];
    }
  /** Any endpoint by its documentation route, as a list or a detail view. */
  | { readonly kind: "endpoint"; readonly endpointRoute: string; readonly params: ParameterValues };

/** The start page. */
export const HOME: Route = { kind: "page", page: "home" };

/** Returns whether two routes are the same, ignoring the open tab. */
export function isSameRoute(a: Route, b: Route): boolean {
  return routeKey(a) === routeKey(b);
}

function routeKey(route: Route): string {
  if (route.kind === "entity") return [route.entity, ...identifiersOf(route)].join(" ");
  return JSON.stringify(route);
}

/** Returns the identifiers of all entities that a route shows. */
export const identifiersOf = ({ id, others = [] }: Extract<Route, { kind: "entity" }>): readonly string[] => [
  id,
  ...others,
];

/** Returns the route that compares the entities of routes; undefined unless they are several of one kind. */
export function comparedRoute(routes: readonly Route[]): Route | undefined {
  const entities = routes.filter((route) => route.kind === "entity");
  const [first] = entities;
  const [id, ...others] = new Set(entities.flatMap(identifiersOf));
  if (!first || id === undefined || others.length === 0 || entities.length < routes.length) return undefined;
  return entities.every(({ entity }) => entity === first.entity)
    ? { kind: "entity", entity: first.entity, id, others }
    : undefined;
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
  if (route.kind === "entity") return `${route.entity} ${identifiersOf(route).map(nameOrId).join(", ")}`;
  const endpoint = endpointOfRoute(route);
  const [name] = (endpoint && positionalOf(endpoint)) ?? [];
  const id = name === undefined ? undefined : route.params[name];
  return [endpoint?.command ?? route.endpointRoute, ...(typeof id === "string" ? [nameOrId(id)] : [])].join(" ");
}

/** Describes a route in full; of an endpoint, its identifier comes first. */
export function describeRoute(route: Route, nameOf: (address: string) => string | undefined = () => undefined): string {
  if (route.kind === "page") return route.page;
  if (route.kind === "entity") return safeText(`${route.entity} ${identifiersOf(route).join(" ")}`);
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

/**
 * Returns the route of a value; undefined for values without a page.
 * @param field the name of the field of the value, since an address does not say what it is of
 * @param meta what the catalogue says about the field: of one called `address`, whose address it is
 */
export function routeForValue(
  value: unknown,
  kind: Kind | undefined,
  field: string,
  meta?: FieldMeta,
): Route | undefined {
  const id = typeof value === "number" && kind === "slot" ? String(value) : value;
  if (typeof id !== "string" || kind === undefined) return undefined;
  if (kind === "address") {
    const entity = entityOfName(field) ?? (field === "address" ? describedEntity(meta) : "account");
    return isAddress(id) ? entityRoute(entity, id) : undefined;
  }
  const entity = ENTITY_KINDS.find((one) => {
    const { kind: entityKind } = entityPage(one);
    // Hashes identify many things: the name of the field decides.
    return entityKind === kind && (kind !== "hash" || entityOfName(field) === one);
  });
  return entity !== undefined && entityPage(entity).isIdentifier(id) ? entityRoute(entity, id) : undefined;
}

/** Returns the entity of an address, according to the description of the field. */
function describedEntity(meta: FieldMeta | undefined): EntityKind {
  const about = meta?.description ?? "";
  if (/^(the )?mint\b/i.test(about)) return "token";
  return /^(the )?(pool|market)\b/i.test(about) ? "market" : "account";
}

const entityRoute = (name: EntityKind, id: string): Route => ({ kind: "entity", entity: name, id });

/** Returns whether something that was recognised may identify an entity. */
export function mayIdentify(entity: EntityKind, { kind, value }: Recognised): boolean {
  const { accepts, isIdentifier } = entityPage(entity);
  return accepts.some((accepted) => accepted === kind) && isIdentifier(value);
}

/**
 * Returns the route of something that was pasted or typed; undefined when it has none.
 * @param entities the kinds of entities with a page in this run
 */
export function routeForIdentifier(
  match: Recognised,
  entities: readonly EntityKind[] = ENTITY_KINDS,
): Route | undefined {
  if (match.target !== undefined) return entityRoute(match.target, match.value);
  const entity = entities.find((one) => mayIdentify(one, match));
  return entity && entityRoute(entity, match.value);
}

/** Returns the route of the token or the program that an account is known to be, unless a tab of it is requested. */
export function knownEntityRoute(route: Route, { of }: Pick<Names, "of">): Route {
  if (route.kind !== "entity" || route.entity !== "account" || route.tab !== undefined) return route;
  const kind = of(route.id)?.kind;
  return kind === "token" || kind === "program" ? { ...route, entity: kind } : route;
}
