/** Text that people paste: what is harmless around it, and how to show it in a message. */

import { DAY_SECONDS, pluralize } from "../base/index.ts";

/** Characters that a message shows of a value. */
const SHOWN_LENGTH = 60;

/** White space, byte order marks, zero-width characters and quotes: harmless at the edges of a value. */
const EDGE = String.raw`[\s\u200B-\u200D\u2060\uFEFF"'\u0060\u00AB\u00BB\u2018-\u201F]`;
const EDGES = new RegExp(`^${EDGE}+|${EDGE}+$`, "gu");

/** Controls, format characters (zero-width, bidirectional), separators: they cannot be seen, or change how a line reads. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The code point of a character as `U+XXXX`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A value as a message shows it: on one line, clipped, with `‹U+XXXX›` for characters that cannot be seen. */
export function displayText(value: string): string {
  const characters = [...value.slice(0, 2 * SHOWN_LENGTH)];
  const clipped = characters.slice(0, SHOWN_LENGTH).join("");
  const visible = clipped.replace(INVISIBLE, (found) => `‹${codePoint(found)}›`);
  return characters.length > SHOWN_LENGTH ? `${visible}…(${value.length} characters)` : visible;
}

/** A value without what is harmless at its edges; `dropped` lists what was there beyond plain spaces. */
export function trimInput(value: string): { readonly text: string; readonly dropped: readonly string[] } {
  const text = value.replace(EDGES, "");
  if (text.length === value.length) return { text, dropped: [] };
  const at = value.indexOf(text);
  const around = [...value.slice(0, at), ...value.slice(at + text.length)];
  return { text, dropped: [...new Set(around.filter((character) => character !== " ").map(nameOf))] };
}

function nameOf(character: string): string {
  return /[!-~]/.test(character) ? character : codePoint(character);
}

/** Characters that a message quotes of a body. */
const QUOTED_LENGTH = 200;

/** The beginning of a text on one line, without what cannot be seen. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 20 * QUOTED_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  const visible = line.replace(INVISIBLE, (found) => `‹${codePoint(found)}›`);
  return visible.length > QUOTED_LENGTH ? `${visible.slice(0, QUOTED_LENGTH)}…` : visible;
}

/** Units of time, the greatest first, in seconds. */
const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ["day", DAY_SECONDS],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** A span of time in words: "3 minutes". */
export function durationText(seconds: number): string {
  const [name, length] = UNITS.find((unit) => seconds >= unit[1]) ?? ["second", 1];
  const count = Math.floor(seconds / length);
  return pluralize(count, name);
}
