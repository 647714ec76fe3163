/** Looks by role: no other file names a colour. Nothing is told by colour alone: each role goes with a word or a sign. */
import { toAscii } from "../../../output/text/ascii.ts";
import type { Role as OutputRole } from "../../../output/text/theme.ts";
import type { Span, TextLine } from "./text-line.ts";

/** What a piece of the screen is. */
export type Role =
  | OutputRole
  /** The name of the program, the crumb where one is, the tab that is open. */
  | "brand"
  | "active"
  /** Something that can be followed, and a row that is marked. */
  | "link"
  | "marked"
  /** New since the last refresh. */
  | "fresh"
  /** Made-up data: the sandbox. */
  | "sandbox"
  /** A key in a hint, lines and frames, the filled and the empty part of a bar. */
  | "hotkey"
  | "frame"
  | "bar"
  | "track"
  /** What a search found. */
  | "found";

/** How the terminal shows colours. */
export type ColorScheme = "none" | "dark" | "light";

/** SGR parameters. Only the sixteen colours that every theme of a terminal defines: they stay readable on its background. */
export type Theme = Readonly<Record<Role, string>>;

const DARK_THEME: Theme = {
  heading: "1",
  title: "1",
  key: "90",
  missing: "90",
  note: "90",
  good: "32",
  bad: "31",
  warning: "33",
  brand: "1;35",
  active: "1;36",
  link: "36",
  marked: "1;33",
  fresh: "1;32",
  sandbox: "30;43",
  hotkey: "1;36",
  frame: "90",
  bar: "32",
  track: "90",
  found: "30;43",
};

/** On a light background bright black and yellow are hard to read. */
const LIGHT_THEME: Theme = {
  ...DARK_THEME,
  key: "2",
  missing: "2",
  note: "2",
  warning: "35",
  link: "34",
  active: "1;34",
  hotkey: "1;34",
  marked: "1;35",
  frame: "2",
  track: "2",
};

/** Without colours: weight, underline and inversion, which are none. */
const COLORLESS_THEME: Theme = {
  heading: "1",
  title: "1",
  key: "",
  missing: "",
  note: "",
  good: "",
  bad: "1",
  warning: "1",
  brand: "1",
  active: "1;4",
  link: "",
  marked: "1",
  fresh: "1",
  sandbox: "7",
  hotkey: "1",
  frame: "",
  bar: "",
  track: "",
  found: "7",
};

/** The usual looks. */
export const BASE_THEMES: Readonly<Record<ColorScheme, Theme>> = {
  none: COLORLESS_THEME,
  dark: DARK_THEME,
  light: LIGHT_THEME,
};
const CURSOR_CODES = { row: "1;7", cell: "4;1;7" } as const;

/** Dresses lines for a terminal. */
export type Painter = (line: TextLine) => string;

/** The painter for a palette or for looks of another kind, of a terminal that draws more than ASCII or not. */
export function createPainter(schemeOrTheme: ColorScheme | Theme, unicode = true): Painter {
  const theme = typeof schemeOrTheme === "string" ? BASE_THEMES[schemeOrTheme] : schemeOrTheme;
  const drawn = (text: string) => (unicode ? text : toAscii(text));
  const paintSpan = ({ text, role, cursor: on }: Span) => {
    // Inverted colours of many kinds are hard to read: where the cursor is, only what warns keeps its own.
    const roleCodes =
      role === undefined || (on && role !== "bad" && role !== "warning" && role !== "good") ? "" : theme[role];
    const codes = [roleCodes, on === undefined ? "" : CURSOR_CODES[on]].filter(Boolean).join(";");
    return codes === "" || text === "" ? drawn(text) : `\u001B[${codes}m${drawn(text)}\u001B[0m`;
  };
  return (line) => line.map(paintSpan).join("");
}

/**
 * The palette: none without colours; light where the terminal tells that its background is (`COLORFGBG`, whose last
 * number is the background), else dark.
 */
export function detectColorScheme(color: boolean, env: Readonly<Record<string, string | undefined>>): ColorScheme {
  if (!color) return "none";
  const background = Number(env.COLORFGBG?.split(";").at(-1) || Number.NaN);
  return background === 7 || background === 15 ? "light" : "dark";
}
