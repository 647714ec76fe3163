/** The themes to choose from, and the looks that users give in their own file. */
import { isObject, type Json } from "../../../base/json.ts";
import { nearest } from "../../../base/nearest.ts";
import { type Depth, sgrOf } from "./style.ts";
import { LOOKS, type Looks, type Palette, type Role } from "./theme.ts";

/** Looks in words, for each palette of a terminal. */
export type Worded = Readonly<Partial<Record<Palette, Readonly<Partial<Record<Role, string>>>>>>;

interface Theme {
  readonly about: string;
  readonly looks: Worded;
  /** The palette whatever the terminal is. */
  readonly palette?: Palette;
}

/** Blue and orange are told apart by nearly everybody, on dark and on light. */
const APART = {
  dark: { good: "#56b4e9", bad: "#e69f00 bold", warning: "#cc79a7 bold", fresh: "#56b4e9 bold", bar: "#56b4e9" },
  light: { good: "#0072b2", bad: "#d55e00 bold", warning: "#aa3377 bold", fresh: "#0072b2 bold", bar: "#0072b2" },
} as const;

/** The themes by name. */
export const THEMES = {
  default: { about: "the sixteen colours of the terminal", looks: {} },
  "high-contrast": {
    about: "nothing grey, everything that matters bold",
    looks: {
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
  "colour-blind": { about: "blue and orange in place of green and red", looks: APART },
  mono: { about: "no colours: bold, underlined, inverse", looks: {}, palette: "none" },
} as const satisfies Readonly<Record<string, Theme>>;

/** The name of a theme. */
export type ThemeName = keyof typeof THEMES;

/** All names. */
export const THEME_NAMES = Object.keys(THEMES) as readonly ThemeName[];

/** The theme of a name; undefined where there is none. */
export function themeNamed(name: string): ThemeName | undefined {
  return THEME_NAMES.find((known) => known === name);
}

/** What a screen is painted with. */
export interface Dress {
  /** What the terminal is. */
  readonly palette: Palette;
  readonly depth: Depth;
  readonly theme: ThemeName;
  /** The user's own looks. */
  readonly own: Worded;
}

/** The looks of each role: the user's own before those of the theme before the usual ones. */
export function looksFor({ palette, depth, theme, own }: Dress): Looks {
  const { looks, palette: fixed }: Theme = THEMES[theme];
  // Who asked for no colours gets none from any theme.
  const shown = fixed ?? palette;
  const given = { ...looks[shown], ...own[shown] };
  const entries = Object.entries(given).map(([role, look]) => [role, sgrOf(look, depth)] as const);
  return { ...LOOKS[shown], ...Object.fromEntries(entries.filter(([, code]) => code !== undefined)) };
}

const PALETTES = Object.keys(LOOKS) as readonly Palette[];
const ROLES = Object.keys(LOOKS.dark) as readonly Role[];
const COLOUR = /^(on-)?(#|\d|bright-|black|red|green|yellow|blue|magenta|cyan|white)/;

/** Reads `theme` and `looks` of the user's file; what is wrong is told and left out. */
export function readLooks(name: Json | undefined, given: Json | undefined) {
  const problems: string[] = [];
  const theme = typeof name === "string" ? themeNamed(name) : undefined;
  if (name !== undefined && theme === undefined) problems.push(unknownTheme(String(name)));
  if (given !== undefined && !isObject(given)) problems.push('"looks" must be an object of dark, light and none.');
  const own: Partial<Record<Palette, Partial<Record<Role, string>>>> = {};
  for (const [palette, looks] of Object.entries(isObject(given) ? given : {})) {
    const known = PALETTES.find((one) => one === palette);
    if (known === undefined || !isObject(looks)) problems.push(`looks: ${palette} is none of ${PALETTES.join(", ")}.`);
    else own[known] = readRoles(known, looks, problems);
  }
  return { theme, own: own as Worded, problems };
}

function readRoles(palette: Palette, looks: Readonly<Record<string, Json | undefined>>, problems: string[]) {
  const known: Partial<Record<Role, string>> = {};
  for (const [name, look] of Object.entries(looks)) {
    const role = ROLES.find((one) => one === name);
    const meant = nearest(name, ROLES);
    if (role === undefined) {
      const help = meant === undefined ? `Roles are ${ROLES.join(", ")}.` : `Did you mean ${meant}?`;
      problems.push(`looks: there is no role ${JSON.stringify(name)}. ${help}`);
    } else if (typeof look !== "string" || sgrOf(look, 24) === undefined) {
      problems.push(`looks: ${role} cannot be ${JSON.stringify(look)}. Write cyan, bright-black bold, #88c0d0, 208, …`);
    } else if (palette === "none" && look.split(/\s+/).some((word) => COLOUR.test(word.toLowerCase()))) {
      problems.push(`looks: ${role} of none is for terminals without colours: bold, underline, inverse, plain.`);
    } else known[role] = look;
  }
  return known;
}

/** That there is no such theme, and which there are. */
export function unknownTheme(name: string): string {
  const meant = nearest(name, THEME_NAMES);
  return `There is no theme ${JSON.stringify(name)}. ${meant === undefined ? `There are ${THEME_NAMES.join(", ")}.` : `Did you mean ${meant}?`}`;
}
