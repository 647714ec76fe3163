/** The shape of values, without a schema library: formats that need none load none. */
import type { FieldMeta } from "../../catalogue/index.ts";
import type { Path } from "./path.ts";

/** The shape of a value: its kind, and the shapes inside it. */
export interface Shape {
  /** The kind and description; of a list, those of its items. */
  readonly meta: FieldMeta | undefined;
  /** The fields of an object, or of the objects in a list. */
  readonly fields: readonly string[];
  /** The fields that an object should have. */
  readonly required: readonly string[];
  /** Whether the inside is unknown, so that any path may be valid. */
  readonly open: boolean;
  /** Returns the shape of a field; of a list, the shape of that field in its items. */
  field(name: string): Shape;
}

/** The shape of an unknown value. */
export const UNKNOWN_SHAPE: Shape = {
  meta: undefined,
  fields: [],
  required: [],
  open: true,
  field: () => UNKNOWN_SHAPE,
};

/** Returns the shape at a path; indices are skipped, since the shape of a list is that of its items. */
export function shapeAt(path: Path, shape: Shape): Shape {
  return path.reduce<Shape>((inner, step) => (typeof step === "string" ? inner.field(step) : inner), shape);
}
