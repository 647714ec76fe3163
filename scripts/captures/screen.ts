/** Screens of a terminal as rows of styled text. */
import xterm, { type IBufferCell, type Terminal } from "@xterm/headless";

/** How a run of text is drawn; colours are `#rrggbb`. */
export interface RunStyle {
  readonly color: string;
  /** Undefined for the background of the page. */
  readonly background: string | undefined;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
}

/** Text in one style, from a column on. */
export interface Run extends RunStyle {
  readonly column: number;
  readonly text: string;
}

/** Rows from top to bottom. */
export type Screen = readonly (readonly Run[])[];

/** A screen of a recording, and the seconds for which it is visible. */
export interface Scene {
  readonly screen: Screen;
  readonly seconds: number;
}

/** The colours of a page. */
export interface PageColors {
  readonly background: string;
  readonly color: string;
}

/** The pages of the themes; that of the documentation is dark. */
export const PAGES = {
  dark: { background: "#11141a", color: "#d5dae3" },
  light: { background: "#fbfcfd", color: "#22272e" },
} as const satisfies Readonly<Record<string, PageColors>>;

/** The page of the documentation. */
export const PAGE: PageColors = PAGES.dark;

/** The sixteen colours, of which the second eight are the bright ones. */
const SIXTEEN: readonly string[] = [
  ...["#1d2129", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4"],
  ...["#6b7280", "#ef8891", "#b5e08f", "#f5d08a", "#82c2ff", "#d99bee", "#7fd0db", "#ffffff"],
];

const CUBE = [0, 95, 135, 175, 215, 255];
const hex = (...parts: readonly number[]) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

function indexedColor(index: number): string {
  if (index < 16) return SIXTEEN[index] ?? PAGE.color;
  if (index >= 232) return hex(...[0, 0, 0].map(() => 8 + (index - 232) * 10));
  const at = index - 16;
  return hex(CUBE[Math.floor(at / 36)] ?? 0, CUBE[Math.floor(at / 6) % 6] ?? 0, CUBE[at % 6] ?? 0);
}

/** Returns a colour of a cell; undefined for the one of the page. */
function cellColor(color: number, isRgb: boolean, isPalette: boolean): string | undefined {
  if (isRgb) return hex(color >> 16, (color >> 8) & 255, color & 255);
  return isPalette ? indexedColor(color) : undefined;
}

/** Returns a colour between two others. */
function mix(one: string, other: string, share: number): string {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [from, to] = [parts(one), parts(other)];
  return hex(...from.map((part, at) => Math.round(part * share + (to[at] ?? 0) * (1 - share))));
}

function styleOf(cell: IBufferCell, page: PageColors): RunStyle {
  const color = cellColor(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette());
  const background = cellColor(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette());
  const [front, back] = cell.isInverse()
    ? [background ?? page.background, color ?? page.color]
    : [color ?? page.color, background];
  return {
    color: cell.isDim() ? mix(front, back ?? page.background, 0.6) : front,
    background: back,
    bold: cell.isBold() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}

const isSame = (one: RunStyle, other: RunStyle) =>
  one.color === other.color &&
  one.background === other.background &&
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.underline === other.underline;

/** Wider than every capture, whose lines end with line feeds. */
const COLUMNS = 500;

/** Parses a capture into rows of runs. Spaces without a background are not part of any run. */
export async function parseScreen(capture: string, height: number, page = PAGE): Promise<Screen> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: height, convertEol: true, allowProposedApi: true });
  const lines = capture.split("\n").slice(0, height);
  await new Promise<void>((resolve) => terminal.write(lines.join("\n"), resolve));
  const screen = lines.map((_, row) => rowRuns(terminal, row, page));
  terminal.dispose();
  return screen;
}

function rowRuns({ buffer }: Terminal, row: number, page: PageColors): readonly Run[] {
  const runs: { -readonly [key in keyof Run]: Run[key] }[] = [];
  const line = buffer.active.getLine(row);
  for (let column = 0; column < COLUMNS; column += 1) {
    const cell = line?.getCell(column);
    // The second half of a wide character has no width, a cell that nothing was written to no characters.
    if (!cell || cell.getWidth() === 0 || cell.getChars() === "") continue;
    const style = styleOf(cell, page);
    const last = runs.at(-1);
    const isJoined = last && last.column + last.text.length === column && isSame(last, style);
    if (isJoined) last.text += cell.getChars();
    else if (cell.getChars() !== " " || style.background !== undefined || style.underline)
      runs.push({ ...style, column, text: cell.getChars() });
  }
  return runs.map((run) =>
    run.background === undefined && !run.underline ? { ...run, text: run.text.trimEnd() } : run,
  );
}
