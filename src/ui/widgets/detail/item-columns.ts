/** The items of a list as a table: one row per item with aligned columns. No React here. */

import { isArray, pluralize } from "../../../base/index.ts";
import {
  type Cell,
  clip,
  compactNumber,
  MISSING,
  orderFields,
  pad,
  summarizeValue,
  textWidth,
} from "../../../output/index.ts";
import { type Span, span } from "../../navigation/theme/text-line.ts";
import {
  type DrawOptions,
  formatLeafBriefly,
  highlightMatches,
  idsText,
  nameOfLeaf,
  roleOfLeaf,
  unnamedIdentifier,
} from "./format.ts";
import type { ValueNode, ValueTree } from "./value-tree.ts";

/** A field of the items. */
export interface ItemColumn {
  readonly name: string;
  readonly head: string;
  readonly width: number;
  readonly numeric: boolean;
}

/** Number of items that determine the columns. */
const SAMPLE_SIZE = 300;
const MAX_WIDTH = 24;
/** Decimals are redundant beside the amounts they apply to. */
const DECIMALS = /(^|_)decimals$/;
const GAP = "  ";
/** Fields that name an object; they come first where the catalogue has no order. */
const NAMING_FIELDS = ["name", "symbol", "title", "label", "type"];

/** Returns the columns of a list; none when its items are no objects or there is only one. */
export function chooseItemColumns(list: ValueNode, tree: ValueTree, options: DrawOptions): readonly ItemColumn[] {
  const items = tree.children(list).slice(0, SAMPLE_SIZE);
  if (items.length < 2 || !items.every(({ form, value }) => form === "object" || value === null)) return [];
  const fields = items.map((item) => new Map(tree.children(item).map((child) => [String(child.name), child])));
  const names = [...new Set(fields.flatMap((of) => [...of.keys()]))];
  const first = list.shape.meta?.first ?? {};
  const naming = Object.keys(first).length > 0 ? [] : NAMING_FIELDS.filter((name) => names.includes(name));
  const order = [...new Set([...naming, ...orderFields(names, list.shape)])].filter((name) => !DECIMALS.test(name));
  return order.flatMap((name) => {
    const nodes = fields.flatMap((of) => of.get(name) ?? []);
    const leafCells = nodes.filter(({ form }) => form === "leaf").map((node) => formatLeafBriefly(node, options));
    if (!leafCells.some(hasValue)) return [];
    const head = (Object.hasOwn(first, name) ? first[name] : undefined) ?? nodes[0]?.label ?? "";
    const widths = nodes.map((node) => textWidth(briefText(node, options)));
    return {
      name,
      head: clip(head, MAX_WIDTH),
      width: Math.max(1, ...widths, Math.min(textWidth(head), MAX_WIDTH)),
      numeric: leafCells.every(isNumber),
    };
  });
}

const hasValue = ({ role }: Cell) => role !== MISSING.role;
const isNumber = (cell: Cell) => cell.numeric === true || !hasValue(cell);

/** Returns the columns that fit into a width as a whole, at least one, and whether others were left out. */
function fitColumns(
  columns: readonly ItemColumn[],
  width: number,
): { readonly visible: readonly ItemColumn[]; readonly isCut: boolean } {
  let [available, count] = [width - MARK_WIDTH, 0];
  for (const column of columns) {
    available -= column.width + (count === 0 ? 0 : GAP.length);
    if (available < 0) break;
    count += 1;
  }
  const visible = columns.slice(0, Math.max(1, count));
  return { visible, isCut: visible.length < columns.length };
}

/** Cells for the mark of omitted columns. */
const MARK_WIDTH = 2;

/** Returns the headings of the columns. */
export function headingSpans(columns: readonly ItemColumn[], width: number, unicode: boolean): readonly Span[] {
  const { visible, isCut } = fitColumns(columns, width);
  const heads = visible.map(({ head, width: available, numeric }) => pad(head, available, numeric ? "right" : "left"));
  return [span(heads.join(GAP), "key"), ...(isCut ? [span(unicode ? " ›" : " >", "note")] : [])];
}

/** The input of a row. */
export interface ItemRow {
  readonly columns: readonly ItemColumn[];
  readonly item: ValueNode;
  readonly tree: ValueTree;
  readonly options: DrawOptions;
}

/** Returns an item as a row of the columns that fit into a width. */
export function rowSpans({ columns, item, tree, options }: ItemRow, available: number): readonly Span[] {
  const fields = new Map(tree.children(item).map((child) => [child.name, child]));
  return fitColumns(columns, available).visible.flatMap(({ name, width, numeric }, index) => {
    const node = fields.get(name);
    const whole = node ? briefText(node, options) : MISSING.text;
    // Items beyond the sample may be wider.
    const text = textWidth(whole) <= width ? whole : clip((numeric && compactNumber(whole)) || whole, width);
    const space = span(" ".repeat(Math.max(0, width - textWidth(text))));
    const identifier = node?.form === "leaf" && unnamedIdentifier(node, formatLeafBriefly(node, options), options);
    const leafCells = highlightMatches(text, node ? briefRole(node, options) : MISSING.role, options.query).map(
      (one) => (identifier ? { ...one, identifier } : one),
    );
    return [...(index === 0 ? [] : [span(GAP)]), ...(numeric ? [space, ...leafCells] : [...leafCells, space])];
  });
}

/** Formats a field as one of several in a row. */
export function briefText(node: ValueNode, options: DrawOptions): string {
  if (node.form === "list") return pluralize(isArray(node.value) ? node.value.length : 0, "entry", "entries");
  if (node.form === "object") return clip(summarizeValue(node.value)?.text ?? "…", MAX_WIDTH);
  const cell = formatLeafBriefly(node, options);
  // A number is useless when cut, and never long.
  if (cell.numeric) return cell.text;
  const name = nameOfLeaf(node, cell, options);
  if (name) return name.isAmbiguous ? `${name.text} ${options.shorten(cell.text)}` : name.text;
  return clip(cell.ids ? idsText(cell.ids, options) : cell.text, MAX_WIDTH);
}

/** Returns the role of such a field. Links have none, since only whole identifiers can be followed. */
export function briefRole(node: ValueNode, options: DrawOptions) {
  if (node.form !== "leaf") return undefined;
  const cell = formatLeafBriefly(node, options);
  const name = nameOfLeaf(node, cell, options);
  if (name) return name.role;
  const role = roleOfLeaf(node, cell, undefined);
  return role === "link" ? undefined : role;
}
