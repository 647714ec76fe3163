/** The rows of a list as lines. */

import { fieldOf, textOf } from "../../../base/index.ts";
import { alignNumber, type Cell, COLUMN_GAP, clip, fitCellParts, pad, textWidth } from "../../../output/index.ts";
import type { Size } from "../../navigation/context.ts";
import { lineWidth, type Role, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { barCell, barWidth, isLookalike } from "./column-layout.ts";
import { isTrendColumn, mintField, trendLine } from "./columns.ts";
import { GUTTER, type ListLayout, MORE_SIGN_WIDTH } from "./model.ts";
import type { List } from "./use-list.ts";

/** A list and where it is drawn. */
export interface RowsDrawing {
  readonly list: List;
  readonly layout: ListLayout;
  readonly size: Size;
  /** Whether keys are for this list; otherwise there is no cursor. */
  readonly isActive: boolean;
  readonly unicode: boolean;
}

const SYMBOLS = {
  unicode: { left: "‹", right: "›", up: "↑", down: "↓", marked: "✓", fresh: "•", twin: "≈" },
  ascii: { left: "<", right: ">", up: "^", down: "v", marked: "*", fresh: "+", twin: "~" },
} as const;

/** Returns the symbols of a terminal. */
export function symbolsOf(unicode: boolean): (typeof SYMBOLS)[keyof typeof SYMBOLS] {
  return unicode ? SYMBOLS.unicode : SYMBOLS.ascii;
}

/** Returns the headings, with the symbols of hidden columns and of the order. */
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

/** Formats a heading; the arrow of the order follows it where it does not fit inside. */
function formatHeading({ list, layout, unicode, isActive }: RowsDrawing, index: number, width: number) {
  const { table, measure, sort } = list;
  const column = table.columns[index];
  const head = column?.head ?? "";
  const symbols = symbolsOf(unicode);
  const arrow = sort === undefined || sort.column !== column?.key ? "" : sort.isDescending ? symbols.down : symbols.up;
  const bar = barWidth(measure.bars[index], width);
  const space = width - bar;
  const fits = textWidth(head) + textWidth(arrow) <= space + bar;
  const text = fits ? head + arrow : clip(head, space);
  const role: Role = isActive && index === layout.columnIndex ? "active" : "heading";
  return { text: pad(pad(text, space, measure.aligns[index]), width), beyond: fits ? "" : arrow, role };
}

/** Returns the visible rows. */
export function rowLines(drawing: RowsDrawing): readonly TextLine[] {
  const { top } = drawing.layout;
  return drawing.list.visible.matches
    .slice(top, top + drawing.size.height)
    .map((row, at) => rowLine(drawing, row, top + at));
}

function rowLine(drawing: RowsDrawing, row: number, position: number): TextLine {
  const { list, layout, unicode } = drawing;
  const { rows, answers } = list.state;
  const symbols = symbolsOf(unicode);
  const key = list.table.keys[row] ?? "";
  const isSelected = drawing.isActive && position === layout.selected;
  const cursor = isSelected ? "row" : undefined;
  const fresh = answers?.newKeys.has(key) ? span(symbols.fresh, "fresh") : span(" ");
  const mark = rows.marks.has(key) ? span(symbols.marked, "marked") : fresh;
  const spans: Span[] = [
    { ...mark, cursor },
    { text: " ", cursor },
  ];
  for (const [at, { index, width }] of layout.columns.visible.entries()) {
    if (at > 0) spans.push({ text: " ".repeat(COLUMN_GAP), cursor });
    const highlight = isSelected && index === layout.columnIndex ? "cell" : cursor;
    for (const one of cellSpans(drawing, row, index, width)) spans.push({ ...one, cursor: highlight });
  }
  return isSelected
    ? [...spans, { text: " ".repeat(Math.max(0, drawing.size.width - lineWidth(spans))), cursor }]
    : spans;
}

function cellSpans({ list, unicode }: RowsDrawing, row: number, index: number, width: number): TextLine {
  const { table, measure, links, trends, source } = list;
  const column = table.columns[index];
  if (trends && column && isTrendColumn(column)) {
    const mint = textOf(fieldOf(table.rows[row], mintField(source.endpoint) ?? ""));
    return trendLine(trends.of(mint ?? ""), width, unicode);
  }
  const cell: Cell = alignNumber(table.cellsOf(row)[index] ?? { text: "" }, measure.numbers[index]);
  const scale = measure.bars[index];
  const bar = scale ? barWidth(scale, width) : 0;
  const isTwin = isLookalike(cell, table.lookalikes);
  const symbol = isTwin ? symbolsOf(unicode).twin : "";
  const link = cell.role ?? (links.cell(row, index).length > 0 ? "link" : undefined);
  const parts = fitCellParts(cell, width - bar - textWidth(symbol), table.shorten).map((part) => ({
    ...part,
    role: isTwin || cell.warning !== undefined ? ("warning" as const) : (part.role ?? link),
  }));
  const spans = symbol === "" ? parts : [span(symbol, "warning"), ...parts];
  const space = span(" ".repeat(Math.max(0, width - bar - lineWidth(spans))));
  const aligned = measure.aligns[index] === "right" ? [space, ...spans] : [...spans, space];
  return scale && bar > 0 ? [...aligned, ...barCell(table.rows[row] ?? null, scale, bar, unicode)] : aligned;
}
