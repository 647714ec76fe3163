/** Answers made smaller where nobody asked for all of them, each with a note of what was left out. */

import { Buffer } from "node:buffer";
import { isArray, isObject, type Json, type JsonObject, pluralize } from "../../base/index.ts";

import { formatJson } from "../../output/index.ts";

/** A value that was made smaller, and what is to be said about it. */
export interface Abridged {
  readonly value: Json;
  readonly notes: readonly string[];
}

/** Fields that hold the address of a picture. */
const IMAGE_FIELD = /^(?:\w+_)?icon$/;

/** A value without addresses of pictures, which no reader of text needs. */
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

/** What is to be said about pictures that were left out. */
function imageNotes(names: ReadonlySet<string>): readonly string[] {
  return names.size === 0 ? [] : [`Left out: ${[...names].join(", ")}. "fields" names what is wanted all the same.`];
}

/** An object whose lists have no more than so many rows. */
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

/** What of a transaction says how it was carried out, not what happened. */
const EXECUTION_FIELDS = [
  "parsed_instructions",
  "account_keys",
  "log_message",
  "list_signer",
  "recent_block_hash",
  "address_table_lookup",
];

/** What happened in a transaction, without how it was carried out. */
export function summarizeTransaction(data: Json): Abridged {
  if (!isObject(data)) return { value: data, notes: [] };
  const entries = Object.entries(data).filter(([name]) => !EXECUTION_FIELDS.includes(name));
  const omitted = EXECUTION_FIELDS.filter((name) => data[name] !== undefined);
  const summary = entries.map(
    ([name, value]) => [name, name.endsWith("_bal_change") ? changedBalances(value) : value] as const,
  );
  if (omitted.length === 0) return { value: Object.fromEntries(summary), notes: [] };
  const note = `Left out: ${omitted.join(", ")}, and balances that did not change. "full": true gives all.`;
  return { value: Object.fromEntries(summary), notes: [note] };
}

/** The balances that changed. */
function changedBalances(balances: Json): Json {
  if (!isArray(balances)) return balances;
  return balances.filter((balance) => !isObject(balance) || !/^[+-]?0*(\.0*)?$/.test(amountText(balance)));
}

const amountText = ({ change_amount: amount = "?" }: JsonObject) =>
  typeof amount === "string" ? amount : formatJson(amount);

/** Names of fields may be somebody's words: only what looks like one is told. */
const SAFE_NAME = /^\w{1,40}$/;

/** How an object that is too large for a result gets smaller. */
export function sizeAdvice(data: Json): string {
  const sizes = Object.entries(isObject(data) ? data : {})
    .map(([name, value]) => [name, Buffer.byteLength(formatJson(value))] as const)
    .filter(([name]) => SAFE_NAME.test(name))
    .sort(([, one], [, other]) => other - one);
  const largest = sizes.slice(0, 3).map(([name, size]) => `${name} (${pluralize(size, "byte")})`);
  const smallest = sizes.at(-1)?.[0];
  const example = smallest === undefined ? "" : `, such as {"fields":["${smallest}"]}`;
  const inside = largest.length === 0 ? "" : ` The largest: ${largest.join(", ")}.`;
  return `Smaller: "fields" names what is wanted${example}; "rows" limits the lists inside.${inside}`;
}
