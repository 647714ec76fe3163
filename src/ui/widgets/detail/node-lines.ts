/** Nodes as lines: label, value, and what a folded node holds in a few words. No React here. */

import { isArray, isObject } from "../../../base/json.ts";
import { clip, pad, textWidth, truncateMiddle, wrap } from "../../../output/text/width.ts";
import { type Cell, MISSING, sizeMark, summarizeValue } from "../../../output/values/cell.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";
import type { Role } from "../../app/theme/theme.ts";
import { cellOf, countText, labelOf, marked, roleOf, type Sheet } from "./format.ts";
import { headSpans, type ItemColumn, rowSpans, toldRole, toldText } from "./item-columns.ts";
import { type Folds, isOpen, type Tree, type TreeNode } from "./value-tree.ts";

/** Cells by which each level is set in, and the share of the width at which that ends. */
const STEP = 2;
const INDENT_SHARE = 0.3;
/** The share of what is left that labels may take. */
const LABEL_SHARE = 0.45;
const GAP = 2;
/** Below this width both ends of an identifier are cut as far as they tell it apart, else as far as there is room. */
const NARROW_ID = 24;
/** Fields that a folded object tells. */
const TOLD = 6;

/** What is drawn. */
export interface Drawing {
  readonly tree: Tree;
  readonly folds: Folds;
  readonly sheet: Sheet;
  /** The columns of a list's items. */
  readonly columns: (list: TreeNode) => readonly ItemColumn[];
}

/** The lines of a node, each of the sheet's width. */
export function nodeLines(node: TreeNode, drawing: Drawing): readonly TextLine[] {
  const { sheet } = drawing;
  const margin = marginOf(node, drawing);
  const width = Math.max(1, sheet.width - lineWidth(margin));
  const rest = span(" ".repeat(Math.max(0, sheet.width - width)));
  const values = valueLines(node, width, drawing).map((value, index) =>
    fitLine([...(index === 0 ? margin : [rest]), ...value], sheet.width),
  );
  return [...values, ...headLines(node, drawing)];
}

/** Cells before the mark of folding, and of the label. */
function measuresOf(node: TreeNode, width: number): { readonly indent: number; readonly label: number } {
  const indent = Math.min(node.depth * STEP, Math.floor(width * INDENT_SHARE));
  return { indent, label: Math.min(node.labelWidth, Math.max(1, Math.floor((width - indent - STEP) * LABEL_SHARE))) };
}

/** What stands before a value: the level, the mark of folding, the label. */
function marginOf(node: TreeNode, { folds, sheet }: Drawing): readonly Span[] {
  if (node.depth < 0) return [];
  const { indent, label: room } = measuresOf(node, sheet.width);
  // Where levels are too many to be seen, they are counted.
  const level = indent < node.depth * STEP ? clip(String(node.depth), indent) : "";
  const label = clip(node.label, room);
  return [
    span(pad(level, indent), "note"),
    span(`${foldMark(node, folds, sheet.unicode)} `, "frame"),
    ...marked(label, node.form === "leaf" ? "key" : "title", sheet.query),
    span(" ".repeat(room - textWidth(label) + GAP)),
  ];
}

function foldMark(node: TreeNode, folds: Folds, unicode: boolean): string {
  if (node.form === "leaf") return " ";
  if (isOpen(folds, node)) return unicode ? "▾" : "-";
  return unicode ? "▸" : "+";
}

function valueLines(node: TreeNode, width: number, drawing: Drawing): readonly TextLine[] {
  const { sheet, tree, folds } = drawing;
  if (node.form === "leaf") {
    const cell = cellOf(node, sheet);
    const role = roleOf(node, cell, sheet.own);
    const label = labelOf(cell, sheet);
    if (label) return [labelled(cell, role, label, width, sheet)];
    return cellLines(cell, width, sheet).map((text) => marked(text, role, sheet.query));
  }
  const open = isOpen(folds, node);
  if (node.form === "list") return [fitLine(listSpans(node, open, sheet), width)];
  const columns = node.parent?.form === "list" ? drawing.columns(node.parent) : [];
  const spans =
    columns.length > 0 ? rowSpans({ columns, item: node, tree, sheet }, width) : objectSpans(node, open, tree, sheet);
  return [fitLine(spans, width)];
}

/** The headings of an open list, above the rows of its items. */
function headLines(node: TreeNode, { tree, folds, sheet, columns }: Drawing): readonly TextLine[] {
  if (node.form !== "list" || !isOpen(folds, node)) return [];
  const [heads, first] = [columns(node), tree.children(node)[0]];
  if (heads.length === 0 || !first) return [];
  const { indent, label } = measuresOf(first, sheet.width);
  const margin = indent + STEP + label + GAP;
  const spans = headSpans(heads, sheet.width - margin, sheet.unicode);
  return [fitLine([span(" ".repeat(margin)), ...spans], sheet.width)];
}

/** A value on as many lines as it needs and may take; identifiers are never broken, but shortened. */
function cellLines(cell: Cell, width: number, { wraps, mostLines, shorten }: Sheet): readonly string[] {
  if (cell.ids?.length === 1) return [shortId(cell.text, width, shorten)];
  const lines = wraps ? wrap(cell.text, width) : [cell.text];
  const most = wraps ? Math.max(1, mostLines) : 1;
  const isWhole = cell.size === undefined && lines.length <= most && textWidth(lines[0] ?? "") <= width;
  if (isWhole) return lines;
  const kept = lines.slice(0, most);
  const mark = cell.size === undefined ? "…" : sizeMark(cell.size);
  return [...kept.slice(0, -1), withMark(kept.at(-1) ?? "", mark, width)];
}

/** An identifier and what it is called; the name stays, since both ends are enough of the identifier. */
function labelled({ text }: Cell, role: Role | undefined, label: Cell, width: number, sheet: Sheet): TextLine {
  const name = `  ${label.text}`;
  const id = shortId(text, Math.max(LEAST_ID, width - textWidth(name)), sheet.shorten);
  const nameRole = label.warning === undefined ? "active" : "warning";
  return fitLine([...marked(id, role, sheet.query), ...marked(name, nameRole, sheet.query)], width);
}

/** Both ends of an identifier. */
const LEAST_ID = 9;

function withMark(text: string, mark: string, width: number): string {
  const room = width - textWidth(mark);
  return room >= 1 ? clip(text, room, "").trimEnd() + mark : clip(`${text} `, width);
}

function shortId(id: string, width: number, shorten: Sheet["shorten"]): string {
  if (id.length <= width) return id;
  return width >= NARROW_ID ? truncateMiddle(id, width) : clip(shorten(id), width);
}

/** `10 entries · USDC, SOL`. */
function listSpans(node: TreeNode, open: boolean, sheet: Sheet): readonly Span[] {
  const items = isArray(node.value) ? node.value : [];
  const count = [span(countText(items.length, "entry", "entries"))];
  if (open) return count;
  const cell = items.some((item) => isObject(item) || isArray(item)) ? summarizeValue(items) : cellOf(node, sheet);
  if (cell === undefined) return count;
  const text = cell.ids ? cell.ids.map((id) => sheet.shorten(id)).join(", ") : cell.text;
  return [...count, span(SEPARATOR, "frame"), ...marked(text, cell.warning ? "warning" : cell.role, sheet.query)];
}

const SEPARATOR = " · ";

/** What an object is, and while it is folded its first fields. */
function objectSpans(node: TreeNode, open: boolean, tree: Tree, sheet: Sheet): readonly Span[] {
  const name = summarizeValue(node.value);
  const named = name ? [marked(clip(name.text, LONGEST_NAME), name.warning ? "warning" : name.role, sheet.query)] : [];
  if (open) return named.flat();
  const children = tree.children(node);
  const fields = children
    .filter((child) => child.form === "leaf" && child.value !== null && child.value !== undefined)
    .map((child) => ({ child, text: toldText(child, sheet) }))
    .filter(({ text }) => text !== MISSING.text && text !== name?.text)
    .slice(0, TOLD)
    .map(({ child, text }) => [span(`${child.label} `, "key"), ...marked(text, toldRole(child, sheet), sheet.query)]);
  const parts = [...named, ...fields];
  if (parts.length === 0) return [span(countText(children.length, "field", "fields"), "note")];
  return parts.flatMap((part, index) => (index === 0 ? part : [span(SEPARATOR, "frame"), ...part]));
}

const LONGEST_NAME = 60;

/** Whether a node begins a section that stands apart from what is above it. */
export function standsApart(node: TreeNode, above: TreeNode | undefined, { folds, sheet }: Drawing): boolean {
  if (!sheet.airy || node.depth !== 0 || above === undefined) return false;
  return above.depth > 0 || (isOpen(folds, node) && node.form !== "leaf");
}
