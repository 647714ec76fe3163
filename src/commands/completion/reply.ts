/** What was found, as each shell wants it: a line about the words, then the words. */

import type { Found } from "./context.ts";
import type { Shell } from "./install.ts";
import type { Line } from "./line.ts";
import type { Word } from "./schema.ts";

/** One word as a line, given what of the current word comes before it. */
type Form = (word: Word, before: string, line: Line) => string;

/** A line's end or a tab would begin something else. */
const plain = (text: string) => text.replace(/\s+/g, " ");

const FORMS: Readonly<Record<Shell, Form>> = {
  bash: ([word], before, { kept, quoted }) => {
    const text = (before + word).slice(kept);
    return quoted ? text : text.replace(/[^\w@%+=:,./-]/g, "\\$&");
  },
  zsh: ([word, about]) => word.replace(/[\\:]/g, "\\$&") + (about === "" ? "" : `:${plain(about)}`),
  fish: ([word, about], before) => `${before}${word}\t${plain(about)}`,
  powershell: ([word, about], before) => `${before}${word}\t${word}\t${plain(about)}`,
};

/** The answer to a shell: `kind`, where the words begin in the current one, `space` or `open`; then the words. */
export function reply(shell: Shell, { kind, from, space, words }: Found, line: Line): string {
  const before = line.current.slice(0, from);
  const lines = words.map((word) => FORMS[shell](word, before, line));
  return `${[`${kind} ${from} ${space ? "space" : "open"}`, ...lines].join("\n")}\n`;
}
