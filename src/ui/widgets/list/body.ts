/** Everything of a list below its status line: headings, rows, preview and prompt. */
import type { KeyLabels } from "../../app/keys/key-hints.ts";
import type { TextLine } from "../../app/theme/text-line.ts";
import { noMatchLines, promptLine } from "./messages.ts";
import type { ListLayout } from "./model.ts";
import { type PanelLayout, withPreview } from "./preview.ts";
import { headerLine, type RowsDrawing, rowLines } from "./row-lines.ts";
import type { List } from "./use-list.ts";

/** The input of the lines. */
export interface ListBody {
  readonly list: List;
  readonly layout: ListLayout;
  readonly panel: PanelLayout;
  readonly isActive: boolean;
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
}

/** Returns the lines below the status line. */
export function bodyLines(listBody: ListBody): readonly TextLine[] {
  const { list, panel, unicode } = listBody;
  const drawing = rowsDrawing(listBody);
  const { width, height } = panel.rows;
  const rows = list.visible.matches.length > 0 ? rowLines(drawing) : noMatchLines(list.state.filter, listBody.keyOf);
  const filler: readonly TextLine[] = Array.from({ length: Math.max(0, height - rows.length) }, () => []);
  const lines = [headerLine(drawing), ...rows.slice(0, height), ...filler];
  const bottom = list.state.prompt ? [promptLine(list.state)] : [];
  const { preview } = panel;
  if (!preview) return [...lines, ...bottom];
  const row = list.visible.rows[listBody.layout.selected];
  const format = { shape: list.shape, clock: list.clock, shorten: list.table.shorten };
  const layout = { ...preview, list: { width, height: height + 1 } };
  return [...withPreview(lines, row, format, layout, { unicode, keyOf: listBody.keyOf }), ...bottom];
}

function rowsDrawing({ list, layout, panel, isActive, unicode }: ListBody): RowsDrawing {
  const { table, visible, measure, links, state } = list;
  return {
    table,
    visible,
    measure,
    layout,
    width: panel.rows.width,
    height: panel.rows.height,
    isMarked: (key) => state.marks.has(key),
    isNew: (key) => state.answers?.newKeys.has(key) ?? false,
    isLink: (row, column) => links.cell(row, column).length > 0,
    sort: state.sort,
    isActive,
    unicode,
  };
}
