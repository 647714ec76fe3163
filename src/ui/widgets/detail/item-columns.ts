/** The items of a list beside each other: what a row of each tells, in columns that stand below one another. No React here. */
import { isArray } from "../../../base/json.ts";
import { orderFields } from "../../../output/fields/field-order.ts";
import { clip, pad, textWidth } from "../../../output/text/width.ts";
import { type Cell, MISSING, summarizeValue } from "../../../output/values/cell.ts";
import { compactNumber } from "../../../output/values/number.ts";
import { type Span, span } from "../../app/theme/text-line.ts";
import { briefCellOf, countText, labelOf, marked, roleOf, type Sheet } from "./format.ts";
import type { Tree, TreeNode } from "./value-tree.ts";

/** A field of the items. */
export interface ItemColumn {
  readonly name: string;
  readonly head: string;
  readonly width: number;
  readonly numeric: boolean;
}

/** Items that are looked at to settle the columns. */
const SAMPLE = 300;
const WIDEST = 24;
/** Decimals say nothing beside the amounts that they are applied to. */
const DECIMALS = /(^|_)decimals$/;
const GAP = "  ";
/** The fields that say what an object is; they come first where the catalogue does not say which do. */
const TELLING = ["name", "symbol", "title", "label", "type"];

/** The columns of a list; none where its items are no objects, or there is but one. */
export function columnsOf(list: TreeNode, tree: Tree, sheet: Sheet): readonly ItemColumn[] {
  const items = tree.children(list).slice(0, SAMPLE);
  if (items.length < 2 || !items.every(({ form, value }) => form === "object" || value === null)) return [];
  const fields = items.map((item) => new Map(tree.children(item).map((child) => [String(child.name), child])));
  const names = [...new Set(fields.flatMap((of) => [...of.keys()]))];
  const first = list.shape.meta?.first ?? {};
  const telling = Object.keys(first).length > 0 ? [] : TELLING.filter((name) => names.includes(name));
  const order = [...new Set([...telling, ...orderFields(names, list.shape)])].filter((name) => !DECIMALS.test(name));
  return order.flatMap((name) => {
    const nodes = fields.flatMap((of) => of.get(name) ?? []);
    const told = nodes.filter(({ form }) => form === "leaf").map((node) => briefCellOf(node, sheet));
    if (!told.some(isTold)) return [];
    const head = (Object.hasOwn(first, name) ? first[name] : undefined) ?? nodes[0]?.label ?? "";
    const widths = nodes.map((node) => textWidth(toldText(node, sheet)));
    return {
      name,
      head: clip(head, WIDEST),
      width: Math.max(1, ...widths, Math.min(textWidth(head), WIDEST)),
      numeric: told.every(isNumber),
    };
  });
}

const isTold = ({ role }: Cell) => role !== MISSING.role;
const isNumber = (cell: Cell) => cell.numeric === true || !isTold(cell);

/** The columns that are seen as a whole in a width, and whether there are others. At least one. */
export function columnsIn(
  columns: readonly ItemColumn[],
  width: number,
): { readonly shown: readonly ItemColumn[]; readonly isCut: boolean } {
  let [room, count] = [width - MARK_WIDTH, 0];
  for (const column of columns) {
    room -= column.width + (count === 0 ? 0 : GAP.length);
    if (room < 0) break;
    count += 1;
  }
  const shown = columns.slice(0, Math.max(1, count));
  return { shown, isCut: shown.length < columns.length };
}

/** Cells for the mark of columns that did not fit. */
const MARK_WIDTH = 2;

/** The headings of the columns. */
export function headSpans(columns: readonly ItemColumn[], width: number, unicode: boolean): readonly Span[] {
  const { shown, isCut } = columnsIn(columns, width);
  const heads = shown.map(({ head, width: room, numeric }) => pad(head, room, numeric ? "right" : "left"));
  return [span(heads.join(GAP), "key"), ...(isCut ? [span(unicode ? " ›" : " >", "note")] : [])];
}

/** What a row is made from. */
export interface RowOf {
  readonly columns: readonly ItemColumn[];
  readonly item: TreeNode;
  readonly tree: Tree;
  readonly sheet: Sheet;
}

/** An item as a row of the columns that fit into a width. */
export function rowSpans({ columns, item, tree, sheet }: RowOf, room: number): readonly Span[] {
  const fields = new Map(tree.children(item).map((child) => [child.name, child]));
  return columnsIn(columns, room).shown.flatMap(({ name, width, numeric }, index) => {
    const node = fields.get(name);
    const whole = node ? toldText(node, sheet) : MISSING.text;
    // An item that did not count for the widths may be wider.
    const text = textWidth(whole) <= width ? whole : clip((numeric && compactNumber(whole)) || whole, width);
    const space = span(" ".repeat(Math.max(0, width - textWidth(text))));
    const told = marked(text, node ? toldRole(node, sheet) : MISSING.role, sheet.query);
    return [...(index === 0 ? [] : [span(GAP)]), ...(numeric ? [space, ...told] : [...told, space])];
  });
}

/** A field in a few words, for a place where it is one of several. */
export function toldText(node: TreeNode, sheet: Sheet): string {
  if (node.form === "list") return countText(isArray(node.value) ? node.value.length : 0, "entry", "entries");
  if (node.form === "object") return clip(summarizeValue(node.value)?.text ?? "…", WIDEST);
  const cell = briefCellOf(node, sheet);
  // A number is of no use in part, and never long.
  if (cell.numeric) return cell.text;
  const label = labelOf(cell, sheet);
  if (label && cell.ids?.[0] !== undefined) return `${sheet.shorten(cell.ids[0])} ${label.text}`;
  return clip(cell.ids ? cell.ids.map((id) => sheet.shorten(id)).join(", ") : cell.text, WIDEST);
}

/** The look of a field there: links are followed where they are whole. */
export function toldRole(node: TreeNode, sheet: Sheet) {
  if (node.form !== "leaf") return undefined;
  const cell = briefCellOf(node, sheet);
  if (labelOf(cell, sheet)?.warning !== undefined) return "warning";
  const role = roleOf(node, cell, undefined);
  return role === "link" ? undefined : role;
}
