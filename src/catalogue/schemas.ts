/** The part of the catalogue that needs zod: the second way into this module, for modules that are loaded lazily. */
export * as entities from "./entities/index.ts";
export * from "./entities/index.ts";
export { f, fieldMeta, listFields, unwrapSchema } from "./fields.ts";
