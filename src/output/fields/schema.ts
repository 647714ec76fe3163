/** The shapes of zod entities. Loaded only with an entity, since it needs zod. */
import * as z from "zod";
import { fieldMeta, unwrapSchema } from "../../catalogue/schemas.ts";
import { type Shape, UNKNOWN_SHAPE } from "./shape.ts";

/** Returns the shape of an entity. */
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

/** Returns the schema of an object, or of the items of a list, without wrappers. */
function elementOf(schema: z.ZodType): z.ZodType {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return elementOf(inner.element as z.ZodType);
  if (inner instanceof z.ZodLazy) return elementOf(inner.unwrap() as z.ZodType);
  return inner;
}
