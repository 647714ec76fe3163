/** The fields of one row, beside or below the list. */
import { isObject, type Json } from "../../../base/json.ts";
import { fieldNames, orderFields } from "../../../output/fields/field-order.ts";
import { omitRedundant } from "../../../output/fields/redundant.ts";
import type { Shape } from "../../../output/fields/shape.ts";
import { fitCell } from "../../../output/table/grid.ts";
import { safeText } from "../../../output/text/safe.ts";
import type { Shorten } from "../../../output/text/shorten.ts";
import { clip, pad, textWidth } from "../../../output/text/width.ts";
import { type Cell, formatValue, MISSING, summarizeValue } from "../../../output/values/cell.ts";
import type { Clock } from "../../../output/values/time.ts";
import type { Region, Size } from "../../app/context.ts";
import { formatKeyHints, type KeyLabels } from "../../app/keys/key-hints.ts";
import { fitLine, lineWidth, span, type TextLine, textLine } from "../../app/theme/text-line.ts";

import type { ListState } from "./reducer.ts";

/** The parts of a panel. */
export interface ListPlace {
  /** The room for the lines of rows; the headings are one line above. */
  readonly rows: Size;
  readonly preview: PreviewPlace | undefined;
  readonly width: number;
}

/** Lines above headings and rows, and for headings. */
const STATUS = 1;
const HEADINGS = 1;
/** Lines that a preview leaves to the rows at least, with their headings. */
const LEAST_ROWS = 4;

/** Shares out a region. */
export function placeOfList(
  { width, height }: Size,
  { hasPreview, prompt }: Pick<ListState, "hasPreview" | "prompt">,
): ListPlace {
  const body = { width, height: Math.max(1 + HEADINGS, height - STATUS - (prompt ? 1 : 0)) };
  const preview = hasPreview ? previewPlace(body) : undefined;
  const hasRoom = preview !== undefined && preview.list.height >= LEAST_ROWS;
  const list = hasRoom ? preview.list : body;
  return {
    rows: { width: list.width, height: Math.max(1, list.height - HEADINGS) },
    preview: hasRoom ? preview : undefined,
    width,
  };
}

/** From this width on the preview is at the right, below it at the bottom. */
const WIDE = 100;
/** The part of the width or the height that it takes, and the most of it. */
const SHARE = 0.42;
const WIDEST = 64;
const HIGHEST = 14;

/** Where the preview is. */
export interface PreviewPlace {
  readonly side: "right" | "bottom";
  /** The room for the rows with their headings, and that of the preview, without the line between them. */
  readonly list: Size;
  readonly preview: Size;
}

/** Shares a region between the list and the preview. */
export function previewPlace({ width, height }: Pick<Region, "width" | "height">): PreviewPlace {
  if (width >= WIDE) {
    const own = Math.min(WIDEST, Math.floor(width * SHARE));
    return { side: "right", list: { width: width - own - 2, height }, preview: { width: own, height } };
  }
  const own = Math.min(HIGHEST, Math.floor(height * SHARE));
  return { side: "bottom", list: { width, height: height - own - 1 }, preview: { width, height: own } };
}

/** What the fields of a row are shown with. */
export interface Fields {
  readonly shape: Shape;
  readonly clock: Clock;
  readonly shorten: Shorten;
}

/** Cells of the widest name. */
const WIDEST_NAME = 24;

/** The fields of a row that have a value, one a line; how many did not fit is told by the last line. */
export function previewLines(
  row: Json | undefined,
  { shape, clock, shorten }: Fields,
  size: Size,
): readonly TextLine[] {
  if (row === undefined || size.height <= 0) return [];
  const told = fieldsOf(row, shape, clock);
  const wide = Math.min(WIDEST_NAME, Math.max(0, ...told.map(({ name }) => textWidth(name))));
  const room = Math.max(1, size.width - wide - 2);
  const lines = told.map(({ name, cell }) => [
    span(`${pad(clip(name, wide), wide)}  `, "key"),
    span(fitCell(cell, room, shorten), cell.warning ? "warning" : cell.role),
  ]);
  if (lines.length <= size.height) return lines;
  const shown = lines.slice(0, size.height - 1);
  return [...shown, textLine(`${lines.length - shown.length} more fields`, "note")];
}

interface Field {
  readonly name: string;
  readonly cell: Cell;
}

function fieldsOf(row: Json, shape: Shape, clock: Clock): readonly Field[] {
  if (!isObject(row)) return [{ name: "value", cell: formatValue(row, shape.meta, undefined, clock) }];
  const names = omitRedundant(orderFields(fieldNames(shape, [row]), shape), shape, [row], clock);
  return names
    .map((name) => ({ name: safeText(name.replaceAll("_", " ")), cell: cellIn(row, name, shape, clock) }))
    .filter(({ cell }) => cell.text !== MISSING.text);
}

/** A time is told twice: the moment, and how long ago that was. */
function cellIn(row: Json, name: string, shape: Shape, clock: Clock): Cell {
  const value = isObject(row) && Object.hasOwn(row, name) ? row[name] : undefined;
  const { meta } = shape.field(name);
  const cell = summarizeValue(value) ?? formatValue(value, meta, row, clock);
  if (meta?.kind !== "unixTime" && meta?.kind !== "isoTime") return cell;
  const { text } = formatValue(value, meta, row, { ...clock, style: "iso" });
  return text === cell.text || cell.text === MISSING.text ? cell : { ...cell, text: `${text} · ${cell.text}` };
}

/** The lines of a list with those of the preview at its right or below a line. */
export function besides(
  list: readonly TextLine[],
  preview: readonly TextLine[],
  place: PreviewPlace,
  unicode: boolean,
): readonly TextLine[] {
  const { side, list: own, preview: below } = place;
  if (side === "bottom") {
    const rule = span((unicode ? "─" : "-").repeat(own.width), "frame");
    const filler: readonly TextLine[] = Array.from({ length: Math.max(0, below.height - preview.length) }, () => []);
    return [...list.slice(0, own.height), [rule], ...preview, ...filler];
  }
  const bar = span(unicode ? "│ " : "| ", "frame");
  return list.map((one, at) => [...fitLine(one, own.width), bar, ...(preview[at] ?? [])]);
}

/** The title of the preview, for where the headings of the list are. */
export function previewTitle(width: number, keyOf: KeyLabels): TextLine {
  const way = formatKeyHints(keyOf, [["list.preview", "closes"]]);
  const title = [span("row", "heading"), ...(way === "" ? [] : [span(` · ${way}`, "note")])];
  return lineWidth(title) <= width ? title : [];
}
