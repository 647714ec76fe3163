/** The foot of a detail: what is searched for, and what is known of the value at the cursor. No React here. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/json.ts";
import type { Kind } from "../../../catalogue/kinds.ts";
import { safeText } from "../../../output/text/safe.ts";
import { wrap } from "../../../output/text/width.ts";
import { formatValue } from "../../../output/values/cell.ts";
import type { Size } from "../../app/context.ts";
import { formatKeyHints, type KeyHint, type KeyLabels } from "../../app/keys/key-hints.ts";
import { fitLine, joinEnds, lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";
import { fieldLine } from "../../form/text-field.ts";
import { cellOf, clocksOf, countText, isTime, labelOf, type Sheet } from "./format.ts";
import type { DetailState } from "./reducer.ts";
import { kindOf, pathOf, pathText, soleOf, type TreeNode } from "./value-tree.ts";

/** Regions of fewer lines have no foot, or one of a line. */
const SMALL = 7;
const LOW = 12;
/** From this width on a signature has room on one line, else on two. */
const WIDE = 90;

/** The lines that the foot takes. A small region has one while there is something to tell. */
export function footHeight(
  { width, height }: Size,
  { query, typing }: Pick<DetailState, "query" | "typing">,
  hasNotice: boolean,
): number {
  if (height < SMALL) return height > 1 && (query !== "" || typing !== undefined || hasNotice) ? 1 : 0;
  if (height < LOW) return 1;
  return width < WIDE ? 3 : 2;
}

/** Where one is: among the items, and among what was found. */
export interface Standing {
  readonly index: number;
  readonly count: number;
  readonly match: number;
  readonly matches: number;
}

/** What the foot tells of. */
export interface Told {
  readonly state: DetailState;
  /** What the cursor is on. */
  readonly node: TreeNode | undefined;
  readonly standing: Standing;
  /** How it stands with the answer, where that is worth a line. */
  readonly notice: TextLine | undefined;
  readonly keyOf: KeyLabels;
}

/** The lines of the foot, each of at most the sheet's width. */
export function footLines(told: Told, sheet: Sheet, height: number): readonly TextLine[] {
  return linesOf(told, sheet, height).map((one) => (lineWidth(one) > sheet.width ? fitLine(one, sheet.width) : one));
}

function linesOf(told: Told, sheet: Sheet, height: number): readonly TextLine[] {
  const { state, standing, node, notice } = told;
  if (height === 0) return [];
  const searching = state.query !== "" || state.typing !== undefined;
  const bar = searching ? searchLine(told, sheet.width) : notice && noticeLine(notice, standing, sheet);
  if (height === 1) return [bar ?? briefLine(node, sheet)];
  const facts = node ? joined(factsOf(node, sheet), sheet.width) : [];
  if (bar === undefined) return [ruleLine(node, standing, sheet), ...facts].slice(0, height);
  const about = node && facts.length < height - 1 ? [fitLine(aboutLine(node), sheet.width)] : [];
  return [bar, ...about, ...facts].slice(0, height);
}

/** Where one is, in the rule between the fields and what is told of one: `── block_time  Time of the block ── 3/39 ──`. */
function ruleLine(node: TreeNode | undefined, standing: Standing, { width, unicode }: Sheet): TextLine {
  const dash = unicode ? "─" : "-";
  const right = [span(` ${placeText(standing)} `, "note"), span(dash.repeat(2), "frame")];
  const room = width - lineWidth(right);
  const about = node ? [span(`${dash.repeat(2)} `, "frame"), ...aboutLine(node), span(" ")] : [];
  const left = lineWidth(about) > room ? fitLine(about, Math.max(0, room)) : about;
  return [...left, span(dash.repeat(Math.max(0, room - lineWidth(left))), "frame"), ...right];
}

/** A notice, and where one is if there is room beside it. */
function noticeLine(notice: TextLine, standing: Standing, { width }: Sheet): TextLine {
  const place = [span(`  ${placeText(standing)}`, "note")];
  return lineWidth(notice) + lineWidth(place) <= width ? joinEnds(notice, place, width) : fitLine(notice, width);
}

const placeText = ({ index, count }: Standing) => `${Math.min(index + 1, count)}/${count}`;

const SEARCH_KEYS: readonly KeyHint[] = [
  ["detail.next-match", "next"],
  ["detail.previous-match", "previous"],
  ["view.cancel", "clears"],
];

function searchLine({ state: { query, typing }, standing: { match, matches }, keyOf }: Told, width: number): TextLine {
  const found = matches === 0 ? "not found" : `${match > 0 ? match : "–"}/${matches}`;
  const right = [
    ...(query === "" ? [] : [span(` ${found}`, matches === 0 ? "warning" : "found")]),
    span(typing ? "  Enter keeps  Esc gives up" : `  ${formatKeyHints(keyOf, SEARCH_KEYS, "  ")}`, "note"),
  ];
  const room = Math.max(1, width - lineWidth(right) - 1);
  const text = typing ? fieldLine(typing.field, room, true) : [span(safeText(query))];
  return joinEnds([span("/", "hotkey"), ...text], right, width);
}

/** The most needed in one line: what cannot be seen whole above, then what it is. */
function briefLine(node: TreeNode | undefined, sheet: Sheet): TextLine {
  if (!node) return [];
  const facts = factsOf(node, sheet);
  const parts = [...facts.slice(0, 1), aboutLine(node)].filter((one) => lineWidth(one) > 0);
  return fitLine(
    parts.flatMap((part, index) => (index === 0 ? part : [span("  "), ...part])),
    sheet.width,
  );
}

/** Facts on as few lines as they need; a long one is broken. */
function joined(facts: readonly TextLine[], width: number): readonly TextLine[] {
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

/** `block_time  Time of the block`: the API's own name, and what it means. */
function aboutLine(node: TreeNode): TextLine {
  const about = node.shape.meta?.description;
  return [span(pathText(pathOf(node)), "title"), ...(about ? [span(`${GAP}${about}`, "note")] : [])];
}

/** What there is to say of a value beyond what its line shows. */
function factsOf(node: TreeNode, sheet: Sheet): readonly TextLine[] {
  const whole = wholeText(node, sheet);
  const cell = node.form === "leaf" ? cellOf(node, sheet) : undefined;
  const warning = cell?.warning === undefined ? [] : [[span(cell.warning, "warning")]];
  const label = cell && labelOf(cell, sheet);
  const name = label?.warning === undefined ? [] : [[span(label.warning, "warning")]];
  return [...warning, ...(whole === undefined ? [] : [[span(whole)]]), ...name];
}

/** The unit of a number as it came. */
const UNITS: Partial<Record<Kind, string>> = {
  lamports: " lamports",
  tokenAmount: " base units",
  unixTime: " Unix seconds",
};

function wholeText(node: TreeNode, sheet: Sheet): string | undefined {
  if (node.form === "list" && isArray(node.value)) return countText(node.value.length, "entry", "entries");
  if (node.form === "object" && isObject(node.value))
    return countText(Object.keys(node.value).length, "field", "fields");
  const value = soleOf(node.value);
  if (value === undefined || value === null || isObject(value) || isArray(value)) return undefined;
  const cell = cellOf({ ...node, value }, sheet);
  if (cell.ids?.length === 1) return cell.text;
  const exact = exactText(value, node, cell.text);
  if (!isTime(node)) return exact;
  const moment = formatValue(value, node.shape.meta, node.holder, clocksOf(sheet).iso).text;
  return exact === undefined ? moment : `${moment} = ${exact}`;
}

/** The digits as they came, where they are not what is shown. */
function exactText(value: Json, node: TreeNode, shown: string): string | undefined {
  const kind = kindOf(node);
  const unit = (kind && UNITS[kind]) ?? "";
  const digits = isNumeric(value) ? numericText(value) : String(value);
  if (!/^[-+\d.eE]+$/.test(digits)) return undefined;
  if (unit === "" && !shown.startsWith("~")) return undefined;
  return `${digits}${unit}`;
}
