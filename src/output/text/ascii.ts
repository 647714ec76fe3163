/** Signs of ours where only ASCII can be drawn. */

/** What is drawn in place of each, in as many cells. */
const PLAIN: Readonly<Record<string, string>> = {
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
const SIGNS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** A text with each such sign in plain ASCII. */
export function plainSigns(text: string): string {
  return text.replace(SIGNS, (sign) => PLAIN[sign] ?? sign);
}
