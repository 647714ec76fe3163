/**
 * Results of tools. The text of a result is JSON with exact digits and escaped control characters; `structuredContent` is
 * the same for programs. A result that is too large is returned in parts, whose texts concatenate to the whole.
 */
import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isArray, isObject, isRawNumber, type Json, type JsonObject, pluralize, UsageError } from "../../base/index.ts";
import { type Answer, displayText } from "../../client/index.ts";
import { formatJson, safeLines } from "../../output/index.ts";

/** A text, with the position after the returned parts. */
export interface TextPosition {
  readonly kind: "text";
  readonly text: Buffer;
  readonly at: number;
}

/** The store of unreturned results, and the size limit of a text. */
export interface ResultStore {
  readonly cursors: Pick<Cursors<TextPosition>, "save">;
  /** Maximum size of a text in bytes. */
  readonly bytes: number;
}

/**
 * Returns a value as the result of a tool, or its first part if it is too large.
 * @param advice returns how to reduce the value in that case
 */
export function createResult(value: JsonObject, store: ResultStore, advice?: () => string): CallToolResult {
  const text = formatJson(value);
  if (Buffer.byteLength(text) > store.bytes) {
    return createPart({ kind: "text", text: Buffer.from(text), at: 0 }, store, advice?.());
  }
  return toolResult(value, text);
}

const toolResult = (value: JsonObject, ...texts: readonly string[]): CallToolResult => ({
  content: texts.map((text) => ({ type: "text", text })),
  structuredContent: toStructured(value) as Record<string, unknown>,
});

/** Returns the part of a text that starts at a position. */
export function createPart({ text, at }: TextPosition, store: ResultStore, advice = ""): CallToolResult {
  const end = characterBoundary(text, at + store.bytes);
  const piece = text.toString("utf8", at, end);
  const isLast = end === text.length;
  const head = {
    part: `bytes ${at + 1}-${end} of ${text.length}`,
    ...(isLast ? {} : { cursor: store.cursors.save({ kind: "text", text, at: end }, text.length) }),
    note: isLast
      ? "The last part of a JSON text. If it contains a cursor, that continues the list."
      : `A part of a JSON text that is too large for one result; the tool more returns the next part. ${advice}`.trim(),
  };
  return toolResult({ ...head, text: piece }, formatJson(head), piece);
}

/** Returns how many of a number of rows fit into a result, at least one of them; the more rows, the larger it is. */
export function mostRows(count: number, fits: (rows: number) => boolean): number {
  let [least, most] = [Math.min(1, count), count];
  // Most results have all rows.
  for (let rows = most; least < most; rows = Math.ceil((least + most) / 2)) {
    if (fits(rows)) least = rows;
    else most = rows - 1;
  }
  return least;
}

/** Returns the error of a tool as a result. */
export const createFailure = (value: JsonObject): CallToolResult => ({
  ...toolResult(value, formatJson(value)),
  isError: true,
});

/** Returns the last start of a character at or before `end`. */
function characterBoundary(text: Buffer, end: number): number {
  if (end >= text.length) return text.length;
  let at = end;
  while (((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** Maximum number of stored cursors, and their maximum total size in bytes. */
const MAX_CURSORS = 200;
const MAX_BYTES = 32_000_000;

const CURSOR_PATTERN = /^c[0-9a-z]+-[0-9a-z]{6}$/;

/** The cursors of one server. A cursor can be used repeatedly and always continues at the same position. */
export class Cursors<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  #bytes = 0;
  #count = 0;

  /** Stores a value of about the given size in bytes; returns its cursor. */
  save(value: T, bytes: number): string {
    this.#count += 1;
    // A random suffix distinguishes the cursors of different servers.
    const suffix = Math.floor(Math.random() * 36 ** 6)
      .toString(36)
      .padStart(6, "0");
    const cursor = `c${this.#count.toString(36)}-${suffix}`;
    this.#entries.set(cursor, { value, bytes });
    this.#bytes += bytes;
    this.#evict();
    return cursor;
  }

  /** Returns the value of a cursor. Throws UsageError for an invalid or expired cursor. */
  find(cursor: string): T {
    const stored = this.#entries.get(cursor);
    if (stored) {
      this.#entries.delete(cursor);
      this.#entries.set(cursor, stored);
      return stored.value;
    }
    const isExpired = CURSOR_PATTERN.test(cursor);
    throw new UsageError(isExpired ? `cursor "${cursor}" has expired` : `invalid cursor "${displayText(cursor)}"`, {
      code: "CURSOR",
      invalid: { reason: "value", parameter: "cursor" },
      hint: isExpired
        ? "Repeat the call that returned the list or text; its result has a new cursor."
        : "Pass the cursor of an earlier result unchanged.",
    });
  }

  #evict(): void {
    for (const [cursor, { bytes }] of this.#entries) {
      const isFull = this.#entries.size > MAX_CURSORS || this.#bytes > MAX_BYTES;
      // The newest cursor is the one most likely used next.
      if (!isFull || this.#entries.size === 1) return;
      this.#entries.delete(cursor);
      this.#bytes -= bytes;
    }
  }
}

/** Maximum length of a text in characters, unless its field is selected. */
const MAX_TEXT_LENGTH = 2000;
/** Maximum number of truncated texts and of shortened lists named in notes. */
const MAX_NAMED = 5;

/** Matches paths that are safe to print: names of fields may come from the chain, too. */
const SAFE_PATH = /^[\w.[\]]{1,80}$/;

/** Image URLs are of no use in text. */
const IMAGE_FIELD = /^(?:\w+_)?icon$/;

/** A value with notes about what was omitted. */
interface Abridged {
  readonly value: Json;
  readonly notes: readonly string[];
}

interface AbridgeOptions {
  /** Whether the fields of the value are selected: all of them are wanted in full. */
  readonly isSelected?: boolean;
  readonly hasImages?: boolean;
  /** Maximum number of rows of lists inside. */
  readonly rows?: number | undefined;
}

/** Limits the lists inside a value, omits images and truncates long texts; returns the truncated texts, too. */
export function abridge(
  value: Json,
  { isSelected = false, hasImages = isSelected, rows = Number.POSITIVE_INFINITY }: AbridgeOptions,
): Abridged & { readonly cuts: readonly string[] } {
  const [lists, images, cuts] = [new Set<string>(), new Set<string>(), [] as string[]];
  const shorten = (text: string, path: string) => {
    if (isSelected || text.length <= MAX_TEXT_LENGTH) return text;
    cuts.push(`${SAFE_PATH.test(path) ? path : "a text"} (${pluralize(text.length, "character")})`);
    return `${text.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, "")}…`;
  };
  const walk = (inner: Json, path: string): Json => {
    if (typeof inner === "string") return shorten(inner, path);
    if (isArray(inner)) {
      const isCut = inner.length > rows && inner.some(isObject);
      if (isCut) lists.add(`${path}: ${rows} of ${inner.length} rows.`);
      return (isCut ? inner.slice(0, rows) : inner).map((one) => walk(one, `${path}[]`));
    }
    if (!isObject(inner)) return inner;
    const isImage = ([name, one]: readonly [string, Json]) =>
      !hasImages && IMAGE_FIELD.test(name) && typeof one === "string";
    for (const field of Object.entries(inner)) if (isImage(field)) images.add(field[0]);
    const fields = Object.entries(inner).filter((field) => !isImage(field));
    return Object.fromEntries(fields.map(([name, one]) => [name, walk(one, path === "" ? name : `${path}.${name}`)]));
  };
  const abridged = walk(value, "");
  const omitted = images.size === 0 ? [] : [`Omitted: ${[...images].join(", ")}. Request them with "fields".`];
  return { value: abridged, notes: [...[...lists].slice(0, MAX_NAMED), ...omitted], cuts };
}

/** Returns a note about truncated texts. */
export function cutNotes(cuts: readonly string[]): readonly string[] {
  if (cuts.length === 0) return [];
  const rest = cuts.length > MAX_NAMED ? ` and ${cuts.length - MAX_NAMED} more` : "";
  const named = cuts.slice(0, MAX_NAMED).join(", ");
  return [
    `Truncated to ${MAX_TEXT_LENGTH} characters: ${named}${rest}. Select fields with "fields" to get them in full.`,
  ];
}

/**
 * Converts a value for programs that parse numbers as doubles and print text unescaped: numbers that a double would
 * change become strings, control characters become `‹U+202E›`.
 */
export function toStructured(value: Json): Json {
  if (isRawNumber(value)) return value.rawJSON;
  if (typeof value === "string") return safeLines(value);
  if (isArray(value)) return value.map(toStructured);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [safeLines(key), toStructured(inner)]));
}

/** Fields of a transaction that describe its execution rather than its effects. */
const EXECUTION_FIELDS = [
  "parsed_instructions",
  "account_keys",
  "log_message",
  "list_signer",
  "recent_block_hash",
  "address_table_lookup",
];

/** Reduces a transaction to its effects. */
export function summarizeTransaction(data: Json): Abridged {
  if (!isObject(data)) return { value: data, notes: [] };
  const entries = Object.entries(data).filter(([name]) => !EXECUTION_FIELDS.includes(name));
  const omitted = EXECUTION_FIELDS.filter((name) => data[name] !== undefined);
  const summary = entries.map(
    ([name, value]) => [name, name.endsWith("_bal_change") ? changedBalances(value) : value] as const,
  );
  if (omitted.length === 0) return { value: Object.fromEntries(summary), notes: [] };
  const note = `Omitted: ${omitted.join(", ")} and unchanged balances. Use "full": true for everything.`;
  return { value: Object.fromEntries(summary), notes: [note] };
}

function changedBalances(balances: Json): Json {
  if (!isArray(balances)) return balances;
  return balances.filter((balance) => !isObject(balance) || !/^[+-]?0*(\.0*)?$/.test(amountText(balance)));
}

const amountText = ({ change_amount: amount = "?" }: JsonObject) =>
  typeof amount === "string" ? amount : formatJson(amount);

/** Matches field names that are safe to print: names may come from the chain, too. */
const SAFE_NAME = /^\w{1,40}$/;

/** Returns advice for reducing an object that is too large for a result. */
export function sizeAdvice(data: Json): string {
  const sizes = Object.entries(isObject(data) ? data : {})
    .map(([name, value]) => [name, Buffer.byteLength(formatJson(value))] as const)
    .filter(([name]) => SAFE_NAME.test(name))
    .sort(([, one], [, other]) => other - one);
  const largest = sizes.slice(0, 3).map(([name, size]) => `${name} (${pluralize(size, "byte")})`);
  const smallest = sizes.at(-1)?.[0];
  const example = smallest === undefined ? "" : `, e.g. {"fields":["${smallest}"]}`;
  const inside = largest.length === 0 ? "" : ` Largest fields: ${largest.join(", ")}.`;
  return `To reduce it, select "fields"${example} or limit lists inside with "rows".${inside}`;
}

/** Returns the metadata of an answer, such as names of tokens; undefined if empty. */
export function metadataOf({ envelope }: Answer): JsonObject | undefined {
  const metadata = envelope?.metadata;
  return isObject(metadata) && Object.keys(metadata).length > 0 ? metadata : undefined;
}

/** Merges the metadata of two answers. */
export function mergeMetadata(one: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  if (!one || !other) return one ?? other;
  const { tokens } = one;
  const all = isObject(tokens) && isObject(other.tokens) ? { tokens: { ...tokens, ...other.tokens } } : {};
  return { ...one, ...other, ...all };
}

/** Returns the metadata that the given values refer to; undefined if empty. */
export function metadataFor(metadata: JsonObject | undefined, values: Json): JsonObject | undefined {
  if (!metadata) return undefined;
  const { tokens, ...rest } = metadata;
  const text = formatJson(values);
  const mentioned = Object.entries(isObject(tokens) ? tokens : {})
    .filter(([mint]) => text.includes(mint))
    .map(([mint, token]) => [mint, describeToken(mint, token)] as const);
  const result = { ...rest, ...(mentioned.length > 0 ? { tokens: Object.fromEntries(mentioned) } : {}) };
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Removes the image of a token, and the mint that it is listed under. */
function describeToken(mint: string, token: Json): Json {
  const { value } = abridge(token, {});
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, one]) => name !== "token_address" || one !== mint))
    : value;
}
