/** The parameters and responses of endpoints in OpenAPI: serialization, envelopes, CSV and errors. */
import type { Json, JsonObject } from "../../base/index.ts";
import {
  type Endpoint,
  emptyData,
  limitsOf,
  type Param,
  PLANS,
  planExcludes,
  positionalOf,
  REFUSALS,
  STATUSES,
  VALIDATION_CODE,
  VALUE_PATTERNS,
  type ValueType,
  validateParameter,
  validationMessages,
} from "../../catalogue/index.ts";
import { prepare } from "../../client/index.ts";
import { REFERENCE_TIME } from "./paths.ts";
import { inlineSchema, schemaRef } from "./schemas.ts";

/**
 * Schemas of single values, without limits and allowed values. The patterns of addresses and signatures also match
 * texts that decode to another number of bytes; their formats do not.
 */
const TYPES: Record<ValueType, JsonObject> = {
  address: { type: "string", format: "solana-address", pattern: VALUE_PATTERNS.address.source },
  signature: { type: "string", format: "solana-signature", pattern: VALUE_PATTERNS.signature.source },
  slot: { type: "integer", format: "int64" },
  integer: { type: "integer", format: "int64" },
  decimal: { type: "number" },
  boolean: { type: "boolean" },
  enum: { type: "string" },
  time: { type: "integer", format: "int64" },
  date: { type: "string", pattern: VALUE_PATTERNS.date.source, maxLength: 8 },
  text: { type: "string", minLength: 1 },
};

const TYPE_NOTES: Partial<Record<ValueType, string>> = {
  address: "Base58 of 32 bytes.",
  signature: "Base58 of 64 bytes.",
  time: "Unix time in seconds.",
  date: "Date as YYYYMMDD.",
};

/** Returns the parameters of an endpoint in the order of the catalogue. */
export function parametersOf(endpoint: Endpoint): readonly JsonObject[] {
  return Object.entries(endpoint.query).map(([name, param]) => describeParameter(endpoint, name, param));
}

function describeParameter(endpoint: Endpoint, name: string, param: Param): JsonObject {
  const isList = param.arity !== "one";
  const examples = endpoint.examples.map(({ params }) => exampleOf(name, param, params[name]));
  const example =
    examples.find((value) => value !== undefined) ??
    (param.required ? exampleFromRequest(endpoint, name, param) : undefined);
  return {
    name: wireName(name, param),
    in: param.in,
    description: descriptionOf(param),
    required: param.required,
    ...(param.deprecated === undefined ? {} : { deprecated: true }),
    ...(isList ? { style: "form", explode: param.wire === "brackets" } : {}),
    schema: schemaOf(param),
    ...(example === undefined ? {} : { example }),
    ...(param.needs === undefined ? {} : { "x-requires": [param.needs] }),
    ...(param.hasCommaForm ? { "x-comma-name": name } : {}),
    ...(param.newer === undefined ? {} : { "x-newer-values": param.newer }),
  };
}

/** Returns the name of a parameter in the query. */
export const wireName = (name: string, { wire }: Param): string => (wire === "brackets" ? `${name}[]` : name);

function schemaOf(param: Param): JsonObject {
  const item = itemOf(param);
  const fallback = param.default === undefined ? {} : { default: param.default };
  if (param.arity === "one") return { ...item, ...fallback };
  if (param.arity === "range") return { type: "array", items: item, minItems: 2, maxItems: 2 };
  return {
    type: "array",
    items: item,
    minItems: 1,
    ...(param.maxItems === undefined ? {} : { maxItems: param.maxItems }),
    ...fallback,
  };
}

function itemOf(param: Param): JsonObject {
  const { type, values, newer = [] } = param;
  const limits = limitsOf(param);
  const allowed = values === undefined ? undefined : [...values, ...newer];
  return {
    ...TYPES[type],
    ...(allowed?.every((word) => typeof word === "number") ? { type: "integer" } : {}),
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(limits && { minimum: limits.min, maximum: limits.max }),
  };
}

function descriptionOf(param: Param): string {
  const serialization = {
    plain: "",
    comma: "Comma-separated.",
    brackets: "Repeat the parameter for each value.",
  };
  const sentences = [
    `${param.description}.`,
    TYPE_NOTES[param.type],
    param.arity === "range" ? "Two values, minimum first; repeat the parameter for each." : serialization[param.wire],
    param.hasCommaForm ? "Or one comma-separated value without the brackets." : "",
    param.needs === undefined ? "" : `Requires \`${param.needs}\`.`,
    param.note,
    param.deprecated === undefined ? "" : `Deprecated: ${param.deprecated}`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/** Returns the value that is sent for the first example: resolved relative times, and defaults. */
function exampleFromRequest(endpoint: Endpoint, name: string, param: Param): Json | undefined {
  const [first] = endpoint.examples;
  const { query } = prepare(endpoint, first?.params ?? {}, { now: () => REFERENCE_TIME });
  const values = query.filter(([sent]) => sent === wireName(name, param)).map(([, value]) => value);
  return exampleOf(name, param, param.arity === "one" ? values[0] : values);
}

/** Returns the value of an example if it is valid on the wire, i.e. no relative time. */
function exampleOf(name: string, param: Param, value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const texts = [value].flat().map(String);
  if (validateParameter(name, param, texts) !== undefined) return undefined;
  const isNumber = param.type === "decimal" || (typeof value === "string" && TYPES[param.type].type === "integer");
  const values = isNumber ? texts.map(Number) : ([value].flat() as readonly Json[]);
  return param.arity === "one" ? values[0] : values;
}

type Status = keyof typeof STATUSES;

const statuses = Object.keys(STATUSES).map(Number) as readonly Status[];

/** Schemas of error responses. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  Refusal: {
    type: "object",
    description: "Error response.",
    required: ["success", "errors"],
    properties: {
      success: { type: "boolean", const: false, description: "Always false" },
      errors: {
        type: "object",
        description: "Reason of the refusal",
        required: ["message"],
        properties: {
          code: {
            type: "integer",
            description: `HTTP status, or ${VALIDATION_CODE} for an invalid parameter; not always present`,
          },
          message: { type: "string", description: "Error message" },
        },
      },
    },
  },
  BareRefusal: {
    type: "object",
    description: "Error response without the envelope, for a request without an API key.",
    required: ["error_message"],
    properties: { error_message: { type: "string", description: "Error message" } },
  },
};

const STATUS_DESCRIPTIONS: Record<Status, string> = {
  400: "A parameter is missing, unknown or invalid. Some servers also return this status for an invalid key.",
  401: "The API key is missing or invalid.",
  403: "The plan of the key does not include the endpoint.",
  404: "The path does not exist.",
  429: "Rate limit exceeded, or no compute units left.",
  500: "Server error.",
};

const RATE_OR_PLAN = "Rate limit exceeded, or the plan of the key does not include the endpoint.";

const retryAfter: JsonObject = {
  "Retry-After": {
    description: "Seconds to wait, or an HTTP date. Not always present.",
    schema: { type: "string" },
  },
};

const refusal = (code: number, message: string): JsonObject => ({ success: false, errors: { code, message } });

/** Examples of error responses, by their causes. */
const ERROR_EXAMPLES = {
  invalidParameter: refusal(VALIDATION_CODE, validationMessages.address("nope")),
  missingParameter: refusal(VALIDATION_CODE, validationMessages.required("address")),
  unknownParameter: refusal(VALIDATION_CODE, validationMessages.notAllowed("adress")),
  invalidKey: refusal(401, REFUSALS.invalidKey),
  missingKey: { error_message: REFUSALS.missingKey },
  excludedByPlan: refusal(403, STATUSES[403]),
  rateLimited: refusal(429, REFUSALS.rate),
  unitsSpent: refusal(429, REFUSALS.units),
  unknownPath: refusal(404, STATUSES[404]),
  serverError: refusal(500, STATUSES[500]),
} satisfies Readonly<Record<string, JsonObject>>;

type ErrorCause = keyof typeof ERROR_EXAMPLES;

/** The examples that error responses refer to. */
export const ERROR_COMPONENTS: JsonObject = Object.fromEntries(
  Object.entries(ERROR_EXAMPLES).map(([cause, value]) => [cause, { value }]),
);

const CAUSES: Record<Status, readonly ErrorCause[]> = {
  400: ["invalidParameter", "missingParameter", "unknownParameter"],
  401: ["invalidKey", "missingKey"],
  403: ["excludedByPlan"],
  404: ["unknownPath"],
  429: ["rateLimited", "unitsSpent"],
  500: ["serverError"],
};

/** Returns all responses of an endpoint by status. */
export function describeResponses(endpoint: Endpoint, title: string, example: Json): JsonObject {
  const errors = statuses.map((status) => [status, errorResponse(endpoint, status)] as const);
  return { 200: successResponse(endpoint, title, example), ...Object.fromEntries(errors) };
}

/** Errors are written out: generators do not agree on the names of shared responses. */
function errorResponse(endpoint: Endpoint, status: Status): JsonObject {
  const isRate = endpoint.statuses?.[status] === "rateLimited";
  const plans = Object.values(PLANS).filter((plan) => status === 403 && planExcludes(plan, endpoint));
  const excluded = plans.length === 0 ? "" : ` Not included in: ${plans.map(({ title }) => title).join(", ")}.`;
  // A missing key is answered without the envelope, an invalid one in it.
  const schema = status === 401 ? { anyOf: [schemaRef("Refusal"), schemaRef("BareRefusal")] } : schemaRef("Refusal");
  const examples = {
    ...(isRate ? { rateLimited: { value: refusal(status, REFUSALS.rate) } } : {}),
    ...Object.fromEntries(CAUSES[status].map((cause) => [cause, { $ref: `#/components/examples/${cause}` }])),
  };
  return {
    description: isRate ? RATE_OR_PLAN : STATUS_DESCRIPTIONS[status] + excluded,
    ...(status === 429 ? { headers: retryAfter } : {}),
    content: { "application/json": { schema, examples } },
  };
}

/** Whether an endpoint answers with an empty object when the API has no data for the identifier. */
const isAboutIdentifier = (endpoint: Endpoint): boolean =>
  endpoint.returns.shape === "object" && positionalOf(endpoint) !== undefined;

/** Whether an empty object needs a schema of its own beside the entity, which has required members. */
export const isEntityOrNothing = (endpoint: Endpoint): boolean =>
  isAboutIdentifier(endpoint) && inlineSchema(endpoint.returns.entity).required !== undefined;

/**
 * Schema of an empty object in place of an entity. Code generators ignore `maxProperties` and would accept any object:
 * the type of members makes them refuse others, and gives the members of the answer a type that may be null.
 */
export const NO_DATA: JsonObject = {
  type: "object",
  description: "An empty object: the API has no data for the identifier.",
  maxProperties: 0,
  additionalProperties: { type: "null" },
};

function successResponse(endpoint: Endpoint, title: string, example: Json): JsonObject {
  const { returns, family, examples } = endpoint;
  const recorded = { recorded: { summary: examples[0]?.about ?? title, value: example } };
  if (returns.shape === "csv") {
    const schema = {
      type: "string",
      description: "A header line and a line for each row.",
      "x-row": inlineSchema(returns.entity),
    };
    return { description: "CSV.", content: { "text/csv": { schema, examples: recorded } } };
  }
  const alternatives = [dataSchema(endpoint), ...(isEntityOrNothing(endpoint) ? [schemaRef("NoData")] : [])];
  const data =
    alternatives.length === 1
      ? (alternatives[0] as JsonObject)
      : { description: "The data, or an empty object", oneOf: alternatives };
  const envelope = {
    type: "object",
    required: ["success", "data"],
    properties: {
      success: { type: "boolean", const: true, description: "Always true" },
      data,
      ...(family === "v2" ? { metadata: schemaRef("Metadata") } : {}),
    },
  };
  const isBare = family !== "v2";
  const schema = isBare ? { title, anyOf: [envelope, ...alternatives] } : { title, ...envelope };
  const form = isBare ? "The data in an envelope, or without one on older servers." : "The data in an envelope.";
  const isOptional = isAboutIdentifier(endpoint);
  const description = isOptional ? `${form} An empty object if the API has no data for the identifier.` : form;
  const noData = { noData: { summary: "An unknown identifier", value: { success: true, data: emptyData(returns) } } };
  const named = { ...recorded, ...(isOptional ? noData : {}) };
  return { description, content: { "application/json": { schema, examples: named } } };
}

interface BesideRows {
  readonly required?: readonly string[];
  readonly properties?: JsonObject;
}

function dataSchema(endpoint: Endpoint): JsonObject {
  const { returns, columns } = endpoint;
  const entity = schemaRef(returns.entity);
  if (returns.shape === "object") return entity;
  if (returns.shape === "number") {
    const { properties } = inlineSchema(returns.entity) as { readonly properties: JsonObject };
    return properties[columns[0] as string] as JsonObject;
  }
  const rows = { type: "array", description: "The rows", items: entity };
  if (returns.at === undefined) return rows;
  const { at, total, beside } = returns;
  const { required = [], properties } = beside === undefined ? {} : (inlineSchema(beside) as BesideRows);
  const count = { type: "integer", format: "int64", description: "Total number of rows" };
  const wrapped = {
    type: "object",
    description: "The rows, and what is beside them",
    required: [at, ...(total === undefined ? [] : [total]), ...required],
    properties: { [at]: rows, ...(total === undefined ? {} : { [total]: count }), ...properties },
  };
  return returns.unwrapped ? { description: "The rows, in an object or alone", anyOf: [wrapped, rows] } : wrapped;
}

/** Schema of the metadata beside the data. */
export const METADATA: JsonObject = {
  type: "object",
  description: "Labels of the tokens in the response, by mint.",
  properties: {
    tokens: { type: "object", description: "Labels by mint", additionalProperties: schemaRef("TokenLabel") },
  },
};
