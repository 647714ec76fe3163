/**
 * What a field *is*. Formatting, alignment, links, sorting, documentation and safety all hang on the kind; the set is
 * closed, and every consumer switches over it exhaustively.
 */
import * as z from "zod";
import type { Numeric } from "../base/json.ts";

/** The kinds of fields. */
export const KINDS = {
  address: "base58 address of an account",
  program: "base58 address of a program",
  signature: "base58 transaction signature",
  hash: "hash or opaque identifier",
  slot: "slot number",
  lamports: "lamports (10^-9 SOL)",
  tokenAmount: "base units of a token, to be divided by 10^decimals",
  amount: "whole units, decimals already applied",
  sol: "whole SOL",
  usd: "US dollars",
  percent: "percent (2.77 is 2.77 %)",
  count: "count",
  number: "number",
  unixTime: "Unix time in seconds",
  isoTime: "ISO 8601 time",
  date: "calendar date as the number YYYYMMDD",
  status: "success or failure of a transaction",
  boolean: "true or false",
  enum: "one word of a fixed vocabulary",
  text: "text from the chain or from third parties, untrusted",
  url: "address on the web, untrusted",
  json: "nested value",
} as const;

/** The kind of a field. */
export type Kind = keyof typeof KINDS;

/** What the catalogue knows of a field, kept as zod metadata. */
export interface FieldMeta {
  readonly kind: Kind;
  readonly description: string;
  /** For `tokenAmount`: the sibling field that holds the decimals, or the number of decimals itself. */
  readonly decimals?: string | number;
  /** For `enum`: the known words; newer ones pass. */
  readonly values?: readonly string[];
  /** For nested entities: the fields that a table shows first, with their headings; the others follow. */
  readonly first?: Readonly<Record<string, string>>;
}

type FieldOptions = Omit<FieldMeta, "kind" | "description">;

function describe<T>(kind: Kind, description: string, schema: z.ZodType<unknown>, options: FieldOptions = {}) {
  return schema.meta({ kind, description, ...options }) as unknown as z.ZodType<T>;
}

/** The metadata of a field, looking through optional, nullable and default wrappers. */
export function fieldMeta(schema: z.ZodType): FieldMeta | undefined {
  const meta = schema.meta() as FieldMeta | undefined;
  if (meta?.kind) return meta;
  const inner = unwrapSchema(schema);
  return inner === schema ? undefined : fieldMeta(inner);
}

/** The schema inside optional, nullable and default wrappers. */
export function unwrapSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapSchema(schema.unwrap() as z.ZodType)
    : schema;
}

const text = (kind: Kind) => (description: string) => describe<string>(kind, description, z.string());
const numeric = (kind: Kind) => (description: string) => describe<Numeric>(kind, description, z.number());

/**
 * Builders of fields, one for each kind. Numbers are inferred as {@link Numeric}: they keep their digits.
 * The `…Text` builders are for quantities that the API sends as a string.
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
  boolean: (description: string) => describe<boolean>("boolean", description, z.boolean()),
  /** `Success` or `Fail` in lists. */
  status: text("status"),
  /** 1 (success) or 0 (error) in details. */
  statusNumber: numeric("status"),
  tokenAmount: (description: string, decimals: string | number) =>
    describe<Numeric>("tokenAmount", description, z.number(), { decimals }),
  tokenAmountText: (description: string, decimals: string | number) =>
    describe<string>("tokenAmount", description, z.string(), { decimals }),
  /** A quantity that the API sends now as a number, now as a string. */
  tokenAmountMixed: (description: string, decimals: string | number) =>
    describe<Numeric | string>("tokenAmount", description, z.union([z.number(), z.string()]), { decimals }),
  enum: <const V extends readonly string[]>(description: string, values?: V) =>
    describe<V[number] | (string & {})>("enum", description, z.string(), values && { values }),
  /** A value of free or varying shape. */
  json: (description: string) => describe<unknown>("json", description, z.unknown()),
  /** A list of plain values of one kind. */
  list: <T>(description: string, item: z.ZodType<T>) => {
    const kind = (item.meta() as FieldMeta | undefined)?.kind ?? "json";
    return describe<T[]>(kind, description, z.array(item as z.ZodType));
  },
  /** A nested entity. */
  object: <T>(description: string, schema: z.ZodType<T>) => describe<T>("json", description, schema as z.ZodType),
  /** A list of nested entities; `first` names the fields that its table begins with. */
  objects: <T>(description: string, schema: z.ZodType<T>, first?: FieldMeta["first"]) =>
    describe<T[]>("json", description, z.array(schema as z.ZodType), first && { first }),
};
