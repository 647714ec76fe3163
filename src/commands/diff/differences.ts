/** Finds the fields in which two values differ. */
import {
  compareDecimals,
  type Decimal,
  isArray,
  isNumeric,
  isObject,
  type Json,
  percentChange,
  stringifyJson,
  subtractDecimals,
  toDecimal,
} from "../../base/index.ts";
import type { Kind, Shape } from "../../catalogue/index.ts";
import { fieldNames, findDecimals, hasRatio, isNumberKind, type Path, valueAt } from "../../output/index.ts";

/** One of the two values of a field, with the object that holds it. */
export interface Side {
  readonly value: Json | undefined;
  readonly holder: Json | undefined;
}

/** A field of two values, the second compared with the first. */
export interface ComparedField {
  readonly path: Path;
  readonly shape: Shape;
  readonly sides: readonly [Side, Side];
  readonly isEqual: boolean;
  /** The second number minus the first; undefined where they are no numbers of one unit. */
  readonly difference?: Decimal;
  /** The difference in per cent of the first number; undefined where that is zero, or no quantity. */
  readonly change?: Decimal | undefined;
}

/**
 * Compares two values field by field. Items of lists are compared by what identifies them, or else by their position,
 * lists of plain values as a whole, as is what only one of the two has.
 */
export function compareFields(a: Json | undefined, b: Json | undefined, shape: Shape): ComparedField[] {
  return compareSides([], [sideOf(a, undefined), sideOf(b, undefined)], shape);
}

const sideOf = (value: Json | undefined, holder: Json | undefined): Side => ({ value, holder });

function compareSides(path: Path, sides: readonly [Side, Side], shape: Shape): ComparedField[] {
  const [{ value: a }, { value: b }] = sides;
  if (isObject(a) && isObject(b)) {
    return fieldNames(shape, [a, b])
      .filter((name) => Object.hasOwn(a, name) || Object.hasOwn(b, name))
      .flatMap((name) => {
        const sides = [sideOf(valueAt(a, [name]), a), sideOf(valueAt(b, [name]), b)] as const;
        return compareSides([...path, name], sides, shape.field(name));
      });
  }
  if (isArray(a) && isArray(b) && [...a, ...b].some((item) => isObject(item) || isArray(item))) {
    const [items, others] = keyedItems([a, b], shape);
    const keys = new Set([...(items?.keys() ?? []), ...(others?.keys() ?? [])]);
    return [...keys].flatMap((key) =>
      compareSides([...path, key], [sideOf(items?.get(key), a), sideOf(others?.get(key), b)], shape),
    );
  }
  return [compareLeaf(path, sides, shape)];
}

/** Kinds of fields that identify an item wherever it is in its list. */
const KEY_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>(["address", "program", "signature", "hash", "slot"]);

/** Returns the items of lists by the first field that identifies them in each list, or else by their position. */
function keyedItems(lists: readonly (readonly Json[])[], shape: Shape): readonly Map<string | number, Json>[] {
  const keyIn = (name: string) => (item: Json) => (isObject(item) ? valueAt(item, [name]) : undefined);
  const name = shape.fields.find(
    (one) =>
      KEY_KINDS.has(shape.field(one).meta?.kind) &&
      lists.every((list) => {
        const keys = list.map(keyIn(one));
        return new Set(keys).size === keys.length && keys.every((key) => typeof key === "string" && key !== "");
      }),
  );
  return lists.map(
    (list) => new Map(list.map((item, at) => [name === undefined ? at : String(keyIn(name)(item)), item])),
  );
}

function compareLeaf(path: Path, sides: readonly [Side, Side], shape: Shape): ComparedField {
  const { meta } = shape;
  const [from, to] = sides.map(({ value }) => readNumber(value, shape));
  if (!from || !to) {
    const [a, b] = sides.map(({ value }) => stringifyJson(value ?? null));
    return { path, shape, sides, isEqual: a === b };
  }
  if (compareDecimals(from, to) === 0) return { path, shape, sides, isEqual: true };
  const field = { path, shape, sides, isEqual: false };
  // Base units of two tokens with other decimals are other units.
  const [unit, otherUnit] = sides.map(({ holder }) => (meta?.kind === "tokenAmount" ? findDecimals(meta, holder) : 0));
  if (unit !== otherUnit) return field;
  const change = hasRatio(meta?.kind) ? percentChange(from, to) : undefined;
  return { ...field, difference: subtractDecimals(to, from), change };
}

/** Some amounts are text, because they may exceed a double. */
function readNumber(value: Json | undefined, { meta }: Shape): Decimal | undefined {
  return isNumeric(value) || isNumberKind(meta?.kind) ? toDecimal(value) : undefined;
}
