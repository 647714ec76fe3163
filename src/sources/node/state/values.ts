/** Values of the API from those of a node. */
import { type JsonObject, type Numeric, numericOf } from "../../../base/index.ts";

/** Returns an exact number. */
export const exactNumber = (amount: bigint): Numeric => numericOf(String(amount));

/** Returns the members that have a value. */
export const presentMembers = (members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonObject[string]] => entry[1] !== undefined),
  );

/** Returns the items of the requested page. */
export function pageOf<T>(items: readonly T[], page: number | undefined, size: number | undefined): readonly T[] {
  const [at, count] = [page ?? 1, size ?? 10];
  return items.slice((at - 1) * count, at * count);
}
