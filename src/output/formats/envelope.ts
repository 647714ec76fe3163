/** The object that the API puts around rows, for rows that are written as they arrive. */
import { isObject, type Json, type JsonObject, stringifyJson } from "../../base/index.ts";
import type { Envelope } from "../types.ts";
import type { WriteContext } from "./context.ts";

/** The text of an envelope before and after the rows, and the number of objects around them. */
export interface EnvelopeText {
  readonly head: string;
  readonly tail: string;
  readonly depth: number;
}

/** Splits the text of an envelope at the place of its rows. */
export function splitEnvelope(envelope: Envelope | undefined, textOf: (value: Json) => string): EnvelopeText {
  if (!envelope) return { head: "", tail: "", depth: 0 };
  const { value, path } = envelope;
  let mark = "rows";
  for (const whole = stringifyJson(value); whole.includes(mark); ) mark += "-";
  const [head = "", tail = ""] = textOf(replaceAt(value, path, mark)).split(`"${mark}"`);
  return { head, tail, depth: path.length };
}

/** Returns the text of an envelope after the rows, with the fields that are known now. */
export function closeEnvelope(
  { envelope, closing }: Pick<WriteContext, "envelope" | "closing">,
  textOf: (value: Json) => string,
): string {
  const closed = envelope && { ...envelope, value: { ...envelope.value, ...closing?.() } };
  return splitEnvelope(closed, textOf).tail;
}

/** Returns the value with other content at a path. */
export function replaceAt(value: Json, [name, ...rest]: readonly string[], content: Json): Json {
  if (name === undefined) return content;
  const fields = isObject(value) ? value : {};
  return { ...fields, [name]: replaceAt(fields[name] ?? null, rest, content) };
}

/** Returns the envelope without the rows that came with it. */
export function clearRows({ value, path }: Envelope): Envelope {
  return { value: replaceAt(value, path, null) as JsonObject, path };
}
