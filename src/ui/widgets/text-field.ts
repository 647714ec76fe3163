/** A text field: text and cursor, shared by palette, forms, filters and searches. */
import { safeText, textWidth } from "../../output/index.ts";
import { type Role, span, type TextLine } from "../navigation/theme/text-line.ts";

/** A text and its cursor. */
export interface TextField {
  readonly text: string;
  /** Index of the cursor in the text, always at a grapheme boundary. */
  readonly at: number;
}

type Edit = (field: TextField) => TextField;

const EDITS: ReadonlyMap<string, Edit> = new Map(
  (
    [
      [["left", "ctrl+b"], (field) => moveCursor(field, previousBoundary(field))],
      [["right", "ctrl+f"], (field) => moveCursor(field, nextBoundary(field))],
      [["home", "ctrl+a"], (field) => moveCursor(field, 0)],
      [["end", "ctrl+e"], (field) => moveCursor(field, field.text.length)],
      [["alt+b", "ctrl+left", "alt+left"], (field) => moveCursor(field, wordStart(field))],
      [["alt+f", "ctrl+right", "alt+right"], (field) => moveCursor(field, wordEnd(field))],
      [["backspace", "ctrl+h"], (field) => removeRange(field, previousBoundary(field), field.at)],
      [["delete", "ctrl+d"], (field) => removeRange(field, field.at, nextBoundary(field))],
      [["ctrl+u"], (field) => removeRange(field, 0, field.at)],
      [["ctrl+k"], (field) => removeRange(field, field.at, field.text.length)],
      [["ctrl+w", "alt+backspace"], (field) => removeRange(field, wordStart(field), field.at)],
    ] satisfies readonly (readonly [keys: readonly string[], edit: Edit])[]
  ).flatMap(([keys, edit]) => keys.map((key) => [key, edit] as const)),
);

/** The keys that edit a field, for bindings. */
export const EDIT_KEYS: readonly string[] = [...EDITS.keys()];

/** Creates a field with the cursor at the end. */
export function textField(text = ""): TextField {
  return insertText({ text: "", at: 0 }, text);
}

/** Returns the field after a key of {@link EDIT_KEYS}; the same object when nothing changes. */
export function editField(field: TextField, key: string): TextField {
  return EDITS.get(key)?.(field) ?? field;
}

/** Maximum length of a field: longer than any list of identifiers that a request takes. */
const MAX_CHARACTERS = 10_000;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * Inserts typed or pasted text at the cursor. Line breaks are dropped at the ends of the text and become a space inside;
 * invisible characters are dropped.
 */
export function insertText(field: TextField, text: string): TextField {
  const remaining = MAX_CHARACTERS - field.text.length;
  const whole = text.slice(0, 2 * MAX_CHARACTERS).replace(/^[\r\n\t]+|[\r\n\t]+$/g, "");
  const plain = whole.replace(LINE_BREAKS, " ").replace(HIDDEN, "").slice(0, remaining);
  // The length limit may have split a surrogate pair.
  const insertion = plain.replace(/[\uD800-\uDBFF]$/, "");
  if (insertion === "") return field;
  const joined = field.text.slice(0, field.at) + insertion + field.text.slice(field.at);
  return { text: joined, at: boundaryFrom(joined, field.at + insertion.length) };
}

const segmenter = new Intl.Segmenter();

/** Returns the first grapheme boundary at or after an index. */
function boundaryFrom(text: string, index: number): number {
  const segment = segmenter.segment(text).containing(index);
  if (!segment || segment.index === index) return Math.min(index, text.length);
  return segment.index + segment.segment.length;
}

const moveCursor = (field: TextField, at: number): TextField => (at === field.at ? field : { ...field, at });

function removeRange(field: TextField, from: number, to: number): TextField {
  if (from === to) return field;
  const text = field.text.slice(0, from) + field.text.slice(to);
  return { text, at: boundaryFrom(text, from) };
}

const previousBoundary = ({ text, at }: TextField): number => segmenter.segment(text).containing(at - 1)?.index ?? 0;

function nextBoundary({ text, at }: TextField): number {
  const segment = segmenter.segment(text).containing(at);
  return segment ? segment.index + segment.segment.length : at;
}

function wordStart({ text, at }: TextField): number {
  const start = text.slice(0, at).trimEnd().search(/\S+$/);
  return start < 0 ? 0 : (segmenter.segment(text).containing(start)?.index ?? start);
}

function wordEnd({ text, at }: TextField): number {
  const [word = ""] = /^\s*\S*/.exec(text.slice(at)) ?? [];
  return boundaryFrom(text, at + word.length);
}

interface DisplayCharacter {
  readonly text: string;
  readonly width: number;
}

/**
 * Returns the field in at most `width` cells, with the cursor when `focused`. Of a longer text the part around the cursor
 * is visible, its truncated ends marked with `…`.
 */
export function fieldLine(field: TextField, width: number, focused: boolean, role?: Role): TextLine {
  if (width <= 0) return [];
  const characters = [...segmenter.segment(field.text)].map(({ segment }) => toDisplay(segment));
  const cursor = [...segmenter.segment(field.text.slice(0, field.at))].length;
  // A cursor after the last character is drawn on a space.
  const all = [...characters, { text: " ", width: 1 }];
  const [from, to] = windowAround(all, focused ? cursor : 0, width);
  const visible = all.slice(from, to).map((one, index) => markTruncation(one, index + from, [from, to], all.length));
  const textOf = (list: readonly DisplayCharacter[]) => list.map(({ text }) => text).join("");
  if (!focused) return [span(textOf(visible).trimEnd(), role)];
  const at = cursor - from;
  const piece = (list: readonly DisplayCharacter[]) => (list.length === 0 ? [] : [span(textOf(list), role)]);
  return [
    ...piece(visible.slice(0, at)),
    { text: visible[at]?.text ?? " ", role, cursor: "caret" },
    ...piece(visible.slice(at + 1)),
  ];
}

function toDisplay(segment: string): DisplayCharacter {
  const text = safeText(segment);
  return { text, width: textWidth(text) };
}

/** Returns the range of characters that fit: as many as possible before the cursor, and at least one after it. */
function windowAround(
  all: readonly DisplayCharacter[],
  cursor: number,
  width: number,
): readonly [from: number, to: number] {
  const size = (from: number, to: number) => all.slice(from, to).reduce((sum, one) => sum + one.width, 0);
  let to = Math.min(all.length, cursor + 2);
  if (size(cursor, to) > width) to = cursor + 1;
  let remaining = width - size(cursor, to);
  let from = cursor;
  while (from > 0 && (all[from - 1]?.width ?? 0) <= remaining) {
    from -= 1;
    remaining -= all[from]?.width ?? 0;
  }
  while (to < all.length && (all[to]?.width ?? 0) <= remaining) {
    remaining -= all[to]?.width ?? 0;
    to += 1;
  }
  return [from, to];
}

/** Replaces a character at a truncated end by the mark; ranges of up to two characters are too short for one. */
function markTruncation(
  one: DisplayCharacter,
  index: number,
  [from, to]: readonly [number, number],
  count: number,
): DisplayCharacter {
  const isTruncated = to - from > 2 && ((index === from && from > 0) || (index === to - 1 && to < count));
  return isTruncated ? { text: "…".padEnd(one.width), width: one.width } : one;
}
