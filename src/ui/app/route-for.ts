/** What a value leads to: the one place that knows which screens values open. */
import type { Kind } from "../../catalogue/kinds.ts";
import { isAddress, isSignature } from "../../catalogue/validate.ts";
import type { Recognised } from "../../client/index.ts";
import type { Place, Thing } from "./route.ts";

/** Names of address fields that are about something else than an account. */
const FIELDS: readonly (readonly [RegExp, Thing])[] = [
  [/token_account|associated/i, "account"],
  [/pool|market(_|$)|amm/i, "market"],
  [/collection/i, "collection"],
  [/program/i, "program"],
  [/token|mint/i, "token"],
];

/**
 * The place that a value leads to; undefined for values that lead nowhere.
 * @param field the name of the field that holds it: addresses look alike whatever they are of
 * @param own what an address of a field called `address` is, where the endpoint tells
 */
export function targetOf(
  value: unknown,
  kind: Kind | undefined,
  field: string,
  own: Thing = "account",
): Place | undefined {
  if (typeof value === "number" && kind === "slot") return thing("block", String(value));
  if (typeof value !== "string") return undefined;
  if (kind === "signature") return isSignature(value) ? thing("transaction", value) : undefined;
  if (kind === "slot") return /^\d{1,15}$/.test(value) ? thing("block", value) : undefined;
  if (kind === "hash") return /collection/i.test(field) && value !== "" ? thing("collection", value) : undefined;
  if (kind !== "address" && kind !== "program") return undefined;
  if (!isAddress(value)) return undefined;
  if (kind === "program") return thing("program", value);
  const named = FIELDS.find(([pattern]) => pattern.test(field))?.[1];
  return thing(named ?? (field === "address" ? own : "account"), value);
}

const thing = (name: Thing, id: string): Place => ({ kind: "thing", thing: name, id });

/** The place of something that was pasted or typed; undefined where it is nothing that has one. */
export function placeOf(found: Recognised): Place | undefined {
  if (found.target !== undefined) return thing(found.target, found.value);
  if (found.kind === "address") return thing("account", found.value);
  if (found.kind === "signature") return thing("transaction", found.value);
  return found.kind === "slot" ? thing("block", found.value) : undefined;
}
