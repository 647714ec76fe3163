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
