/** What the shells send, an unfinished command line, and what their scripts read: the candidates, one per line. */
import type { Candidate, CommandLine, Completions } from "./schema.ts";
import type { Shell } from "./shell-setup.ts";

/** White space, an escaped character, quoted text (the quote may be open), other characters. */
const PIECE =
  /(?<blank>\s+)|\\(?<escaped>.?)|"(?<double>(?:\\.|[^"\\])*\\?)"?|'(?<single>[^']*)'?|(?<plain>[^\s\\"']+)/gs;

/**
 * Splits the text of a command up to the cursor; the first word is the program's name.
 * @param breaks characters that break unquoted words, as in bash's COMP_WORDBREAKS
 */
export function splitLine(text: string, breaks = ""): CommandLine {
  const words: string[] = [];
  let word: { text: string; replaceFrom: number; isQuoted: boolean } | undefined;
  for (const { 0: piece, groups = {} } of text.matchAll(PIECE)) {
    if (groups.blank !== undefined) {
      if (word) words.push(word.text);
      word = undefined;
      continue;
    }
    word ??= { text: "", replaceFrom: 0, isQuoted: false };
    word.isQuoted = /^["']/.test(piece) && (piece.length === 1 || piece.at(-1) !== piece[0]);
    if (word.isQuoted) word.replaceFrom = word.text.length;
    if (groups.plain !== undefined) word.replaceFrom = positionAfterBreak(word, groups.plain, breaks);
    word.text += unescapePiece(groups);
  }
  const { text: current, replaceFrom, isQuoted } = word ?? { text: "", replaceFrom: 0, isQuoted: false };
  return { before: words.slice(1), current, replaceFrom, isQuoted };
}

function positionAfterBreak(
  { text, replaceFrom }: { text: string; replaceFrom: number },
  piece: string,
  breaks: string,
): number {
  const index = [...piece].findLastIndex((character) => breaks.includes(character));
  return index < 0 ? replaceFrom : text.length + index + 1;
}

function unescapePiece({ escaped, double, single, plain }: Readonly<Record<string, string | undefined>>): string {
  return double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? single ?? plain ?? "";
}

/** Removes the quotes of a word; an open quote counts as closed. */
export function unquote(word: string): string {
  return splitLine(`x '' ${word}`).current;
}

/** Returns the line of a candidate. `prefix` is the part of the current word that stays. */
type CandidateFormatter = (candidate: Candidate, prefix: string, line: CommandLine) => string;

/** Replaces line breaks and tabs, which separate candidates and columns. */
const singleLine = (text: string) => text.replace(/\s+/g, " ");

const FORMATTERS: Readonly<Record<Shell, CandidateFormatter>> = {
  bash: ([word], prefix, { replaceFrom, isQuoted }) => {
    const text = (prefix + word).slice(replaceFrom);
    return isQuoted ? text : text.replace(/[^\w@%+=:,./-]/g, "\\$&");
  },
  zsh: ([word, description]) =>
    word.replace(/[\\:]/g, "\\$&") + (description === "" ? "" : `:${singleLine(description)}`),
  fish: ([word, description], prefix) => `${prefix}${word}\t${singleLine(description)}`,
  powershell: ([word, description], prefix) => `${prefix}${word}\t${word}\t${singleLine(description)}`,
};

/** Returns the reply to a shell: kind, length of the prefix and `space` or `open`; then a line per candidate. */
export function formatReply(
  shell: Shell,
  { kind, prefixLength, appendsSpace, candidates }: Completions,
  line: CommandLine,
): string {
  const prefix = line.current.slice(0, prefixLength);
  const lines = candidates.map((candidate) => FORMATTERS[shell](candidate, prefix, line));
  return `${[`${kind} ${prefixLength} ${appendsSpace ? "space" : "open"}`, ...lines].join("\n")}\n`;
}
