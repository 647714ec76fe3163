/** What endpoints answer: the envelope around the data, CSV, and refusals. */
import type { JsonObject } from "../../base/index.ts";
import {
  type Endpoint,
  PLANS,
  planExcludes,
  STATUSES,
  VALIDATION_CODE,
  validationMessages,
} from "../../catalogue/index.ts";

import { schemaRef } from "./schemas.ts";

type Status = keyof typeof STATUSES;

const statuses = Object.keys(STATUSES).map(Number) as readonly Status[];

/** Schemas that all refusals share. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  Refusal: {
    type: "object",
    description: "What an answer says that is none.",
    required: ["success", "errors"],
    properties: {
      success: { type: "boolean", const: false },
      errors: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: {
            type: "integer",
            description: `The status again, or ${VALIDATION_CODE} for a parameter that is not right`,
          },
          message: { type: "string", description: "What is wrong, in words" },
        },
      },
    },
  },
  BareRefusal: {
    type: "object",
    description: "A refusal without the envelope, as the public family has it.",
    required: ["error_message"],
    properties: { error_message: { type: "string", description: "What is wrong, in words" } },
  },
};

const STATUS_DESCRIPTIONS: Record<Status, string> = {
  400: "A parameter is missing, unknown or not right; some servers answer a bad key with it too.",
  401: "The key is missing or not accepted.",
  403: "The plan of the key does not include the endpoint.",
  404: "There is no such thing, or no such path.",
  429: "Too many requests in a minute, or no compute units left.",
  500: "The server failed.",
};

const RATE_OR_PLAN = "Too many requests; the plan of the key may be the reason as well.";

const retryAfter: JsonObject = {
  "Retry-After": {
    description: "Seconds to wait, or the date to wait for; not always there.",
    schema: { type: "string" },
  },
};

/** The public family's 401 has been seen in both forms. */
const EITHER_ERROR: JsonObject = { anyOf: [schemaRef("Refusal"), schemaRef("BareRefusal")] };

const nameOf = (status: Status) =>
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

/** The refusals that endpoints share, by the names that {@link responsesOf} refers to. */
export const ERROR_RESPONSES: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  statuses.map((status) => [nameOf(status), createErrorResponse(status, STATUS_DESCRIPTIONS[status])]),
);

/** All responses of an endpoint, by status. */
export function responsesOf(endpoint: Endpoint, title: string): JsonObject {
  const errors = statuses.map((status) => [status, errorResponse(endpoint, status)] as const);
  return { 200: successResponse(endpoint, title), ...Object.fromEntries(errors) };
}

function errorResponse(endpoint: Endpoint, status: Status): JsonObject {
  if (status === 401 && endpoint.family === "public")
    return createErrorResponse(status, STATUS_DESCRIPTIONS[401], EITHER_ERROR);
  if (status === 403 && endpoint.statuses?.[403] === "rateLimited") return createErrorResponse(status, RATE_OR_PLAN);
  const plans = Object.values(PLANS).filter((plan) => planExcludes(plan, endpoint));
  const note = plans.map(({ title }) => title).join(", ");
  return note === "" || status !== 403
    ? { $ref: `#/components/responses/${nameOf(status)}` }
    : createErrorResponse(status, `${STATUS_DESCRIPTIONS[403]} It is not part of: ${note}.`);
}

function successResponse(endpoint: Endpoint, title: string): JsonObject {
  const { returns, family } = endpoint;
  if (returns.shape === "csv") {
    const schema = {
      type: "string",
      description: "A header and a row for each entry.",
      "x-row": schemaRef(returns.entity),
    };
    return { description: "Comma-separated values.", content: { "text/csv": { schema } } };
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
  const description = isBare ? "The data in its envelope, or bare on older servers." : "The data in its envelope.";
  return { description, content: { "application/json": { schema } } };
}

function dataSchema({ returns }: Endpoint): JsonObject {
  const entity = schemaRef(returns.entity);
  if (returns.shape === "object") return entity;
  const rows = { type: "array", items: entity };
  if (returns.at === undefined) return rows;
  const total = { type: "integer", format: "int64", description: "Rows in all" };
  return {
    type: "object",
    required: [returns.at, ...(returns.total === undefined ? [] : [returns.total])],
    properties: { [returns.at]: rows, ...(returns.total === undefined ? {} : { [returns.total]: total }) },
  };
}

/** What stands beside the data. */
export const METADATA: JsonObject = {
  type: "object",
  description: "What the answer refers to: labels of tokens by mint.",
  properties: { tokens: { type: "object", additionalProperties: schemaRef("TokenLabel") } },
};
