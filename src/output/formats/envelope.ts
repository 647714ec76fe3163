/** What stands around rows that are written as they come: the object that the API puts them into. */
import { isObject, type Json, type JsonObject, stringifyJson } from "../../base/json.ts";
import type { Envelope } from "../types.ts";

/** Text before and after the rows, and how many objects they are inside. */
export interface EnvelopeText {
  readonly head: string;
  readonly tail: string;
  readonly depth: number;
}

/** Splits the text of a frame where its rows belong. */
export function splitEnvelope(frame: Envelope | undefined, textOf: (value: Json) => string): EnvelopeText {
  if (!frame) return { head: "", tail: "", depth: 0 };
  const { value, path: at } = frame;
  let mark = "rows";
  for (const whole = stringifyJson(value); whole.includes(mark); ) mark += "-";
  const [head = "", tail = ""] = textOf(replaceAt(value, at, mark)).split(`"${mark}"`);
  return { head, tail, depth: at.length };
}

/** The value with something else at a path. */
export function replaceAt(value: Json, [name, ...rest]: readonly string[], rows: Json): Json {
  if (name === undefined) return rows;
  const fields = isObject(value) ? value : {};
  return { ...fields, [name]: replaceAt(fields[name] ?? null, rest, rows) };
}

/** The frame without the rows that came with it. */
export function clearRows({ value, path: at }: Envelope): Envelope {
  return { value: replaceAt(value, at, null) as JsonObject, path: at };
}

/** The object that the rows are a field of. */
export function rowsParent({ value, path: at }: Envelope): Json {
  return at.slice(0, -1).reduce<Json>((inner, name) => (isObject(inner) ? (inner[name] ?? null) : null), value);
}
