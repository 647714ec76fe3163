/** Values of the API from those of a node. */
import { type Numeric, numericOf } from "../../../base/index.ts";

/** Returns an exact number. */
export const exactNumber = (amount: bigint): Numeric => numericOf(String(amount));

/** Returns the items of the requested page. */
export function pageOf<T>(items: readonly T[], page: number | undefined, size: number | undefined): readonly T[] {
  const [at, count] = [page ?? 1, size ?? 10];
  return items.slice((at - 1) * count, at * count);
}
