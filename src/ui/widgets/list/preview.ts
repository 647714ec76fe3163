/** The preview of one row, beside or below the list. */
import { createContext } from "react";
import type { Json } from "../../../base/index.ts";
import type { Shape } from "../../../catalogue/index.ts";
import type { Clock, Shorten } from "../../../output/index.ts";
import type { Size } from "../../navigation/context.ts";
import type { DataStore } from "../../navigation/data-store.ts";
import { formatKeyHints, type KeyLabels } from "../../navigation/keys/bindings.ts";
import type { Route } from "../../navigation/route.ts";
import { fitLine, lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { fillLines } from "../viewport.ts";

/** What a preview is made from. */
export interface PreviewFormat {
  readonly shape: Shape;
  readonly clock: Clock;
  readonly shorten: Shorten;
  /** What the row is about, which decides the kind of the preview (default: its fields). */
  readonly subject?: Route | undefined;
  /** Names, prices of the last days, and answers of this session; nothing is requested for a preview. */
  readonly data?: Pick<DataStore, "read" | "names" | "trends" | "nameOf"> | undefined;
  readonly unicode?: boolean | undefined;
}

/** Returns the lines of a preview. */
export type PreviewLines = (row: Json | undefined, format: PreviewFormat, size: Size) => readonly TextLine[];

/** What draws previews of rows, which knows the pages that these lead to. */
export const PreviewContext = createContext<PreviewLines>(() => []);

const STATUS_HEIGHT = 1;
const HEADINGS_HEIGHT = 1;
/** Minimum number of lines that a preview leaves to the list, headings included. */
const MIN_LIST_HEIGHT = 4;

/** Returns the size of the rows without the headings, and the layout of the preview. */
export function layOutPanel(
  { width, height }: Size,
  { hasPreview, prompt }: { readonly hasPreview: boolean; readonly prompt?: unknown },
) {
  const body = { width, height: Math.max(1 + HEADINGS_HEIGHT, height - STATUS_HEIGHT - (prompt ? 1 : 0)) };
  const preview = hasPreview ? layOutPreview(body) : undefined;
  const list = preview?.list ?? body;
  return { rows: { width: list.width, height: Math.max(1, list.height - HEADINGS_HEIGHT) }, preview };
}

/** From this width on previews are shown unless the user closed one. */
const DEFAULT_WIDTH = 140;
/** The sessions, by their data, in which the user closed a preview. */
const closed = new WeakSet<object>();

/**
 * Returns whether a list shows its preview.
 * @param choice what the user chose for the list
 * @param session the data of the session, which remembers that a preview was closed
 */
export function showsPreview(choice: boolean | undefined, session: object, width: number): boolean {
  return choice ?? (width >= DEFAULT_WIDTH && !closed.has(session));
}

/** Remembers for the session whether previews are wanted. */
export function rememberPreview(session: object, isOpen: boolean): void {
  if (isOpen) closed.delete(session);
  else closed.add(session);
}

/** From this width on the preview is to the right, otherwise at the bottom. */
const WIDE_WIDTH = 100;
/** The share of the width or the height for the preview, and its maximum. */
const SHARE = 0.38;
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
    return [...list.slice(0, listSize.height), [rule], ...fillLines(preview, previewSize.height)];
  }
  const bar = span(unicode ? "│ " : "| ", "frame");
  return list.map((one, at) => [...fitLine(one, listSize.width), bar, ...(preview[at] ?? [])]);
}

function previewTitle(width: number, keyOf: KeyLabels): TextLine {
  const hint = formatKeyHints(keyOf, [["list.preview", "close"]]);
  const title = [span("row", "heading"), ...(hint === "" ? [] : [span(` · ${hint}`, "note")])];
  return lineWidth(title) <= width ? title : [];
}

interface PreviewOptions {
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
  readonly previewLines: PreviewLines;
}

/** Returns the lines of a list with the preview of a row beside or below them. */
export function withPreview(
  list: readonly TextLine[],
  row: Json | undefined,
  format: PreviewFormat,
  layout: PreviewLayout,
  { unicode, keyOf, previewLines }: PreviewOptions,
): readonly TextLine[] {
  const { width, height } = layout.preview;
  if (layout.side === "bottom") return joinPreview(list, previewLines(row, format, { width, height }), layout, unicode);
  const content = previewLines(row, format, { width, height: height - 1 });
  return joinPreview(list, [previewTitle(width, keyOf), ...content], layout, unicode);
}
