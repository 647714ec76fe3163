/** Fields of entities: builders that attach a kind, the metadata of a field, and all fields of an entity. Loads zod. */
import * as z from "zod";
import type { Numeric } from "../base/index.ts";
import { type FieldMeta, isLargeField, type Kind, type LARGE_KINDS, type NumberShape } from "./kinds.ts";

/** zod's builders for schemas that are composed at run time: a few, because all of zod takes long to load. */
export const builders = { looseObject: z.looseObject, string: z.string, unknown: z.unknown };

type FieldOptions = Omit<FieldMeta, "kind" | "description">;

function withMeta<T>(kind: Kind, description: string, schema: z.ZodType<unknown>, options: FieldOptions = {}) {
  return schema.meta({ kind, description, ...options }) as unknown as z.ZodType<T>;
}

/** Returns the metadata of a field, also inside optional, nullable and default wrappers. */
export function fieldMeta(schema: z.ZodType): FieldMeta | undefined {
  const meta = schema.meta() as FieldMeta | undefined;
  if (meta?.kind) return meta;
  const inner = unwrapSchema(schema);
  return inner === schema ? undefined : fieldMeta(inner);
}

/**
 * Returns a field whose documented type answers do not keep to: third parties write it, or its descriptions contradict
 * each other. It is documented, but not checked.
 */
export const unchecked = <T>(schema: z.ZodType<T>): z.ZodType<T> => schema.meta({ ...schema.meta(), unchecked: true });

/** Returns a field whose name says less than its label, which is its heading. */
export const labelled = <T>(label: string, schema: z.ZodType<T>): z.ZodType<T> =>
  schema.meta({ ...schema.meta(), label });

/** Returns a field by which rows are compared. */
export const compared = <T>(schema: z.ZodType<T>): z.ZodType<T> => schema.meta({ ...schema.meta(), isCompared: true });

/** Whether a path leads to a field that is not checked, or into it. Positions in lists do not matter. */
export function isUnchecked(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  let field: z.ZodType | undefined = schema;
  for (const name of path.filter((key) => typeof key === "string")) {
    const inner: z.ZodType = innerSchema(field);
    field = inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>)[name] : undefined;
    if (!field) return false;
    if (fieldMeta(field)?.unchecked) return true;
  }
  return false;
}

/** Returns the schema inside optional, nullable and default wrappers; of alternatives, the object if there is one. */
export function unwrapSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodUnion) return schema.options.find((option) => option instanceof z.ZodObject) ?? schema;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapSchema(schema.unwrap() as z.ZodType)
    : schema;
}

/** Returns the paths of the fields of a value that a schema lacks; `[]` stands for the items of a list. */
export function unknownFields(schema: z.ZodType, value: unknown, path = ""): readonly string[] {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodLazy) return unknownFields(inner.unwrap() as z.ZodType, value, path);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return [...new Set(value.flatMap((item) => unknownFields(inner.element as z.ZodType, item, `${path}[]`)))];
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const field = (inner.shape as Record<string, z.ZodType>)[name];
    const at = path === "" ? name : `${path}.${name}`;
    return field ? unknownFields(field, item, at) : [at];
  });
}

/** The field with the mint of a token, by the field with its decimals. */
const MINT_FIELDS: ReadonlyMap<string | number, string> = new Map([
  ["token_decimals", "token_address"],
  ["decimals", "token_address"],
  ["token1_decimals", "token1"],
  ["token2_decimals", "token2"],
  ["currency_decimals", "currency_token"],
  ["Decimals", "Token Address"],
  ["TokenDecimals1", "Token1"],
  ["TokenDecimals2", "Token2"],
]);

function tokenOptions(decimals: string | number): FieldOptions {
  const token = MINT_FIELDS.get(decimals);
  return token === undefined ? { decimals } : { decimals, token };
}

const text = (kind: Kind) => (description: string) => withMeta<string>(kind, description, z.string());
const numeric = (kind: Exclude<Kind, (typeof LARGE_KINDS)[number]>) => (description: string) =>
  withMeta<number>(kind, description, z.number());

/**
 * Builders of fields, one for each kind. Large fields are inferred as {@link Numeric}, other numbers as plain numbers.
 * The `…Text` builders are for quantities that the API sends as strings.
 */
export const f = {
  address: text("address"),
  program: text("program"),
  signature: text("signature"),
  hash: text("hash"),
  text: text("text"),
  url: text("url"),
  isoTime: text("isoTime"),
  slot: numeric("slot"),
  /** An amount that is displayed as SOL; a field named after the unit has another `label`. */
  lamports: (description: string, label?: string) =>
    withMeta<Numeric>("lamports", description, z.number(), label === undefined ? {} : { label }),
  lamportsText: text("lamports"),
  amount: numeric("amount"),
  amountText: text("amount"),
  sol: numeric("sol"),
  usd: numeric("usd"),
  percent: numeric("percent"),
  change: numeric("change"),
  changeText: text("change"),
  count: numeric("count"),
  ordinal: numeric("ordinal"),
  number: numeric("number"),
  /** A whole number that can exceed 2^53. */
  largeNumber: (description: string) => withMeta<Numeric>("number", description, z.number(), { isLarge: true }),
  unixTime: numeric("unixTime"),
  date: numeric("date"),
  minute: numeric("minute"),
  boolean: (description: string) => withMeta<boolean>("boolean", description, z.boolean()),
  /** `Success` or `Fail` in lists. */
  status: text("status"),
  /** 1 (success) or 0 (error) in details. */
  statusNumber: numeric("status"),
  tokenAmount: (description: string, decimals: string | number) =>
    withMeta<Numeric>("tokenAmount", description, z.number(), tokenOptions(decimals)),
  /** An amount without decimals beside it, by the sibling field with its mint. */
  tokenAmountOf: (description: string, token: string) =>
    withMeta<Numeric>("tokenAmount", description, z.number(), { token }),
  tokenAmountText: (description: string, decimals: string | number) =>
    withMeta<string>("tokenAmount", description, z.string(), tokenOptions(decimals)),
  /** A quantity that the API sends as a number or as a string. */
  tokenAmountMixed: (description: string, decimals: string | number) =>
    withMeta<Numeric | string>("tokenAmount", description, z.union([z.number(), z.string()]), tokenOptions(decimals)),
  enum: <const V extends readonly string[]>(description: string, values?: V) =>
    withMeta<V[number] | (string & {})>("enum", description, z.string(), values && { values }),
  /** Metadata that a minter published: it can be missing or have the wrong type. */
  published: (kind: Kind, description: string) => withMeta<unknown>(kind, description, z.unknown()).optional(),
  /** A value without a fixed structure. */
  json: (description: string) => withMeta<unknown>("json", description, z.unknown()),
  /** A list of scalar values of one kind. */
  list: <T>(description: string, item: z.ZodType<T>) => {
    const kind = (item.meta() as FieldMeta | undefined)?.kind ?? "json";
    return withMeta<T[]>(kind, description, z.array(item as z.ZodType));
  },
  object: <T>(description: string, schema: z.ZodType<T>) => withMeta<T>("json", description, schema as z.ZodType),
  /** A list of nested entities; `first` lists the first columns of its table. */
  objects: <T>(description: string, schema: z.ZodType<T>, first?: FieldMeta["first"]) =>
    withMeta<T[]>("json", description, z.array(schema as z.ZodType), first && { first }),
};

/** Where and when something happened on the chain. */
export const eventFields = {
  block_id: f.slot("Slot of the block"),
  trans_id: f.signature("Signature of the transaction"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("Time of the block as text").optional(),
};

/** A cell of a CSV answer: text of a kind; an empty cell means that there is no value. */
export const cell = (kind: Kind, description: string, options: FieldOptions = {}): z.ZodType<string> =>
  withMeta<string>(kind, description, z.string(), {
    ...options,
    ...(options.decimals !== undefined && tokenOptions(options.decimals)),
  });

/** A field of an entity by its path from the row: `amount_info.token1`, `creators[].address`. */
export interface Field {
  readonly path: string;
  readonly kind: Kind;
  readonly description: string;
  /** For token amounts: the sibling field with the number of decimals, or that number. */
  readonly decimals?: string | number;
  readonly values?: readonly string[];
  /** Whether answers may lack it. */
  readonly optional: boolean;
  readonly list: boolean;
}

/** Returns every field of an object schema, parents before children. A recursive schema is not entered again. */
export function listFields(schema: z.ZodType): readonly Field[] {
  return collectFields(schema, "", new Set()).map(({ path, field, list }) => {
    const meta = fieldMeta(field);
    return {
      path,
      kind: meta?.kind ?? "json",
      description: meta?.description ?? "",
      ...(meta?.decimals === undefined ? {} : { decimals: meta.decimals }),
      ...(meta?.values === undefined ? {} : { values: meta.values }),
      optional: field.isOptional(),
      list,
    };
  });
}

/** Returns the paths of the fields that servers send as numbers or as text. */
export const listMixedFields = (schema: z.ZodType): readonly string[] =>
  collectFields(schema, "", new Set()).flatMap(({ path, field }) => (isMixed(unwrapSchema(field)) ? [path] : []));

const isMixed = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodUnion &&
  [z.ZodNumber, z.ZodString].every((type) => schema.options.some((one) => one instanceof type));

interface SchemaField {
  readonly path: string;
  readonly field: z.ZodType;
  readonly list: boolean;
}

function collectFields(schema: z.ZodType, prefix: string, open: ReadonlySet<z.ZodType>): readonly SchemaField[] {
  const inner = innerSchema(schema);
  if (!(inner instanceof z.ZodObject) || open.has(inner)) return [];
  const inside = new Set([...open, inner]);
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const path = prefix + name;
    const list = unwrapSchema(field) instanceof z.ZodArray;
    return [{ path, field, list }, ...collectFields(field, `${path}${list ? "[]" : ""}.`, inside)];
  });
}

/** Returns the schema inside wrappers, lists and lazy definitions. */
function innerSchema(schema: z.ZodType): z.ZodType {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return innerSchema(inner.element as z.ZodType);
  if (inner instanceof z.ZodLazy) return innerSchema(inner.unwrap() as z.ZodType);
  return inner;
}

const NUMBER_SHAPES = new WeakMap<z.ZodType, NumberShape>();

/** Returns the fields of an object schema in which numbers can be large, and those in which they cannot. */
export function deriveNumberShape(schema: z.ZodType): NumberShape {
  const inner = innerSchema(schema);
  const existing = NUMBER_SHAPES.get(inner);
  if (existing !== undefined) return existing;
  if (!(inner instanceof z.ZodObject)) {
    const meta = fieldMeta(schema);
    if (meta === undefined || meta.kind === "json") return "unknown";
    return isLargeField(meta) && !(inner instanceof z.ZodString) ? "large" : "plain";
  }
  const fields = new Map<string, NumberShape>();
  // Before its fields: a recursive schema contains itself.
  NUMBER_SHAPES.set(inner, fields);
  for (const [name, field] of Object.entries(inner.shape as Record<string, z.ZodType>)) {
    fields.set(name, deriveNumberShape(field));
  }
  return fields;
}
