/** Values, excerpts and durations in messages. */
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, pluralize } from "../base/index.ts";

/** Characters of a value that a message displays. */
const DISPLAY_LENGTH = 60;

/** Controls, format characters (zero-width, bidirectional) and separators: invisible, or they change the reading order. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns the code point of a character as `U+XXXX`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Returns a value for display in a message: on one line, shortened, invisible characters as `‹U+XXXX›`. */
export function displayText(value: string): string {
  const characters = [...value.slice(0, 2 * DISPLAY_LENGTH)];
  const visible = revealInvisible(characters.slice(0, DISPLAY_LENGTH).join(""));
  return characters.length > DISPLAY_LENGTH ? `${visible}…(${value.length} characters)` : visible;
}

function revealInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => `‹${codePoint(character)}›`);
}

/** Characters of a response body that a message quotes. */
const EXCERPT_LENGTH = 200;

/** Returns the beginning of a text on one line, invisible characters as `‹U+XXXX›`. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 20 * EXCERPT_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  const visible = revealInvisible(line);
  return visible.length > EXCERPT_LENGTH ? `${visible.slice(0, EXCERPT_LENGTH)}…` : visible;
}

/** Units of time in seconds, the largest first. */
const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ["day", DAY_SECONDS],
  ["hour", HOUR_SECONDS],
  ["minute", MINUTE_SECONDS],
  ["second", 1],
];

/** Returns a duration in words: `3 minutes`. */
export function durationText(seconds: number): string {
  const [name, length] = UNITS.find((unit) => seconds >= unit[1]) ?? ["second", 1];
  return pluralize(Math.floor(seconds / length), name);
}
