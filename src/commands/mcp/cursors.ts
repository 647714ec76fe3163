/** Cursors of results: stores what was not returned yet under short names, and evicts the least recently used ones. */
import { UsageError } from "../../base/index.ts";
import { displayText } from "../../client/index.ts";

interface StoredValue<T> {
  readonly value: T;
  readonly bytes: number;
}

/** Maximum number of stored cursors, and their maximum total size in bytes. */
const MAX_CURSORS = 200;
const MAX_BYTES = 32_000_000;

const CURSOR_PATTERN = /^c[0-9a-z]+-[0-9a-z]{6}$/;

/** The cursors of one server. A cursor can be used repeatedly and always continues at the same position. */
export class Cursors<T> {
  readonly #entries = new Map<string, StoredValue<T>>();
  #bytes = 0;
  #count = 0;

  /** Stores a value of about the given size in bytes; returns its cursor. */
  save(value: T, bytes: number): string {
    this.#count += 1;
    // A random suffix distinguishes the cursors of different servers.
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
   * Returns the value of a cursor.
   * @throws UsageError for an invalid or expired cursor
   */
  find(cursor: string): T {
    const stored = this.#entries.get(cursor);
    if (stored) {
      this.#entries.delete(cursor);
      this.#entries.set(cursor, stored);
      return stored.value;
    }
    const hint = "Repeat the call that returned the list or text; its result has a new cursor.";
    if (CURSOR_PATTERN.test(cursor)) throw new UsageError(`cursor "${cursor}" has expired`, { code: "CURSOR", hint });
    throw new UsageError(`invalid cursor "${displayText(cursor)}"`, {
      code: "CURSOR",
      hint: "Pass the cursor of an earlier result unchanged.",
    });
  }

  #evict(): void {
    for (const [cursor, { bytes }] of this.#entries) {
      const isFull = this.#entries.size > MAX_CURSORS || this.#bytes > MAX_BYTES;
      // The newest cursor is the one most likely used next.
      if (!isFull || this.#entries.size === 1) return;
      this.#entries.delete(cursor);
      this.#bytes -= bytes;
    }
  }
}
