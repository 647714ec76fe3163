/** What stands around rows that are written as they come: the object that the API puts them into. */
import { isObject, type Json, type JsonObject, stringifyJson } from "../../base/json.ts";
import type { Frame } from "../types.ts";

/** Text before and after the rows, and how many objects they are inside. */
export interface Around {
  readonly head: string;
  readonly tail: string;
  readonly depth: number;
}

/** Splits the text of a frame where its rows belong. */
export function around(frame: Frame | undefined, textOf: (value: Json) => string): Around {
  if (!frame) return { head: "", tail: "", depth: 0 };
  const { value, at } = frame;
  let mark = "rows";
  for (const whole = stringifyJson(value); whole.includes(mark); ) mark += "-";
  const [head = "", tail = ""] = textOf(withRows(value, at, mark)).split(`"${mark}"`);
  return { head, tail, depth: at.length };
}

/** The value with something else at a path. */
export function withRows(value: Json, [name, ...rest]: readonly string[], rows: Json): Json {
  if (name === undefined) return rows;
  const own = isObject(value) ? value : {};
  return { ...own, [name]: withRows(own[name] ?? null, rest, rows) };
}

/** The frame without the rows that came with it. */
export function emptied({ value, at }: Frame): Frame {
  return { value: withRows(value, at, null) as JsonObject, at };
}

/** The object that the rows are a field of. */
export function holderOf({ value, at }: Frame): Json {
  return at.slice(0, -1).reduce<Json>((inner, name) => (isObject(inner) ? (inner[name] ?? null) : null), value);
}
