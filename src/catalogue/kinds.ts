/**
 * Kinds of fields: what a value means, independent of its JSON type. Formatting, alignment, links, sorting,
 * documentation and sanitising depend on the kind; the set is closed, and every consumer switches over it exhaustively.
 */
import * as z from "zod";
import type { Numeric } from "../base/json.ts";

/** The kinds of fields, with their description for the documentation. */
export const KINDS = {
  address: "base58 address of an account",
  program: "base58 address of a program",
  signature: "base58 transaction signature",
  hash: "hash or opaque identifier",
  slot: "slot number",
  lamports: "lamports (10^-9 SOL)",
  tokenAmount: "base units of a token; divide by 10^decimals",
  amount: "whole units; decimals already applied",
  sol: "whole SOL",
  usd: "US dollars",
  percent: "percent (2.77 means 2.77 %)",
  count: "count",
  number: "number",
  unixTime: "Unix time in seconds",
  isoTime: "ISO 8601 time",
  date: "calendar date as the number YYYYMMDD",
  status: "success or failure of a transaction",
  boolean: "true or false",
  enum: "enum",
  text: "untrusted text from the chain or third parties",
  url: "untrusted URL",
  json: "nested value",
} as const;

/** The kind of a field. */
export type Kind = keyof typeof KINDS;

/** The description of a field, stored as zod metadata. */
export interface FieldMeta {
  readonly kind: Kind;
  readonly description: string;
  /** For `tokenAmount`: the sibling field with the number of decimals, or that number. */
  readonly decimals?: string | number;
  /** For `enum`: the known values; others are accepted too. */
  readonly values?: readonly string[];
  /** For nested entities: the first columns of their table, with headings; the other fields follow. */
  readonly first?: Readonly<Record<string, string>>;
}

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

/** Returns the schema inside optional, nullable and default wrappers. */
export function unwrapSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapSchema(schema.unwrap() as z.ZodType)
    : schema;
}

const text = (kind: Kind) => (description: string) => withMeta<string>(kind, description, z.string());
const numeric = (kind: Kind) => (description: string) => withMeta<Numeric>(kind, description, z.number());

/**
 * Builders of fields, one for each kind. Numbers are inferred as {@link Numeric}, so no digits are lost.
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
  lamports: numeric("lamports"),
  lamportsText: text("lamports"),
  amount: numeric("amount"),
  amountText: text("amount"),
  sol: numeric("sol"),
  usd: numeric("usd"),
  percent: numeric("percent"),
  percentText: text("percent"),
  count: numeric("count"),
  number: numeric("number"),
  unixTime: numeric("unixTime"),
  date: numeric("date"),
  boolean: (description: string) => withMeta<boolean>("boolean", description, z.boolean()),
  /** `Success` or `Fail` in lists. */
  status: text("status"),
  /** 1 (success) or 0 (error) in details. */
  statusNumber: numeric("status"),
  tokenAmount: (description: string, decimals: string | number) =>
    withMeta<Numeric>("tokenAmount", description, z.number(), { decimals }),
  tokenAmountText: (description: string, decimals: string | number) =>
    withMeta<string>("tokenAmount", description, z.string(), { decimals }),
  /** A quantity that the API sends as a number or as a string. */
  tokenAmountMixed: (description: string, decimals: string | number) =>
    withMeta<Numeric | string>("tokenAmount", description, z.union([z.number(), z.string()]), { decimals }),
  enum: <const V extends readonly string[]>(description: string, values?: V) =>
    withMeta<V[number] | (string & {})>("enum", description, z.string(), values && { values }),
  /** A value without a fixed structure. */
  json: (description: string) => withMeta<unknown>("json", description, z.unknown()),
  /** A list of scalar values of one kind. */
  list: <T>(description: string, item: z.ZodType<T>) => {
    const kind = (item.meta() as FieldMeta | undefined)?.kind ?? "json";
    return withMeta<T[]>(kind, description, z.array(item as z.ZodType));
  },
  /** A nested entity. */
  object: <T>(description: string, schema: z.ZodType<T>) => withMeta<T>("json", description, schema as z.ZodType),
  /** A list of nested entities; `first` lists the first columns of its table. */
  objects: <T>(description: string, schema: z.ZodType<T>, first?: FieldMeta["first"]) =>
    withMeta<T[]>("json", description, z.array(schema as z.ZodType), first && { first }),
};

/** A cell of a CSV answer: text of the given kind; an empty cell means that there is no value. */
export const cell = (kind: Kind, description: string, options: FieldOptions = {}): z.ZodType<string> =>
  withMeta<string>(kind, description, z.string(), options);
