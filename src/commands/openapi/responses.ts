/** The responses of endpoints: envelopes, CSV and errors. */
import type { JsonObject } from "../../base/index.ts";
import {
  type Endpoint,
  PLANS,
  planExcludes,
  positionalOf,
  STATUSES,
  VALIDATION_CODE,
  validationMessages,
} from "../../catalogue/index.ts";
import { inlineSchema, schemaRef } from "./schemas.ts";

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
