/** Identifiers in a text that comes in parts: separated by white space or commas, with comments from `#` on. */
import { UsageError } from "../base/errors.ts";

/** Characters that no identifier has: what is longer is no list of identifiers. */
const MAX_LENGTH = 65_536;

/**
 * The words of a text in UTF-8. A `#` at the beginning of a line or after white space begins a comment, which ends with
 * the line. Each word is given as soon as its end is known; the array of a part may be empty.
 * @throws UsageError when a word has no end
 */
export async function* wordsOf(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder();
  const reader = new WordReader();
  for await (const part of parts) {
    yield reader.read(typeof part === "string" ? part : decoder.decode(part, { stream: true }));
  }
  yield reader.read(`${decoder.decode()}\n`);
}

class WordReader {
  /** The beginning of a word whose end has not come, after the character before it. */
  #rest = "\n";
  #isComment = false;

  read(part: string): string[] {
    const text = this.#rest + part;
    const words: string[] = [];
    let at = this.#isComment ? this.#afterLine(text, 0) : 0;
    while (at < text.length) {
      const start = nextOf(WORD_START, text, at);
      const end = nextOf(WORD_END, text, start);
      const opens = text[start] === "#" && /\s/.test(text[start - 1] ?? "\n");
      this.#isComment = opens;
      if (opens) at = this.#afterLine(text, start);
      else if (end === text.length) return this.#keep(text, start, words);
      else {
        words.push(text.slice(start, end));
        at = end;
      }
    }
    return this.#keep(text, text.length, words);
  }

  /** Where the line ends; the end of the text when that is still to come. */
  #afterLine(text: string, from: number): number {
    const end = text.indexOf("\n", from);
    this.#isComment = end < 0;
    return end < 0 ? text.length : end;
  }

  #keep(text: string, start: number, words: string[]): string[] {
    if (text.length - start > MAX_LENGTH) {
      throw new UsageError("The input is no list of identifiers: a part of it without spaces does not end.", {
        hint: "Give one per line.",
      });
    }
    this.#rest = text.slice(Math.max(0, start - 1));
    return words;
  }
}

const WORD_START = /[^\s,]/g;
const WORD_END = /[\s,]/g;

/** Where the pattern is next; the end of the text when it is nowhere. */
function nextOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
