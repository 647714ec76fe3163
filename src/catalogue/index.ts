/**
 * The API as data. Entities and the builders of their fields need zod, which takes long to load, so they are not
 * exported here: {@link loadEntities} and {@link loadFields} import them, and modules that are loaded lazily themselves
 * import `schemas.ts`.
 */

export { answerBody } from "./answer-body.ts";
export { STATUSES, VALIDATION_CODE, validationMessages } from "./api-errors.ts";
export { KEY_MASK, keyProblem, maskSecret, missingKeyError } from "./api-key.ts";
export {
  CACHE_KIND_NAMES,
  CACHE_KINDS,
  type CacheKind,
  type CachePolicy,
  MAX_CACHE_SECONDS,
} from "./cache-policy.ts";
export {
  commandArguments,
  commandLine,
  quoteForShell,
  shortValue,
} from "./command-line.ts";
export { parseUnits, UNITS_SYNTAX } from "./compute-units.ts";
export * from "./constants.ts";
export { isOnCurve } from "./curve.ts";
export {
  type ArgumentsOf,
  type CellSource,
  type Column,
  type DataOf,
  type Endpoint,
  type EntityName,
  endpoint,
  hasPages,
  mayContinue,
  type Paging,
  type Returns,
  type RowOf,
  recordOf,
  returnsList,
  rows,
} from "./endpoint.ts";
export type { Field } from "./fields.ts";
export { type FieldMeta, isLargeField, KINDS, type Kind, NUMERIC_KINDS } from "./kinds.ts";
export {
  addressTitle,
  isTipAccount,
  type KnownAddress,
  knownAddress,
  knownAddresses,
  knownPrograms,
  programName,
  TIP_ACCOUNTS,
} from "./known-addresses.ts";
export {
  NODE_LACKS,
  NODE_SUPPORT_LEVELS,
  type NodeSupport,
  type NodeSupportLevel,
  nodeSupportOf,
} from "./node-support.ts";
export {
  convertNumbers,
  exceedsDouble,
  type JsonOf,
  type LargeNumbers,
  NUMBER_MODES,
  type NumberConversion,
  type NumberMode,
  type NumberShape,
  toBigInt,
  toDigits,
  toDouble,
  type WithNumbers,
} from "./numbers.ts";
export {
  address,
  integer,
  optionName,
  type Param,
  type ParameterValues,
  signature,
  slot,
  text,
  type ValueType,
} from "./param.ts";
export { PLANS, type Plan, type PlanName, planExcludes, type Rate } from "./plans.ts";
export { PROGRAM, SYSVAR } from "./program-ids.ts";
export { emptyData, QueryParams } from "./query-params.ts";
export {
  allEndpoints,
  catalogue,
  endpointByPath,
  endpointByRoute,
  endpoints,
  familyOfPath,
  multiEndpointOf,
  nodeCatalogue,
  nodeEndpoints,
  pagedSourceOf,
  positionalOf,
} from "./registry.ts";
export * from "./samples.ts";
export {
  FAMILY_PATHS,
  KEY_HEADER,
  NODES,
  nodeUrl,
  SANDBOX_PORT,
  SERVERS,
  sandboxKey,
} from "./servers.ts";
export {
  METRIC_WINDOWS,
  type MetricWindow,
  TOKEN_METRIC_NAMES,
  TOKEN_METRICS,
  type TokenMetric,
  TRADE_MEASURES,
  type TradeMeasure,
} from "./token-metrics.ts";
export {
  allowedValues,
  expectedValue,
  isAddress,
  isCalendarDate,
  isLess,
  isSignature,
  limitsOf,
  MAX_LISTED_VALUES,
  type ParsedQuery,
  requestValues,
  VALUE_PATTERNS,
  validateParameter,
  validateRequest,
} from "./validate.ts";
export { WEB_SITE, webPageUrl } from "./web-pages.ts";
export { WELL_KNOWN_TOKENS, wellKnownToken } from "./well-known-tokens.ts";

/** Loads the entities, by their names. */
export const loadEntities = () => import("./entities/index.ts");

/** Loads the builders and descriptions of fields. */
export const loadFields = () => import("./fields.ts");
