/** What is known of a value's form, without any schema library: the formats that need none load none. */
import type { FieldMeta } from "../../catalogue/kinds.ts";
import type { Path } from "./path.ts";

/** The form of a value: the kind of a field, and the forms inside it. */
export interface Shape {
  /** The kind; of a list, the kind of its items. */
  readonly meta: FieldMeta | undefined;
  /** The fields of an object, or of the objects in a list. */
  readonly fields: readonly string[];
  /** The fields that an object should have. */
  readonly required: readonly string[];
  /** Whether nothing is known of the inside, so that any path may lead somewhere. */
  readonly open: boolean;
  /** The form of a field; of a list, the form of that field in its items. */
  field(name: string): Shape;
}

/** The form of a value that nothing is known of. */
export const UNKNOWN_SHAPE: Shape = {
  meta: undefined,
  fields: [],
  required: [],
  open: true,
  field: () => UNKNOWN_SHAPE,
};

/** The form at a path; indices lead to the items of a list, which the form of a list is about anyway. */
export function shapeAt(path: Path, shape: Shape): Shape {
  return path.reduce<Shape>((form, step) => (typeof step === "string" ? form.field(step) : form), shape);
}
