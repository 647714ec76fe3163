/** Nodes as lines: label, value, a summary of folded nodes, and the items of a list as a table. No React here. */

import { isArray, isObject, listOf, pluralize } from "../../../base/index.ts";
import {
  type Cell,
  type CellName,
  clip,
  compactNumber,
  MISSING,
  orderFields,
  pad,
  sizeMark,
  summarizeValue,
  textWidth,
  truncateMiddle,
  wrap,
} from "../../../output/index.ts";
import { fitLine, lineWidth, type Role, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import {
  type DrawOptions,
  formatLeaf,
  formatLeafBriefly,
  highlightMatches,
  idsText,
  nameOfLeaf,
  roleOfLeaf,
  routeOfNode,
  unnamedIdentifier,
} from "./format.ts";
import { type FoldState, isOpen, type ValueNode, type ValueTree } from "./value-tree.ts";

/** Cells of indentation per level, and the maximum share of the width for it. */
const INDENT_STEP = 2;
const INDENT_SHARE = 0.3;
const LABEL_SHARE = 0.45;
const GAP = 2;
/** From this width on an identifier is cut in the middle as far as necessary; below, to its short form. */
const MIN_MIDDLE_CUT = 24;
const MAX_FIELDS = 6;

/** The data to draw. */
export interface NodeDrawing {
  readonly tree: ValueTree;
  readonly folds: FoldState;
  readonly options: DrawOptions;
  readonly columns: (list: ValueNode) => readonly ItemColumn[];
}

/** Returns the lines of a node, each exactly as wide as the region. */
export function nodeLines(node: ValueNode, drawing: NodeDrawing): readonly TextLine[] {
  const { options } = drawing;
  const margin = layOutMargin(node, drawing);
  const width = Math.max(1, options.width - lineWidth(margin));
  const rest = span(" ".repeat(Math.max(0, options.width - width)));
  const values = valueLines(node, width, drawing).map((value, index) =>
    fitLine([...(index === 0 ? margin : [rest]), ...value], options.width),
  );
  return [...values, ...headingLines(node, drawing)];
}

function marginWidths(node: ValueNode, width: number): { readonly indent: number; readonly label: number } {
  const indent = Math.min(node.depth * INDENT_STEP, Math.floor(width * INDENT_SHARE));
  return {
    indent,
    label: Math.min(node.labelWidth, Math.max(1, Math.floor((width - indent - INDENT_STEP) * LABEL_SHARE))),
  };
}

/** Returns what precedes a value: the indentation, the fold mark and the label. */
function layOutMargin(node: ValueNode, { folds, options }: NodeDrawing): readonly Span[] {
  if (node.depth < 0) return [];
  const { indent, label: labelWidth } = marginWidths(node, options.width);
  // Levels too deep to indent are displayed as a number.
  const level = indent < node.depth * INDENT_STEP ? clip(String(node.depth), indent) : "";
  const label = clip(node.label, labelWidth);
  return [
    span(pad(level, indent), "note"),
    span(`${foldMark(node, folds, options.unicode)} `, "frame"),
    ...highlightMatches(label, node.form === "leaf" ? "key" : "title", options.query),
    span(" ".repeat(labelWidth - textWidth(label) + GAP)),
  ];
}

function foldMark(node: ValueNode, folds: FoldState, unicode: boolean): string {
  if (node.form === "leaf") return " ";
  if (isOpen(folds, node)) return unicode ? "▾" : "-";
  return unicode ? "▸" : "+";
}

function valueLines(node: ValueNode, width: number, drawing: NodeDrawing): readonly TextLine[] {
  const { options, tree, folds } = drawing;
  if (node.form === "leaf") {
    const cell = formatLeaf(node, options);
    const role = roleOfLeaf(node, cell);
    const name = nameOfLeaf(node, cell, options);
    const lines = name
      ? [namedLine(cell, role, name, width, options)]
      : cellLines(cell, width, options).map((text) => highlightMatches(text, role, options.query));
    const target = routeOfNode(node);
    const identifier = unnamedIdentifier(node, cell, options);
    return target || identifier ? lines.map((line) => line.map((one) => ({ ...one, target, identifier }))) : lines;
  }
  const open = isOpen(folds, node);
  if (node.form === "list") return [fitLine(listSpans(node, open, options), width)];
  const columns = node.parent?.form === "list" ? drawing.columns(node.parent) : [];
  const spans =
    columns.length > 0
      ? rowSpans({ columns, item: node, tree, options }, width)
      : objectSpans(node, open, tree, options);
  return [fitLine(spans, width)];
}

/** Returns the headings of an open list, above the rows of its items. */
function headingLines(node: ValueNode, { tree, folds, options, columns }: NodeDrawing): readonly TextLine[] {
  if (node.form !== "list" || !isOpen(folds, node)) return [];
  const [heads, first] = [columns(node), tree.children(node)[0]];
  if (heads.length === 0 || !first) return [];
  const { indent, label } = marginWidths(first, options.width);
  const margin = indent + INDENT_STEP + label + GAP;
  const spans = headingSpans(heads, options.width - margin, options.unicode);
  return [fitLine([span(" ".repeat(margin)), ...spans], options.width)];
}

/** Wraps a value to the permitted number of lines; identifiers are shortened instead. */
function cellLines(cell: Cell, width: number, { wraps, maxLines: lineLimit, shorten }: DrawOptions): readonly string[] {
  if (cell.ids?.length === 1) return [fitIdentifier(cell.text, width, shorten)];
  const lines = wraps ? wrap(cell.text, width) : [cell.text];
  const maxLines = wraps ? Math.max(1, lineLimit) : 1;
  const isWhole = cell.size === undefined && lines.length <= maxLines && textWidth(lines[0] ?? "") <= width;
  if (isWhole) return lines;
  const visible = lines.slice(0, maxLines);
  const mark = cell.size === undefined ? "…" : sizeMark(cell.size);
  return [...visible.slice(0, -1), withMark(visible.at(-1) ?? "", mark, width)];
}

/** Returns the name of an identifier with the identifier beside it, which is shortened before the name is cut. */
function namedLine(
  { text }: Cell,
  role: Role | undefined,
  name: CellName,
  width: number,
  options: DrawOptions,
): TextLine {
  const space = width - textWidth(name.text) - GAP;
  const id = space < MIN_ID && !name.isAmbiguous ? "" : fitIdentifier(text, Math.max(MIN_ID, space), options.shorten);
  return fitLine(
    [
      ...highlightMatches(name.text, name.role, options.query),
      ...(id === "" ? [] : [span(" ".repeat(GAP)), ...highlightMatches(id, role, options.query)]),
    ],
    width,
  );
}

const MIN_ID = 9;

function withMark(text: string, mark: string, width: number): string {
  const space = width - textWidth(mark);
  return space >= 1 ? clip(text, space, "").trimEnd() + mark : clip(`${text} `, width);
}

function fitIdentifier(id: string, width: number, shorten: DrawOptions["shorten"]): string {
  if (id.length <= width) return id;
  return width >= MIN_MIDDLE_CUT ? truncateMiddle(id, width) : clip(shorten(id), width);
}

/** `10 entries · USDC, SOL`. */
function listSpans(node: ValueNode, open: boolean, options: DrawOptions): readonly Span[] {
  const items = listOf(node.value);
  const count = [span(pluralize(items.length, "entry", "entries"))];
  if (open) return count;
  const cell = items.some((item) => isObject(item) || isArray(item))
    ? summarizeValue(items)
    : formatLeaf(node, options);
  if (cell === undefined) return count;
  const text = cell.ids ? idsText(cell.ids, options) : cell.text;
  return [
    ...count,
    span(SEPARATOR, "frame"),
    ...highlightMatches(text, cell.warning ? "warning" : cell.role, options.query),
  ];
}

const SEPARATOR = " · ";

/** Returns the name of an object and, while it is folded, its first fields. */
function objectSpans(node: ValueNode, open: boolean, tree: ValueTree, options: DrawOptions): readonly Span[] {
  const name = summarizeValue(node.value);
  const nameSpans = name
    ? [highlightMatches(clip(name.text, MAX_NAME), name.warning ? "warning" : name.role, options.query)]
    : [];
  if (open) return nameSpans.flat();
  const children = tree.children(node);
  const fields = children
    .filter((child) => child.form === "leaf" && child.value !== null && child.value !== undefined)
    .map((child) => ({ child, text: briefText(child, options) }))
    .filter(({ text }) => text !== MISSING.text && text !== name?.text)
    .slice(0, MAX_FIELDS)
    .map(({ child, text }) => [
      span(`${child.label} `, "key"),
      ...highlightMatches(text, briefRole(child, options), options.query),
    ]);
  const parts = [...nameSpans, ...fields];
  if (parts.length === 0) return [span(pluralize(children.length, "field", "fields"), "note")];
  return parts.flatMap((part, index) => (index === 0 ? part : [span(SEPARATOR, "frame"), ...part]));
}

const MAX_NAME = 60;

/** Returns whether a node starts a section that is separated from the rows above. */
export function startsSection(node: ValueNode, above: ValueNode | undefined, { folds, options }: NodeDrawing): boolean {
  if (!options.isSpaced || node.depth !== 0 || above === undefined) return false;
  return above.depth > 0 || (isOpen(folds, node) && node.form !== "leaf");
}

interface ItemColumn {
  readonly name: string;
  readonly head: string;
  readonly width: number;
  readonly numeric: boolean;
}

const SAMPLE_SIZE = 300;
const MAX_WIDTH = 24;
/** Decimals are redundant beside the amounts they apply to. */
const DECIMALS = /(^|_)decimals$/;
const ITEM_GAP = "  ";
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
    available -= column.width + (count === 0 ? 0 : ITEM_GAP.length);
    if (available < 0) break;
    count += 1;
  }
  const visible = columns.slice(0, Math.max(1, count));
  return { visible, isCut: visible.length < columns.length };
}

const MARK_WIDTH = 2;

function headingSpans(columns: readonly ItemColumn[], width: number, unicode: boolean): readonly Span[] {
  const { visible, isCut } = fitColumns(columns, width);
  const heads = visible.map(({ head, width: available, numeric }) => pad(head, available, numeric ? "right" : "left"));
  return [span(heads.join(ITEM_GAP), "key"), ...(isCut ? [span(unicode ? " ›" : " >", "note")] : [])];
}

interface ItemRow {
  readonly columns: readonly ItemColumn[];
  readonly item: ValueNode;
  readonly tree: ValueTree;
  readonly options: DrawOptions;
}

function rowSpans({ columns, item, tree, options }: ItemRow, available: number): readonly Span[] {
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
    return [...(index === 0 ? [] : [span(ITEM_GAP)]), ...(numeric ? [space, ...leafCells] : [...leafCells, space])];
  });
}

/** Formats a field as one of several in a row. */
function briefText(node: ValueNode, options: DrawOptions): string {
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
function briefRole(node: ValueNode, options: DrawOptions) {
  if (node.form !== "leaf") return undefined;
  const cell = formatLeafBriefly(node, options);
  const name = nameOfLeaf(node, cell, options);
  if (name) return name.role;
  const role = roleOfLeaf(node, cell);
  return role === "link" ? undefined : role;
}
