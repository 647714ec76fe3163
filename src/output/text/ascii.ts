/** Signs of ours where only ASCII can be drawn. */

/** What is drawn in place of each, in as many cells. */
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
};
const SYMBOLS = new RegExp(`[${Object.keys(ASCII_FORMS).join("")}]`, "g");

/** A text with each such sign in plain ASCII. */
export function toAscii(text: string): string {
  return text.replace(SYMBOLS, (sign) => ASCII_FORMS[sign] ?? sign);
}
