/** Screens of a terminal as rows of styled text. */

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

/** The colours of the page. */
export const PAGE = { background: "#11141a", color: "#d5dae3" } as const;

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

/** The state of the terminal's attributes. */
interface Attributes {
  color: string | undefined;
  background: string | undefined;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const PLAIN: Attributes = {
  ...{ color: undefined, background: undefined, bold: false, dim: false },
  ...{ italic: false, underline: false, inverse: false },
};

/** Applies the parameters of an SGR sequence. */
function applySgr(attributes: Attributes, parameters: readonly number[]): void {
  const rest = [...parameters];
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 0) Object.assign(attributes, PLAIN);
    else if (code === 1) attributes.bold = true;
    else if (code === 2) attributes.dim = true;
    else if (code === 3) attributes.italic = true;
    else if (code === 4) attributes.underline = true;
    else if (code === 7) attributes.inverse = true;
    else if (code === 38) attributes.color = extendedColor(rest);
    else if (code === 48) attributes.background = extendedColor(rest);
    else applySimpleCode(attributes, code);
  }
}

function applySimpleCode(attributes: Attributes, code: number): void {
  if (code === 22) Object.assign(attributes, { bold: false, dim: false });
  else if (code === 23) attributes.italic = false;
  else if (code === 24) attributes.underline = false;
  else if (code === 27) attributes.inverse = false;
  else if (code === 39) attributes.color = undefined;
  else if (code === 49) attributes.background = undefined;
  else if (code >= 30 && code <= 37) attributes.color = SIXTEEN[code - 30];
  else if (code >= 90 && code <= 97) attributes.color = SIXTEEN[code - 82];
  else if (code >= 40 && code <= 47) attributes.background = SIXTEEN[code - 40];
  else if (code >= 100 && code <= 107) attributes.background = SIXTEEN[code - 92];
}

function extendedColor(rest: number[]): string | undefined {
  const mode = rest.shift();
  if (mode === 5) return indexedColor(rest.shift() ?? 0);
  return mode === 2 ? hex(...rest.splice(0, 3)) : undefined;
}

/** Returns a colour between two others. */
function mix(one: string, other: string, share: number): string {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [from, to] = [parts(one), parts(other)];
  return hex(...from.map((part, at) => Math.round(part * share + (to[at] ?? 0) * (1 - share))));
}

function styleOf({ color, background, bold, dim, italic, underline, inverse }: Attributes): RunStyle {
  const [front, back] = inverse
    ? [background ?? PAGE.background, color ?? PAGE.color]
    : [color ?? PAGE.color, background];
  const shade = dim ? mix(front, back ?? PAGE.background, 0.6) : front;
  return { color: shade, background: back, bold, italic, underline };
}

const isSame = (one: RunStyle, other: RunStyle) =>
  one.color === other.color &&
  one.background === other.background &&
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.underline === other.underline;

const TOKEN = /\u001B\[([\d;:]*)m|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[()].|[\u000E\u000F]|(.)/gu;

/** Characters that take two cells: only in texts of the chain. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}]/u;

/** Parses a capture into rows of runs. Spaces without a background are not part of any run. */
export function parseScreen(capture: string, height: number): Screen {
  const attributes: Attributes = { ...PLAIN };
  const lines = capture.split("\n").slice(0, height);
  return lines.map((line) => {
    const runs: { -readonly [key in keyof Run]: Run[key] }[] = [];
    let column = 0;
    for (const [, sgr, character] of line.matchAll(TOKEN)) {
      if (sgr !== undefined) applySgr(attributes, sgr.split(/[;:]/).map(Number));
      if (character === undefined) continue;
      const style = styleOf(attributes);
      const last = runs.at(-1);
      const isJoined = last && last.column + last.text.length === column && isSame(last, style);
      if (isJoined) last.text += character;
      else if (character !== " " || style.background !== undefined || style.underline)
        runs.push({ ...style, column, text: character });
      column += WIDE.test(character) ? 2 : 1;
    }
    return runs.map((run) =>
      run.background === undefined && !run.underline ? { ...run, text: run.text.trimEnd() } : run,
    );
  });
}
