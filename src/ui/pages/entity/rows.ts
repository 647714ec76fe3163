/** Rows that trees of several pages have: headings, notes, sections, and cells in columns. */
import { pad, textWidth } from "../../../output/index.ts";
import { span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";

/** Returns a heading. */
export const headingRow = (text: string): TreeRow => ({
  key: `heading ${text}`,
  line: [span(text, "heading")],
  isStatic: true,
});

/** Returns a sentence in place of rows, or about them. */
export const noteRow = (key: string, text: string): TreeRow => ({ key, line: [span(text, "note")] });

/** Returns an empty row. */
export const blankRow = (key: string): TreeRow => ({ key: `blank ${key}`, line: [], isStatic: true });

/** Returns rows below their heading; nothing without rows. */
export function titledRows(title: string, rows: readonly TreeRow[]): readonly TreeRow[] {
  return rows.length === 0 ? [] : [headingRow(title), ...rows];
}

/** Joins the sections that have rows, with an empty row between two. */
export function joinSections(sections: readonly (readonly TreeRow[])[]): readonly TreeRow[] {
  return sections
    .filter((rows) => rows.length > 0)
    .flatMap((rows, at) => (at === 0 ? rows : [blankRow(`${at}`), ...rows]));
}

/** Cells between two columns. */
const GAP = 2;

interface AlignedCells {
  readonly width: number;
  readonly lines: readonly (readonly LinkSpan[])[];
}

/** Aligns cells in columns as wide as their widest cell. @param isNumeric whether the cells of a column are at its right */
export function alignCells(
  rows: readonly (readonly LinkSpan[])[],
  isNumeric: (column: number) => boolean,
): AlignedCells {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => textWidth(row[at]?.text ?? ""))));
  const lines = rows.map((row) =>
    row.flatMap((cell, at) => {
      const width = widths[at] ?? 0;
      const gap = at === 0 ? [] : [span(" ".repeat(GAP))];
      if (isNumeric(at)) return [...gap, { ...cell, text: pad(cell.text, width, "right") }];
      return [...gap, cell, span(" ".repeat(width - textWidth(cell.text)))];
    }),
  );
  return { lines, width: widths.reduce((sum, width) => sum + width + GAP, -GAP) };
}
