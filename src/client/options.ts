/** The options of a client beside those of its source, and its settings with all defaults. */
import { sleep, UsageError } from "../base/index.ts";
import type { ClientEvent } from "./events.ts";

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

/**
 * Adds the defaults to options.
 * @throws UsageError for an invalid option
 */
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
