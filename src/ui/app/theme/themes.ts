/** The themes to choose from, and the looks that users give in their own file. */
import { isObject, type Json } from "../../../base/json.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { type ColorDepth, parseStyle } from "./style.ts";
import { BASE_THEMES, type ColorScheme, type Role, type Theme } from "./theme.ts";

/** Looks in words, for each palette of a terminal. */
export type ThemeStyles = Readonly<Partial<Record<ColorScheme, Readonly<Partial<Record<Role, string>>>>>>;

interface ThemeDefinition {
  readonly about: string;
  readonly styles: ThemeStyles;
  /** The palette whatever the terminal is. */
  readonly colorScheme?: ColorScheme;
}

/** Blue and orange are told apart by nearly everybody, on dark and on light. */
const COLOR_BLIND_STYLES = {
  dark: { good: "#56b4e9", bad: "#e69f00 bold", warning: "#cc79a7 bold", fresh: "#56b4e9 bold", bar: "#56b4e9" },
  light: { good: "#0072b2", bad: "#d55e00 bold", warning: "#aa3377 bold", fresh: "#0072b2 bold", bar: "#0072b2" },
} as const;

/** The themes by name. */
export const THEMES = {
  default: { about: "the sixteen colours of the terminal", styles: {} },
  "high-contrast": {
    about: "nothing grey, everything that matters bold",
    styles: {
      dark: {
        ...{ key: "white", missing: "white", note: "white", frame: "white", track: "white" },
        ...{ good: "bright-green bold", bad: "bright-red bold", warning: "bright-yellow bold" },
        ...{ link: "bright-cyan underline", active: "bright-white bold underline", hotkey: "bright-cyan bold" },
        ...{ bar: "bright-green", marked: "bright-yellow bold", found: "black on-bright-yellow bold" },
      },
      light: {
        ...{ key: "plain", missing: "plain", note: "plain", frame: "plain", track: "plain" },
        ...{ good: "green bold", bad: "red bold", warning: "magenta bold" },
        ...{ link: "blue underline", active: "black bold underline", hotkey: "blue bold" },
      },
    },
  },
  "colour-blind": { about: "blue and orange in place of green and red", styles: COLOR_BLIND_STYLES },
  mono: { about: "no colours: bold, underlined, inverse", styles: {}, colorScheme: "none" },
} as const satisfies Readonly<Record<string, ThemeDefinition>>;

/** The name of a theme. */
export type ThemeName = keyof typeof THEMES;

/** All names. */
export const THEME_NAMES = Object.keys(THEMES) as readonly ThemeName[];

/** The theme of a name; undefined where there is none. */
export function findTheme(name: string): ThemeName | undefined {
  return THEME_NAMES.find((known) => known === name);
}

/** What a screen is painted with. */
export interface ThemeOptions {
  /** What the terminal is. */
  readonly colorScheme: ColorScheme;
  readonly depth: ColorDepth;
  readonly theme: ThemeName;
  /** The user's own looks. */
  readonly customStyles: ThemeStyles;
}

/** The looks of each role: the user's own before those of the theme before the usual ones. */
export function resolveTheme({ colorScheme: palette, depth, theme, customStyles: own }: ThemeOptions): Theme {
  const { styles: looks, colorScheme: fixed }: ThemeDefinition = THEMES[theme];
  // Who asked for no colours gets none from any theme.
  const shown = fixed ?? palette;
  const given = { ...looks[shown], ...own[shown] };
  const entries = Object.entries(given).map(([role, look]) => [role, parseStyle(look, depth)] as const);
  return { ...BASE_THEMES[shown], ...Object.fromEntries(entries.filter(([, code]) => code !== undefined)) };
}

const COLOR_SCHEMES = Object.keys(BASE_THEMES) as readonly ColorScheme[];
const ROLES = Object.keys(BASE_THEMES.dark) as readonly Role[];
const COLOR_WORD = /^(on-)?(#|\d|bright-|black|red|green|yellow|blue|magenta|cyan|white)/;

/** Reads `theme` and `looks` of the user's file; what is wrong is told and left out. */
export function parseThemeSettings(name: Json | undefined, input: Json | undefined) {
  const problems: string[] = [];
  const theme = typeof name === "string" ? findTheme(name) : undefined;
  if (name !== undefined && theme === undefined) problems.push(unknownThemeMessage(String(name)));
  if (input !== undefined && !isObject(input)) problems.push('"looks" must be an object of dark, light and none.');
  const styles: Partial<Record<ColorScheme, Partial<Record<Role, string>>>> = {};
  for (const [palette, looks] of Object.entries(isObject(input) ? input : {})) {
    const known = COLOR_SCHEMES.find((one) => one === palette);
    if (known === undefined || !isObject(looks))
      problems.push(`looks: ${palette} is none of ${COLOR_SCHEMES.join(", ")}.`);
    else styles[known] = parseRoleStyles(known, looks, problems);
  }
  return { theme, own: styles as ThemeStyles, problems };
}

function parseRoleStyles(palette: ColorScheme, looks: Readonly<Record<string, Json | undefined>>, problems: string[]) {
  const known: Partial<Record<Role, string>> = {};
  for (const [name, look] of Object.entries(looks)) {
    const role = ROLES.find((one) => one === name);
    const meant = nearestName(name, ROLES);
    if (role === undefined) {
      const help = meant === undefined ? `Roles are ${ROLES.join(", ")}.` : `Did you mean ${meant}?`;
      problems.push(`looks: there is no role ${JSON.stringify(name)}. ${help}`);
    } else if (typeof look !== "string" || parseStyle(look, 24) === undefined) {
      problems.push(`looks: ${role} cannot be ${JSON.stringify(look)}. Write cyan, bright-black bold, #88c0d0, 208, …`);
    } else if (palette === "none" && look.split(/\s+/).some((word) => COLOR_WORD.test(word.toLowerCase()))) {
      problems.push(`looks: ${role} of none is for terminals without colours: bold, underline, inverse, plain.`);
    } else known[role] = look;
  }
  return known;
}

/** That there is no such theme, and which there are. */
export function unknownThemeMessage(name: string): string {
  const meant = nearestName(name, THEME_NAMES);
  return `There is no theme ${JSON.stringify(name)}. ${meant === undefined ? `There are ${THEME_NAMES.join(", ")}.` : `Did you mean ${meant}?`}`;
}
