/** A list as lines: what it is of, the headings, the rows on view. */

import { COLUMN_GAP } from "../../../output/table/column-widths.ts";
import { fitCell, shortenIds } from "../../../output/table/columns.ts";
import { clip, pad, textWidth } from "../../../output/text/width.ts";
import { lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";
import type { Role } from "../../app/theme/theme.ts";
import { type ColumnMeasure, isLookalike } from "./column-layout.ts";
import { GUTTER, type ListLayout, MORE_SIGN_WIDTH, type VisibleRows } from "./model.ts";
import type { ListSort } from "./reducer.ts";
import type { ListCell, Table } from "./table.ts";

/** What the lines of rows are made of. */
export interface RowsView {
  readonly table: Table;
  readonly chosen: VisibleRows;
  readonly measure: ColumnMeasure;
  readonly stand: ListLayout;
  readonly width: number;
  readonly height: number;
  readonly isMarked: (key: string) => boolean;
  readonly isFresh: (key: string) => boolean;
  /** Whether a cell leads somewhere. */
  readonly isLink: (row: number, column: number) => boolean;
  readonly sort: ListSort | undefined;
  /** Whether keys are for this list: only then there is a cursor. */
  readonly isActive: boolean;
  readonly unicode: boolean;
}

/** Signs, and what stands for them where only ASCII can be shown. */
const SIGNS = {
  unicode: { left: "‹", right: "›", up: "↑", down: "↓", marked: "✓", fresh: "•", twin: "≈" },
  ascii: { left: "<", right: ">", up: "^", down: "v", marked: "*", fresh: "+", twin: "~" },
} as const;

/** The signs of a terminal. */
export function signsOf(unicode: boolean): (typeof SIGNS)[keyof typeof SIGNS] {
  return unicode ? SIGNS.unicode : SIGNS.ascii;
}

/** The line of the headings, with the signs of hidden columns and of the order. */
export function headerLine(view: RowsView): TextLine {
  const { layout } = view.stand;
  const { left, right } = signsOf(view.unicode);
  const heads = layout.shown.map(({ index, width }) => headOf(view, index, width));
  const spans: Span[] = [span(" ".repeat(GUTTER))];
  for (const [at, { text, beyond, role }] of heads.entries()) {
    const isLast = at === heads.length - 1;
    const sign = at === 0 && layout.hasHiddenLeft ? left : isLast && layout.hasBehind ? right : "";
    spans.push(span(text, role), span(beyond, "heading"));
    spans.push(span(pad(sign, (isLast ? MORE_SIGN_WIDTH : COLUMN_GAP) - textWidth(beyond), "right"), "note"));
  }
  return spans;
}

/** A heading in its width; the arrow of the order stands beyond it where there is no room. */
function headOf({ table, measure, stand, sort, unicode, isActive }: RowsView, index: number, width: number) {
  const column = table.columns[index];
  const head = column?.head ?? "";
  const signs = signsOf(unicode);
  const arrow = sort === undefined || sort.column !== column?.key ? "" : sort.isDescending ? signs.down : signs.up;
  const isInside = textWidth(head) + textWidth(arrow) <= width;
  const text = isInside ? head + arrow : clip(head, width);
  const role: Role = isActive && index === stand.columnIndex ? "active" : "heading";
  return { text: pad(text, width, measure.aligns[index]), beyond: isInside ? "" : arrow, role };
}

/** The lines of the rows on view. */
export function rowLines(view: RowsView): readonly TextLine[] {
  const { chosen, stand, height } = view;
  return chosen.matches.slice(stand.top, stand.top + height).map((row, at) => rowLine(view, row, stand.top + at));
}

function rowLine(view: RowsView, row: number, place: number): TextLine {
  const { table, stand, isMarked, isFresh, unicode } = view;
  const signs = signsOf(unicode);
  const key = table.keys[row] ?? "";
  const isHere = view.isActive && place === stand.selected;
  const on = isHere ? "row" : undefined;
  const mark = isMarked(key) ? span(signs.marked, "marked") : isFresh(key) ? span(signs.fresh, "fresh") : span(" ");
  const spans: Span[] = [
    { ...mark, cursor: on },
    { text: " ", cursor: on },
  ];
  for (const [at, { index, width }] of stand.layout.shown.entries()) {
    if (at > 0) spans.push({ text: " ".repeat(COLUMN_GAP), cursor: on });
    const isCell = isHere && index === stand.columnIndex;
    spans.push({ ...cellSpan(view, row, index, width), cursor: isCell ? "cell" : on });
  }
  return isHere ? [...spans, { text: " ".repeat(Math.max(0, view.width - lineWidth(spans))), cursor: on }] : spans;
}

function cellSpan({ table, measure, unicode, isLink }: RowsView, row: number, index: number, width: number): Span {
  const cell: ListCell = table.cells[row]?.[index] ?? { text: "" };
  const isLike = isLookalike(cell, table.twins);
  const sign = isLike ? signsOf(unicode).twin : "";
  const name = cell.name === undefined ? "" : `${cell.name} `;
  // Where there is not room for both, the identifier stays: anybody may take any name.
  const hasRoom = name !== "" && textWidth(sign + name + shortenIds(cell, table.shorten)) <= width;
  const shown = hasRoom ? sign + name : sign;
  const text = shown + fitCell(cell, width - textWidth(shown), table.shorten);
  const link = isLink(row, index) ? "link" : flowRole(table.columns[index]?.head, cell.text);
  return span(pad(text, width, measure.aligns[index]), isLike || cell.warning ? "warning" : (cell.role ?? link));
}

/** Which way money went, as it is coloured everywhere. */
function flowRole(head: string | undefined, text: string): Role | undefined {
  if (head !== "FLOW") return undefined;
  return text === "in" ? "good" : text === "out" ? "bad" : undefined;
}
