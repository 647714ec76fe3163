/** Nested values as text: the times and quantities of their fields, in place of JSON. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import type { Kind } from "../../catalogue/index.ts";
import { type Cell, formatValue, MISSING, type ValueStyle } from "../values/cell.ts";
import type { Shape } from "./shape.ts";

/** The kinds of times and quantities, which say what an object amounts to. */
export const TELLING_KINDS: ReadonlySet<Kind | undefined> = new Set([
  ...(["date", "minute", "unixTime"] as const),
  ...(["lamports", "tokenAmount", "amount", "sol", "usd", "percent", "change"] as const),
]);

/**
 * Summarizes a nested value by the times and quantities of its fields: `1.5 SOL → 205.7 USDC`, or for a list the first
 * and the last item. Returns undefined where nothing is known of its fields, or none of them is of such a kind.
 */
export function summarizeFields(value: Json | undefined, shape: Shape, style: ValueStyle): Cell | undefined {
  if (value === undefined || shape.open) return undefined;
  const items = isArray(value) ? value : [value];
  const [first, last] = [items[0], items.at(-1)].map((item) =>
    isObject(item) ? summarizeObject(item, shape, style) : "",
  );
  if (!first || !last) return undefined;
  const text = items.length === 1 ? first : `${items.length} entries: ${first} … ${last}`;
  return { text, elastic: true };
}

function summarizeObject(object: JsonObject, shape: Shape, style: ValueStyle): string {
  const names = shape.fields.filter(
    (name) => !name.endsWith("_str") && TELLING_KINDS.has(shape.field(name).meta?.kind),
  );
  const texts = names
    .map((name) =>
      formatValue(Object.hasOwn(object, name) ? object[name] : undefined, shape.field(name).meta, object, style),
    )
    .filter(({ role }) => role !== MISSING.role)
    .map(({ text }) => text);
  const isExchange = names.length === 2 && names.every((name) => shape.field(name).meta?.kind === "tokenAmount");
  return texts.join(isExchange ? " → " : " ");
}
