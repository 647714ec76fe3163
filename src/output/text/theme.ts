/** Text in the style of its role. Colour is never the only sign: each role also has a word or a symbol. */
import type { Role } from "./roles.ts";

export type { Role } from "./roles.ts";

/** The names of the built-in themes. */
export const THEME_NAMES = ["auto", "dark", "light", "high-contrast", "colour-blind", "mono"] as const;

/** SGR parameters by role; empty for plain text. */
export type Theme = Readonly<Record<Role, string>>;

/** Styles text by its role. */
export type Paint = (role: Role | undefined, text: string) => string;

/** Returns text with SGR parameters. */
export function paintText(codes: string, text: string): string {
  return codes === "" || text === "" ? text : `\u001B[${codes}m${text}\u001B[0m`;
}

/** Returns a function that styles text; without `unicode`, it replaces symbols by ASCII. No theme is no style. */
export function createPainter(theme: Theme | undefined, unicode = true): Paint {
  const draw = unicode ? (text: string) => text : toAscii;
  return (role, text) => paintText((role && theme?.[role]) ?? "", draw(text));
}

/** The replacement of each symbol, of the same width. */
const ASCII_FORMS: Readonly<Record<string, string>> = {
  "…": ".",
  "·": "-",
  "–": "-",
  "—": "-",
  "›": ">",
  "‹": "<",
  "→": ">",
  "←": "<",
  "↑": "^",
  "↓": "v",
  "▲": "^",
  "▼": "v",
  "≈": "~",
  "×": "x",
  "•": "*",
  "✓": "*",
  "✔": "+",
  "✖": "x",
  "⚠": "!",
  "★": "*",
};
const SYMBOLS = new RegExp(`[${Object.keys(ASCII_FORMS).join("")}]`, "g");

/** Returns a text with each of these symbols in ASCII. */
export function toAscii(text: string): string {
  return text.replace(SYMBOLS, (symbol) => ASCII_FORMS[symbol] ?? symbol);
}
