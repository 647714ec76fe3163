/** A list as lines: what it is of, the headings, the rows on view. */

import { COLUMN_GAP, clip, fitCell, pad, shortenIds, textWidth } from "../../../output/index.ts";
import type { Role } from "../../app/theme/text-line.ts";
import { lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";
import { type ColumnMeasure, isLookalike } from "./column-layout.ts";
import { GUTTER, type ListLayout, MORE_SIGN_WIDTH, type VisibleRows } from "./model.ts";
import type { ListSort } from "./reducer.ts";
import type { CellTable, ListCell } from "./table.ts";

/** What the lines of rows are made of. */
export interface RowsDrawing {
  readonly table: CellTable;
  readonly visible: VisibleRows;
  readonly measure: ColumnMeasure;
  readonly layout: ListLayout;
  readonly width: number;
  readonly height: number;
  readonly isMarked: (key: string) => boolean;
  readonly isNew: (key: string) => boolean;
  /** Whether a cell leads somewhere. */
  readonly isLink: (row: number, column: number) => boolean;
  readonly sort: ListSort | undefined;
  /** Whether keys are for this list: only then there is a cursor. */
  readonly isActive: boolean;
  readonly unicode: boolean;
}

/** Signs, and what stands for them where only ASCII can be shown. */
const SYMBOLS = {
  unicode: { left: "‹", right: "›", up: "↑", down: "↓", marked: "✓", fresh: "•", twin: "≈" },
  ascii: { left: "<", right: ">", up: "^", down: "v", marked: "*", fresh: "+", twin: "~" },
} as const;

/** The signs of a terminal. */
export function symbolsOf(unicode: boolean): (typeof SYMBOLS)[keyof typeof SYMBOLS] {
  return unicode ? SYMBOLS.unicode : SYMBOLS.ascii;
}

/** The line of the headings, with the signs of hidden columns and of the order. */
export function headerLine(drawing: RowsDrawing): TextLine {
  const { columns } = drawing.layout;
  const { left, right } = symbolsOf(drawing.unicode);
  const headings = columns.visible.map(({ index, width }) => formatHeading(drawing, index, width));
  const spans: Span[] = [span(" ".repeat(GUTTER))];
  for (const [at, { text, beyond, role }] of headings.entries()) {
    const isLast = at === headings.length - 1;
    const symbol = at === 0 && columns.hasHiddenLeft ? left : isLast && columns.hasHiddenRight ? right : "";
    spans.push(span(text, role), span(beyond, "heading"));
    spans.push(span(pad(symbol, (isLast ? MORE_SIGN_WIDTH : COLUMN_GAP) - textWidth(beyond), "right"), "note"));
  }
  return spans;
}

/** A heading in its width; the arrow of the order stands beyond it where there is no room. */
function formatHeading({ table, measure, layout, sort, unicode, isActive }: RowsDrawing, index: number, width: number) {
  const column = table.columns[index];
  const head = column?.head ?? "";
  const symbols = symbolsOf(unicode);
  const arrow = sort === undefined || sort.column !== column?.key ? "" : sort.isDescending ? symbols.down : symbols.up;
  const fits = textWidth(head) + textWidth(arrow) <= width;
  const text = fits ? head + arrow : clip(head, width);
  const role: Role = isActive && index === layout.columnIndex ? "active" : "heading";
  return { text: pad(text, width, measure.aligns[index]), beyond: fits ? "" : arrow, role };
}

/** The lines of the rows on view. */
export function rowLines(drawing: RowsDrawing): readonly TextLine[] {
  const { visible, layout, height } = drawing;
  return visible.matches
    .slice(layout.top, layout.top + height)
    .map((row, at) => rowLine(drawing, row, layout.top + at));
}

function rowLine(drawing: RowsDrawing, row: number, position: number): TextLine {
  const { table, layout, isMarked, isNew, unicode } = drawing;
  const symbols = symbolsOf(unicode);
  const key = table.keys[row] ?? "";
  const isSelected = drawing.isActive && position === layout.selected;
  const cursor = isSelected ? "row" : undefined;
  const mark = isMarked(key) ? span(symbols.marked, "marked") : isNew(key) ? span(symbols.fresh, "fresh") : span(" ");
  const spans: Span[] = [
    { ...mark, cursor },
    { text: " ", cursor },
  ];
  for (const [at, { index, width }] of layout.columns.visible.entries()) {
    if (at > 0) spans.push({ text: " ".repeat(COLUMN_GAP), cursor });
    const isCell = isSelected && index === layout.columnIndex;
    spans.push({ ...cellSpan(drawing, row, index, width), cursor: isCell ? "cell" : cursor });
  }
  return isSelected ? [...spans, { text: " ".repeat(Math.max(0, drawing.width - lineWidth(spans))), cursor }] : spans;
}

function cellSpan({ table, measure, unicode, isLink }: RowsDrawing, row: number, index: number, width: number): Span {
  const cell: ListCell = table.cells[row]?.[index] ?? { text: "" };
  const isTwin = isLookalike(cell, table.lookalikes);
  const symbol = isTwin ? symbolsOf(unicode).twin : "";
  const name = cell.name === undefined ? "" : `${cell.name} `;
  // Where there is not room for both, the identifier stays: anybody may take any name.
  const fitsName = name !== "" && textWidth(symbol + name + shortenIds(cell, table.shorten)) <= width;
  const prefix = fitsName ? symbol + name : symbol;
  const text = prefix + fitCell(cell, width - textWidth(prefix), table.shorten);
  const link = isLink(row, index) ? "link" : flowRole(table.columns[index]?.head, cell.text);
  return span(pad(text, width, measure.aligns[index]), isTwin || cell.warning ? "warning" : (cell.role ?? link));
}

/** Which way money went, as it is coloured everywhere. */
function flowRole(head: string | undefined, text: string): Role | undefined {
  if (head !== "FLOW") return undefined;
  return text === "in" ? "good" : text === "out" ? "bad" : undefined;
}
