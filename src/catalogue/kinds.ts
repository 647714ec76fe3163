/**
 * Kinds of fields: what a value means, independent of its JSON type. Formatting, alignment, links, sorting,
 * documentation and sanitising depend on the kind; the set is closed, and every consumer switches over it exhaustively.
 */

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
  change: "change in percent (2.77 means +2.77 %)",
  count: "count",
  ordinal: "whole number that identifies, such as a rank or a block height",
  number: "number",
  unixTime: "Unix time in seconds",
  isoTime: "ISO 8601 time",
  date: "calendar date as the number YYYYMMDD",
  minute: "calendar date and minute (UTC) as the number YYYYMMDDHHMM",
  status: "success or failure of a transaction",
  boolean: "true or false",
  enum: "enum",
  text: "untrusted text from the chain or third parties",
  url: "untrusted URL",
  json: "nested value",
} as const;

/** The kind of a field. */
export type Kind = keyof typeof KINDS;

/** The kinds that are quantities. */
export const NUMERIC_KINDS: ReadonlySet<string> = new Set<Kind>([
  "slot",
  "lamports",
  "tokenAmount",
  "amount",
  "sol",
  "usd",
  "percent",
  "change",
  "count",
  "ordinal",
  "number",
]);

/** The kinds of whole numbers up to 2^64 and beyond; their fields are large (see `NumberMode`). */
export const LARGE_KINDS = ["lamports", "tokenAmount"] as const satisfies readonly Kind[];

/** Whether the numbers of a field can exceed 2^53. */
export const isLargeField = ({ kind, isLarge }: Pick<FieldMeta, "kind" | "isLarge">): boolean =>
  isLarge ?? (LARGE_KINDS as readonly Kind[]).includes(kind);

/** The description of a field, stored as zod metadata. */
export interface FieldMeta {
  readonly kind: Kind;
  readonly description: string;
  /** The heading in tables, where the field's name contradicts the unit that is displayed: `lamports` of SOL. */
  readonly label?: string;
  /** Whether rows are compared by it: lists of the explorer draw a bar beside it. */
  readonly isCompared?: true;
  /** Whether its numbers can exceed 2^53, where the kind does not say so. */
  readonly isLarge?: true;
  /** For `tokenAmount`: the sibling field with the number of decimals, or that number. */
  readonly decimals?: string | number;
  /** For `tokenAmount`: the sibling field with the mint of the token. */
  readonly token?: string;
  /** For `enum`: the known values; others are accepted too. */
  readonly values?: readonly string[];
  /** For nested entities: the first columns of their table, with headings; the other fields follow. */
  readonly first?: Readonly<Record<string, string>>;
  /** Answers do not keep to the type of the field. */
  readonly unchecked?: boolean;
}
