/**
 * Texts with fields of events: `{amount}`, `{token.symbol}`, `{input}`, or the name of a kind, as in `{signature}`: the
 * first field that has it. Values are untrusted: they become one printable line, and never more than a part of a word.
 */
import { type Json, type JsonObject, scalarText, stringifyJson, UsageError } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import { parsePath, safeText, valueAt } from "../../output/index.ts";

const PLACEHOLDER = /\{([A-Za-z_][\w.[\]]*)\}/g;
/** Characters of a value, at most. */
const MAX_VALUE = 4096;

/** What is delivered: a row or a change, and what it is about. */
export interface WatchEvent extends JsonObject {
  readonly rule: string;
  readonly input: string | null;
  /** What receivers recognise repetitions by. */
  readonly key: string;
  readonly event: Json;
}

/** Returns the text of an event. */
export type Template = (event: WatchEvent) => string;

/**
 * Compiles a text with placeholders.
 * @param shape the shape of the rows; undefined where they may have any fields
 * @throws UsageError for a placeholder that is no field
 */
export function compileTemplate(text: string, shape: Shape): Template {
  const readers = new Map([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => [name, findReader(name, shape)]));
  return (event) => text.replace(PLACEHOLDER, (_, name: string) => printable(readers.get(name)?.(event)));
}

function printable(value: Json | undefined): string {
  const text = scalarText(value) ?? (value === undefined || value === null ? "" : stringifyJson(value));
  return safeText(text.slice(0, MAX_VALUE));
}

function findReader(name: string, shape: Shape): (event: WatchEvent) => Json | undefined {
  if (name === "key" && !shape.fields.includes(name)) return ({ key }) => key;
  if (name === "input" || name === "rule") return (event) => event[name];
  const [first = ""] = name.split(/[.[]/);
  const kindred = shape.fields.find((field) => shape.field(field).meta?.kind === name);
  if (!shape.open && !shape.fields.includes(first) && kindred === undefined) {
    throw new UsageError(`invalid placeholder {${name}}: there is no such field`, {
      hint: `Fields: ${shape.fields.join(", ")}`,
    });
  }
  const path = parsePath(shape.fields.includes(first) ? name : (kindred ?? name));
  return ({ event }) => valueAt(event, path);
}
