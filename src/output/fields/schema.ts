/** Reads {@link Shape}s from zod entities. Loaded only where an entity is given, since it needs zod. */
import * as z from "zod";
import { fieldMeta, unwrapSchema } from "../../catalogue/fields.ts";
import { type Shape, UNKNOWN_SHAPE } from "./shape.ts";

/** The form of what an entity describes. */
export function shapeOf(schema: z.ZodType): Shape {
  const inner = elementOf(schema);
  const meta = fieldMeta(schema);
  if (!(inner instanceof z.ZodObject)) {
    return { ...UNKNOWN_SHAPE, meta, open: meta === undefined || meta.kind === "json" };
  }
  const shape = inner.shape as Record<string, z.ZodType>;
  const fields = Object.keys(shape);
  return {
    meta,
    fields,
    required: fields.filter((name) => !(shape[name] instanceof z.ZodOptional)),
    open: false,
    field: (name) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return field ? shapeOf(field) : UNKNOWN_SHAPE;
    },
  };
}

/** The schema of an object, or of the items of a list, inside all wrappers. */
function elementOf(schema: z.ZodType): z.ZodType {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return elementOf(inner.element as z.ZodType);
  if (inner instanceof z.ZodLazy) return elementOf(inner.unwrap() as z.ZodType);
  return inner;
}
