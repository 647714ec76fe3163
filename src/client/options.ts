/** The options of a client beside those of its source, its settings with all defaults, and the events that it reports. */
import { type SolxError, sleep, UsageError } from "../base/index.ts";

/** Where answers are cached, and how the cache is used. */
export interface CacheOptions {
  /** The file; it is created when there is something to store. */
  readonly file: string;
  /**
   * `use` (default) takes answers that are fresh and requests the rest, `refresh` requests everything, `offline` sends
   * nothing and takes what is cached, however old. All but `offline` store new answers.
   */
  readonly mode?: "use" | "refresh" | "offline" | undefined;
  /**
   * Whether fresh answers of servers on this machine are used (default: no). Such a server may restart with other data,
   * so its answers are stored for `offline` only.
   */
  readonly local?: boolean | undefined;
  /** The clock by which answers age, in milliseconds since the epoch (default: the client's). */
  readonly now?: (() => number) | undefined;
}

/** What a client and its source have in common: clock, waits and events. */
export interface SharedOptions {
  /** Whether requests wait for a permit and before retries (default), or fail instead. */
  readonly wait?: boolean | undefined;
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Returns the time in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Waits; must reject with an InterruptedError when the signal fires. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** Options of a client beside those of its source; all have defaults. */
export interface CoreOptions extends SharedOptions {
  /** Caches answers; without it, none are cached. */
  readonly cache?: CacheOptions | undefined;
  /** Requests that are sent at a time, at most (default: as many as a reading or batch prepares, up to 16). */
  readonly concurrency?: number | undefined;
  /** Whether an answer that does not match the catalogue is an error (code `DRIFT`). */
  readonly strict?: boolean | undefined;
  /** Whether such an answer is reported as an event. */
  readonly drift?: boolean | undefined;
}

/** {@link SharedOptions} with their defaults. */
export type SharedSettings = { readonly [Name in keyof SharedOptions]-?: NonNullable<SharedOptions[Name]> };

/** The options with their defaults. */
export interface ClientSettings extends SharedSettings {
  readonly cache: CacheOptions | undefined;
  readonly concurrency: number | undefined;
  readonly drift: "ignore" | "report" | "error";
}

/** Longer timers would fire at once in Node. */
const MAX_SECONDS = 2_000_000;

/** Adds the defaults to the options that a client and its source have in common. */
export const resolveSharedOptions = (options: SharedOptions): SharedSettings => ({
  wait: options.wait ?? true,
  onEvent: options.onEvent ?? (() => {}),
  now: options.now ?? Date.now,
  sleep: options.sleep ?? sleep,
});

/** Adds the defaults to options. @throws UsageError for an invalid option */
export function resolveOptions(options: CoreOptions): ClientSettings {
  checkCount("concurrency", options.concurrency, 1);
  return {
    ...resolveSharedOptions(options),
    cache: options.cache,
    concurrency: options.concurrency,
    drift: options.strict ? "error" : options.drift ? "report" : "ignore",
  };
}

/** @throws UsageError when it is not a whole number from `min` on */
export function checkCount(name: string, value: number | undefined, min: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= min)) return;
  throw optionError(name, `a whole number from ${min}`);
}

/** @throws UsageError when it is not a valid number of seconds */
export function checkSeconds(name: string, value: number, min: number): void {
  if (!(value >= min && value <= MAX_SECONDS))
    throw optionError(name, `a number of seconds from ${min} to ${MAX_SECONDS}`);
}

/** Returns the error for an invalid option; `what` completes "must be". */
export function optionError(name: string, what: string): UsageError {
  return new UsageError(`The option ${name} must be ${what}.`, { code: "BAD_OPTION" });
}

/** What happens while a client works, for tracing. The key is always masked. */
export type ClientEvent =
  /** A value was interpreted: relative times, links. */
  | { readonly type: "note"; readonly text: string }
  /** Something that every user of the answer should know: rows that are doubtful or missing. */
  | { readonly type: "warning"; readonly text: string }
  /** Rows are, or may be, missing from an answer: see its coverage. Reported with each such answer. */
  | { readonly type: "coverage"; readonly firstSlot: number | null; readonly text: string }
  | {
      readonly type: "request";
      readonly method: "GET" | "POST";
      /** Of a node only scheme and host, because the rest can be a key. */
      readonly url: string;
      /** The JSON-RPC methods that are called; undefined for requests to the API. */
      readonly rpc?: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      /** Counted from 1. */
      readonly attempt: number;
    }
  | {
      readonly type: "response";
      readonly url: string;
      readonly rpc?: string | undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Characters of the body. */
      readonly size: number;
      readonly milliseconds: number;
      readonly attempt: number;
    }
  /** An attempt failed; the next one follows after the wait. */
  | { readonly type: "retry"; readonly error: SolxError; readonly attempt: number; readonly seconds: number }
  /** A request waits for its permit; `seconds` is the expected wait, where it is known. */
  | { readonly type: "wait"; readonly reason: "rate" | "export"; readonly seconds: number | undefined }
  /** An answer came from the cache; `age` is in seconds. */
  | { readonly type: "cached"; readonly url: string; readonly age: number }
  /**
   * A window of an export was read. `of` is the estimated number of windows, `rows` the number of rows so far,
   * `seconds` the estimated remaining time.
   */
  | {
      readonly type: "export";
      readonly window: number;
      readonly of: number;
      readonly rows: number;
      readonly seconds: number;
    }
  /**
   * How far a list is that reads the transactions of an account one by one: signatures known so far, whether these are
   * all, transactions that were read, calls that the remaining known transactions take, and rows so far.
   */
  | {
      readonly type: "walk";
      readonly signatures: number;
      readonly complete: boolean;
      readonly done: number;
      readonly calls: number;
      readonly rows: number;
    }
  /** An answer does not match the catalogue. */
  | { readonly type: "drift"; readonly endpoint: string; readonly problems: readonly string[] };

/** An attempt that has ended, for request metrics. */
export interface Exchange {
  /** The route in the catalogue, or `rpc:` and the method of a node; undefined for a path outside of it. */
  readonly route: string | undefined;
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Compute units that it may have cost. */
  readonly units: number;
}
