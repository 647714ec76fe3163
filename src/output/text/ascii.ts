/** ASCII replacements for the symbols that solx prints. */

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
