/** Objects side by side, a line for each of their fields. No React here. */
import { groupThousands, type Json, type JsonObject } from "../../../base/index.ts";
import type { Shape } from "../../../catalogue/index.ts";
import {
  type Cell,
  clip,
  createShortener,
  fitCell,
  hasRatio,
  isNumberKind,
  pad,
  textWidth,
  toSortKey,
} from "../../../output/index.ts";
import { comparisonBar } from "../../frame/share-bar.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { formatLeaf } from "../../widgets/detail/format.ts";
import {
  ancestors,
  createValueTree,
  INITIAL_FOLDS,
  type ValueNode,
  visibleNodes,
} from "../../widgets/detail/value-tree.ts";

/** One of the objects. */
export interface ComparedObject {
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
  /** Different quantities as shares of the largest one. */
  readonly shares?: readonly number[] | undefined;
}

const ALL_OPEN = { ...INITIAL_FOLDS, all: true };

/** Returns the fields of all objects, in the order of their first appearance, and whether their values are equal. */
export function fieldRows(
  all: readonly ComparedObject[],
  clock: { now: number; timeZone: string | undefined },
): FieldRow[] {
  const labels = new Map<string, string>();
  const fields = all.map(({ value, shape }) => {
    const nodes = new Map<string, ValueNode>();
    if (value === undefined) return nodes;
    for (const node of visibleNodes(createValueTree(value, shape), ALL_OPEN)) {
      if (node.form !== "leaf" || isInList(node)) continue;
      nodes.set(node.id, node);
      if (!labels.has(node.id)) labels.set(node.id, pathLabel(node));
    }
    return nodes;
  });
  return [...labels].map(([id, label]) => {
    const nodes = fields.map((one) => one.get(id));
    const cells = nodes.map((node) => node && formatLeaf(node, clock));
    const isSame = cells.every((cell) => cell?.text === cells[0]?.text);
    return { label, cells, isSame, ...(!isSame && { shares: sharesOf(nodes) }) };
  });
}

function sharesOf(nodes: readonly (ValueNode | undefined)[]): FieldRow["shares"] {
  const quantities = nodes.flatMap((node) => (node && quantityOf(node)) ?? []);
  const most = Math.max(...quantities);
  if (quantities.length < nodes.length || most <= 0 || Math.min(...quantities) < 0) return undefined;
  return quantities.map((one) => one / most);
}

/** Returns a number in whole units, of which others can be multiples. */
function quantityOf({ value, shape: { meta }, holder }: ValueNode): number | undefined {
  const key = isNumberKind(meta?.kind) && hasRatio(meta?.kind) ? toSortKey({ value, meta, parent: holder }) : undefined;
  return key?.rank === 0 ? key.double : undefined;
}

/** Objects in lists belong to nothing of the other object. */
const isInList = (node: ValueNode) => ancestors(node).some(({ name }) => typeof name === "number");

function pathLabel({ parent, label }: ValueNode): string {
  return parent && parent.depth >= 0 ? `${pathLabel(parent)} › ${label}` : label;
}

/** The widths of the columns, and which objects are visible. */
export interface CompareLayout {
  readonly label: number;
  readonly width: number;
  /** The width of the ratios; 0 without them. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
}

const GAP = 2;
const MIN_COLUMN_WIDTH = 16;
const MAX_LABEL_WIDTH = 28;
const RATIO_WIDTH = 14;

/** Computes the layout: as many objects as fit legibly, from `firstColumn` on. */
export function computeLayout(
  rows: readonly FieldRow[],
  count: number,
  width: number,
  firstColumn: number,
): CompareLayout {
  const widest = Math.max(4, ...rows.map(({ label }) => textWidth(label)));
  const label = Math.min(widest, MAX_LABEL_WIDTH, Math.floor(width * 0.3));
  const ratio = count === 2 && rows.some(({ shares }) => shares) ? RATIO_WIDTH : 0;
  // One cell is reserved for the scroll mark.
  const free = width - label - ratio - 1;
  const columns = Math.max(1, Math.min(count, Math.floor(free / (MIN_COLUMN_WIDTH + GAP))));
  const from = Math.max(0, Math.min(firstColumn, count - columns));
  return { label, ratio, width: Math.max(1, Math.floor(free / columns) - GAP), from, to: from + columns };
}

/** Returns a line of the comparison: differences are highlighted, and numbers have bars; the largest has a mark. */
export function rowLine({ label, cells, isSame, shares }: FieldRow, layout: CompareLayout, unicode: boolean): TextLine {
  const { from, to } = layout;
  const shorten = createShortener();
  for (const cell of cells) for (const id of cell?.ids ?? []) shorten(id);
  const bar = shares && layout.width >= MIN_BARRED ? BAR_WIDTH : 0;
  const width = layout.width - bar;
  const visible = cells.slice(from, to).flatMap((cell, at): TextLine => {
    const share = shares?.[from + at] ?? 0;
    const role = isSame ? "note" : cell === undefined ? "missing" : share === 1 ? "good" : undefined;
    // As many digits as fit say more than a rounded number.
    const text = cell?.ids ? fitCell(cell, width, shorten) : clip(cell?.text ?? "-", width - MARK.length);
    return [
      span(" ".repeat(GAP)),
      span(pad(share === 1 ? text + MARK : text, width), role),
      ...(bar > 0 ? comparisonBar(share, bar, unicode) : []),
    ];
  });
  const ratio = shares && Math.min(...shares) > 0 ? `${ratioText(1 / Math.min(...shares))}×` : "";
  return [
    span(pad(clip(label, layout.label), layout.label), "key"),
    ...visible,
    ...(layout.ratio > 0 ? [span(pad(ratio, layout.ratio, "right"), "note")] : []),
  ];
}

/** The width of a bar, and that from which on columns have them. */
const BAR_WIDTH = 16;
const MIN_BARRED = 44;
/** Stands behind the largest number. */
const MARK = " ▲";

const ratioText = (ratio: number): string =>
  ratio < 100 ? ratio.toPrecision(3) : groupThousands(Math.min(Math.round(ratio), MAX_RATIO));

/** Larger ratios say no more. */
const MAX_RATIO = 999_999_999;

/** Returns the line of titles. */
export function titleLine(titles: readonly string[], { label, ratio, width, from, to }: CompareLayout): TextLine {
  const visible = titles
    .slice(from, to)
    .map((title) => span(`  ${pad(truncateTitle(title, width), width)}`, "heading"));
  const [before, after] = [from > 0, to < titles.length];
  return [
    span(pad(before ? "‹" : "", label), "hotkey"),
    ...visible,
    span(after ? "›" : "", "hotkey"),
    span(ratio > 0 ? pad("ratio", ratio, "right") : "", "heading"),
  ];
}

/** Avoids a second ellipsis when a shortened title is truncated at its ellipsis. */
const truncateTitle = (title: string, width: number) => clip(title, width).replace(/…+$/, "…");

/** Returns the comparison as rows: the field, and the text of each object by its number. */
export const toRows = (rows: readonly FieldRow[]): readonly JsonObject[] =>
  rows.map(({ label, cells }) => ({
    field: label,
    ...Object.fromEntries(cells.map((cell, at) => [at + 1, cell?.text ?? null])),
  }));

/** Returns the comparison as tab-separated values, untruncated. */
export function toTsv(titles: readonly string[], rows: readonly FieldRow[]): string {
  const lines = [
    ["field", ...titles],
    ...rows.map(({ label, cells: values }) => [label, ...values.map((cell) => cell?.text ?? "")]),
  ];
  return lines.map((line) => `${line.join("\t")}\n`).join("");
}
