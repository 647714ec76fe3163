/** Formats findings as text: a section for each area. Levels are words as well as colours. */
import { pluralize } from "../../base/index.ts";
import { createPainter, type Paint, pad, safeText, type Theme, textWidth, wrap } from "../../output/index.ts";
import { AREAS, type Area, type Finding, LEVELS, type Level } from "./finding.ts";

/** Width and style of the text. */
export interface TextLayout {
  /** Width of a line in terminal cells. */
  readonly width: number;
  readonly theme: Theme | undefined;
  readonly unicode: boolean;
}

const SIGNS: Readonly<Record<Level, readonly [unicode: string, ascii: string]>> = {
  ok: ["✓", "+"],
  note: ["·", "-"],
  warning: ["!", "!"],
  problem: ["✗", "x"],
};

const ROLES = { ok: "good", note: undefined, warning: "warning", problem: "bad" } as const;

/** Returns the symbol of a level. */
export const signOf = (level: Level, unicode: boolean): string => SIGNS[level][unicode ? 0 : 1];

/** Width of the level column in cells. */
const LEVEL_WIDTH = Math.max(...LEVELS.map((level) => level.length));
/** Below this width messages are printed under the names. */
const MIN_TWO_COLUMN_WIDTH = 60;
/** Maximum width of the name column; longer names get a line to themselves. */
const MAX_NAME_WIDTH = 18;

/** Formats the findings of an area with its heading; empty without findings. */
export function sectionText(area: Area, findings: readonly Finding[], layout: TextLayout): string {
  if (findings.length === 0) return "";
  const paint = createPainter(layout.theme);
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(...findings.map(({ check }) => textWidth(check))));
  const lines = findings.flatMap((finding) => formatFinding(finding, nameWidth, layout, paint));
  return `${paint("heading", AREAS[area])}\n${lines.join("\n")}\n\n`;
}

function formatFinding(
  { level, check, message, hint }: Finding,
  nameWidth: number,
  layout: TextLayout,
  paint: Paint,
): string[] {
  const levelText = `${signOf(level, layout.unicode)} ${level.padEnd(LEVEL_WIDTH)}`;
  const start = `  ${paint(ROLES[level], levelText)}  `;
  const nameColumn = 2 + textWidth(levelText) + 2;
  const name = safeText(check);
  const isBeside = layout.width >= MIN_TWO_COLUMN_WIDTH;
  const indent = isBeside ? nameColumn + nameWidth + 2 : 4;
  const textColumnWidth = Math.max(10, layout.width - indent);
  const text = wrapLines(message, textColumnWidth);
  const hintText = hint === null ? [] : hintLines(hint, textColumnWidth, layout.unicode);
  const indentation = " ".repeat(indent);
  if (!isBeside || textWidth(name) > nameWidth) {
    return [`${start}${name}`, ...[...text, ...hintText].map((line) => indentation + line)];
  }
  const [first = "", ...more] = text;
  return [`${start}${pad(name, nameWidth)}  ${first}`, ...[...more, ...hintText].map((line) => indentation + line)];
}

/** Formats a hint after an arrow, and keeps its line breaks. */
function hintLines(hint: string, textColumnWidth: number, unicode: boolean): string[] {
  const sign = unicode ? "→ " : "> ";
  return wrapLines(hint, textColumnWidth - 2).map((line, at) => (at === 0 ? sign : "  ") + line);
}

const wrapLines = (text: string, textColumnWidth: number): string[] =>
  text
    .split("\n")
    .flatMap((line) =>
      wrap(safeText(line), Number.isFinite(textColumnWidth) ? textColumnWidth : Number.MAX_SAFE_INTEGER),
    );

/** Returns the numbers of problems and warnings; undefined if there are none. */
export function summaryOf(findings: readonly Finding[]): string | undefined {
  const counts = (["problem", "warning"] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [pluralize(count, level)];
  });
  return counts.flat().join(", ") || undefined;
}
