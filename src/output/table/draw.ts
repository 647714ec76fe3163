/**
 * Tables with lines, drawn by cli-table3: a box with rounded corners, or Markdown. Loaded only when such a table is
 * printed. The cells are fitted before, so that cli-table3 aligns them and draws the lines; it never cuts or wraps.
 */
import CliTable, { type CharName } from "cli-table3";
import type { TableStyle } from "../types.ts";
import type { DrawnColumns, GridDrawer, TableContext } from "./table-context.ts";

type Chars = Partial<Record<CharName, string>>;

/** The characters of a style: corners, lines, and the line below the headings. */
const CHARS = {
  border: {
    ...{ "top-left": "╭", top: "─", "top-mid": "┬", "top-right": "╮" },
    ...{ "left-mid": "├", mid: "─", "mid-mid": "┼", "right-mid": "┤" },
    ...{ "bottom-left": "╰", bottom: "─", "bottom-mid": "┴", "bottom-right": "╯" },
    ...{ left: "│", middle: "│", right: "│" },
  },
  ascii: {
    ...{ "top-left": "+", top: "-", "top-mid": "+", "top-right": "+" },
    ...{ "left-mid": "+", mid: "-", "mid-mid": "+", "right-mid": "+" },
    ...{ "bottom-left": "+", bottom: "-", "bottom-mid": "+", "bottom-right": "+" },
    ...{ left: "|", middle: "|", right: "|" },
  },
  markdown: {
    ...{ "left-mid": "|", mid: "-", "mid-mid": "|", "right-mid": "|" },
    ...{ left: "|", middle: "|", right: "|" },
  },
} as const satisfies Record<string, Chars>;

/** No characters: cli-table3 leaves out lines that are empty. */
const NO_CHARS: Chars = Object.fromEntries(Object.keys(CHARS.border).map((name) => [name, ""]));

/** Rows that are drawn at once: cli-table3 compares each row with all before it. */
const MAX_ROWS = 50;

/** Returns a drawer for rows with lines around them. Every page is a separate table without top and bottom. */
export function createRuledDrawer(
  style: Exclude<TableStyle, "plain">,
  { paint, unicode }: TableContext,
  { heads, widths, alignments }: DrawnColumns,
): GridDrawer {
  const chars: Chars = style === "markdown" ? CHARS.markdown : CHARS[unicode ? "border" : "ascii"];
  const dim = (text: string) => paint("frame", text);
  const draw = (rows: readonly (readonly string[])[], rules: Chars) => {
    const table = new CliTable({
      chars: {
        ...NO_CHARS,
        left: dim(chars.left ?? ""),
        middle: dim(chars.middle ?? ""),
        right: dim(chars.right ?? ""),
        ...rules,
      },
      colWidths: widths.map((width) => width + PADDING),
      colAligns: [...alignments],
      style: { head: [], border: [], compact: true },
    });
    table.push(...rows.map((row) => [...row]));
    return table.toString().split("\n");
  };
  const top = rulesOf(chars, "top", "top");
  const bottom = rulesOf(chars, "bottom", "bottom");
  return {
    header() {
      const lines = draw([heads.map((head) => paint("heading", head))], { ...top, ...rulesOf(chars, "mid", "bottom") });
      const rule = lines.pop() ?? "";
      const heading = lines.pop() ?? "";
      return [...lines.map(dim), heading, dim(style === "markdown" ? withAlignments(rule, alignments) : rule)];
    },
    lines: (rows) =>
      Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, part) =>
        draw(rows.slice(part * MAX_ROWS, (part + 1) * MAX_ROWS), {}),
      ).flat(),
    footer: () => draw([heads], bottom).slice(1).map(dim),
  };
}

/** Terminal cells beside the text of a cell: a space at each side. */
const PADDING = 2;

/** Returns the characters of one rule of a style, for the top or the bottom of a table. */
function rulesOf(chars: Chars, rule: "top" | "mid" | "bottom", at: "top" | "bottom"): Chars {
  const isMiddle = rule === "mid";
  const left: CharName = isMiddle ? "left-mid" : `${rule}-left`;
  const right: CharName = isMiddle ? "right-mid" : `${rule}-right`;
  return {
    [`${at}-left`]: chars[left] ?? "",
    [at]: chars[rule] ?? "",
    [`${at}-mid`]: chars[`${rule}-mid`] ?? "",
    [`${at}-right`]: chars[right] ?? "",
  };
}

function withAlignments(rule: string, alignments: DrawnColumns["alignments"]): string {
  let column = 0;
  return rule.replace(/-(?=\|)/g, (dash) => (alignments[column++] === "right" ? ":" : dash));
}
