/** Everything of a list below its status line: headings, rows, preview and prompt. */

import type { DataStore } from "../../navigation/data-store.ts";
import type { KeyLabels } from "../../navigation/keys/key-hints.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { noMatchLines } from "./messages.ts";
import type { ListLayout } from "./model.ts";
import { type PanelLayout, type PreviewLines, withPreview } from "./preview.ts";
import { headerLine, type RowsDrawing, rowLines } from "./row-lines.ts";
import { mintField, mintOfRow } from "./trends.ts";
import type { List } from "./use-list.ts";

/** The input of the lines. */
export interface ListBody {
  readonly list: List;
  readonly layout: ListLayout;
  readonly panel: PanelLayout;
  readonly isActive: boolean;
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
  /** The rows that filters and orders apply to: `this page`. */
  readonly scope: string;
  /** The line of the open prompt. */
  readonly prompt: TextLine | undefined;
  readonly data: DataStore;
  readonly previewLines: PreviewLines;
}

/** Returns the lines below the status line. */
export function bodyLines(listBody: ListBody): readonly TextLine[] {
  const { list, panel, unicode, scope, prompt } = listBody;
  const drawing = rowsDrawing(listBody);
  const { width, height } = panel.rows;
  const rows =
    list.visible.matches.length > 0 ? rowLines(drawing) : noMatchLines(list.state.rows, scope, listBody.keyOf);
  const filler: readonly TextLine[] = Array.from({ length: Math.max(0, height - rows.length) }, () => []);
  const lines = [headerLine(drawing), ...rows.slice(0, height), ...filler];
  const bottom = prompt ? [prompt] : [];
  const { preview } = panel;
  if (!preview) return [...lines, ...bottom];
  const { selected } = listBody.layout;
  const row = list.visible.rows[selected];
  const [subject] = list.links.row(list.visible.matches[selected] ?? -1);
  const { shape, clock, table } = list;
  const format = { shape, clock, shorten: table.shorten, subject: subject?.route, data: listBody.data, unicode };
  const layout = { ...preview, list: { width, height: height + 1 } };
  return [...withPreview(lines, row, format, layout, listBody), ...bottom];
}

function rowsDrawing({ list, layout, panel, isActive, unicode }: ListBody): RowsDrawing {
  const { table, visible, measure, links, state, trends } = list;
  const field = mintField(list.source.endpoint) ?? "";
  return {
    table,
    visible,
    measure,
    layout,
    width: panel.rows.width,
    height: panel.rows.height,
    isMarked: (key) => state.rows.marks.has(key),
    isNew: (key) => state.answers?.newKeys.has(key) ?? false,
    isLink: (row, column) => links.cell(row, column).length > 0,
    trendOf: trends && ((row) => trends.of(mintOfRow(row, field) ?? "")),
    sort: state.rows.sort,
    isActive,
    unicode,
  };
}
