/** A rate limiter shared by all processes of this machine, or by all machines that use the same Redis server. */
import { describeError } from "../../base/index.ts";
import type { Rate } from "../../catalogue/index.ts";
import { accountId } from "./account.ts";
import { type Clock, processClock } from "./clock.ts";
import { createLayeredStore, type OuterStore } from "./layered-store.ts";
import { createBucket, createStoreRateLimiter, type RateLimiter } from "./limiter.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type RateLimitStore, UNUSED } from "./store.ts";

/** How a rate limiter is shared. */
export interface SharedRateLimiterOptions {
  /** Where the counts of this machine are stored; without a folder this process counts for itself. */
  readonly folder: string | undefined;
  /** The key whose requests are counted; only a hash of it is stored. */
  readonly key: string | undefined;
  /** Any URL of the server that counts. */
  readonly server: string;
  /** Undefined for no limit. */
  readonly rate: Rate | undefined;
  /** Compute units that all who share the limiter may spend in a day (UTC); undefined for no limit. */
  readonly unitsPerDay?: number | undefined;
  /** The URL of a Redis or Valkey server that other machines use, too. */
  readonly redis?: string | undefined;
  /** Called when the limiter is shared with fewer than requested. */
  readonly onNote: (text: string) => void;
  /** Returns the time in milliseconds since the epoch: the day for which compute units are summed. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds after which a file or a server that was lost is tried again. */
const RETRY_MS = 5000;

/**
 * Creates a shared rate limiter. The first request opens files and servers; one that cannot be opened stops no request,
 * it only narrows the sharing.
 */
export function createSharedRateLimiter(options: SharedRateLimiterOptions): RateLimiter {
  const { key, server, rate, unitsPerDay, now } = options;
  const clock = processClock(now);
  const store = createStore(options, clock);
  return createStoreRateLimiter({ store, account: accountId(key, server), rate, unitsPerDay, clock });
}

/** Reads the compute units that all who share a limiter have spent today (UTC), as far as they can be reached. */
export async function readUnitsSpentToday(options: SharedRateLimiterOptions): Promise<number> {
  const { key, server, rate, now } = options;
  const store = createStore(options, processClock(now));
  try {
    // An outer store only receives steps with something to record: the release of a permit that does not exist.
    const released = [{ id: 0, ago: UNUSED }];
    const request = { interactive: [], background: [], released, units: 0, pause: 0 };
    const { units } = await store.step(createBucket(accountId(key, server), rate), request);
    return units;
  } finally {
    await store.close();
  }
}

function createStore(options: SharedRateLimiterOptions, clock: Clock): RateLimitStore {
  const { redis, onNote } = options;
  const layer = (inner: RateLimitStore, outer: OuterStore) =>
    createLayeredStore({ inner, outer, onNote, now: clock.monotonic });
  const machine = layer(createMemoryStore(clock), machineStore(options, clock));
  return redis === undefined ? machine : layer(machine, redisStore(options, redis));
}

function machineStore({ folder, onNote, unitsPerDay }: SharedRateLimiterOptions, clock: Clock): OuterStore {
  const scope = unitsPerDay === undefined ? "" : "; units-per-day counts this process only";
  return {
    async open() {
      if (folder === undefined) throw new Error("there is no home folder");
      const { openSqliteStore } = await import("./sqlite-store.ts");
      return openSqliteStore({ folder, calendar: clock.calendar, onNote });
    },
    retryMs: RETRY_MS,
    lostNote: (cause) => `The rate limit is not shared with other processes${scope}: ${describeError(cause)}.`,
    recoveredNote: "The rate limit is shared with other processes again.",
  };
}

function redisStore({ unitsPerDay }: SharedRateLimiterOptions, url: string): OuterStore {
  const scope = unitsPerDay === undefined ? "" : "; units-per-day counts this machine only";
  const name = withoutCredentials(url);
  return {
    async open() {
      const { openRedisStore } = await import("./redis-store.ts");
      return openRedisStore(url);
    },
    retryMs: RETRY_MS,
    lostNote: (cause) => `The rate limit is not shared with other machines${scope}: ${name}: ${describeError(cause)}.`,
    recoveredNote: `The rate limit is shared with other machines again: ${name}.`,
  };
}

/** Returns a URL without user and password. */
function withoutCredentials(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return "the server";
  }
}
