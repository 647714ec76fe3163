/** Findings as lines for people: a section for each area, names one below the other, nothing told by colour alone. */
import { pluralize } from "../../base/text.ts";
import { createPainter, type Paint, pad, safeText, textWidth, wrap } from "../../output/index.ts";
import { type Area, type Finding, LEVELS, type Level } from "./finding.ts";

/** How the lines look. */
export interface TextLayout {
  /** Cells of a line. */
  readonly width: number;
  readonly color: boolean;
  readonly unicode: boolean;
}

const TITLES: Readonly<Record<Area, string>> = {
  program: "Program",
  settings: "Settings",
  files: "Files",
  key: "Key",
  network: "Network",
  budget: "Budget",
  terminal: "Terminal",
  parts: "Parts",
  drift: "Answers",
};

/** The heading of an area. */
export const titleOf = (area: Area): string => TITLES[area];

const SIGNS: Readonly<Record<Level, readonly [unicode: string, ascii: string]>> = {
  ok: ["✓", "+"],
  note: ["·", "-"],
  warning: ["!", "!"],
  problem: ["✗", "x"],
};

const ROLES = { ok: "good", note: undefined, warning: "warning", problem: "bad" } as const;

/** The sign of a level. */
export const signOf = (level: Level, unicode: boolean): string => SIGNS[level][unicode ? 0 : 1];

/** Cells of the word of a level. */
const LEVEL_WIDTH = Math.max(...LEVELS.map((level) => level.length));
/** Windows narrower than this have texts under the names, not beside them. */
const MIN_TWO_COLUMN_WIDTH = 60;
/** Names are told in so many cells, longer ones stand out. */
const MAX_NAME_WIDTH = 18;

/** The lines of one area, its heading first; none for no findings. */
export function sectionText(area: Area, findings: readonly Finding[], layout: TextLayout): string {
  if (findings.length === 0) return "";
  const paint = createPainter(layout.color);
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(...findings.map(({ check }) => textWidth(check))));
  const lines = findings.flatMap((finding) => formatFinding(finding, nameWidth, layout, paint));
  return `${paint("heading", titleOf(area))}\n${lines.join("\n")}\n\n`;
}

function formatFinding(
  { level, check, message, hint }: Finding,
  nameWidth: number,
  layout: TextLayout,
  paint: Paint,
): string[] {
  const levelText = `${signOf(level, layout.unicode)} ${level.padEnd(LEVEL_WIDTH)}`;
  const start = `  ${paint(ROLES[level], levelText)}  `;
  const left = 2 + textWidth(levelText) + 2;
  const name = safeText(check);
  const isBeside = layout.width >= MIN_TWO_COLUMN_WIDTH;
  const indent = isBeside ? left + nameWidth + 2 : 4;
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

/** What to do, behind an arrow; its lines stay lines. */
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

/** How many findings there are of each level that matters; undefined where all is well. */
export function summaryOf(findings: readonly Finding[]): string | undefined {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const parts = [
    [count("problem"), "problem"],
    [count("warning"), "warning"],
  ] as const;
  const counts = parts.filter(([number]) => number > 0).map(([number, name]) => pluralize(number, name));
  return counts.length === 0 ? undefined : counts.join(", ");
}
