/** The shapes of zod entities. Loaded only with an entity, since it needs zod. */
import * as z from "zod";
import { fieldMeta, unwrapSchema } from "./fields.ts";
import { type Shape, type ShapeData, UNKNOWN_SHAPE } from "./shape.ts";

/** Returns the shape of an entity. */
export function deriveShape(schema: z.ZodType): Shape {
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
      return field ? deriveShape(field) : UNKNOWN_SHAPE;
    },
  };
}

/** Returns the shapes of entities as data, from which `shapeFromData` returns them without zod. */
export function deriveShapeData(schemas: Readonly<Record<string, z.ZodType>>): ShapeData {
  const nodes: ShapeData["nodes"][number][] = [];
  const positions = new Map<z.ZodType, number>();
  const add = (schema: z.ZodType): number => {
    const known = positions.get(schema);
    if (known !== undefined) return known;
    const at = nodes.length;
    positions.set(schema, at);
    const { meta, required, open, fields } = deriveShape(schema);
    nodes.push({ required, open, fields: {} });
    const inner = elementOf(schema);
    const shape = inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : {};
    nodes[at] = {
      meta,
      required,
      open,
      fields: Object.fromEntries(fields.map((name) => [name, add(shape[name] as z.ZodType)])),
    };
    return at;
  };
  return { nodes, names: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, add(schema)])) };
}

function elementOf(schema: z.ZodType): z.ZodType {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return elementOf(inner.element as z.ZodType);
  if (inner instanceof z.ZodLazy) return elementOf(inner.unwrap() as z.ZodType);
  return inner;
}
