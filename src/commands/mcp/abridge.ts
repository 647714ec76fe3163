/** Answers made smaller where nobody asked for all of them, each with a note of what was left out. */

import { Buffer } from "node:buffer";
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { formatJson } from "../../output/formats/json.ts";

/** A value that was made smaller, and what is to be said about it. */
export interface Brief {
  readonly value: Json;
  readonly notes: readonly string[];
}

/** Fields that hold the address of a picture. */
const PICTURE = /^(?:\w+_)?icon$/;

/** A value without addresses of pictures, which no reader of text needs. */
export function withoutPictures(value: Json): Brief {
  const left = new Set<string>();
  const without = (inner: Json): Json => {
    if (isArray(inner)) return inner.map(without);
    if (!isObject(inner)) return inner;
    const kept = Object.entries(inner).filter(([name, picture]) => {
      const isPicture = PICTURE.test(name) && typeof picture === "string";
      if (isPicture) left.add(name);
      return !isPicture;
    });
    return Object.fromEntries(kept.map(([name, one]) => [name, without(one)]));
  };
  return { value: without(value), notes: pictureNotes(left) };
}

/** What is to be said about pictures that were left out. */
function pictureNotes(names: ReadonlySet<string>): readonly string[] {
  return names.size === 0 ? [] : [`Left out: ${[...names].join(", ")}. "fields" names what is wanted all the same.`];
}

/** An object whose lists have no more than so many rows. */
export function withFewRows(value: Json, rows: number): Brief {
  const notes: string[] = [];
  const few = (inner: Json, path: string): Json => {
    if (isArray(inner)) {
      const isCut = inner.length > rows && inner.some(isObject);
      if (isCut) notes.push(`${path}: ${rows} of ${inner.length} rows.`);
      return (isCut ? inner.slice(0, rows) : inner).map((one) => (isObject(one) ? few(one, `${path}[]`) : one));
    }
    if (!isObject(inner)) return inner;
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, few(one, at(name))]));
  };
  const fewer = few(value, "");
  return { value: fewer, notes: [...new Set(notes)].slice(0, MOST_NOTES) };
}

const MOST_NOTES = 5;

/** What of a transaction says how it was carried out, not what happened. */
const WORKINGS = [
  "parsed_instructions",
  "account_keys",
  "log_message",
  "list_signer",
  "recent_block_hash",
  "address_table_lookup",
];

/** What happened in a transaction, without how it was carried out. */
export function briefTransaction(data: Json): Brief {
  if (!isObject(data)) return { value: data, notes: [] };
  const entries = Object.entries(data).filter(([name]) => !WORKINGS.includes(name));
  const left = WORKINGS.filter((name) => data[name] !== undefined);
  const brief = entries.map(([name, value]) => [name, name.endsWith("_bal_change") ? changed(value) : value] as const);
  if (left.length === 0) return { value: Object.fromEntries(brief), notes: [] };
  const note = `Left out: ${left.join(", ")}, and balances that did not change. "full": true gives all.`;
  return { value: Object.fromEntries(brief), notes: [note] };
}

/** The balances that changed. */
function changed(balances: Json): Json {
  if (!isArray(balances)) return balances;
  return balances.filter((balance) => !isObject(balance) || !/^[+-]?0*(\.0*)?$/.test(amountText(balance)));
}

const amountText = ({ change_amount: amount = "?" }: JsonObject) =>
  typeof amount === "string" ? amount : formatJson(amount);

/** Names of fields may be somebody's words: only what looks like one is told. */
const NAME = /^\w{1,40}$/;

/** How an object that is too large for a result gets smaller. */
export function sizeAdvice(data: Json): string {
  const sizes = Object.entries(isObject(data) ? data : {})
    .map(([name, value]) => [name, Buffer.byteLength(formatJson(value))] as const)
    .filter(([name]) => NAME.test(name))
    .sort(([, one], [, other]) => other - one);
  const largest = sizes.slice(0, 3).map(([name, size]) => `${name} (${pluralize(size, "byte")})`);
  const small = sizes.at(-1)?.[0];
  const example = small === undefined ? "" : `, such as {"fields":["${small}"]}`;
  const inside = largest.length === 0 ? "" : ` The largest: ${largest.join(", ")}.`;
  return `Smaller: "fields" names what is wanted${example}; "rows" limits the lists inside.${inside}`;
}
