/** Maps values and recognised identifiers to routes. */
import { isAddress, type Kind } from "../../catalogue/index.ts";
import type { Recognised } from "../../client/index.ts";
import { ENTITY_KINDS, type EntityKind, entityKindOfField, entityPage } from "./entity-pages.ts";
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
    const entity = entityKindOfField(field) ?? (field === "address" ? plainAddress : "account");
    return isAddress(id) ? entityRoute(entity, id) : undefined;
  }
  const entity = ENTITY_KINDS.find((one) => {
    const { kind: entityKind, addressFields } = entityPage(one);
    // Hashes identify many things: the name of the field decides.
    return entityKind === kind && (kind !== "hash" || addressFields?.pattern.test(field) === true);
  });
  return entity !== undefined && entityPage(entity).isIdentifier(id) ? entityRoute(entity, id) : undefined;
}

const entityRoute = (name: EntityKind, id: string): Route => ({ kind: "entity", entity: name, id });

/** Returns the route of something that was pasted or typed; undefined when it has none. */
export function routeForIdentifier(match: Recognised): Route | undefined {
  if (match.target !== undefined) return entityRoute(match.target, match.value);
  const entity = ENTITY_KINDS.find((one) => entityPage(one).accepts.some((kind) => kind === match.kind));
  return entity && entityRoute(entity, match.value);
}
