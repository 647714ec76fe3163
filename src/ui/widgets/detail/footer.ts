/** The footer of a detail view: the search, and what is known about the value at the cursor. No React here. */

import {
  compareDecimals,
  isArray,
  isNumeric,
  isObject,
  type Json,
  numericText,
  parseDecimal,
  pluralize,
} from "../../../base/index.ts";
import type { Kind } from "../../../catalogue/index.ts";
import { type Cell, formatPath, formatValue, safeText, wrap } from "../../../output/index.ts";
import type { Size } from "../../navigation/context.ts";
import { formatKeyHints, type KeyHint, type KeyLabels } from "../../navigation/keys/bindings.ts";
import { fitLine, joinEnds, lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { fieldLine } from "../text-field.ts";
import { clocksOf, type DrawOptions, formatLeaf, isTime, nameOfLeaf } from "./format.ts";
import type { DetailState } from "./reducer.ts";
import { nodeKind, nodePath, singleValue, type ValueNode } from "./value-tree.ts";

/** Regions with fewer lines have no footer, or a footer of one line. */
const SMALL_HEIGHT = 7;
const LOW_HEIGHT = 12;
/** From this width on a signature fits into one line, otherwise it takes two. */
const WIDE_WIDTH = 90;

/** Returns the number of lines of the footer. A small region has one only while there is a search or a notice. */
export function footerHeight(
  { width, height }: Size,
  { query, searchInput }: Pick<DetailState, "query" | "searchInput">,
  hasNotice: boolean,
): number {
  if (height < SMALL_HEIGHT) return height > 1 && (query !== "" || searchInput !== undefined || hasNotice) ? 1 : 0;
  if (height < LOW_HEIGHT) return 1;
  return width < WIDE_WIDTH ? 3 : 2;
}

interface CursorPosition {
  readonly index: number;
  readonly count: number;
  readonly match: number;
  readonly matches: number;
}

interface FooterInput {
  readonly state: DetailState;
  readonly node: ValueNode | undefined;
  readonly position: CursorPosition;
  readonly notice: TextLine | undefined;
  readonly keyOf: KeyLabels;
}

/** Returns the lines of the footer, each at most as wide as the region. */
export function footerLines(input: FooterInput, options: DrawOptions, height: number): readonly TextLine[] {
  return layOutFooter(input, options, height).map((one) =>
    lineWidth(one) > options.width ? fitLine(one, options.width) : one,
  );
}

function layOutFooter(input: FooterInput, options: DrawOptions, height: number): readonly TextLine[] {
  const { state, position, node, notice } = input;
  if (height === 0) return [];
  const searching = state.query !== "" || state.searchInput !== undefined;
  const bar = searching ? searchLine(input, options.width) : notice && noticeLine(notice, position, options);
  if (height === 1) return [bar ?? briefLine(node, options)];
  const facts = node ? joinFacts(describeValue(node, options), options.width) : [];
  if (bar === undefined) return [ruleLine(node, position, options), ...facts].slice(0, height);
  const name = node && facts.length < height - 1 ? [fitLine(fieldNameLine(node), options.width)] : [];
  return [bar, ...name, ...facts].slice(0, height);
}

/**
 * Returns the rule between the fields and the footer, with the position: `── block_time  Time of the block ── 3/39 ──`.
 */
function ruleLine(node: ValueNode | undefined, position: CursorPosition, { width, unicode }: DrawOptions): TextLine {
  const dash = unicode ? "─" : "-";
  const right = [span(` ${positionText(position)} `, "note"), span(dash.repeat(2), "frame")];
  const space = width - lineWidth(right);
  const name = node ? [span(`${dash.repeat(2)} `, "frame"), ...fieldNameLine(node), span(" ")] : [];
  const left = lineWidth(name) > space ? fitLine(name, Math.max(0, space)) : name;
  return [...left, span(dash.repeat(Math.max(0, space - lineWidth(left))), "frame"), ...right];
}

/** Returns a notice, with the position beside it where it fits. */
function noticeLine(notice: TextLine, position: CursorPosition, { width }: DrawOptions): TextLine {
  const right = [span(`  ${positionText(position)}`, "note")];
  return lineWidth(notice) + lineWidth(right) <= width ? joinEnds(notice, right, width) : fitLine(notice, width);
}

const positionText = ({ index, count }: CursorPosition) => `${Math.min(index + 1, count)}/${count}`;

const SEARCH_KEYS: readonly KeyHint[] = [
  ["detail.next-match", "next"],
  ["detail.previous-match", "previous"],
  ["view.cancel", "clears"],
];

function searchLine(
  { state: { query, searchInput }, position: { match, matches }, keyOf }: FooterInput,
  width: number,
): TextLine {
  const result = matches === 0 ? "not found" : `${match > 0 ? match : "–"}/${matches}`;
  const right = [
    ...(query === "" ? [] : [span(` ${result}`, matches === 0 ? "warning" : "found")]),
    // The keys of the input are in the footer of the window.
    ...(searchInput ? [] : [span(`  ${formatKeyHints(keyOf, SEARCH_KEYS, "  ")}`, "note")]),
  ];
  const space = Math.max(1, width - lineWidth(right) - 1);
  const text = searchInput ? fieldLine(searchInput.field, space, true) : [span(safeText(query))];
  return joinEnds([span("/", "hotkey"), ...text], right, width);
}

/** Returns the most important facts in one line: first what the row above cannot show in full. */
function briefLine(node: ValueNode | undefined, options: DrawOptions): TextLine {
  if (!node) return [];
  const facts = describeValue(node, options);
  const parts = [...facts.slice(0, 1), fieldNameLine(node)].filter((one) => lineWidth(one) > 0);
  return fitLine(
    parts.flatMap((part, index) => (index === 0 ? part : [span("  "), ...part])),
    options.width,
  );
}

/** Joins facts on as few lines as possible; long ones are wrapped. */
function joinFacts(facts: readonly TextLine[], width: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    if (last && lineWidth(last) + lineWidth(fact) + GAP.length <= width)
      lines[lines.length - 1] = [...last, span(GAP), ...fact];
    else if (lineWidth(fact) <= width) lines.push(fact);
    else for (const { text, role } of fact) lines.push(...wrap(text, width).map((part) => [span(part, role)]));
  }
  return lines;
}

const GAP = "  ";

/** `block_time  Time of the block`: the field name of the API and its meaning. */
function fieldNameLine(node: ValueNode): TextLine {
  const name = node.shape.meta?.description;
  return [span(formatPath(nodePath(node)), "title"), ...(name ? [span(`${GAP}${name}`, "note")] : [])];
}

/** Returns what is known about a value beyond its row. */
function describeValue(node: ValueNode, options: DrawOptions): readonly TextLine[] {
  const fullValue = fullValueText(node, options);
  const cell = node.form === "leaf" ? formatLeaf(node, options) : undefined;
  const warning = cell?.warning === undefined ? [] : [[span(cell.warning, "warning")]];
  const name = cell && nameOfLeaf(node, cell, options);
  const nameWarning = name?.warning === undefined ? [] : [[span(name.warning, "warning")]];
  return [...warning, ...(fullValue === undefined ? [] : [[span(fullValue)]]), ...nameWarning];
}

const UNITS: Partial<Record<Kind, string>> = {
  lamports: " lamports",
  tokenAmount: " base units",
  unixTime: " Unix seconds",
};

function fullValueText(node: ValueNode, options: DrawOptions): string | undefined {
  if (node.form === "list" && isArray(node.value)) return pluralize(node.value.length, "entry", "entries");
  if (node.form === "object" && isObject(node.value))
    return pluralize(Object.keys(node.value).length, "field", "fields");
  const value = singleValue(node.value);
  if (value === undefined || value === null || isObject(value) || isArray(value)) return undefined;
  const cell = formatLeaf({ ...node, value }, options);
  if (cell.ids?.length === 1) return cell.text;
  const exact = rawDigits(value, node, cell);
  if (!isTime(node)) return exact;
  const moment = formatValue(value, node.shape.meta, node.holder, clocksOf(options).iso).text;
  return exact === undefined ? moment : `${moment} = ${exact}`;
}

/** Returns the raw digits where they differ from what is displayed. */
function rawDigits(value: Json, node: ValueNode, cell: Cell): string | undefined {
  const kind = nodeKind(node);
  const unit = (kind && UNITS[kind]) ?? "";
  const digits = isNumeric(value) ? numericText(value) : String(value);
  if (!/^[-+\d.eE]+$/.test(digits)) return undefined;
  if (unit === "" && !(cell.numeric && isRounded(cell.text, digits))) return undefined;
  return `${digits}${unit}`;
}

/** Direction, sign and digits of a formatted number, without its currency and unit. */
const DISPLAY_NUMBER = /^(?:([▲▼]) )?(-?)\$?(\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)(?:%| .*)?$/;

/** Returns whether a formatted number is another one than its raw digits. */
function isRounded(text: string, digits: string): boolean {
  const [, mark, sign = "", number = ""] = DISPLAY_NUMBER.exec(text) ?? [];
  const display = parseDecimal((mark === "▼" ? "-" : sign) + number.replaceAll(",", ""));
  const exact = parseDecimal(digits);
  return display === undefined || exact === undefined || compareDecimals(display, exact) !== 0;
}
