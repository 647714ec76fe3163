/** The fields of an entity as a flat list: for documentation, selection and views. */
import * as z from "zod";
import { fieldMeta, type Kind, unwrapSchema } from "./kinds.ts";

/** A field, by its path from the row: `amount_info.token1`, `creators[].address`. */
export interface Field {
  readonly path: string;
  readonly kind: Kind;
  readonly description: string;
  /** For token amounts: the sibling field with the decimals, or their number. */
  readonly decimals?: string | number;
  /** Known words of an enumeration. */
  readonly values?: readonly string[];
  /** Whether answers may lack it. */
  readonly optional: boolean;
  /** Whether it holds a list. */
  readonly list: boolean;
}

/** Every field of an object schema, parents before children; a schema inside itself is not opened again. */
export function listFields(schema: z.ZodType): readonly Field[] {
  return walk(schema, "", new Set());
}

function walk(schema: z.ZodType, prefix: string, open: ReadonlySet<z.ZodType>): readonly Field[] {
  const inner = core(schema);
  if (!(inner instanceof z.ZodObject) || open.has(inner)) return [];
  const inside = new Set([...open, inner]);
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const path = prefix + name;
    const list = unwrapSchema(field) instanceof z.ZodArray;
    const meta = fieldMeta(field);
    const own: Field = {
      path,
      kind: meta?.kind ?? "json",
      description: meta?.description ?? "",
      ...(meta?.decimals === undefined ? {} : { decimals: meta.decimals }),
      ...(meta?.values === undefined ? {} : { values: meta.values }),
      optional: field.isOptional(),
      list,
    };
    return [own, ...walk(field, `${path}${list ? "[]" : ""}.`, inside)];
  });
}

/** The schema inside wrappers, lists and lazy definitions. */
function core(schema: z.ZodType): z.ZodType {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return core(inner.element as z.ZodType);
  if (inner instanceof z.ZodLazy) return core(inner.unwrap() as z.ZodType);
  return inner;
}
