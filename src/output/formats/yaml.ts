/**
 * YAML with exact digits, as the library `yaml` formats it; a property test compares both. The library represents each
 * value as a node, which takes ten times as long and as much memory as the page.
 *
 * Strings are always quoted, so that no loader takes one for a number, a date or a boolean.
 */

import { isArray, isObject, type Json, stringifyJson } from "../../base/index.ts";
import { escapeYaml } from "../text/safe.ts";
import { nestingError, type RowWriter, type WriteContext } from "./context.ts";
import { closeEnvelope, splitEnvelope } from "./envelope.ts";

/** Keys that every loader reads as text. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[a-z_][a-z0-9_-]*$/i;
/** Characters of a key from which on YAML requires a question mark before it. */
const MAX_KEY = 1024;
const INDENT = "  ";
/** Levels of nesting, fewer than the call stack holds: at its end, V8 does not always throw a RangeError. */
const MAX_LEVELS = 1000;

/** Writes one value as YAML. */
export async function writeYaml({ selection, sink }: WriteContext, value: Json): Promise<void> {
  await sink.write(formatYaml(selection ? selection.pick(value) : value));
}

/** Writes rows as a YAML sequence, page by page, inside their envelope. */
export async function openYaml(context: WriteContext): Promise<RowWriter> {
  const { selection, sink, envelope } = context;
  const pick = selection?.pick ?? ((row: Json) => row);
  const { head, depth } = splitEnvelope(envelope, formatYaml);
  const margin = INDENT.repeat(depth);
  let started = false;
  return {
    async write(page) {
      if (page.length === 0) return;
      const lead = started || depth === 0 ? "" : `${head.trimEnd()}\n`;
      started = true;
      await sink.write(lead + formatYaml(page.map(pick), margin));
    },
    end: () => {
      const tail = closeEnvelope(context, formatYaml);
      return sink.write(started ? tail.slice(1) : `${head}[]${tail || "\n"}`);
    },
  };
}

/** Returns a value as YAML text, with a margin before each line. */
function formatYaml(value: Json, margin = ""): string {
  const lines: string[] = [];
  addLines(lines, value, margin, margin);
  return escapeYaml(`${lines.join("\n")}\n`);
}

/** Adds the lines of a value: the first one starts with what leads to it, the others with the margin. */
function addLines(lines: string[], value: Json, lead: string, margin: string): void {
  const inner = margin + INDENT;
  if (inner.length > MAX_LEVELS * INDENT.length) throw nestingError("yaml");
  let start = lead;
  if (isArray(value) && value.length > 0) {
    for (const item of value) {
      addLines(lines, item, `${start}- `, inner);
      start = margin;
    }
  } else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, member] of Object.entries(value)) {
      addMember(lines, key, member, { lead: start, margin });
      start = margin;
    }
  } else {
    lines.push(lead + stringifyJson(value));
  }
}

function addMember(
  lines: string[],
  key: string,
  value: Json,
  { lead, margin }: { readonly lead: string; readonly margin: string },
): void {
  const name = PLAIN_KEY.test(key) ? key : stringifyJson(key);
  const inner = margin + INDENT;
  if (name.length > MAX_KEY) {
    lines.push(`${lead}? ${name}`);
    addLines(lines, value, `${margin}: `, inner);
  } else if (isNested(value)) {
    lines.push(`${lead}${name}:`);
    addLines(lines, value, inner, inner);
  } else {
    lines.push(`${lead}${name}: ${stringifyJson(value)}`);
  }
}

function isNested(value: Json): boolean {
  return isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}
