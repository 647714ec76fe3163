/** The entities of the catalogue as JSON Schemas, in the dialect of OpenAPI 3.1. */
import * as z from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import { type EntityName, KINDS, type Kind } from "../../catalogue/index.ts";
import { entities } from "../../catalogue/schemas.ts";

const SCHEMAS = "#/components/schemas/";

/** Returns a reference to a schema of the document. */
export const schemaRef = (name: string): JsonObject => ({ $ref: `${SCHEMAS}${name}` });

/** Kinds of integers, with the format that code generators map to a type. */
const INTEGER_FORMATS: Partial<Record<Kind, string>> = {
  slot: "int64",
  // Beyond 2^53: tools of the Stoplight family reject such values of the format int64.
  lamports: "uint64",
  tokenAmount: "uint64",
  count: "int64",
  ordinal: "int64",
  unixTime: "int64",
  date: "int32",
  minute: "int64",
  status: "int32",
};

/** Kinds whose unit is added to the description. */
const KINDS_WITH_UNITS: ReadonlySet<Kind> = new Set([
  ...(["lamports", "tokenAmount", "amount", "sol", "usd", "percent", "change", "unixTime", "date", "minute"] as const),
]);

/** Kinds whose values may exceed 2^53. */
const LARGE_KINDS: ReadonlySet<Kind> = new Set(["lamports", "tokenAmount"]);

const PRECISION_NOTE = "May exceed 2^53, where a double loses digits.";

type SchemaNode = { -readonly [K in string]?: Json };

/** Returns the schemas that entities need, by name in alphabetical order. */
export function entitySchemas(names: readonly EntityName[]): Readonly<Record<string, JsonObject>> {
  return collectReferenced(allSchemas(), names);
}

/** Returns the schema of an entity itself instead of a reference to it. */
export const inlineSchema = (name: EntityName): JsonObject => allSchemas()[name] as JsonObject;

let cachedSchemas: Readonly<Record<string, JsonObject>> | undefined;

/** Returns the schemas of all entities; converting them takes a while, so this happens once. */
function allSchemas(): Readonly<Record<string, JsonObject>> {
  cachedSchemas ??= convertEntities();
  return cachedSchemas;
}

function convertEntities(): Readonly<Record<string, JsonObject>> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(entities)) registry.add(schema as z.ZodType, { id: name });
  const { schemas } = z.toJSONSchema(registry, {
    unrepresentable: "any",
    uri: (id) => `${SCHEMAS}${id}`,
    override: ({ jsonSchema }) => rewriteNode(jsonSchema as SchemaNode),
  });
  const { __shared: shared, ...entitiesByName } = schemas as unknown as Readonly<Record<string, JsonObject>>;
  const parts = (shared?.$defs ?? {}) as JsonObject;
  return Object.fromEntries(
    Object.entries(entitiesByName).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [
      name,
      inlineShared(schema, parts),
    ]),
  );
}

/**
 * The keywords of JSON Schema that entities use. Other keys are annotations of the catalogue, which stay out of the
 * document: validators refuse keys that they do not know.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...["$ref", "$schema", "$id", "$defs", "type", "description", "properties", "required", "additionalProperties"],
  ...["items", "anyOf", "const", "enum", "format", "pattern"],
]);

/** Rewrites a schema node in place: converts annotations of the catalogue to descriptions, formats and extensions. */
function rewriteNode(node: SchemaNode): void {
  const { kind, decimals, values, additionalProperties } = node;
  for (const name of Object.keys(node)) if (!KEYWORDS.has(name) && !name.startsWith("x-")) delete node[name];
  // All objects may have unknown fields, so this is redundant, but without any known field it says that there are some.
  if (additionalProperties && Object.keys(additionalProperties).length === 0) {
    if (node.properties === undefined) node.additionalProperties = true;
    else delete node.additionalProperties;
  }
  mergeTypes(node);
  if (typeof kind !== "string" || !(kind in KINDS)) return;
  describeNode(node, kind as Kind, decimals);
  if (Array.isArray(values)) node["x-extensible-enum"] = values;
}

/** Converts alternatives of plain types, including null, to a list of types, but for objects, whose keywords are their own. */
function mergeTypes(node: SchemaNode): void {
  const { anyOf } = node;
  if (!Array.isArray(anyOf)) return;
  const parts = anyOf as readonly JsonObject[];
  const [first = {}, ...others] = parts;
  const arePlain = others.every((part) => Object.keys(part).length === 1 && typeof part.type === "string");
  const isObject = parts.some(({ type }) => type === "object");
  node.description ??= parts.find(({ description }) => description !== undefined)?.description;
  if (isObject || !arePlain || (typeof first.type !== "string" && !Array.isArray(first.type))) return;
  delete node.anyOf;
  Object.assign(node, first, { ...node, type: parts.flatMap(({ type }) => type as string) });
}

function describeNode(node: SchemaNode, kind: Kind, decimals: Json | undefined): void {
  if (node.items !== undefined || node.properties !== undefined || node.$ref !== undefined || kind === "json") return;
  const format = INTEGER_FORMATS[kind];
  const types = [node.type].flat();
  if (format !== undefined && types.includes("number")) {
    const integers = types.map((type) => (type === "number" ? "integer" : (type ?? null)));
    node.type = integers.length === 1 ? integers[0] : integers;
    node.format = format;
  }
  if (kind === "isoTime") node.format = "date-time";
  node["x-kind"] = kind;
  if (decimals !== undefined) node["x-decimals"] = decimals;
  const isExact = LARGE_KINDS.has(kind) && types.includes("number");
  const sentences = [
    node.description,
    ...(KINDS_WITH_UNITS.has(kind) ? [unitOf(kind, decimals)] : []),
    ...(isExact ? [PRECISION_NOTE] : []),
  ];
  node.description = sentences
    .filter((text) => text !== undefined && text !== "")
    .join(". ")
    .replace(/\.\. /g, ". ");
}

function unitOf(kind: Kind, decimals: Json | undefined): string {
  if (kind !== "tokenAmount") return `Unit: ${KINDS[kind]}`;
  const where = typeof decimals === "string" ? `the decimals are in ${decimals}` : `the decimals are ${decimals}`;
  return `Unit: ${KINDS.tokenAmount}; ${where}`;
}

function inlineShared(value: Json, parts: JsonObject): JsonObject {
  const walk = (at: Json): Json => {
    if (Array.isArray(at)) return at.map(walk);
    if (typeof at !== "object" || at === null) return at;
    const { $ref, ...rest } = at as JsonObject;
    const name = typeof $ref === "string" ? /__shared#\/\$defs\/(.+)$/.exec($ref)?.[1] : undefined;
    if (name !== undefined) return { ...(walk(parts[name] ?? {}) as JsonObject), ...rest };
    return Object.fromEntries(Object.entries(at).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value) as JsonObject;
}

/** Returns the named schemas and those that they reference, directly or indirectly. */
function collectReferenced(
  all: Readonly<Record<string, JsonObject>>,
  names: readonly string[],
): Readonly<Record<string, JsonObject>> {
  const referenced = new Set<string>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const schema = all[name];
    if (schema === undefined || referenced.has(name)) continue;
    referenced.add(name);
    for (const [, next = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) pending.push(next);
  }
  return Object.fromEntries([...referenced].sort().map((name) => [name, all[name] as JsonObject]));
}
