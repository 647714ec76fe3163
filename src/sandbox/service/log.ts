/** The latest requests, for tests and views; nothing of a key is ever in it. */

/** A request and what became of it. */
export interface RequestEntry {
  /** Counted from 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** The query, where the request came with the sandbox's key: another one could stand in it. */
  readonly query?: string;
  /** The documentation route; missing when no endpoint has the path. */
  readonly route?: string;
  /** The status answered, before what a fault did to the connection. */
  readonly status: number;
  /** Compute units charged. */
  readonly units: number;
  /** Milliseconds spent on the answer, without the latency of faults. */
  readonly milliseconds: number;
  /** The faults that struck it. */
  readonly faults?: readonly string[];
  /** Why it was refused, in the API's words. */
  readonly message?: string;
  /** What a person should know. */
  readonly note?: string;
}

/** Requests kept. */
const MAX_ENTRIES = 1000;

/** Keeps the latest requests. */
export class RequestLog {
  readonly #entries: RequestEntry[] = [];
  #count = 0;

  /** How many requests there were in all. */
  get count(): number {
    return this.#count;
  }

  /** Numbers an entry and keeps it. */
  add(entry: Omit<RequestEntry, "number">): RequestEntry {
    const numbered = { number: this.#count + 1, ...entry };
    this.#entries[this.#count % MAX_ENTRIES] = numbered;
    this.#count += 1;
    return numbered;
  }

  /** The entries kept, oldest first. */
  list(): readonly RequestEntry[] {
    const start = this.#count % MAX_ENTRIES;
    return this.#count <= MAX_ENTRIES
      ? [...this.#entries]
      : [...this.#entries.slice(start), ...this.#entries.slice(0, start)];
  }
}

const MASK = "***";
/** Shorter keys would be found in innocent words. */
const MIN_MASKED_LENGTH = 6;
/** What looks like a key of the API: a JSON Web Token. */
const TOKEN = /eyJ[\w-]{8,}(\.[\w-]+)*/g;

/** Hides a key, and whatever looks like one, in a text. */
export function maskKeys(text: string, key: string | undefined): string {
  const plain = text.includes("eyJ") ? text.replace(TOKEN, MASK) : text;
  return key === undefined || key.length < MIN_MASKED_LENGTH ? plain : plain.replaceAll(key, MASK);
}
