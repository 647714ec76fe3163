/** The foot of a detail: what is searched for, and what is known of the value at the cursor. No React here. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../base/json.ts";
import type { Kind } from "../../catalogue/kinds.ts";
import { formatValue } from "../../output/format.ts";
import { safeText } from "../../output/safe.ts";
import { wrap } from "../../output/width.ts";
import { between, fitted, type Line, span, widthOf } from "../frame/line.ts";
import { fieldLine } from "../palette/field.ts";
import type { DetailState } from "./reducer.ts";
import { cellOf, clocksOf, countText, isTime, type Sheet } from "./sheet.ts";
import { kindOf, pathOf, pathText, soleOf, type TreeNode } from "./tree.ts";

/** Regions of fewer lines have no foot, one of a line, one of three lines. */
const SMALL = 7;
const LOW = 12;
const HIGH = 22;

/** The lines that the foot takes. A small region has one while there is something to tell. */
export function footHeight(
  height: number,
  { query, typing }: Pick<DetailState, "query" | "typing">,
  hasNotice: boolean,
): number {
  if (height < SMALL) return height > 1 && (query !== "" || typing !== undefined || hasNotice) ? 1 : 0;
  if (height < LOW) return 1;
  return height < HIGH ? 3 : 4;
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
  readonly notice: Line | undefined;
}

/** The lines of the foot. */
export function footLines(told: Told, sheet: Sheet, height: number): readonly Line[] {
  const { state, standing, node, notice } = told;
  const searching = state.query !== "" || state.typing !== undefined;
  if (height === 0) return [];
  if (searching) return [searchLine(state, standing, sheet.width), ...factLines(node, sheet, height - 1)];
  if (height === 1) return [notice ?? briefLine(node, sheet)];
  return [ruleLine(standing, notice, sheet), ...factLines(node, sheet, height - 1)];
}

function ruleLine({ index, count }: Standing, notice: Line | undefined, { width, unicode }: Sheet): Line {
  const place = ` ${Math.min(index + 1, count)}/${count} `;
  const dash = unicode ? "─" : "-";
  const right = [span(place, "note"), span(dash.repeat(2), "frame")];
  if (notice) return between([...notice, span(" ")], right, width);
  return [span(dash.repeat(Math.max(0, width - widthOf(right))), "frame"), ...right];
}

function searchLine({ query, typing }: DetailState, { match, matches }: Standing, width: number): Line {
  const found = matches === 0 ? "not found" : `${match > 0 ? match : "–"}/${matches}`;
  const right = [
    ...(query === "" ? [] : [span(` ${found}`, matches === 0 ? "warning" : "found")]),
    span(typing ? "  Enter keeps  Esc gives up" : "  n next  N previous  Esc clears", "note"),
  ];
  const room = Math.max(1, width - widthOf(right) - 1);
  const text = typing ? fieldLine(typing.field, room, true) : [span(safeText(query))];
  return between([span("/", "hotkey"), ...text], right, width);
}

/** The most needed in one line: what cannot be seen whole above, then what it is. */
function briefLine(node: TreeNode | undefined, sheet: Sheet): Line {
  if (!node) return [];
  const facts = factsOf(node, sheet);
  const parts = [...facts.slice(0, 1), aboutLine(node)].filter((one) => widthOf(one) > 0);
  return fitted(
    parts.flatMap((part, index) => (index === 0 ? part : [span("  "), ...part])),
    sheet.width,
  );
}

function factLines(node: TreeNode | undefined, sheet: Sheet, height: number): readonly Line[] {
  if (!node || height <= 0) return [];
  const facts = joined(factsOf(node, sheet), sheet.width);
  const about = fitted(aboutLine(node), sheet.width);
  // An identifier is of no use in part.
  return (facts.length < height ? [about, ...facts] : facts).slice(0, height);
}

/** Facts on as few lines as they need; a long one is broken. */
function joined(facts: readonly Line[], width: number): readonly Line[] {
  const lines: Line[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    if (last && widthOf(last) + widthOf(fact) + GAP.length <= width)
      lines[lines.length - 1] = [...last, span(GAP), ...fact];
    else if (widthOf(fact) <= width) lines.push(fact);
    else for (const { text, role } of fact) lines.push(...wrap(text, width).map((part) => [span(part, role)]));
  }
  return lines;
}

const GAP = "  ";

/** `block_time  Time of the block`: the API's own name, and what it means. */
function aboutLine(node: TreeNode): Line {
  const about = node.shape.meta?.description;
  return [span(pathText(pathOf(node)), "title"), ...(about ? [span(`${GAP}${about}`, "note")] : [])];
}

/** What there is to say of a value beyond what its line shows. */
function factsOf(node: TreeNode, sheet: Sheet): readonly Line[] {
  const whole = wholeText(node, sheet);
  const cell = node.form === "leaf" ? cellOf(node, sheet) : undefined;
  const warning = cell?.warning === undefined ? [] : [[span(cell.warning, "warning")]];
  return [...warning, ...(whole === undefined ? [] : [[span(whole)]])];
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
