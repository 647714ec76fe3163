/**
 * The API as data. Entities and the builders of their fields need zod, which takes long to load, so they are not
 * exported here: {@link loadEntities} and {@link loadFields} import them, and modules that are loaded lazily themselves
 * import `schemas.ts`. The start of a command imports `shape.ts` alone, and the search `intents.ts`.
 */

export * from "./answers.ts";
export * from "./command-line.ts";
export * from "./constants.ts";
export * from "./coverage.ts";
export { isOnCurve } from "./curve.ts";
export {
  type CellSource,
  type Column,
  type Endpoint,
  type EntityName,
  endpoint,
  hasPages,
  mayContinue,
  type Paging,
  type Returns,
  recordOf,
  returnsList,
  rows,
} from "./endpoint.ts";
export { loadEntityShape } from "./entity-shapes.ts";
export type { Field } from "./fields.ts";
export * from "./kinds.ts";
export * from "./known-addresses.ts";
export { detectLookalike, distinctSymbol, tokenMintOf } from "./lookalike.ts";
export * from "./node-support.ts";
export {
  integer,
  oneOf,
  optionName,
  type Param,
  type ParameterValues,
  text,
  type ValueType,
} from "./param.ts";
export * from "./plans.ts";
export * from "./registry.ts";
export * from "./samples.ts";
export * from "./servers.ts";
export { isUnknownToIndex, refusalBy } from "./source-needs.ts";
export * from "./token-metrics.ts";
export * from "./validate.ts";
export { WEB_SITE, webPageUrl } from "./web-pages.ts";

/** Loads the entities, by their names. */
export const loadEntities = () => import("./entities/index.ts");

/** Loads the check of names that imitate others, for programs that seldom need it. */
export const loadLookalikes = () => import("./lookalike.ts");

/** Loads the builders and descriptions of fields. */
export const loadFields = () => import("./fields.ts");
export { missingFields, type Shape, shapeFromData, UNKNOWN_SHAPE } from "./shape.ts";
