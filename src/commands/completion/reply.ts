/** What was found, as each shell wants it: a line about the words, then the words. */

import type { Completions } from "./context.ts";
import type { Shell } from "./install.ts";
import type { CommandLine } from "./line.ts";
import type { Candidate } from "./schema.ts";

/** One word as a line, given what of the current word comes before it. */
type CandidateFormatter = (word: Candidate, before: string, line: CommandLine) => string;

/** A line's end or a tab would begin something else. */
const singleLine = (text: string) => text.replace(/\s+/g, " ");

const FORMATTERS: Readonly<Record<Shell, CandidateFormatter>> = {
  bash: ([word], before, { replaceFrom: kept, quoted }) => {
    const text = (before + word).slice(kept);
    return quoted ? text : text.replace(/[^\w@%+=:,./-]/g, "\\$&");
  },
  zsh: ([word, about]) => word.replace(/[\\:]/g, "\\$&") + (about === "" ? "" : `:${singleLine(about)}`),
  fish: ([word, about], before) => `${before}${word}\t${singleLine(about)}`,
  powershell: ([word, about], before) => `${before}${word}\t${word}\t${singleLine(about)}`,
};

/** The answer to a shell: `kind`, where the words begin in the current one, `space` or `open`; then the words. */
export function formatReply(
  shell: Shell,
  { kind, prefixLength: from, appendSpace: space, candidates: words }: Completions,
  line: CommandLine,
): string {
  const before = line.current.slice(0, from);
  const lines = words.map((word) => FORMATTERS[shell](word, before, line));
  return `${[`${kind} ${from} ${space ? "space" : "open"}`, ...lines].join("\n")}\n`;
}
