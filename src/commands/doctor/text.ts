/** Findings as lines for people: a section for each area, names one below the other, nothing told by colour alone. */
import { pluralize } from "../../base/text.ts";
import { safeText } from "../../output/index.ts";
import { createPainter, type Paint } from "../../output/text/theme.ts";
import { pad, textWidth, wrap } from "../../output/text/width.ts";
import { type Area, type Finding, LEVELS, type Level } from "./finding.ts";

/** How the lines look. */
export interface Looks {
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
const WORD = Math.max(...LEVELS.map((level) => level.length));
/** Windows narrower than this have texts under the names, not beside them. */
const NARROW = 60;
/** Names are told in so many cells, longer ones stand out. */
const MOST_NAME = 18;

/** The lines of one area, its heading first; none for no findings. */
export function sectionText(area: Area, findings: readonly Finding[], looks: Looks): string {
  if (findings.length === 0) return "";
  const paint = createPainter(looks.color);
  const names = Math.min(MOST_NAME, Math.max(...findings.map(({ check }) => textWidth(check))));
  const lines = findings.flatMap((finding) => linesOf(finding, names, looks, paint));
  return `${paint("heading", titleOf(area))}\n${lines.join("\n")}\n\n`;
}

function linesOf({ level, check, message, hint }: Finding, names: number, looks: Looks, paint: Paint): string[] {
  const word = `${signOf(level, looks.unicode)} ${level.padEnd(WORD)}`;
  const start = `  ${paint(ROLES[level], word)}  `;
  const left = 2 + textWidth(word) + 2;
  const name = safeText(check);
  const isBeside = looks.width >= NARROW;
  const indent = isBeside ? left + names + 2 : 4;
  const room = Math.max(10, looks.width - indent);
  const text = wrapped(message, room);
  const todo = hint === null ? [] : arrow(hint, room, looks.unicode);
  const space = " ".repeat(indent);
  if (!isBeside || textWidth(name) > names) {
    return [`${start}${name}`, ...[...text, ...todo].map((line) => space + line)];
  }
  const [first = "", ...more] = text;
  return [`${start}${pad(name, names)}  ${first}`, ...[...more, ...todo].map((line) => space + line)];
}

/** What to do, behind an arrow; its lines stay lines. */
function arrow(hint: string, room: number, unicode: boolean): string[] {
  const sign = unicode ? "→ " : "> ";
  return wrapped(hint, room - 2).map((line, at) => (at === 0 ? sign : "  ") + line);
}

const wrapped = (text: string, room: number): string[] =>
  text.split("\n").flatMap((line) => wrap(safeText(line), Number.isFinite(room) ? room : Number.MAX_SAFE_INTEGER));

/** How many findings there are of each level that matters; undefined where all is well. */
export function summaryOf(findings: readonly Finding[]): string | undefined {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const parts = [
    [count("problem"), "problem"],
    [count("warning"), "warning"],
  ] as const;
  const words = parts.filter(([number]) => number > 0).map(([number, name]) => pluralize(number, name));
  return words.length === 0 ? undefined : words.join(", ");
}
