/** The fields of one row, beside or below the list. */
import { isObject, type Json } from "../../../base/json.ts";
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
  /** The room for the lines of rows; the headings are one line above. */
  readonly rows: Size;
  readonly preview: PreviewLayout | undefined;
  readonly width: number;
}

/** Lines above headings and rows, and for headings. */
const STATUS_HEIGHT = 1;
const HEADINGS_HEIGHT = 1;
/** Lines that a preview leaves to the rows at least, with their headings. */
const MIN_LIST_HEIGHT = 4;

/** Shares out a region. */
export function layOutPanel(
  { width, height }: Size,
  { hasPreview, prompt }: Pick<ListState, "hasPreview" | "prompt">,
): PanelLayout {
  const body = { width, height: Math.max(1 + HEADINGS_HEIGHT, height - STATUS_HEIGHT - (prompt ? 1 : 0)) };
  const preview = hasPreview ? layOutPreview(body) : undefined;
  const list = preview?.list ?? body;
  return { rows: { width: list.width, height: Math.max(1, list.height - HEADINGS_HEIGHT) }, preview, width };
}

/** From this width on the preview is at the right, below it at the bottom. */
const WIDE_WIDTH = 100;
/** The part of the width or the height that it takes, and the most of it. */
const SHARE = 0.42;
const MAX_WIDTH = 64;
const MAX_HEIGHT = 14;

/** Where the preview is. */
export interface PreviewLayout {
  readonly side: "right" | "bottom";
  /** The room for the rows with their headings, and that of the preview, without the line between them. */
  readonly list: Size;
  readonly preview: Size;
}

/** Shares a region between the list and the preview. */
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

/** What the fields of a row are shown with. */
export interface PreviewFormat {
  readonly shape: Shape;
  readonly clock: Clock;
  readonly shorten: Shorten;
}

/** Cells of the widest name. */
const MAX_NAME = 24;

/** The fields of a row that have a value, one a line; how many did not fit is told by the last line. */
export function previewLines(
  row: Json | undefined,
  { shape, clock, shorten }: PreviewFormat,
  size: Size,
): readonly TextLine[] {
  if (row === undefined || size.height <= 0) return [];
  const fields = fieldsOf(row, shape, clock);
  const nameWidth = Math.min(MAX_NAME, Math.max(0, ...fields.map(({ name }) => textWidth(name))));
  const room = Math.max(1, size.width - nameWidth - 2);
  const lines = fields.map(({ name, cell }) => [
    span(`${pad(clip(name, nameWidth), nameWidth)}  `, "key"),
    span(fitCell(cell, room, shorten), cell.warning ? "warning" : cell.role),
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
    .map((name) => ({ name: safeText(name.replaceAll("_", " ")), cell: fieldCell(row, name, shape, clock) }))
    .filter(({ cell }) => cell.text !== MISSING.text);
}

/** A time is told twice: the moment, and how long ago that was. */
function fieldCell(row: Json, name: string, shape: Shape, clock: Clock): Cell {
  const value = isObject(row) && Object.hasOwn(row, name) ? row[name] : undefined;
  const { meta } = shape.field(name);
  const cell = summarizeValue(value) ?? formatValue(value, meta, row, clock);
  if (meta?.kind !== "unixTime" && meta?.kind !== "isoTime") return cell;
  const { text } = formatValue(value, meta, row, { ...clock, style: "iso" });
  return text === cell.text || cell.text === MISSING.text ? cell : { ...cell, text: `${text} · ${cell.text}` };
}

/** The lines of a list with those of the preview at its right or below a line. */
export function joinPreview(
  list: readonly TextLine[],
  preview: readonly TextLine[],
  place: PreviewLayout,
  unicode: boolean,
): readonly TextLine[] {
  const { side, list: listSize, preview: previewSize } = place;
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

/** The title of the preview, for where the headings of the list are. */
function previewTitle(width: number, keyOf: KeyLabels): TextLine {
  const hint = formatKeyHints(keyOf, [["list.preview", "closes"]]);
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
