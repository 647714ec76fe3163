/** The parameters and responses of endpoints in OpenAPI: serialization, envelopes, CSV and errors. */
import type { Json, JsonObject } from "../../base/index.ts";
import {
  type Endpoint,
  limitsOf,
  type Param,
  PLANS,
  planExcludes,
  positionalOf,
  STATUSES,
  VALIDATION_CODE,
  VALUE_PATTERNS,
  type ValueType,
  validateParameter,
  validationMessages,
} from "../../catalogue/index.ts";
import { prepare } from "../../client/index.ts";
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
  return Object.entries(endpoint.query).map(([name, param]) => parameterOf(endpoint, name, param));
}

function parameterOf(endpoint: Endpoint, name: string, param: Param): JsonObject {
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

/** The reference time of relative times, fixed to keep the document deterministic. */
const REFERENCE_TIME = Date.UTC(2026, 0, 1);

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
      success: { type: "boolean", const: false },
      errors: {
        type: "object",
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

/** A missing key is answered without the envelope, an invalid one in it. */
const EITHER_ERROR: JsonObject = { anyOf: [schemaRef("Refusal"), schemaRef("BareRefusal")] };

const componentName = (status: Status) =>
  STATUSES[status].replace(/(?:^|\s)(\w)/g, (_, letter: string) => letter.toUpperCase());

function createErrorResponse(status: Status, description: string, schema = schemaRef("Refusal")): JsonObject {
  const message = status === 400 ? validationMessages.address("nope") : STATUSES[status];
  return {
    description,
    ...(status === 429 ? { headers: retryAfter } : {}),
    content: {
      "application/json": {
        schema,
        example: { success: false, errors: { code: status === 400 ? VALIDATION_CODE : status, message } },
      },
    },
  };
}

/** Error responses shared by endpoints, by the names that {@link responsesOf} refers to. */
export const ERROR_RESPONSES: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  statuses.map((status) => [
    componentName(status),
    createErrorResponse(status, STATUS_DESCRIPTIONS[status], status === 401 ? EITHER_ERROR : undefined),
  ]),
);

/** Returns all responses of an endpoint by status. */
export function responsesOf(endpoint: Endpoint, title: string): JsonObject {
  const errors = statuses.map((status) => [status, errorResponse(endpoint, status)] as const);
  return { 200: successResponse(endpoint, title), ...Object.fromEntries(errors) };
}

function errorResponse(endpoint: Endpoint, status: Status): JsonObject {
  if (status === 403 && endpoint.statuses?.[403] === "rateLimited") return createErrorResponse(status, RATE_OR_PLAN);
  const plans = Object.values(PLANS).filter((plan) => planExcludes(plan, endpoint));
  const note = plans.map(({ title }) => title).join(", ");
  return note === "" || status !== 403
    ? { $ref: `#/components/responses/${componentName(status)}` }
    : createErrorResponse(status, `${STATUS_DESCRIPTIONS[403]} Not included in: ${note}.`);
}

function successResponse(endpoint: Endpoint, title: string): JsonObject {
  const { returns, family } = endpoint;
  if (returns.shape === "csv") {
    const schema = {
      type: "string",
      description: "A header line and a line for each row.",
      "x-row": inlineSchema(returns.entity),
    };
    return { description: "CSV.", content: { "text/csv": { schema } } };
  }
  const data = dataSchema(endpoint);
  const envelope = {
    type: "object",
    required: ["success", "data"],
    properties: {
      success: { type: "boolean", const: true },
      data,
      ...(family === "v2" ? { metadata: schemaRef("Metadata") } : {}),
    },
  };
  const isBare = family !== "v2";
  const schema = isBare ? { title, anyOf: [envelope, data] } : { title, ...envelope };
  const form = isBare ? "The data in an envelope, or without one on older servers." : "The data in an envelope.";
  const mayBeEmpty = returns.shape === "object" && positionalOf(endpoint) !== undefined;
  const description = mayBeEmpty ? `${form} An empty object if the API has no data for the identifier.` : form;
  return { description, content: { "application/json": { schema } } };
}

function dataSchema(endpoint: Endpoint): JsonObject {
  const { returns, columns } = endpoint;
  const entity = schemaRef(returns.entity);
  if (returns.shape === "object") return entity;
  if (returns.shape === "number") {
    const { properties } = inlineSchema(returns.entity) as { readonly properties: JsonObject };
    return properties[columns[0] as string] as JsonObject;
  }
  const rows = { type: "array", items: entity };
  if (returns.at === undefined) return rows;
  const beside = {
    ...(returns.total === undefined
      ? {}
      : { [returns.total]: { type: "integer", format: "int64", description: "Total number of rows" } }),
    ...cursorSchema(endpoint),
  };
  const wrapped = {
    type: "object",
    required: [returns.at, ...(returns.total === undefined ? [] : [returns.total])],
    properties: { [returns.at]: rows, ...beside },
  };
  return returns.unwrapped ? { anyOf: [wrapped, rows] } : wrapped;
}

/** Returns the cursor beside the rows, if the endpoint has one. */
function cursorSchema({ query, cursorAt }: Endpoint): Readonly<Record<string, JsonObject>> {
  const param = Object.values(query).find(({ role }) => role === "cursor");
  if (cursorAt === undefined || !param) return {};
  const type = param.type === "integer" ? "integer" : "string";
  return { [cursorAt]: { type: [type, "null"], description: "Cursor of the next page" } };
}

/** Schema of the metadata beside the data. */
export const METADATA: JsonObject = {
  type: "object",
  description: "Labels of the tokens in the response, by mint.",
  properties: { tokens: { type: "object", additionalProperties: schemaRef("TokenLabel") } },
};
