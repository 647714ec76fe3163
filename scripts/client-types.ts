/**
 * The types of the library's methods, generated from the catalogue: one named interface for each request, entity and
 * group, with the texts of the catalogue as documentation.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import {
  allEndpoints,
  type Endpoint,
  isLargeField,
  KINDS,
  type Kind,
  type Param,
  positionalOf,
  returnsList,
} from "../src/catalogue/index.ts";
import { entities, fieldMeta } from "../src/catalogue/schemas.ts";
import { GROUPS } from "../src/commands/endpoint/groups.ts";

const FILE = fileURLToPath(new URL("../src/library-methods.ts", import.meta.url));

const HEADER = `/** The methods of the client, generated from the catalogue by scripts/client-types.ts: not edited. */
import type { Call, ListCall, SendOptions } from "./client/index.ts";

/** One value, or a list of values. */
export type OneOrMany<Value> = Value | readonly Value[];
`;

/** Writes the module with the types. */
export function writeClientTypes(): void {
  writeFileSync(FILE, clientTypes());
}

/** Returns the text of the module with the types. */
export function clientTypes(): string {
  const types = createEntityTypes();
  const groups = groupEndpoints();
  const parts = [
    ...[...groups].flatMap(([, group]) => group.endpoints.map(paramsInterface)),
    ...[...groups].map(([name, group]) => groupInterface(name, group, types)),
  ];
  return withoutUnusedLarge([HEADER, ...types.interfaces(), ...parts.filter((part) => part !== "")].join("\n"));
}

/** Returns the module with a type parameter only for entities that contain large numbers. */
function withoutUnusedLarge(text: string): string {
  const bodies = [...text.matchAll(/^export interface (\w+)<Large = bigint> \{\n([\s\S]*?)^\}/gm)];
  const large = new Set(
    bodies.filter(([, , body = ""]) => /\bLarge\b/.test(body.replace(/\w+<Large>/g, ""))).map(([, name]) => name),
  );
  for (let count = -1; count !== large.size; ) {
    count = large.size;
    for (const [, name, body = ""] of bodies) {
      if ([...body.matchAll(/(\w+)<Large>/g)].some(([, user]) => large.has(user))) large.add(name);
    }
  }
  return text.replace(/(\w+)<Large(?: = bigint)?>/g, (whole, name) =>
    large.has(name) || name === "Call" || name === "ListCall" ? whole : name,
  );
}

interface Group {
  readonly summary: string;
  readonly endpoints: readonly Endpoint[];
  /** The groups inside, by the name of the member, with the name of their interface. */
  readonly groups: readonly (readonly [name: string, type: string])[];
}

/** Returns the interfaces of groups by their names: inner ones first. */
function groupEndpoints(): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  const top = { legacy: [] as [string, string][], other: [] as [string, string][] };
  for (const [kind, prefix] of [
    ["legacy", "Legacy"],
    ["other", ""],
  ] as const) {
    const endpoints = allEndpoints.filter(({ family }) => (family === "legacy") === (kind === "legacy"));
    for (const name of new Set(endpoints.map(({ group }) => group).filter((group) => group !== ""))) {
      const type = `${prefix}${pascal(name)}Methods`;
      const summary = kind === "legacy" ? `The older family of endpoints: ${name}` : (GROUPS[name]?.summary ?? name);
      groups.set(type, { summary, endpoints: endpoints.filter(({ group }) => group === name), groups: [] });
      top[kind].push([name, type]);
    }
    const type = kind === "legacy" ? "LegacyMethods" : "ApiMethods";
    if (kind === "legacy") top.other.push(["legacy", type]);
    const summary = kind === "legacy" ? "The older family of endpoints" : "A method for every endpoint";
    const plain = endpoints.filter(({ group }) => group === "");
    groups.set(type, { summary, endpoints: plain, groups: top[kind] });
  }
  return groups;
}

const pascal = (name: string): string => name.replace(/(?:^|[-_ ])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns a comment for documentation; lines that are empty separate paragraphs. */
function comment(lines: readonly string[], indent = ""): string {
  const texts = lines.map((line) => line.replaceAll("*/", "* /"));
  if (texts.length === 1) return `${indent}/** ${texts[0]} */\n`;
  return `${indent}/**\n${texts.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** Returns a text as a sentence. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const literal = (value: string | number): string => JSON.stringify(value);

/** Returns the name of a member, in quotes where it is no identifier. */
const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

// Entities

/** Kinds whose texts add nothing to the description of a field. */
const PLAIN_KINDS: ReadonlySet<Kind> = new Set([
  "text",
  "json",
  "boolean",
  "number",
  "count",
  "enum",
  "address",
  "url",
]);

interface EntityTypes {
  /** Returns the type of an entity or of a part of one, and registers the interfaces that it needs. */
  readonly typeOf: (schema: z.ZodType, name: string) => string;
  readonly interfaces: () => readonly string[];
}

function createEntityTypes(): EntityTypes {
  const names = new Map<z.ZodType, string>();
  const texts = new Map<string, string>();
  /** What entities are, by their names. */
  const abouts = namesOfUsers();
  for (const [name, schema] of Object.entries(entities)) if (schema instanceof z.ZodObject) names.set(schema, name);

  /** Returns the type of a field inside wrappers. */
  const typeOf = (schema: z.ZodType, name: string): string => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
      return typeOf(schema.unwrap() as z.ZodType, name);
    if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType, name)} | null`;
    if (schema instanceof z.ZodLazy) return typeOf(schema.unwrap() as z.ZodType, name);
    if (schema instanceof z.ZodArray) return listType(typeOf(schema.element as z.ZodType, name));
    if (schema instanceof z.ZodObject) return entityType(schema, name);
    const meta = fieldMeta(schema);
    if (schema instanceof z.ZodUnion) return unionType(schema.options as readonly z.ZodType[], meta?.kind, name);
    if (schema instanceof z.ZodNumber) return meta && isLargeField(meta) ? "Large" : "number";
    if (schema instanceof z.ZodBoolean) return "boolean";
    if (schema instanceof z.ZodString) {
      return meta?.values ? [...meta.values.map(literal), "(string & {})"].join(" | ") : "string";
    }
    if (schema instanceof z.ZodRecord)
      return `Readonly<Record<string, ${typeOf(schema.valueType as z.ZodType, name)}>>`;
    if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return "unknown";
    throw new Error(`${name}: no type for ${schema.constructor.name}`);
  };
  const unionType = (options: readonly z.ZodType[], kind: Kind | undefined, name: string): string => {
    if (kind && isLargeField({ kind })) return "Large";
    return [...new Set(options.map((option) => typeOf(option, name)))].join(" | ");
  };
  const entityType = (schema: z.ZodObject, suggestion: string): string => {
    const name = names.get(schema) ?? unusedName(suggestion);
    names.set(schema, name);
    if (!abouts.has(name)) abouts.set(name, abouts.get(suggestion) ?? "");
    if (!texts.has(name)) {
      // Before its fields: a recursive entity contains itself.
      texts.set(name, "");
      texts.set(name, entityInterface(name, schema));
    }
    return `${name}<Large>`;
  };
  const unusedName = (suggestion: string): string => {
    const taken = new Set(names.values());
    let name = suggestion;
    for (let number = 2; taken.has(name); number++) name = `${suggestion}${number}`;
    return name;
  };
  const entityInterface = (name: string, schema: z.ZodObject): string => {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, field]) => {
      const doc = comment(fieldText(field), "  ");
      abouts.set(`${name}${pascal(key)}`, `The member \`${key}\` of {@link ${name}}.`);
      return `${doc}  ${memberName(key)}${field.isOptional() ? "?" : ""}: ${typeOf(field, `${name}${pascal(key)}`)};\n`;
    });
    return `${comment([abouts.get(name) ?? ""])}export interface ${name}<Large = bigint> {\n${fields.join("")}}\n`;
  };
  return { typeOf, interfaces: () => [...texts.values()] };
}

const listType = (item: string): string => (/[|&]/.test(item) ? `(${item})[]` : `${item}[]`);

/** Returns what the entities of endpoints are, by their names. */
function namesOfUsers(): Map<string, string> {
  const named = (users: readonly Endpoint[]) => `${users.map((user) => `\`${pathOf(user)}\``).join(", ")}.`;
  const byEntity = Map.groupBy(allEndpoints, ({ returns }) => returns.entity);
  const byBeside = Map.groupBy(allEndpoints, ({ returns }) => returns.beside);
  return new Map([
    ...[...byEntity].map(([entity, users]): [string, string] => [
      entity,
      `${users.some(returnsList) ? "A row" : "The answer"} of ${named(users)}`,
    ]),
    ...[...byBeside].map(([entity, users]): [string, string] => [String(entity), `Beside the rows of ${named(users)}`]),
  ]);
}

/** Returns the documentation of a field: its description, and the unit or form. */
function fieldText(field: z.ZodType): readonly string[] {
  const meta = fieldMeta(field);
  if (!meta) return ["A member of the answer."];
  const { kind, description, decimals } = meta;
  const unit = PLAIN_KINDS.has(kind) ? [] : [`Form: ${KINDS[kind]}.`];
  const where = typeof decimals === "string" ? `Decimals: the field \`${decimals}\`.` : `Decimals: ${decimals}.`;
  return [[sentence(description), ...unit, ...(decimals === undefined ? [] : [where])].join(" ")];
}

// Requests

const TYPES: Readonly<Record<Param["type"], string>> = {
  address: "string",
  signature: "string",
  text: "string",
  enum: "string",
  slot: "number | bigint | string",
  integer: "number | bigint | string",
  decimal: "number | bigint | string",
  boolean: "boolean",
  time: "number | string | Date",
  date: "number | string | Date",
};

const TYPE_NOTES: Partial<Record<Param["type"], string>> = {
  address: "An address in base58.",
  signature: "A signature in base58.",
  time: 'A time: Unix seconds, a `Date`, `"2024-07-05"`, or an age such as `"7d"`.',
  date: 'A day: `20240705`, a `Date`, `"2024-07-05"`, or an age such as `"7d"`.',
};

/** Returns the type of a parameter's values. */
function parameterType({ type, arity, values, newer = [] }: Param): string {
  const single = values ? [...values, ...newer].map(literal).join(" | ") : TYPES[type];
  if (arity === "one") return single;
  if (arity === "range") return `readonly [minimum: ${single}, maximum: ${single}]`;
  return `OneOrMany<${single}>`;
}

function parameterText(param: Param): readonly string[] {
  const { description, type, note, deprecated, needs, max, maxItems, accepts } = param;
  const sentences = [
    sentence(description),
    accepts && "A well-known symbol, such as USDC, stands for its mint.",
    accepts ? undefined : TYPE_NOTES[type],
    needs && `Requires \`${needs}\`.`,
    note && sentence(note),
    max === undefined ? undefined : `At most ${max}.`,
    maxItems === undefined ? undefined : `At most ${maxItems} values.`,
  ];
  return [
    sentences.filter(Boolean).join(" "),
    ...(param.default === undefined ? [] : [`@default ${JSON.stringify(param.default)}`]),
    ...(deprecated === undefined ? [] : [`@deprecated ${deprecated}`]),
  ];
}

/** Whether a request needs a parameter: it is required and has no default. */
const isNeeded = (param: Param): boolean => param.required && param.default === undefined;

/** Returns the name of an endpoint in the names of types: `AccountTransfer`, `LegacyBlockDetail`. */
const typeName = ({ family, group, call }: Endpoint): string =>
  `${family === "legacy" ? "Legacy" : ""}${pascal(group)}${pascal(call)}`;

function paramsInterface(endpoint: Endpoint): string {
  const entries = Object.entries(endpoint.query);
  if (entries.length === 0) return "";
  const members = entries.map(
    ([name, param]) =>
      `${comment(parameterText(param), "  ")}  ${memberName(name)}${isNeeded(param) ? "" : "?"}: ${parameterType(param)}${isNeeded(param) ? "" : " | undefined"};\n`,
  );
  const text = `Parameters of \`${pathOf(endpoint)}\`: ${endpoint.summary.charAt(0).toLowerCase()}${endpoint.summary.slice(1)}.`;
  return `${comment([text])}export interface ${typeName(endpoint)}Params {\n${members.join("")}}\n`;
}

/** Returns how a method is called: `client.account.transfer`. */
const pathOf = ({ family, group, call }: Endpoint): string =>
  ["client", ...(family === "legacy" ? ["legacy"] : []), ...(group === "" ? [] : [group]), call].join(".");

function groupInterface(name: string, { summary, endpoints, groups }: Group, types: EntityTypes): string {
  const inner = groups.map(([member, type]) => {
    const text = member === "legacy" ? "The older family of endpoints." : sentence(GROUPS[member]?.summary ?? member);
    return `${comment([text], "  ")}  readonly ${member}: ${type}<Large>;\n`;
  });
  const members = endpoints.map((endpoint) => methodText(endpoint, types));
  return `${comment([sentence(summary)])}export interface ${name}<Large = bigint> {\n${[...inner, ...members].join("")}}\n`;
}

function methodText(endpoint: Endpoint, types: EntityTypes): string {
  const { query, call } = endpoint;
  const entries = Object.values(query);
  const isOptional = !entries.some(isNeeded);
  const params = entries.length === 0 ? [] : [`params${isOptional ? "?" : ""}: ${typeName(endpoint)}Params`];
  const signature = `${call}(${[...params, "options?: SendOptions"].join(", ")}): ${callType(endpoint, types)};`;
  return `${comment(methodDoc(endpoint), "  ")}  ${signature}\n`;
}

function callType({ returns }: Endpoint, types: EntityTypes): string {
  const { shape, entity, at, total, beside, unwrapped } = returns;
  if (shape === "number") return "Call<number, Large>";
  const row = types.typeOf(entities[entity] as unknown as z.ZodType, entity);
  if (shape === "object") return `Call<${row}, Large>`;
  if (at === undefined) return `ListCall<${row}, Large>`;
  const count = total === undefined ? "" : `${memberName(total)}: number; `;
  const rows = `{ ${count}${memberName(at)}: ${row}[] }`;
  const around = beside === undefined ? "" : `${types.typeOf(entities[beside] as unknown as z.ZodType, beside)} & `;
  return `ListCall<${row}, Large, ${around}${rows}${unwrapped ? ` | ${row}[]` : ""}>`;
}

function methodDoc(endpoint: Endpoint): readonly string[] {
  const { summary, description, notes = [], cost, examples, query, returns } = endpoint;
  const price = cost.units === 0 ? "Free of compute units." : `Costs ${cost.units} compute units for each ${cost.per}.`;
  const example = examples[0];
  const [subject] = returns.shape === "object" ? (positionalOf(endpoint) ?? []) : [];
  return [
    sentence(summary),
    ...(description === undefined ? [] : ["", sentence(description)]),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${sentence(note)}`)]),
    "",
    price,
    ...(Object.keys(query).length === 0 ? [] : ["@param params what to request, by the names of the API"]),
    "@param options how the request is sent",
    "@throws {UsageError} for invalid parameters, before a request is sent",
    ...(subject === undefined ? [] : [`@throws {NotFoundError} when the API has no data for \`${subject}\``]),
    "@throws {SolxError} another class of error for each other failure: key, plan, limits, network, server",
    ...(example ? ["@example", `// ${example.about}`, exampleCode(endpoint, example.params)] : []),
  ];
}

function exampleCode(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).map(([name, value]) => `${memberName(name)}: ${JSON.stringify(value)}`);
  const call = `${pathOf(endpoint)}(${entries.length === 0 ? "" : `{ ${entries.join(", ")} }`})`;
  return returnsList(endpoint) ? `for await (const row of ${call}) console.log(row);` : `console.log(await ${call});`;
}

if (import.meta.main) writeClientTypes();
