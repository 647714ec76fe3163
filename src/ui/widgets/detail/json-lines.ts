/** A value as lines of highlighted JSON with the names and digits of the API. No React here. */
import { isArray, isNumeric, isObject, type Json, stringifyJson } from "../../../base/index.ts";
import { clip, escapeJson, sizeMark, sliceWidth, textWidth } from "../../../output/index.ts";
import { lineWidth, type Role, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { type DrawOptions, highlightMatches } from "./format.ts";

/** A line of JSON. */
export interface JsonLine {
  /** The id of the node that starts here; for a closing bracket the same with {@link END}. */
  readonly id: string;
  readonly level: number;
  /** The key as JSON text; undefined in arrays. */
  readonly key: string | undefined;
  readonly value: Json;
  /** What the line has of a value with entries. */
  readonly bracket: string | undefined;
  readonly comma: boolean;
}

/** Suffix that turns the id of a node into that of its closing bracket; escaped field names cannot contain it. */
export const END = "/~2";

/** Returns the lines of a value: joined, they are its JSON text with an indentation of 2. */
export function jsonLines(value: Json): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (inner: Json, line: Pick<JsonLine, "id" | "level" | "key" | "comma">) => {
    const entries = isArray(inner) || isObject(inner) ? (Object.entries(inner) as [string, Json][]) : [];
    if (entries.length === 0) {
      lines.push({ ...line, value: inner, bracket: undefined });
      return;
    }
    const [start, end] = isArray(inner) ? "[]" : "{}";
    lines.push({ ...line, value: inner, bracket: start, comma: false });
    for (const [index, [name, child]] of entries.entries()) {
      const key = isArray(inner) ? undefined : name;
      const id = `${line.id}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      add(child, { id, level: line.level + 1, key, comma: index < entries.length - 1 });
    }
    lines.push({ ...line, id: line.id + END, key: undefined, value: inner, bracket: end });
  };
  add(value, { id: "", level: 0, key: undefined, comma: false });
  return lines;
}

const MAX_STRING = 4000;
const INDENT = 2;

/** Returns the full text of a line. */
export function jsonText(line: JsonLine): string {
  return highlightLine(line, Number.POSITIVE_INFINITY)
    .map(({ text }) => text)
    .join("");
}

function highlightLine({ level, key, value, bracket, comma }: JsonLine, maxLength: number): readonly Span[] {
  const indent = " ".repeat(INDENT * level);
  const name = key === undefined ? [] : [span(escapeJson(JSON.stringify(key)), "key"), span(": ")];
  const content = bracket === undefined ? valueSpans(value, maxLength) : [span(bracket, "frame")];
  return [span(indent), ...name, ...content, span(comma ? "," : "")];
}

function valueSpans(value: Json, maxLength: number): readonly Span[] {
  if (typeof value === "string" && value.length > maxLength) {
    const displayText = escapeJson(JSON.stringify(value.slice(0, maxLength))).slice(0, -1);
    return [span(displayText), span(sizeMark(Buffer.byteLength(value)), "note"), span('"')];
  }
  return [span(escapeJson(stringifyJson(value)), chooseRole(value))];
}

function chooseRole(value: Json): Role | undefined {
  if (isNumeric(value)) return "title";
  if (typeof value === "boolean") return "active";
  return typeof value === "string" ? undefined : "missing";
}

/** Fits a line into the width: wrapped when wrapping is on, otherwise cut. */
export function wrapJsonLine(
  line: JsonLine,
  { width, wraps, scrollLeft, maxLines, unicode, query }: DrawOptions,
): readonly TextLine[] {
  const spans = highlightLine(line, MAX_STRING).flatMap(({ text, role }) => highlightMatches(text, role, query));
  const mark = span(unicode ? "‹" : "<", "note");
  const visible = scrollLeft > 0 && lineWidth(spans) > 0 ? [mark, ...takeCells(spans, scrollLeft + 1).rest] : spans;
  if (lineWidth(visible) <= width) return [visible];
  if (!wraps) return [truncateLine(visible, width)];
  const lines = wrapSpans(visible, width, Math.min(INDENT * (line.level + 1), Math.floor(width / 3)));
  if (lines.length <= maxLines) return lines;
  const taken = lines.slice(0, Math.max(1, maxLines));
  const size = typeof line.value === "string" ? sizeMark(Buffer.byteLength(line.value)) : "…";
  return [...taken.slice(0, -1), truncateLine(taken.at(-1) ?? [], width, size)];
}

function truncateLine(line: TextLine, width: number, mark = "…"): TextLine {
  const displayText = clip(mark, width);
  return [...takeCells(line, width - textWidth(displayText)).taken, span(displayText, "note")];
}

function takeCells(line: TextLine, width: number): { readonly taken: readonly Span[]; readonly rest: readonly Span[] } {
  const taken: Span[] = [];
  let space = width;
  for (const [index, one] of line.entries()) {
    const text = sliceWidth(one.text, space);
    taken.push({ ...one, text });
    space -= textWidth(text);
    if (text.length < one.text.length) {
      return { taken, rest: [{ ...one, text: one.text.slice(text.length) }, ...line.slice(index + 1)] };
    }
  }
  return { taken, rest: [] };
}

/** Wraps a line at the width, with an indentation for the following lines. */
function wrapSpans(line: TextLine, width: number, indent: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  let { taken, rest } = takeCells(line, width);
  lines.push(taken);
  while (rest.length > 0) {
    const next = takeCells(rest, width - indent);
    // Skipping a character that is wider than the line guarantees termination.
    ({ taken, rest } = lineWidth(next.taken) === 0 ? takeCells(rest.slice(1), width - indent) : next);
    lines.push([span(" ".repeat(indent)), ...taken]);
  }
  return lines;
}
