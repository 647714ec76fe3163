/** The colours of the themes. A test holds the contrast of every role on every surface of every theme. */
import type { Palette, RoleStyles, ThemeDefinition } from "./roles.ts";
import type { THEME_NAMES } from "./theme.ts";

const DARK: Palette = {
  ...{ background: "#101215", popup: "#1a1e27", band: "#252c3c", cell: "#2d3d5a" },
  ...{ text: "#d9dee6", muted: "#9099a6", faint: "#6f7682", accent: "#63d6f1", brand: "#c4a4fe" },
  ...{ good: "#7fdc9a", bad: "#ff8482", warning: "#f9aa60" },
  ...{ account: "#89bafa", token: "#eece74", program: "#cda2f3", transaction: "#7ddfd3" },
  ...{ block: "#d8c0a5", market: "#bfdb77", nft: "#f39fcf" },
};

const LIGHT: Palette = {
  ...{ background: "#fbfcfd", popup: "#ecf0f7", band: "#dee7f5", cell: "#c4d7f4" },
  ...{ text: "#22272e", muted: "#59616d", faint: "#79818d", accent: "#02657c", brand: "#6e38b8" },
  ...{ good: "#176933", bad: "#b51522", warning: "#8f4801" },
  ...{ account: "#1a57ad", token: "#785608", program: "#753ba8", transaction: "#056662" },
  ...{ block: "#6d523b", market: "#4b6213", nft: "#a22a70" },
};

const HIGH_CONTRAST_DARK: Palette = {
  ...{ background: "#000000", popup: "#0b0b12", band: "#0f2440", cell: "#0f2440" },
  ...{ text: "#ffffff", muted: "#d0d4da", faint: "#a0a6b0", accent: "#66e3ff", brand: "#d9c2ff" },
  ...{ good: "#6cf08c", bad: "#ff9c98", warning: "#ffc070" },
  ...{ account: "#a5ccff", token: "#ffe066", program: "#e2bdff", transaction: "#7af5e6" },
  ...{ block: "#f0d5b8", market: "#d0f26e", nft: "#ffb3df" },
};

const HIGH_CONTRAST_LIGHT: Palette = {
  ...{ background: "#ffffff", popup: "#f4f6fa", band: "#dbe8ff", cell: "#dbe8ff" },
  ...{ text: "#000000", muted: "#383d45", faint: "#5c636e", accent: "#00475a", brand: "#4c1a91" },
  ...{ good: "#004d1f", bad: "#850010", warning: "#663000" },
  ...{ account: "#00398a", token: "#543a00", program: "#551a82", transaction: "#004845" },
  ...{ block: "#4d3520", market: "#334700", nft: "#780848" },
};

/** The 16 colours of the terminal, without grey and light yellow, which are not readable on every background. */
const NAMED_DARK: Palette = {
  ...{ background: "black", popup: "plain", band: "plain", cell: "plain" },
  ...{ text: "plain", muted: "dim", faint: "dim", accent: "cyan", brand: "magenta" },
  ...{ good: "green", bad: "red", warning: "yellow" },
  ...{ account: "cyan", token: "yellow", program: "magenta", transaction: "bright-blue" },
  ...{ block: "cyan", market: "green", nft: "bright-magenta" },
};

const NAMED_LIGHT: Palette = {
  ...NAMED_DARK,
  ...{ accent: "blue", warning: "magenta", account: "blue", token: "magenta", transaction: "blue" },
  ...{ block: "blue", nft: "magenta" },
};

const COLORLESS: Palette = {
  ...{ background: "plain", popup: "plain", band: "plain", cell: "plain" },
  ...{ text: "plain", muted: "plain", faint: "plain", accent: "plain", brand: "plain" },
  ...{ good: "plain", bad: "bold", warning: "bold" },
  ...{ account: "plain", token: "plain", program: "plain", transaction: "plain" },
  ...{ block: "plain", market: "plain", nft: "plain" },
};

/** Surfaces where there is no colour to lie below text: inverse, with the text in one colour. */
const INVERSE: RoleStyles = { selected: "inverse", cell: "inverse bold underline", popup: "plain" };

/** The 16 colours of the terminal: for terminals without others, and for those whose background is unknown. */
export const NAMED_COLORS: ThemeDefinition = {
  description: "the terminal's 16 colours",
  dark: NAMED_DARK,
  light: NAMED_LIGHT,
  styles: {
    ...INVERSE,
    selected: "bold",
    chip: "black on-cyan",
    sandbox: "black on-yellow",
    found: "black on-yellow",
  },
};

/** The built-in themes by name: three families, and variants of the one that fits the terminal. */
export const THEMES = {
  auto: { description: "dark or light, as the terminal; its own colours where it has only 16" },
  dark: { description: "for dark backgrounds", dark: DARK },
  light: { description: "for light backgrounds", light: LIGHT },
  "high-contrast": {
    description: "no grey, every text at least 7:1",
    dark: HIGH_CONTRAST_DARK,
    light: HIGH_CONTRAST_LIGHT,
    styles: { cell: "inverse bold", link: "accent underline", active: "accent bold underline" },
    basic: {
      dark: {
        ...{ key: "white", missing: "white", note: "white", frame: "white", track: "white", axis: "white" },
        ...{ good: "bright-green bold", bad: "bright-red bold", warning: "bright-yellow bold" },
        ...{ link: "bright-cyan underline", active: "bright-white bold underline", hotkey: "bright-cyan bold" },
        ...{ bar: "bright-green", marked: "bright-yellow bold", found: "black on-bright-yellow bold" },
      },
      light: {
        ...{ key: "plain", missing: "plain", note: "plain", frame: "plain", track: "plain", axis: "plain" },
        ...{ good: "green bold", bad: "red bold", warning: "magenta bold" },
        ...{ link: "blue underline", active: "black bold underline", hotkey: "blue bold" },
      },
    },
  },
  "colour-blind": {
    description: "blue and orange instead of green and red",
    extends: "auto",
    // Distinguishable with nearly every colour vision, on dark and light backgrounds.
    dark: { good: "#6cc2f2", bad: "#f0a92a", warning: "#e39bc4" },
    light: { good: "#00598f", bad: "#943f00", warning: "#8f2a66" },
    styles: { bad: "bad bold", warning: "warning bold" },
    basic: {
      dark: { good: "bright-blue", bad: "yellow bold", warning: "magenta bold", fresh: "bright-blue bold" },
      light: { good: "blue", bad: "red bold", warning: "magenta bold", fresh: "blue bold" },
    },
  },
  mono: {
    description: "no colours; bold, underline, inverse",
    dark: COLORLESS,
    styles: {
      ...INVERSE,
      ...{ chip: "inverse", sandbox: "inverse", found: "inverse", active: "bold underline", focus: "bold" },
    },
  },
} as const satisfies Readonly<Record<(typeof THEME_NAMES)[number], ThemeDefinition>>;
