/** Resolves themes to the styles of a terminal, and reads the styles and themes of users. */
import { isObject, type Json, type JsonObject, nearestName } from "../../base/index.ts";
import { NAMED_COLORS, THEMES } from "./palettes.ts";
import {
  type ColorScheme,
  type Palette,
  ROLE_STYLES,
  ROLES,
  type Role,
  type RoleStyles,
  type ThemeDefinition,
  type Themes,
} from "./roles.ts";
import { type ColorDepth, formatHex, parseHex, parseStyle, type Rgb } from "./style.ts";
import type { Theme } from "./theme.ts";

/** The theme where none is chosen. */
export const DEFAULT_THEME = "auto";
/** The theme of terminals with an unknown background: their own 16 colours. Users do not choose it. */
export const NAMED_THEME = "terminal";

/** Styles of a user by background. */
export type CustomStyles = Readonly<Partial<Record<ColorScheme, RoleStyles>>>;

/** What a theme is resolved from. */
export interface ThemeOptions {
  readonly theme: string;
  readonly colorScheme: ColorScheme;
  readonly depth: ColorDepth;
  /** The colour of the background, where the terminal reports it. */
  readonly background?: Rgb | undefined;
  readonly customThemes?: Themes | undefined;
  /** The user's styles, which precede those of any theme. */
  readonly customStyles?: CustomStyles | undefined;
}

/** A theme for a terminal. */
export interface ResolvedTheme {
  readonly styles: Theme;
  /** The background that its colours are made for. */
  readonly background: Rgb;
}

/** Returns the names and descriptions of all themes. */
export function listThemes(customThemes: Themes = {}): readonly (readonly [name: string, description: string])[] {
  return Object.entries({ ...THEMES, ...customThemes }).map(([name, { description }]) => [name, description]);
}

/** Returns whether there is a theme of this name. */
export function hasTheme(name: string, customThemes: Themes = {}): boolean {
  return Object.hasOwn(customThemes, name) || Object.hasOwn(THEMES, name);
}

/** Returns the error message for an unknown theme. */
export function unknownThemeMessage(name: string, customThemes: Themes = {}): string {
  const names = listThemes(customThemes).map(([known]) => known);
  const suggestion = nearestName(name, names);
  const hint = suggestion === undefined ? `expected ${names.join(", ")}` : `did you mean ${suggestion}?`;
  return `unknown theme ${JSON.stringify(name)}; ${hint}`;
}

/** Returns the style of each role. Precedence: the user's styles, the theme, the themes that it extends. */
export function resolveTheme(options: ThemeOptions): ResolvedTheme {
  const { depth, customStyles = {} } = options;
  const { chain, scheme } = resolveInheritance(options);
  const palette = buildPalette(chain, scheme, options.background);
  const inherited: readonly ThemeDefinition[] = chain.toReversed();
  const styles: RoleStyles = {
    ...ROLE_STYLES,
    ...Object.assign({}, ...inherited.map((theme) => theme.styles)),
    ...(depth === 4 ? Object.assign({}, ...inherited.map(({ basic }) => basic?.[scheme])) : {}),
  };
  const styleOf = (role: Role) => {
    const words = (styles[role] ?? "").split(" ").map((word) => colorWord(word, palette));
    return parseStyle(words.join(" "), depth) ?? "";
  };
  const own = Object.entries(customStyles[scheme] ?? {}).map(([role, style]) => [role, parseStyle(style, depth) ?? ""]);
  return {
    styles: Object.fromEntries([...ROLES.map((role) => [role, styleOf(role)]), ...own]),
    background:
      options.background ?? parseHex(palette.background) ?? BACKGROUNDS[scheme === "light" ? "light" : "dark"],
  };
}

/** Backgrounds of most dark and light terminals, for themes that do not name theirs. */
const BACKGROUNDS: Readonly<Record<"dark" | "light", Rgb>> = { dark: [16, 16, 20], light: [252, 252, 252] };

/** Returns a theme and the themes that it extends, and the background that their colours are for. */
function resolveInheritance({ theme, colorScheme, depth, customThemes = {} }: ThemeOptions) {
  // Without colours, no theme adds any.
  if (colorScheme === "none") return { chain: [THEMES.mono], scheme: "none" as const };
  const themes: Themes = { [NAMED_THEME]: NAMED_COLORS, ...THEMES, ...customThemes };
  const chain: ThemeDefinition[] = [];
  let name: string | undefined = theme;
  while (name !== undefined) {
    const actual: string = name === DEFAULT_THEME ? (depth === 4 ? NAMED_THEME : colorScheme) : name;
    const definition: ThemeDefinition = themes[actual] ?? THEMES[colorScheme];
    if (chain.includes(definition)) break;
    chain.push(definition);
    name = definition.extends;
  }
  if (chain.includes(THEMES.mono)) return { chain, scheme: "none" as const };
  if (depth === 4 && !chain.includes(NAMED_COLORS)) chain.push(NAMED_COLORS);
  return { chain, scheme: colorScheme };
}

/** Returns the colours of a theme; on 16 colours, those of the terminal, which end every inheritance there. */
function buildPalette(chain: readonly ThemeDefinition[], scheme: ColorScheme, background: Rgb | undefined): Palette {
  const isNamed = chain.at(-1) === NAMED_COLORS;
  const palettes = (isNamed ? [NAMED_COLORS] : chain.toReversed()).map((theme: ThemeDefinition) =>
    scheme === "light" ? (theme.light ?? theme.dark) : (theme.dark ?? theme.light),
  );
  const palette: Palette = Object.assign({}, THEMES.dark.dark, ...palettes);
  return background === undefined ? palette : { ...palette, ...movedGrounds(palette, background) };
}

/** Returns whether a colour is dark, by the brightness that people perceive. */
export function isDark([red, green, blue]: Rgb): boolean {
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

/** Returns the surfaces of a palette as far from the background of the terminal as from that of the palette. */
function movedGrounds(palette: Palette, background: Rgb): Partial<Palette> {
  const declared = parseHex(palette.background);
  // A theme for other backgrounds stays as it is: its text is readable on its own surfaces only.
  if (declared === undefined || isDark(declared) !== isDark(background)) return {};
  const moved = (["popup", "band", "cell"] as const).map((name) => {
    const ground = parseHex(palette[name]);
    return [name, ground && formatHex(ground.map((part, at) => part + (background[at] ?? 0) - (declared[at] ?? 0)))];
  });
  return Object.fromEntries(moved.filter(([, color]) => color !== undefined));
}

function colorWord(word: string, palette: Palette): string {
  const colors: Readonly<Record<string, string>> = palette;
  if (word.startsWith("on-")) {
    const name = word.slice(3);
    return Object.hasOwn(colors, name) ? `on-${colors[name]}` : word;
  }
  return (Object.hasOwn(colors, word) && colors[word]) || word;
}

const COLOR_SCHEMES: readonly ColorScheme[] = ["none", "dark", "light"];
const COLOR_WORD = /^(on-)?(#|\d|bright-|black|red|green|yellow|blue|magenta|cyan|white)/;

/** Parses the styles of a user by background; invalid entries are skipped, and added to `problems`. */
export function parseCustomStyles(input: Json | undefined, problems: string[]): CustomStyles {
  if (input !== undefined && !isObject(input)) problems.push('"looks" must be an object with dark, light and none');
  const styles: Partial<Record<ColorScheme, RoleStyles>> = {};
  for (const [name, roles] of Object.entries(isObject(input) ? input : {})) {
    const scheme = COLOR_SCHEMES.find((one) => one === name);
    if (scheme === undefined || !isObject(roles))
      problems.push(`looks: ${name} is not one of ${COLOR_SCHEMES.join(", ")}`);
    else styles[scheme] = parseRoleStyles("looks", roles, problems, scheme === "none");
  }
  return styles;
}

const THEME_FIELDS: readonly string[] = ["description", "extends", "styles"];

/** Parses a theme of a user; invalid parts are skipped, and added to `problems`. @param name for the messages */
export function parseTheme(name: string, data: JsonObject, problems: string[]): ThemeDefinition {
  const { description, extends: base = DEFAULT_THEME, styles = {} } = data;
  for (const field of Object.keys(data).filter((one) => !THEME_FIELDS.includes(one)))
    problems.push(`${name}: unknown field ${JSON.stringify(field)}; expected ${THEME_FIELDS.join(", ")}`);
  if (typeof base !== "string") problems.push(`${name}: "extends" must be the name of a theme`);
  if (!isObject(styles)) problems.push(`${name}: "styles" must be an object of styles by role`);
  return {
    description: typeof description === "string" ? description : `theme file ${name}`,
    extends: typeof base === "string" ? base : DEFAULT_THEME,
    styles: isObject(styles) ? parseRoleStyles(name, styles, problems) : {},
  };
}

function parseRoleStyles(
  subject: string,
  styles: JsonObject,
  problems: string[],
  isColorless = false,
): Partial<Record<Role, string>> {
  const valid: Partial<Record<Role, string>> = {};
  for (const [name, style] of Object.entries(styles)) {
    const role = ROLES.find((one) => one === name);
    if (role === undefined) {
      const suggestion = nearestName(name, ROLES);
      const hint = suggestion === undefined ? `; roles: ${ROLES.join(", ")}` : `; did you mean ${suggestion}?`;
      problems.push(`${subject}: unknown role ${JSON.stringify(name)}${hint}`);
    } else if (typeof style !== "string" || parseStyle(style, 24) === undefined) {
      problems.push(
        `${subject}: invalid style ${JSON.stringify(style)} for ${role}: expected cyan, bright-black bold, #88c0d0, 208, …`,
      );
    } else if (isColorless && style.split(/\s+/).some((word) => COLOR_WORD.test(word.toLowerCase()))) {
      problems.push(`${subject}: ${role} of none cannot have a colour: expected bold, underline, inverse or plain`);
    } else valid[role] = style;
  }
  return valid;
}
