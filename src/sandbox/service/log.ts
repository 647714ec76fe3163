/** The log of the latest requests, for tests and user interfaces. It never contains a key. */

/** A request and its outcome. */
export interface RequestEntry {
  /** Consecutive number, from 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** The name of the client, from its base URL; absent when it has none. */
  readonly client?: string;
  /** The query, for requests with the sandbox's key only: otherwise it could contain another key. */
  readonly query?: string;
  /** The documentation route; absent when no endpoint matches the path. */
  readonly route?: string;
  /** The status of the answer, regardless of connection faults. */
  readonly status: number;
  /** Compute units charged. */
  readonly units: number;
  /** Milliseconds to create the answer, without the latency of faults. */
  readonly milliseconds: number;
  /** The faults that applied. */
  readonly faults?: readonly string[];
  /** The error message of the API. */
  readonly message?: string;
  /** A note for the user. */
  readonly note?: string;
}

/** Maximum number of logged requests. */
const MAX_ENTRIES = 1000;

/** Stores the latest requests. */
export class RequestLog {
  readonly #entries: RequestEntry[] = [];
  #count = 0;

  /** Total number of requests. */
  get count(): number {
    return this.#count;
  }

  /** Adds an entry and returns it with its number. */
  add(entry: Omit<RequestEntry, "number">): RequestEntry {
    const numbered = { number: this.#count + 1, ...entry };
    this.#entries[this.#count % MAX_ENTRIES] = numbered;
    this.#count += 1;
    return numbered;
  }

  /** Returns the stored entries, oldest first. */
  list(): readonly RequestEntry[] {
    const start = this.#count % MAX_ENTRIES;
    return this.#count <= MAX_ENTRIES
      ? [...this.#entries]
      : [...this.#entries.slice(start), ...this.#entries.slice(0, start)];
  }
}

const MASK = "***";
/** Shorter keys would match ordinary words. */
const MIN_MASKED_LENGTH = 6;
/** The format of API keys: a JSON Web Token. */
const TOKEN = /eyJ[\w-]{8,}(\.[\w-]+)*/g;

/** Masks a key, and anything that looks like one, in a text. */
export function maskKeys(text: string, key: string | undefined): string {
  const plain = text.includes("eyJ") ? text.replace(TOKEN, MASK) : text;
  return key === undefined || key.length < MIN_MASKED_LENGTH ? plain : plain.replaceAll(key, MASK);
}
