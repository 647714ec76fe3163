/** Themes, and the custom styles of explore.json. */
import { isObject, type Json, nearestName } from "../../../base/index.ts";
import { type ColorDepth, parseStyle } from "./style.ts";
import type { Role } from "./text-line.ts";
import { BASE_THEMES, type ColorScheme, type Theme } from "./theme.ts";

/** Styles by role for each colour scheme. */
export type ThemeStyles = Readonly<Partial<Record<ColorScheme, Readonly<Partial<Record<Role, string>>>>>>;

interface ThemeDefinition {
  readonly about: string;
  readonly styles: ThemeStyles;
  /** The palette whatever the terminal is. */
  readonly colorScheme?: ColorScheme;
}

/** Blue and orange are distinguishable with nearly every colour vision, on dark and light backgrounds. */
const COLOR_BLIND_STYLES = {
  dark: { good: "#56b4e9", bad: "#e69f00 bold", warning: "#cc79a7 bold", fresh: "#56b4e9 bold", bar: "#56b4e9" },
  light: { good: "#0072b2", bad: "#d55e00 bold", warning: "#aa3377 bold", fresh: "#0072b2 bold", bar: "#0072b2" },
} as const;

/** The themes by name. */
export const THEMES = {
  default: { about: "the terminal's 16 colours", styles: {} },
  "high-contrast": {
    about: "no grey, important text bold",
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
  "colour-blind": { about: "blue and orange instead of green and red", styles: COLOR_BLIND_STYLES },
  mono: { about: "no colours; bold, underline, inverse", styles: {}, colorScheme: "none" },
} as const satisfies Readonly<Record<string, ThemeDefinition>>;

/** Name of a theme. */
export type ThemeName = keyof typeof THEMES;

/** All theme names. */
export const THEME_NAMES = Object.keys(THEMES) as readonly ThemeName[];

/** Returns the theme with this name; undefined when there is none. */
export function findTheme(name: string): ThemeName | undefined {
  return THEME_NAMES.find((known) => known === name);
}

/** What a theme is resolved from. */
export interface ThemeOptions {
  /** The scheme of the terminal. */
  readonly colorScheme: ColorScheme;
  readonly depth: ColorDepth;
  readonly theme: ThemeName;
  /** The user's styles. */
  readonly customStyles: ThemeStyles;
}

/** Returns the style of each role. Precedence: the user's styles, the theme, the base theme. */
export function resolveTheme({ colorScheme, depth, theme, customStyles }: ThemeOptions): Theme {
  const { styles, colorScheme: fixedScheme }: ThemeDefinition = THEMES[theme];
  // Without colours, no theme adds any.
  const scheme = fixedScheme ?? colorScheme;
  const merged = { ...styles[scheme], ...customStyles[scheme] };
  const entries = Object.entries(merged).map(([role, style]) => [role, parseStyle(style, depth)] as const);
  return { ...BASE_THEMES[scheme], ...Object.fromEntries(entries.filter(([, code]) => code !== undefined)) };
}

const COLOR_SCHEMES = Object.keys(BASE_THEMES) as readonly ColorScheme[];
const ROLES = Object.keys(BASE_THEMES.dark) as readonly Role[];
const COLOR_WORD = /^(on-)?(#|\d|bright-|black|red|green|yellow|blue|magenta|cyan|white)/;

/** Parses `theme` and `looks` of explore.json; invalid entries are reported and skipped. */
export function parseThemeSettings(name: Json | undefined, input: Json | undefined) {
  const problems: string[] = [];
  const theme = typeof name === "string" ? findTheme(name) : undefined;
  if (name !== undefined && theme === undefined) problems.push(unknownThemeMessage(String(name)));
  if (input !== undefined && !isObject(input)) problems.push('"looks" must be an object with dark, light and none');
  const styles: Partial<Record<ColorScheme, Partial<Record<Role, string>>>> = {};
  for (const [name, roles] of Object.entries(isObject(input) ? input : {})) {
    const scheme = COLOR_SCHEMES.find((one) => one === name);
    if (scheme === undefined || !isObject(roles))
      problems.push(`looks: ${name} is not one of ${COLOR_SCHEMES.join(", ")}`);
    else styles[scheme] = parseRoleStyles(scheme, roles, problems);
  }
  return { theme, styles: styles as ThemeStyles, problems };
}

function parseRoleStyles(
  scheme: ColorScheme,
  roles: Readonly<Record<string, Json | undefined>>,
  problems: string[],
): Partial<Record<Role, string>> {
  const styles: Partial<Record<Role, string>> = {};
  for (const [name, style] of Object.entries(roles)) {
    const role = ROLES.find((one) => one === name);
    if (role === undefined) {
      const suggestion = nearestName(name, ROLES);
      const hint = suggestion === undefined ? `; roles: ${ROLES.join(", ")}` : `; did you mean ${suggestion}?`;
      problems.push(`looks: unknown role ${JSON.stringify(name)}${hint}`);
    } else if (typeof style !== "string" || parseStyle(style, 24) === undefined) {
      problems.push(
        `looks: invalid style ${JSON.stringify(style)} for ${role}: expected cyan, bright-black bold, #88c0d0, 208, …`,
      );
    } else if (scheme === "none" && style.split(/\s+/).some((word) => COLOR_WORD.test(word.toLowerCase()))) {
      problems.push(`looks: ${role} of none cannot have a colour: expected bold, underline, inverse or plain`);
    } else styles[role] = style;
  }
  return styles;
}

/** Returns the error message for an unknown theme. */
export function unknownThemeMessage(name: string): string {
  const suggestion = nearestName(name, THEME_NAMES);
  const hint = suggestion === undefined ? `expected ${THEME_NAMES.join(", ")}` : `did you mean ${suggestion}?`;
  return `unknown theme ${JSON.stringify(name)}; ${hint}`;
}
