/** What a value leads to: the one place that knows which screens values open. */
import type { Kind } from "../../catalogue/kinds.ts";
import { isAddress, isSignature } from "../../catalogue/validate.ts";
import type { Recognised } from "../../client/index.ts";
import type { EntityKind, Route } from "./route.ts";

/** Names of address fields that are about something else than an account. */
const FIELD_ENTITIES: readonly (readonly [RegExp, EntityKind])[] = [
  [/token_account|associated/i, "account"],
  [/pool|market(_|$)|amm/i, "market"],
  [/collection/i, "collection"],
  [/program/i, "program"],
  [/token|mint/i, "token"],
];

/**
 * The place that a value leads to; undefined for values that lead nowhere.
 * @param field the name of the field that holds it: addresses look alike whatever they are of
 * @param plainAddress what an address of a field called `address` is, where the endpoint tells
 */
export function routeForValue(
  value: unknown,
  kind: Kind | undefined,
  field: string,
  plainAddress: EntityKind = "account",
): Route | undefined {
  if (typeof value === "number" && kind === "slot") return entityRoute("block", String(value));
  if (typeof value !== "string") return undefined;
  if (kind === "signature") return isSignature(value) ? entityRoute("transaction", value) : undefined;
  if (kind === "slot") return /^\d{1,15}$/.test(value) ? entityRoute("block", value) : undefined;
  if (kind === "hash") return /collection/i.test(field) && value !== "" ? entityRoute("collection", value) : undefined;
  if (kind !== "address" && kind !== "program") return undefined;
  if (!isAddress(value)) return undefined;
  if (kind === "program") return entityRoute("program", value);
  const entity = FIELD_ENTITIES.find(([pattern]) => pattern.test(field))?.[1];
  return entityRoute(entity ?? (field === "address" ? plainAddress : "account"), value);
}

const entityRoute = (name: EntityKind, id: string): Route => ({ kind: "entity", entity: name, id });

/** The place of something that was pasted or typed; undefined where it is nothing that has one. */
export function routeForIdentifier(match: Recognised): Route | undefined {
  if (match.target !== undefined) return entityRoute(match.target, match.value);
  if (match.kind === "address") return entityRoute("account", match.value);
  if (match.kind === "signature") return entityRoute("transaction", match.value);
  return match.kind === "slot" ? entityRoute("block", match.value) : undefined;
}
