/** Abridges answers unless all fields are requested, with notes about what was omitted. */

import { Buffer } from "node:buffer";
import { isArray, isObject, type Json, type JsonObject, pluralize } from "../../base/index.ts";
import { formatJson } from "../../output/index.ts";

/** An abridged value with notes about what was omitted. */
export interface Abridged {
  readonly value: Json;
  readonly notes: readonly string[];
}

/** Matches fields with image URLs. */
const IMAGE_FIELD = /^(?:\w+_)?icon$/;

/** Removes image URLs, which are of no use in text. */
export function omitImages(value: Json): Abridged {
  const omitted = new Set<string>();
  const strip = (inner: Json): Json => {
    if (isArray(inner)) return inner.map(strip);
    if (!isObject(inner)) return inner;
    const remaining = Object.entries(inner).filter(([name, content]) => {
      const isImage = IMAGE_FIELD.test(name) && typeof content === "string";
      if (isImage) omitted.add(name);
      return !isImage;
    });
    return Object.fromEntries(remaining.map(([name, one]) => [name, strip(one)]));
  };
  return { value: strip(value), notes: imageNotes(omitted) };
}

/** Returns a note about omitted images. */
function imageNotes(names: ReadonlySet<string>): readonly string[] {
  return names.size === 0 ? [] : [`Omitted: ${[...names].join(", ")}. Request them with "fields".`];
}

/** Limits the lists inside an object to a number of rows. */
export function limitRows(value: Json, rows: number): Abridged {
  const notes: string[] = [];
  const limitLists = (inner: Json, path: string): Json => {
    if (isArray(inner)) {
      const isCut = inner.length > rows && inner.some(isObject);
      if (isCut) notes.push(`${path}: ${rows} of ${inner.length} rows.`);
      return (isCut ? inner.slice(0, rows) : inner).map((one) => (isObject(one) ? limitLists(one, `${path}[]`) : one));
    }
    if (!isObject(inner)) return inner;
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, limitLists(one, at(name))]));
  };
  const limited = limitLists(value, "");
  return { value: limited, notes: [...new Set(notes)].slice(0, MAX_NOTES) };
}

const MAX_NOTES = 5;

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

/** Returns the balances that changed. */
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
