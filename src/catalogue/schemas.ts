/** The part of the catalogue that needs zod: the second way into this module, for modules that are loaded lazily. */
import type { ZodType } from "zod";
import type { EntityName } from "./endpoint.ts";
import * as entities from "./entities/index.ts";

export { deriveShape, deriveShapeData } from "./derive-shape.ts";
export * from "./entities/index.ts";
export { f, fieldMeta, listFields, unwrapSchema } from "./fields.ts";
export { entities };

/** The schemas of entities by their names. */
export const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
