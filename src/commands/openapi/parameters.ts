/** The parameters of an endpoint as OpenAPI parameters: serialization and schema. */
import type { Json, JsonObject } from "../../base/index.ts";
import {
  type Endpoint,
  limitsOf,
  type Param,
  VALUE_PATTERNS,
  type ValueType,
  validateParameter,
} from "../../catalogue/index.ts";
import { prepare } from "../../client/index.ts";

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
