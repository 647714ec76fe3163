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

const MOCHA: Palette = {
  ...{ background: "#1e1e2e", popup: "#27273a", band: "#313244", cell: "#3d4366" },
  ...{ text: "#cdd6f4", muted: "#a6adc8", faint: "#7f849c", accent: "#b4befe", brand: "#cba6f7" },
  ...{ good: "#a6e3a1", bad: "#fd94b1", warning: "#fab387" },
  ...{ account: "#8bb6fc", token: "#f9e2af", program: "#cba6f7", transaction: "#94e2d5" },
  ...{ block: "#f2cdcd", market: "#89dceb", nft: "#f5c2e7" },
};

const LATTE: Palette = {
  ...{ background: "#eff1f5", popup: "#e6e9ef", band: "#dce0e8", cell: "#cbd3ee" },
  ...{ text: "#4c4f69", muted: "#5c5f77", faint: "#797c90", accent: "#414dbe", brand: "#7920dc" },
  ...{ good: "#186900", bad: "#b8002e", warning: "#9d3a00" },
  ...{ account: "#004ddb", token: "#824e00", program: "#7920dc", transaction: "#02656b" },
  ...{ block: "#9a3c3f", market: "#086188", nft: "#9a2b81" },
};

const GRUVBOX_DARK: Palette = {
  ...{ background: "#1d2021", popup: "#282828", band: "#32302f", cell: "#4a3d1f" },
  ...{ text: "#ebdbb2", muted: "#b0a28c", faint: "#8a7d70", accent: "#8ec07c", brand: "#fe8e42" },
  ...{ good: "#b8bb26", bad: "#fe8976", warning: "#fe8e42" },
  ...{ account: "#8fb2a4", token: "#fabd2f", program: "#e294a9", transaction: "#8ec07c" },
  ...{ block: "#d5c4a1", market: "#d8a657", nft: "#e5a1c8" },
};

const GRUVBOX_LIGHT: Palette = {
  ...{ background: "#fbf1c7", popup: "#f2e5bc", band: "#ebdbb2", cell: "#e6cf92" },
  ...{ text: "#3c3836", muted: "#665c54", faint: "#87796a", accent: "#215b3a", brand: "#952e00" },
  ...{ good: "#585402", bad: "#9d0006", warning: "#952e00" },
  ...{ account: "#095a6a", token: "#744800", program: "#843567", transaction: "#215b3a" },
  ...{ block: "#5b4f44", market: "#704a01", nft: "#8e2d5a" },
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

/** The built-in themes by name. */
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
  catppuccin: { description: "Catppuccin: Mocha on dark, Latte on light backgrounds", dark: MOCHA, light: LATTE },
  gruvbox: { description: "Gruvbox, dark or light", dark: GRUVBOX_DARK, light: GRUVBOX_LIGHT },
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
  terminal: {
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
