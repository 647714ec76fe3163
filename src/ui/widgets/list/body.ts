/** Everything of a list below its status: headings, rows, preview, and the line that is typed into. */
import type { KeyLabels } from "../../app/keys/key-hints.ts";
import type { TextLine } from "../../app/theme/text-line.ts";
import { noMatchWords, promptLine } from "./messages.ts";
import type { ListLayout } from "./model.ts";
import { joinPreview, type PanelLayout, previewLines, previewTitle } from "./preview.ts";

import { headerLine, type RowsView, rowLines } from "./row-lines.ts";
import type { List } from "./use-list.ts";

/** What the lines are made of. */
export interface Body {
  readonly list: List;
  readonly stand: ListLayout;
  readonly place: PanelLayout;
  readonly isActive: boolean;
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
}

/** The lines below the status. */
export function bodyLines(body: Body): readonly TextLine[] {
  const { list, place, unicode } = body;
  const view = rowsView(body);
  const { width, height } = place.rows;
  const rows = list.chosen.matches.length > 0 ? rowLines(view) : noMatchWords(list.state.filter, body.keyOf);
  const filler: readonly TextLine[] = Array.from({ length: Math.max(0, height - rows.length) }, () => []);
  const lines = [headerLine(view), ...rows.slice(0, height), ...filler];
  const bottom = list.state.prompt ? [promptLine(list.state)] : [];
  const { preview } = place;
  if (!preview) return [...lines, ...bottom];
  const size = preview.preview;
  const shown = list.chosen.rows[body.stand.selected];
  const fields = { shape: list.shape, clock: list.clock, shorten: list.table.shorten };
  const isRight = preview.side === "right";
  const own = previewLines(shown, fields, { width: size.width, height: size.height - (isRight ? 1 : 0) });
  return [
    ...joinPreview(
      lines,
      isRight ? [previewTitle(size.width, body.keyOf), ...own] : own,
      { ...preview, list: { width, height: height + 1 } },
      unicode,
    ),
    ...bottom,
  ];
}

function rowsView({ list, stand, place, isActive, unicode }: Body): RowsView {
  const { table, chosen, measure, links, state } = list;
  return {
    table,
    chosen,
    measure,
    stand,
    width: place.rows.width,
    height: place.rows.height,
    isMarked: (key) => state.marks.has(key),
    isFresh: (key) => state.answers?.newKeys.has(key) ?? false,
    isLink: (row, column) => links.cell(row, column).length > 0,
    sort: state.sort,
    isActive,
    unicode,
  };
}
