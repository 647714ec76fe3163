/** Identifiers in a text that comes in parts: separated by white space or commas, with comments from `#` on. */

/** Characters that no identifier has: what is longer is clipped, so that memory has an end. */
const MAX_LENGTH = 4096;
/** Characters that are left of it, before an ellipsis. */
const CLIPPED = 100;

/**
 * The words of a text in UTF-8. A `#` at the beginning of a line or after white space begins a comment, which ends with
 * the line. Each word is given as soon as its end is known; the array of a part may be empty. A word that is too long for
 * an identifier is given clipped, with an ellipsis that makes it none, and passed over.
 */
export async function* splitIdentifiers(
  parts: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder();
  const reader = new IdentifierSplitter();
  for await (const part of parts) {
    yield reader.read(typeof part === "string" ? part : decoder.decode(part, { stream: true }));
  }
  yield reader.read(`${decoder.decode()}\n`);
}

class IdentifierSplitter {
  /** The beginning of a word whose end has not come, after the character before it. */
  #rest = "\n";
  #isComment = false;
  /** Whether what comes belongs to a word that was given clipped. */
  #isTooLong = false;

  read(part: string): string[] {
    const text = this.#rest + part;
    const words: string[] = [];
    let at = this.#isComment ? this.#afterLine(text, 0) : 0;
    if (this.#isTooLong) at = nextMatch(WORD_END, text, 1);
    this.#isTooLong &&= at === text.length;
    while (at < text.length) {
      const start = nextMatch(WORD_START, text, at);
      const end = nextMatch(WORD_END, text, start);
      const opens = text[start] === "#" && /\s/.test(text[start - 1] ?? "\n");
      this.#isComment = opens;
      if (opens) at = this.#afterLine(text, start);
      else if (end === text.length) return this.#keep(text, start, words);
      else {
        words.push(end - start > MAX_LENGTH ? clip(text, start) : text.slice(start, end));
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
    this.#isTooLong ||= text.length - start > MAX_LENGTH;
    if (this.#isTooLong && start < text.length) words.push(clip(text, start));
    this.#rest = this.#isTooLong ? text.slice(-1) : text.slice(Math.max(0, start - 1));
    return words;
  }
}

function clip(text: string, start: number): string {
  return `${text.slice(start, start + CLIPPED)}…`;
}

const WORD_START = /[^\s,]/g;
const WORD_END = /[\s,]/g;

/** Where the pattern is next; the end of the text when it is nowhere. */
function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
