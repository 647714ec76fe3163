/** Where results go on: what was not shown yet is kept here, under short names, until newer ones need the room. */
import { UsageError } from "../../base/index.ts";
import { displayText } from "../../client/index.ts";

interface StoredValue<T> {
  readonly value: T;
  readonly bytes: number;
}

/** Cursors that are kept, and what they may take together, in bytes. */
const MAX_CURSORS = 200;
const MAX_BYTES = 32_000_000;

const CURSOR_PATTERN = /^c[0-9a-z]+-[0-9a-z]{6}$/;

/** The cursors of one server. A cursor is good for more than one use: the same one goes on at the same place. */
export class Cursors<T> {
  readonly #entries = new Map<string, StoredValue<T>>();
  #bytes = 0;
  #count = 0;

  /** Keeps a place that takes about so many bytes, and names it. */
  save(value: T, bytes: number): string {
    this.#count += 1;
    // The dice tell the cursors of one server from those of another.
    const suffix = Math.floor(Math.random() * 36 ** 6)
      .toString(36)
      .padStart(6, "0");
    const cursor = `c${this.#count.toString(36)}-${suffix}`;
    this.#entries.set(cursor, { value, bytes });
    this.#bytes += bytes;
    this.#evict();
    return cursor;
  }

  /**
   * The place that a cursor names.
   * @throws UsageError for one that is none, or that is not kept any more
   */
  find(cursor: string): T {
    const stored = this.#entries.get(cursor);
    if (stored) {
      this.#entries.delete(cursor);
      this.#entries.set(cursor, stored);
      return stored.value;
    }
    const hint = "Make the call again that the list or text came from; its result has a new cursor.";
    if (CURSOR_PATTERN.test(cursor))
      throw new UsageError(`The cursor "${cursor}" is not kept any more.`, { code: "CURSOR", hint });
    throw new UsageError(`"${displayText(cursor)}" is no cursor of this server.`, {
      code: "CURSOR",
      hint: "Give the text that an earlier result has as its cursor, unchanged.",
    });
  }

  #evict(): void {
    for (const [cursor, { bytes }] of this.#entries) {
      const isFull = this.#entries.size > MAX_CURSORS || this.#bytes > MAX_BYTES;
      // The newest one is what somebody asks for next.
      if (!isFull || this.#entries.size === 1) return;
      this.#entries.delete(cursor);
      this.#bytes -= bytes;
    }
  }
}
