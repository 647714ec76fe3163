/** Command lines as words: quotes group, a backslash escapes. Nothing is expanded. */
import { UsageError } from "./errors.ts";

/** One word of a command line: quoted and unquoted pieces and escaped characters. */
const WORD = { escapes: /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs, plain: /(?:"[^"]*"|'[^']*'|[^\s"'])+/gs };
const PIECE = { escapes: /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, plain: /"([^"]*)"|'([^']*)'/gs };

/**
 * Splits a command line into words as a shell does, without any expansion.
 * @param escapes whether a backslash escapes the next character; false for paths on Windows
 */
export function splitWords(line: string, escapes = true): readonly string[] {
  const mode = escapes ? "escapes" : "plain";
  return (line.match(WORD[mode]) ?? []).map((word) =>
    word.replace(PIECE[mode], (_all, double?: string, single?: string, one?: string) =>
      double === undefined ? (single ?? one ?? "") : escapes ? double.replace(/\\(["\\$`])/g, "$1") : double,
    ),
  );
}

/** Splits a command line into words. @throws UsageError for a quote without its end */
export function splitCommand(text: string): readonly string[] {
  if (text.replace(WORD.escapes, "").trim() !== "") throw new UsageError(`unbalanced quote in: ${text}`);
  return splitWords(text);
}
