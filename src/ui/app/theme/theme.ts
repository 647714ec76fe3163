/** Base themes and the painter. Colour is never the only signal: each role goes with a word or a sign. */
import { toAscii } from "../../../output/index.ts";
import type { Role, Span, TextLine } from "./text-line.ts";

/** The colour scheme of the terminal. */
export type ColorScheme = "none" | "dark" | "light";

/** SGR parameters by role. */
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

/** Avoids bright black and yellow, which are hard to read on a light background. */
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

/** Uses only bold, underline and inverse. */
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

/** The base themes. They use only the 16 colours, which every terminal theme makes readable on its background. */
export const BASE_THEMES: Readonly<Record<ColorScheme, Theme>> = {
  none: COLORLESS_THEME,
  dark: DARK_THEME,
  light: LIGHT_THEME,
};
const CURSOR_CODES = { row: "1;7", cell: "4;1;7" } as const;

/** Returns a line with its escape sequences. */
export type Painter = (line: TextLine) => string;

/** Creates the painter of a colour scheme or theme; without `unicode`, signs are replaced by ASCII. */
export function createPainter(schemeOrTheme: ColorScheme | Theme, unicode = true): Painter {
  const theme = typeof schemeOrTheme === "string" ? BASE_THEMES[schemeOrTheme] : schemeOrTheme;
  const drawn = (text: string) => (unicode ? text : toAscii(text));
  const paintSpan = ({ text, role, cursor }: Span) => {
    // Many inverted colours are hard to read: under the cursor only status colours stay.
    const roleCodes =
      role === undefined || (cursor && role !== "bad" && role !== "warning" && role !== "good") ? "" : theme[role];
    const codes = [roleCodes, cursor === undefined ? "" : CURSOR_CODES[cursor]].filter(Boolean).join(";");
    return codes === "" || text === "" ? drawn(text) : `\u001B[${codes}m${drawn(text)}\u001B[0m`;
  };
  return (line) => line.map(paintSpan).join("");
}

/** Returns the colour scheme: none without colours, light when `COLORFGBG` names a light background, else dark. */
export function detectColorScheme(color: boolean, env: Readonly<Record<string, string | undefined>>): ColorScheme {
  if (!color) return "none";
  const background = Number(env.COLORFGBG?.split(";").at(-1) || Number.NaN);
  return background === 7 || background === 15 ? "light" : "dark";
}
