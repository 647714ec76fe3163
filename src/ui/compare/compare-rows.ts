/** Objects field by field, beside each other. No React here. */
import type { Json } from "../../base/json.ts";
import type { Shape } from "../../output/fields/shape.ts";
import { fitCell } from "../../output/table/columns.ts";
import { createShortener } from "../../output/text/shorten.ts";
import { clip, pad, textWidth } from "../../output/text/width.ts";
import type { Cell } from "../../output/values/cell.ts";
import { span, type TextLine } from "../app/theme/text-line.ts";
import { formatLeaf } from "../widgets/detail/format.ts";
import { createValueTree, INITIAL_FOLDS, type ValueNode, visibleNodes } from "../widgets/detail/value-tree.ts";

/** An object to compare, and what it is called. */
export interface ComparedObject {
  readonly title: string;
  /** Undefined while it is not there. */
  readonly value: Json | undefined;
  readonly shape: Shape;
}

/** A field of all of them. */
export interface FieldRow {
  readonly label: string;
  /** What each has; undefined where it has no such field. */
  readonly cells: readonly (Cell | undefined)[];
  readonly isSame: boolean;
}

const ALL_OPEN = { ...INITIAL_FOLDS, all: true };

/** The fields of all objects in the order of the first that has them, and whether all have the same. */
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

/** The labels from the top down to a field. */
function pathLabel({ parent, label }: ValueNode): string {
  return parent && parent.depth >= 0 ? `${pathLabel(parent)} › ${label}` : label;
}

/** Where columns are: the cells of labels and of each object, and which objects are on view. */
export interface CompareLayout {
  readonly label: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

const GAP = 2;
const MIN_COLUMN_WIDTH = 16;
const MAX_LABEL_WIDTH = 28;

/** Shares the width out: as many objects as have room to be read, from the first that is wanted. */
export function computeLayout(
  rows: readonly FieldRow[],
  count: number,
  width: number,
  firstColumn: number,
): CompareLayout {
  const widest = Math.max(4, ...rows.map(({ label }) => textWidth(label)));
  const label = Math.min(widest, MAX_LABEL_WIDTH, Math.floor(width * 0.3));
  // A cell stays free for the sign that there are more.
  const free = width - label - 1;
  const columns = Math.max(1, Math.min(count, Math.floor(free / (MIN_COLUMN_WIDTH + GAP))));
  const from = Math.max(0, Math.min(firstColumn, count - columns));
  return { label, width: Math.max(1, Math.floor(free / columns) - GAP), from, to: from + columns };
}

/** A line of the comparison; what differs stands out. */
export function rowLine(
  { label, cells: values, isSame }: FieldRow,
  { label: columns, width, from, to }: CompareLayout,
): TextLine {
  const shorten = createShortener();
  for (const cell of values) for (const id of cell?.ids ?? []) shorten(id);
  const visible = values.slice(from, to).flatMap((cell): TextLine => {
    const role = isSame ? "note" : cell === undefined ? "missing" : undefined;
    // Of a number as many digits as there is room for tell more than a rounded one.
    const text = cell?.ids ? fitCell(cell, width, shorten) : clip(cell?.text ?? "-", width);
    return [span(" ".repeat(GAP)), span(pad(text, width), role)];
  });
  return [span(pad(clip(label, columns), columns), "key"), ...visible];
}

/** The line of what they are called. */
export function titleLine(titles: readonly string[], { label, width, from, to }: CompareLayout): TextLine {
  const visible = titles
    .slice(from, to)
    .map((title) => span(`  ${pad(truncateTitle(title, width), width)}`, "heading"));
  const [before, after] = [from > 0, to < titles.length];
  return [span(pad(before ? "‹" : "", label), "hotkey"), ...visible, span(after ? "›" : "", "hotkey")];
}

/** What is cut where it was shortened already says so once. */
const truncateTitle = (title: string, width: number) => clip(title, width).replace(/…+$/, "…");

/** All of it as tab-separated text, whole values included. */
export function toTsv(titles: readonly string[], rows: readonly FieldRow[]): string {
  const lines = [
    ["field", ...titles],
    ...rows.map(({ label, cells: values }) => [label, ...values.map((cell) => cell?.text ?? "")]),
  ];
  return lines.map((line) => `${line.join("\t")}\n`).join("");
}
