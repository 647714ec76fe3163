/** Compares objects field by field. */
import type { Json } from "../../base/index.ts";
import { type Cell, clip, createShortener, fitCell, pad, type Shape, textWidth } from "../../output/index.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import { formatLeaf } from "../widgets/detail/format.ts";
import { createValueTree, INITIAL_FOLDS, type ValueNode, visibleNodes } from "../widgets/detail/value-tree.ts";

/** An object to compare, and its title. */
export interface ComparedObject {
  readonly title: string;
  /** Undefined while it is loading. */
  readonly value: Json | undefined;
  readonly shape: Shape;
}

/** A field of all objects. */
export interface FieldRow {
  readonly label: string;
  /** The value of each object; undefined when it lacks the field. */
  readonly cells: readonly (Cell | undefined)[];
  readonly isSame: boolean;
}

const ALL_OPEN = { ...INITIAL_FOLDS, all: true };

/** Returns the fields of all objects, in the order of their first appearance, and whether their values are equal. */
export function fieldRows(
  all: readonly ComparedObject[],
  clock: { now: number; timeZone: string | undefined },
): FieldRow[] {
  const labels = new Map<string, string>();
  const fields = all.map(({ value, shape }) => {
    const values = new Map<string, Cell>();
    if (value === undefined) return values;
    for (const node of visibleNodes(createValueTree(value, shape), ALL_OPEN)) {
      if (node.form !== "leaf") continue;
      values.set(node.id, formatLeaf(node, clock));
      if (!labels.has(node.id)) labels.set(node.id, pathLabel(node));
    }
    return values;
  });
  return [...labels].map(([id, label]) => {
    const each = fields.map((values) => values.get(id));
    return { label, cells: each, isSame: each.every((cell) => cell?.text === each[0]?.text) };
  });
}

/** Returns the labels on the path to a field. */
function pathLabel({ parent, label }: ValueNode): string {
  return parent && parent.depth >= 0 ? `${pathLabel(parent)} › ${label}` : label;
}

/** Widths of the label column and the object columns, and the range of visible objects. */
export interface CompareLayout {
  readonly label: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

const GAP = 2;
const MIN_COLUMN_WIDTH = 16;
const MAX_LABEL_WIDTH = 28;

/** Computes the layout: as many objects as fit legibly, from `firstColumn` on. */
export function computeLayout(
  rows: readonly FieldRow[],
  count: number,
  width: number,
  firstColumn: number,
): CompareLayout {
  const widest = Math.max(4, ...rows.map(({ label }) => textWidth(label)));
  const label = Math.min(widest, MAX_LABEL_WIDTH, Math.floor(width * 0.3));
  // One cell is reserved for the scroll mark.
  const free = width - label - 1;
  const columns = Math.max(1, Math.min(count, Math.floor(free / (MIN_COLUMN_WIDTH + GAP))));
  const from = Math.max(0, Math.min(firstColumn, count - columns));
  return { label, width: Math.max(1, Math.floor(free / columns) - GAP), from, to: from + columns };
}

/** Returns a line of the comparison; differences are highlighted. */
export function rowLine(
  { label, cells: values, isSame }: FieldRow,
  { label: labelWidth, width, from, to }: CompareLayout,
): TextLine {
  const shorten = createShortener();
  for (const cell of values) for (const id of cell?.ids ?? []) shorten(id);
  const visible = values.slice(from, to).flatMap((cell): TextLine => {
    const role = isSame ? "note" : cell === undefined ? "missing" : undefined;
    // As many digits as fit say more than a rounded number.
    const text = cell?.ids ? fitCell(cell, width, shorten) : clip(cell?.text ?? "-", width);
    return [span(" ".repeat(GAP)), span(pad(text, width), role)];
  });
  return [span(pad(clip(label, labelWidth), labelWidth), "key"), ...visible];
}

/** Returns the line of titles. */
export function titleLine(titles: readonly string[], { label, width, from, to }: CompareLayout): TextLine {
  const visible = titles
    .slice(from, to)
    .map((title) => span(`  ${pad(truncateTitle(title, width), width)}`, "heading"));
  const [before, after] = [from > 0, to < titles.length];
  return [span(pad(before ? "‹" : "", label), "hotkey"), ...visible, span(after ? "›" : "", "hotkey")];
}

/** Avoids a second ellipsis when a shortened title is truncated at its ellipsis. */
const truncateTitle = (title: string, width: number) => clip(title, width).replace(/…+$/, "…");

/** Returns the comparison as tab-separated values, untruncated. */
export function toTsv(titles: readonly string[], rows: readonly FieldRow[]): string {
  const lines = [
    ["field", ...titles],
    ...rows.map(({ label, cells: values }) => [label, ...values.map((cell) => cell?.text ?? "")]),
  ];
  return lines.map((line) => `${line.join("\t")}\n`).join("");
}
