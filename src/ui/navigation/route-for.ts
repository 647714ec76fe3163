/** Maps values and recognised identifiers to routes. */
import { isAddress, type Kind } from "../../catalogue/index.ts";
import type { Recognised } from "../../client/index.ts";
import type { Names } from "../../output/index.ts";
import { entityOfName } from "../../output/index.ts";
import { ENTITY_KINDS, type EntityKind, entityPage } from "./entity-pages.ts";
import type { Route } from "./route.ts";

/**
 * Returns the route of a value; undefined for values without a page.
 * @param field the name of the field of the value, since an address does not say what it is of
 * @param plainAddress the entity of a field called `address`, which depends on the endpoint
 */
export function routeForValue(
  value: unknown,
  kind: Kind | undefined,
  field: string,
  plainAddress: EntityKind = "account",
): Route | undefined {
  const id = typeof value === "number" && kind === "slot" ? String(value) : value;
  if (typeof id !== "string" || kind === undefined) return undefined;
  if (kind === "address") {
    const entity = entityOfName(field) ?? (field === "address" ? plainAddress : "account");
    return isAddress(id) ? entityRoute(entity, id) : undefined;
  }
  const entity = ENTITY_KINDS.find((one) => {
    const { kind: entityKind } = entityPage(one);
    // Hashes identify many things: the name of the field decides.
    return entityKind === kind && (kind !== "hash" || entityOfName(field) === one);
  });
  return entity !== undefined && entityPage(entity).isIdentifier(id) ? entityRoute(entity, id) : undefined;
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
  return kind === "token" || kind === "program" ? entityRoute(kind, route.id) : route;
}
