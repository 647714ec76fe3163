import type { Completions } from "./context.ts";
import type { Candidate } from "./schema.ts";
import type { Shell } from "./shell-setup.ts";

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

/** Reading an unfinished command line as a shell does. */

/** An unfinished line: its words without their quotes, and the one at the cursor. */
export interface CommandLine {
  readonly before: readonly string[];
  readonly current: string;
  /**
   * How much of the current word is beyond what the shell replaces: it takes a word to begin at a quote that is open, or
   * after a character that breaks words.
   */
  readonly replaceFrom: number;
  /** Whether the current word is in quotes that are open. */
  readonly quoted: boolean;
}

/** Blanks, an escaped character, what is in quotes of either kind (which may be open), other characters. */
const PIECE =
  /(?<blank>\s+)|\\(?<escaped>.?)|"(?<double>(?:\\.|[^"\\])*\\?)"?|'(?<single>[^']*)'?|(?<plain>[^\s\\"']+)/gs;

/**
 * Splits the text of a command up to the cursor; the first word is the program's name.
 * @param breaks characters that break words where they are not quoted, as in bash's COMP_WORDBREAKS
 */
export function splitLine(text: string, breaks = ""): CommandLine {
  const words: string[] = [];
  let word: { text: string; kept: number; quoted: boolean } | undefined;
  for (const { 0: piece, groups = {} } of text.matchAll(PIECE)) {
    if (groups.blank !== undefined) {
      if (word) words.push(word.text);
      word = undefined;
      continue;
    }
    word ??= { text: "", kept: 0, quoted: false };
    word.quoted = /^["']/.test(piece) && (piece.length === 1 || piece.at(-1) !== piece[0]);
    if (word.quoted) word.kept = word.text.length;
    if (groups.plain !== undefined) word.kept = afterBreak(word, groups.plain, breaks);
    word.text += plainText(groups);
  }
  const { text: current, kept, quoted } = word ?? { text: "", kept: 0, quoted: false };
  return { before: words.slice(1), current, replaceFrom: kept, quoted };
}

function afterBreak({ text, kept }: { text: string; kept: number }, piece: string, breaks: string): number {
  const at = [...piece].findLastIndex((character) => breaks.includes(character));
  return at < 0 ? kept : text.length + at + 1;
}

/** What a piece stands for. */
function plainText({ escaped, double, single, plain }: Readonly<Record<string, string | undefined>>): string {
  return double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? single ?? plain ?? "";
}

/** A word as it was typed, without its quotes; one that is open counts as closed. */
export function unquoted(word: string): string {
  return splitLine(`x '' ${word}`).current;
}
