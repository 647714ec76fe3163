/**
 * Bounds what a server can make of its replies. The library collects a reply of any length, and allocates an array of any
 * length that is announced: eleven bytes are 80 MB, and 45 kB end the process. So each decoder counts before it decodes.
 */
import { Decoder } from "@redis/client/dist/lib/RESP/decoder.js";

/** The most bytes of a reply, and items of its lists: far above those of the largest cluster. */
const MOST = { bytes: 1_048_576, items: 65_536 } as const;
/** Characters of a line that are its type and a length. */
const HEADER = 24;
const LINE_FEED = 10;
/** Types of replies with a length: of text, of lists, and of lists of pairs. */
const [TEXTS, LISTS, PAIRS] = ["$=!", "*~>", "%|"] as const;

/** Thrown for a reply that is none of a Redis server: too large, or of another protocol. */
export class UnreadableReplyError extends Error {
  constructor(options?: ErrorOptions) {
    super("its reply is not that of a Redis server", options);
  }
}

/** Counts the bytes and items of replies as they arrive. */
class ReplyMeter {
  /** The start of the current line, and the bytes of a text that follows it. */
  #line = "";
  #text = 0;
  /** Values that the current reply still has. */
  #open = 0;
  #bytes = 0;
  #items = 0;

  /** @throws UnreadableReplyError when a reply has, or announces, too much */
  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const end = this.#text > 0 ? Math.min(at + this.#text, chunk.length) : this.#endOfLine(chunk, at);
      this.#bytes += end - at;
      if (this.#text > 0) this.#text -= end - at;
      else this.#readLine(chunk.subarray(at, end));
      if (this.#bytes + this.#text > MOST.bytes || !(this.#items <= MOST.items)) throw new UnreadableReplyError();
      at = end;
    }
  }

  #endOfLine(chunk: Uint8Array, at: number): number {
    const end = chunk.indexOf(LINE_FEED, at);
    return end < 0 ? chunk.length : end + 1;
  }

  #readLine(part: Uint8Array): void {
    this.#line += String.fromCharCode(...part.subarray(0, Math.max(0, HEADER - this.#line.length)));
    if (part.at(-1) !== LINE_FEED) return;
    const [type = "", length] = [this.#line[0], Number(this.#line.slice(1))];
    this.#line = "";
    if (this.#open === 0) [this.#open, this.#bytes, this.#items] = [1, part.length, 0];
    this.#open -= 1;
    // A length below 0 stands for no value.
    if (TEXTS.includes(type) && length >= 0) this.#text = length + 2;
    const items = Math.max(0, LISTS.includes(type) ? length : PAIRS.includes(type) ? 2 * length : 0);
    this.#open += items;
    this.#items += items;
  }
}

const meters = new WeakMap<object, ReplyMeter>();
const decode = Decoder.prototype.write;

/** Makes all decoders of the library count. Its own errors are those of its code, such as a full stack. */
Decoder.prototype.write = function write(chunk: Buffer): void {
  const meter = meters.get(this) ?? new ReplyMeter();
  meters.set(this, meter);
  meter.add(chunk);
  try {
    decode.call(this, chunk);
  } catch (cause) {
    throw new UnreadableReplyError({ cause });
  }
};
