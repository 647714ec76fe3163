/** The fields of one row, beside or below the list. */
import { isObject, type Json } from "../../../base/index.ts";
import {
  type Cell,
  type Clock,
  clip,
  fieldNames,
  fitCell,
  formatValue,
  MISSING,
  omitRedundant,
  orderFields,
  pad,
  type Shape,
  type Shorten,
  safeText,
  summarizeValue,
  textWidth,
} from "../../../output/index.ts";
import type { Size } from "../../app/context.ts";
import { formatKeyHints, type KeyLabels } from "../../app/keys/key-hints.ts";
import { fitLine, lineWidth, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import type { ListState } from "./reducer.ts";

/** The parts of a panel. */
export interface PanelLayout {
  /** The size of the rows without the headings. */
  readonly rows: Size;
  readonly preview: PreviewLayout | undefined;
  readonly width: number;
}

/** Lines of the status and of the headings. */
const STATUS_HEIGHT = 1;
const HEADINGS_HEIGHT = 1;
/** Minimum number of lines that a preview leaves to the list, headings included. */
const MIN_LIST_HEIGHT = 4;

/** Lays out a panel. */
export function layOutPanel(
  { width, height }: Size,
  { hasPreview, prompt }: Pick<ListState, "hasPreview" | "prompt">,
): PanelLayout {
  const body = { width, height: Math.max(1 + HEADINGS_HEIGHT, height - STATUS_HEIGHT - (prompt ? 1 : 0)) };
  const preview = hasPreview ? layOutPreview(body) : undefined;
  const list = preview?.list ?? body;
  return { rows: { width: list.width, height: Math.max(1, list.height - HEADINGS_HEIGHT) }, preview, width };
}

/** From this width on the preview is to the right, otherwise at the bottom. */
const WIDE_WIDTH = 100;
/** The share of the width or the height for the preview, and its maximum. */
const SHARE = 0.42;
const MAX_WIDTH = 64;
const MAX_HEIGHT = 14;

/** Position and size of the preview. */
export interface PreviewLayout {
  readonly side: "right" | "bottom";
  /** The size of the list with its headings, and that of the preview, without the rule between them. */
  readonly list: Size;
  readonly preview: Size;
}

/** Divides a region between the list and the preview; undefined when it is too small for both. */
export function layOutPreview({ width, height }: Size): PreviewLayout | undefined {
  if (width >= WIDE_WIDTH) {
    const size = Math.min(MAX_WIDTH, Math.floor(width * SHARE));
    const list = { width: width - size - 2, height };
    return height < MIN_LIST_HEIGHT ? undefined : { side: "right", list, preview: { width: size, height } };
  }
  const size = Math.min(MAX_HEIGHT, Math.floor(height * SHARE));
  const list = { width, height: height - size - 1 };
  return list.height < MIN_LIST_HEIGHT ? undefined : { side: "bottom", list, preview: { width, height: size } };
}

/** How the fields of a row are formatted. */
export interface PreviewFormat {
  readonly shape: Shape;
  readonly clock: Clock;
  readonly shorten: Shorten;
}

/** Maximum width of a name in cells. */
const MAX_NAME = 24;

/** Returns the non-empty fields of a row, one per line; the last line counts those that do not fit. */
export function previewLines(
  row: Json | undefined,
  { shape, clock, shorten }: PreviewFormat,
  size: Size,
): readonly TextLine[] {
  if (row === undefined || size.height <= 0) return [];
  const fields = fieldsOf(row, shape, clock);
  const nameWidth = Math.min(MAX_NAME, Math.max(0, ...fields.map(({ name }) => textWidth(name))));
  const space = Math.max(1, size.width - nameWidth - 2);
  const lines = fields.map(({ name, cell }) => [
    span(`${pad(clip(name, nameWidth), nameWidth)}  `, "key"),
    span(fitCell(cell, space, shorten), cell.warning ? "warning" : cell.role),
  ]);
  if (lines.length <= size.height) return lines;
  const visible = lines.slice(0, size.height - 1);
  return [...visible, textLine(`${lines.length - visible.length} more fields`, "note")];
}

interface PreviewField {
  readonly name: string;
  readonly cell: Cell;
}

function fieldsOf(row: Json, shape: Shape, clock: Clock): readonly PreviewField[] {
  if (!isObject(row)) return [{ name: "value", cell: formatValue(row, shape.meta, undefined, clock) }];
  const names = omitRedundant(orderFields(fieldNames(shape, [row]), shape), shape, [row], clock);
  return names
    .map((name) => ({
      name: shape.field(name).meta?.label ?? safeText(name.replaceAll("_", " ")),
      cell: fieldCell(row, name, shape, clock),
    }))
    .filter(({ cell }) => cell.text !== MISSING.text);
}

/** Times are formatted as a date and as an age. */
function fieldCell(row: Json, name: string, shape: Shape, clock: Clock): Cell {
  const value = isObject(row) && Object.hasOwn(row, name) ? row[name] : undefined;
  const { meta } = shape.field(name);
  const cell = summarizeValue(value) ?? formatValue(value, meta, row, clock);
  if (meta?.kind !== "unixTime" && meta?.kind !== "isoTime") return cell;
  const { text } = formatValue(value, meta, row, { ...clock, style: "iso" });
  return text === cell.text || cell.text === MISSING.text ? cell : { ...cell, text: `${text} · ${cell.text}` };
}

/** Joins the lines of a list with those of the preview. */
export function joinPreview(
  list: readonly TextLine[],
  preview: readonly TextLine[],
  layout: PreviewLayout,
  unicode: boolean,
): readonly TextLine[] {
  const { side, list: listSize, preview: previewSize } = layout;
  if (side === "bottom") {
    const rule = span((unicode ? "─" : "-").repeat(listSize.width), "frame");
    const filler: readonly TextLine[] = Array.from(
      { length: Math.max(0, previewSize.height - preview.length) },
      () => [],
    );
    return [...list.slice(0, listSize.height), [rule], ...preview, ...filler];
  }
  const bar = span(unicode ? "│ " : "| ", "frame");
  return list.map((one, at) => [...fitLine(one, listSize.width), bar, ...(preview[at] ?? [])]);
}

/** Returns the title of the preview, in the line of the headings. */
function previewTitle(width: number, keyOf: KeyLabels): TextLine {
  const hint = formatKeyHints(keyOf, [["list.preview", "close"]]);
  const title = [span("row", "heading"), ...(hint === "" ? [] : [span(` · ${hint}`, "note")])];
  return lineWidth(title) <= width ? title : [];
}

/** Returns the lines of a list with the preview of a row beside or below them. */
export function withPreview(
  list: readonly TextLine[],
  row: Json | undefined,
  format: PreviewFormat,
  layout: PreviewLayout,
  { unicode, keyOf }: { readonly unicode: boolean; readonly keyOf: KeyLabels },
): readonly TextLine[] {
  const { width, height } = layout.preview;
  if (layout.side === "bottom") return joinPreview(list, previewLines(row, format, { width, height }), layout, unicode);
  const content = previewLines(row, format, { width, height: height - 1 });
  return joinPreview(list, [previewTitle(width, keyOf), ...content], layout, unicode);
}
