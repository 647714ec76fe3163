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

/** Shapes as data, which can be written to a file: shapes refer to each other by their position in `nodes`. */
export interface ShapeData {
  readonly nodes: readonly ShapeNode[];
  /** Positions of the shapes, by name. */
  readonly names: Readonly<Record<string, number>>;
}

interface ShapeNode extends Pick<Shape, "required" | "open"> {
  readonly meta?: FieldMeta | undefined;
  readonly fields: Readonly<Record<string, number>>;
}

/** Returns the shape with a name; undefined if there is none. */
export function shapeFromData(data: ShapeData, name: string): Shape | undefined {
  const at = Object.hasOwn(data.names, name) ? data.names[name] : undefined;
  return at === undefined ? undefined : shapeOfNode(data, at);
}

function shapeOfNode(data: ShapeData, at: number): Shape {
  const { meta, fields, required, open } = data.nodes[at] as ShapeNode;
  const field = (name: string) => {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return inner === undefined ? UNKNOWN_SHAPE : shapeOfNode(data, inner);
  };
  return { meta, fields: Object.keys(fields), required, open, field };
}
