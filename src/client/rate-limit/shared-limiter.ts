/** A budget that others share: all processes of this machine, or all machines that name the same Redis server. */
import { describeError } from "../../base/error-message.ts";
import type { Rate } from "../../catalogue/plans.ts";
import { accountId } from "./account.ts";
import { createLayeredStore, type OuterStore } from "./layered-store.ts";
import { createBucket, createStoreRateLimiter, type RateLimiter } from "./limiter.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type RateLimitStore, UNUSED } from "./store.ts";

/** How to share a budget. */
export interface SharedRateLimiterOptions {
  /** Where this machine keeps its counts; without one this process counts for itself. */
  readonly folder: string | undefined;
  /** The key whose requests are counted; nothing but a hash of it is kept. */
  readonly key: string | undefined;
  /** The server that counts: any address of it. */
  readonly server: string;
  /** Undefined for any number of requests. */
  readonly rate: Rate | undefined;
  /** Compute units that all who share it may spend in a day (UTC); without it any number. */
  readonly unitsPerDay?: number | undefined;
  /** The address of a Redis or Valkey server that other machines use too. */
  readonly redis?: string | undefined;
  /** Told when the budget is shared with fewer than was asked for. */
  readonly onNote: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds after which a file or a server that was lost is tried again. */
const RETRY_MS = 5000;

/** Makes a budget; files and servers are opened by the first request. What cannot be shared does not stop anybody. */
export function createSharedRateLimiter(options: SharedRateLimiterOptions): RateLimiter {
  const { key, server, rate, unitsPerDay, now = Date.now } = options;
  return createStoreRateLimiter({
    store: storeOf(options, now),
    account: accountId(key, server),
    rate,
    unitsPerDay,
    now,
  });
}

/** Compute units that all who share a budget have spent today (UTC), as far as can be told. */
export async function readUnitsSpentToday(options: SharedRateLimiterOptions): Promise<number> {
  const { key, server, rate, now = Date.now } = options;
  const store = storeOf(options, now);
  try {
    // A store is only asked when there is something to tell it: that a turn is over which nobody had.
    const done = [{ id: 0, ago: UNUSED }];
    const ask = { interactive: [], background: [], released: done, units: 0, pause: 0 };
    const { units } = await store.step(createBucket(accountId(key, server), rate), ask);
    return units;
  } finally {
    await store.close();
  }
}

function storeOf(options: SharedRateLimiterOptions, now: () => number): RateLimitStore {
  const { redis, onNote } = options;
  const layer = (inner: RateLimitStore, outer: OuterStore) => createLayeredStore({ inner, outer, onNote, now });
  const machine = layer(createMemoryStore(now), ofMachine(options, now));
  return redis === undefined ? machine : layer(machine, ofServer(options, redis, now));
}

function ofMachine({ folder, onNote, unitsPerDay }: SharedRateLimiterOptions, now: () => number): OuterStore {
  const alone = unitsPerDay === undefined ? "" : "; units-per-day counts this process alone";
  return {
    async open() {
      if (folder === undefined) throw new Error("there is no home folder");
      const { openSqliteStore } = await import("./sqlite-store.ts");
      return openSqliteStore({ folder, now, onNote });
    },
    retryMs: RETRY_MS,
    lostNote: (cause) => `The rate is not shared with other processes${alone}: ${describeError(cause)}.`,
    recoveredNote: "The rate is shared with other processes again.",
  };
}

function ofServer({ unitsPerDay }: SharedRateLimiterOptions, url: string, now: () => number): OuterStore {
  const alone = unitsPerDay === undefined ? "" : "; units-per-day counts this machine alone";
  const name = nameOf(url);
  return {
    async open() {
      const { openRedisStore } = await import("./redis-store.ts");
      return openRedisStore(url, now);
    },
    retryMs: RETRY_MS,
    lostNote: (cause) => `The rate is not shared with other machines${alone}: ${name}: ${describeError(cause)}.`,
    recoveredNote: `The rate is shared with other machines again: ${name}.`,
  };
}

/** An address without user and password. */
function nameOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return "the server";
  }
}
