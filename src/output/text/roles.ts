/** What pieces of text are, and the styles of these roles in the colours of a theme. Loaded only where colours are used. */

/**
 * The style of each role, in which the colours of a palette have names. What a piece of text is
 * determines its style everywhere; the names of the roles are also the keys of the user's styles.
 */
export const ROLE_STYLES = {
  heading: "text bold",
  title: "text bold",
  key: "muted",
  missing: "muted",
  note: "muted",
  good: "good",
  bad: "bad",
  warning: "warning",
  // Names and identifiers, by the kind of entity that they refer to.
  account: "account",
  token: "token",
  program: "program",
  transaction: "transaction",
  block: "block",
  market: "market",
  nft: "nft",
  // The name of the program, the current breadcrumb or open tab, other links, marked rows, rows since the last refresh.
  brand: "brand bold",
  active: "accent bold",
  link: "accent",
  marked: "warning bold",
  fresh: "good bold",
  // The label of simulated data.
  sandbox: "token bold on-band",
  // Keys in hints, borders, the filled and the empty part of bars, matches of a search.
  hotkey: "accent bold",
  frame: "faint",
  bar: "accent",
  track: "faint",
  found: "background on-token",
  // The border of the pane with the focus, filters in force, values that just changed.
  focus: "accent",
  chip: "accent on-cell",
  flash: "token bold",
  // Charts.
  axis: "muted",
  grid: "faint",
  series1: "accent",
  series2: "token",
  series3: "nft",
  series4: "market",
  series5: "account",
  series6: "warning",
  // Surfaces, below the text of all other roles: the selected row, the selected cell in it, popups.
  selected: "text on-band",
  cell: "text bold on-cell",
  popup: "text on-popup",
} as const;

/** What a piece of text is, which determines its style. */
export type Role = keyof typeof ROLE_STYLES;

/** Every role. */
export const ROLES = Object.keys(ROLE_STYLES) as readonly Role[];

/** Styles by role; the others follow from the theme. */
export type RoleStyles = Readonly<Partial<Record<Role, string>>>;

/** Names of the colours of a palette; `background` is the colour of the terminal, which no theme changes. */
type ColorName =
  | "background"
  | "text"
  | "muted"
  | "faint"
  | "accent"
  | "brand"
  | "good"
  | "bad"
  | "warning"
  | "account"
  | "token"
  | "program"
  | "transaction"
  | "block"
  | "market"
  | "nft"
  | "band"
  | "cell"
  | "popup";

/** The colours of a theme by name: `#rrggbb`, or any style. */
export type Palette = Readonly<Record<ColorName, string>>;

/** The background of a terminal; `none` is a terminal without colours. */
export type ColorScheme = "none" | "dark" | "light";

/** A theme. */
export interface ThemeDefinition {
  readonly description: string;
  /** The theme whose colours and styles it changes. */
  readonly extends?: string | undefined;
  /** The colours by background; a theme without those of a background has the same on both. */
  readonly dark?: Partial<Palette>;
  readonly light?: Partial<Palette>;
  /** Styles that differ from those of the roles. */
  readonly styles?: RoleStyles | undefined;
  /** Styles that differ on a terminal with 16 colours, where a theme has the colours of the terminal. */
  readonly basic?: Readonly<Partial<Record<ColorScheme, RoleStyles>>>;
}

/** Themes by name. */
export type Themes = Readonly<Record<string, ThemeDefinition>>;
