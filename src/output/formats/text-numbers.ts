/** Numbers that can exceed 2^53 as text, for readers that take every number for a double. */

import type { Shape } from "../../catalogue/index.ts";
import {
  convertNumbers,
  type FieldMeta,
  isLargeField,
  NUMERIC_KINDS,
  type NumberConversion,
  type NumberShape,
  toDigits,
} from "../../catalogue/index.ts";
import type { Content } from "../types.ts";

/** Other numbers keep the digits that were sent. */
const LARGE_AS_TEXT: NumberConversion = { large: toDigits, plain: (value) => value };

/** Returns content in which the numbers of large fields are text, whatever their size. */
export function withTextNumbers(content: Content, shape: Shape): Content {
  if (content.kind === "rows") return { ...content, pages: convertPages(content.pages, numbersOf(shape)) };
  // With the envelope, the fields are below `data`.
  const isOuter = (name: string) => name === "data" && !shape.fields.includes(name);
  const fields = { get: (name: string) => numbersOf(isOuter(name) ? shape : shape.field(name)) };
  const outer = shape.fields.length > 0 ? fields : numbersOf(shape);
  return { ...content, value: convertNumbers(content.value, outer, LARGE_AS_TEXT) as typeof content.value };
}

function numbersOf({ meta, fields, field }: Shape): NumberShape {
  if (fields.length > 0) return { get: (name) => numbersOf(field(name)) };
  if (meta === undefined || meta.kind === "json") return "unknown";
  return isLargeField(meta) ? "large" : "plain";
}

async function* convertPages(pages: Extract<Content, { kind: "rows" }>["pages"], shape: NumberShape) {
  for await (const page of pages) yield convertNumbers(page, shape, LARGE_AS_TEXT) as typeof page;
}

/** Which values of a column are quoted in CSV: all, those that are text, or none. */
export type Quotes = "all" | "text" | "none";

/** Kinds of numbers and times, which an export writes as text. */
const PLAIN_KINDS: ReadonlySet<string | undefined> = new Set([...NUMERIC_KINDS, "unixTime", "date", "minute"]);

/** Returns which values of a field are quoted: all text, and all numbers that can exceed 2^53. */
export function quotesOf(meta: FieldMeta | undefined): Quotes {
  if (meta !== undefined && isLargeField(meta)) return "all";
  return PLAIN_KINDS.has(meta?.kind) ? "none" : "text";
}
