/** Splits a streamed text into identifiers: separated by white space or commas, with comments that start with `#`. */

import { TextDecoder } from "node:util";
import { UsageError } from "../../base/index.ts";

/** No identifier is longer; longer words are clipped, so that memory stays bounded. */
const MAX_LENGTH = 4096;
/** Characters of a clipped word, before the ellipsis. */
const CLIPPED = 100;

/** An identifier in a text. */
export interface IdentifierWord {
  readonly text: string;
  /** The number of its line, from 1. */
  readonly line: number;
}

/**
 * Yields the words in each chunk of a text in UTF-8, or UTF-16 with a byte order mark; the array of a chunk may be
 * empty. A `#` at the start of a line or after white space starts a comment, which ends with the line. A word is yielded
 * once its end is known. A word that is too long for an identifier is yielded once, clipped, with an ellipsis that makes
 * it invalid.
 * @throws UsageError that names the source when it is not a text
 */
export async function* splitIdentifiers(
  parts: AsyncIterable<Uint8Array | string>,
  source = "the input",
): AsyncGenerator<readonly IdentifierWord[], void> {
  let decoder: TextDecoder | undefined;
  const reader = new IdentifierSplitter();
  for await (const part of parts) {
    if (typeof part !== "string") decoder ??= chooseDecoder(part);
    const text = typeof part === "string" ? part : decoder?.decode(part, { stream: true });
    if (text?.includes("\0")) throw new UsageError(`cannot read identifiers from ${source}: it is not a text file`);
    yield reader.read(text ?? "");
  }
  yield reader.read(`${decoder?.decode() ?? ""}\n`);
}

/** Returns the decoder of a text by its first bytes: Windows programs write UTF-16 with a byte order mark. */
function chooseDecoder([first, second]: Uint8Array): TextDecoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  return new TextDecoder(first === 0xfe && second === 0xff ? "utf-16be" : "utf-8");
}

class IdentifierSplitter {
  /** The character before an unfinished word, and the word as far as it was read. */
  #rest = "\n";
  #isComment = false;
  /** Whether the next characters belong to a word that was clipped. */
  #isTooLong = false;
  /** The number of the line at a position of the text; the line break before the whole text ends line 0. */
  #line = 0;
  #position = 0;

  read(part: string): IdentifierWord[] {
    const text = this.#rest + part;
    const words: IdentifierWord[] = [];
    let at = this.#isComment ? this.#afterLine(text, 0) : 0;
    if (this.#isTooLong) at = nextMatch(WORD_END, text, 1);
    this.#isTooLong &&= at === text.length;
    while (at < text.length) {
      const start = nextMatch(WORD_START, text, at);
      const end = nextMatch(WORD_END, text, start);
      const opens = text[start] === "#" && /\s/.test(text[start - 1] ?? "\n");
      this.#isComment = opens;
      if (opens) at = this.#afterLine(text, start);
      else if (end === text.length) return this.#finishChunk(text, start, words);
      else {
        const word = end - start > MAX_LENGTH ? clip(text, start) : text.slice(start, end);
        words.push({ text: word, line: this.#lineAt(text, start) });
        at = end;
      }
    }
    return this.#finishChunk(text, text.length, words);
  }

  /** Returns the index of the line's end, or of the text's end. */
  #afterLine(text: string, from: number): number {
    const end = text.indexOf("\n", from);
    this.#isComment = end < 0;
    return end < 0 ? text.length : end;
  }

  #finishChunk(text: string, start: number, words: IdentifierWord[]): IdentifierWord[] {
    this.#isTooLong ||= text.length - start > MAX_LENGTH;
    if (this.#isTooLong && start < text.length) {
      words.push({ text: clip(text, start), line: this.#lineAt(text, start) });
    }
    const next = this.#isTooLong ? text.length - 1 : Math.max(0, start - 1);
    this.#lineAt(text, next);
    this.#position = 0;
    this.#rest = text.slice(next);
    return words;
  }

  /** Returns the number of the line at an index, which is not before that of the previous call. */
  #lineAt(text: string, index: number): number {
    for (; this.#position < index; this.#position += 1) if (text[this.#position] === "\n") this.#line += 1;
    return this.#line;
  }
}

function clip(text: string, start: number): string {
  return `${text.slice(start, start + CLIPPED)}…`;
}

const WORD_START = /[^\s,]/g;
const WORD_END = /[\s,]/g;

/** Returns the index of the next match, or the end of the text. */
function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
