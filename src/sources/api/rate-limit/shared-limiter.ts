/** A rate limiter shared by all processes of this machine, or by all machines that use the same Redis server. */
import { describeError, pluralize } from "../../../base/index.ts";
import type { Rate } from "../../../catalogue/index.ts";
import type { RateLimiter } from "../../../client/index.ts";
import { LayeredStore, type OuterStore } from "./layered-store.ts";
import { createBucket, createStoreRateLimiter } from "./limiter.ts";
import { createMemoryStore } from "./memory-store.ts";
import { describeLoss, displayRedisAddress } from "./redis-address.ts";
import {
  ASSUMED_MACHINES,
  accountId,
  type Clock,
  EMPTY_STEP,
  processClock,
  type RateLimitStore,
  retryInterval,
  type StepRequest,
  type StepResult,
  UNUSED,
  type WindowLimit,
} from "./store.ts";

/** How a rate limiter is shared. */
export interface SharedRateLimiterOptions {
  /** Where the counts of this machine are stored; without a folder this process counts for itself. */
  readonly folder: string | undefined;
  /** The key whose requests are counted; only a hash of it is stored. */
  readonly key: string | undefined;
  /** The server whose limit is shared. */
  readonly server: string;
  /** Undefined for no limit. */
  readonly rate: Rate | undefined;
  /** Compute units that all who share the limiter may spend in a day (UTC); undefined for no limit. */
  readonly unitsPerDay?: number | undefined;
  /**
   * The address of a Redis or Valkey server that other machines use, too: `redis://host:6379`, `rediss://host:6379` (TLS),
   * `unix:///path`, `redis+sentinel://host:26379/name` or `redis+cluster://host:6379`; credentials as `user:password@`.
   */
  readonly redis?: string | undefined;
  /** Certificates of authorities that are trusted besides those of the system, in PEM form; for the Redis server. */
  readonly caCert?: string | undefined;
  /** Who asks, which a Redis server counts. */
  readonly user?: string | undefined;
  /** Called with what a user should know, such as a lost server. */
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
  const { key, server, rate, unitsPerDay, now, user } = options;
  const clock = processClock(now);
  const store = createStore(options, clock);
  return createStoreRateLimiter({ store, account: accountId(key, server), rate, unitsPerDay, clock, user });
}

/** Reads the compute units that all who share a limiter have spent today (UTC), as far as they can be reached. */
export async function readUnitsSpentToday(options: SharedRateLimiterOptions): Promise<number> {
  // An outer store only receives steps with something to record: the release of a permit that does not exist.
  const released = [{ id: 0, ago: UNUSED }];
  const { units } = await stepOnce(createStore(options, processClock(options.now)), options, released);
  return units;
}

/**
 * Reads what is left of a shared rate limit and the units spent today, from the Redis server or else the file of this
 * machine.
 * @throws when the server or the file cannot be used
 */
export async function readSharedLimit(options: SharedRateLimiterOptions): Promise<StepResult> {
  const { redis, now } = options;
  const outer = redis === undefined ? machineStore(options, processClock(now)) : redisStore(options, redis);
  return stepOnce(await outer.open(), options);
}

/**
 * Reads what each user used in the last 24 hours from the Redis server; undefined where none is shared.
 * @throws when the server cannot be reached
 */
export async function readSharedUsers({ redis, caCert, key, server, now = Date.now }: SharedRateLimiterOptions) {
  if (redis === undefined) return undefined;
  const { readUsers } = await import("./redis-store.ts");
  return readUsers(redis, { caCert, account: accountId(key, server), now: now() });
}

/** Takes a step that requests no permit, and closes the store. */
async function stepOnce(
  store: RateLimitStore,
  { key, server, rate }: SharedRateLimiterOptions,
  released: StepRequest["released"] = [],
): Promise<StepResult> {
  try {
    return await store.step(createBucket(accountId(key, server), rate), { ...EMPTY_STEP, released });
  } finally {
    await store.close();
  }
}

function createStore(options: SharedRateLimiterOptions, clock: Clock): RateLimitStore {
  const { redis, onNote } = options;
  const layer = (inner: RateLimitStore, outer: OuterStore) =>
    new LayeredStore({ inner, outer, onNote, now: clock.monotonic });
  const machine = layer(createMemoryStore(clock), machineStore(options, clock));
  return redis === undefined ? machine : layer(machine, redisStore(options, redis));
}

function machineStore({ folder, onNote, unitsPerDay }: SharedRateLimiterOptions, clock: Clock): OuterStore {
  const scope = unitsPerDay === undefined ? "" : "; the daily limit of units counts this process only";
  return {
    async open() {
      if (folder === undefined) throw new Error("there is no home folder");
      const { openSqliteStore } = await import("./sqlite-store.ts");
      return openSqliteStore({ folder, calendar: clock.calendar, onNote });
    },
    retryMs: RETRY_MS,
    isServer: false,
    lostNote: (cause) => `The rate limit is not shared with other processes${scope}: ${describeError(cause)}.`,
    recoveredNote: "The rate limit is shared with other processes again.",
  };
}

function redisStore({ rate, unitsPerDay, caCert }: SharedRateLimiterOptions, url: string): OuterStore {
  const scope = unitsPerDay === undefined ? "" : "; the daily limit of units counts this machine only";
  const name = displayRedisAddress(url);
  return {
    async open() {
      const { openRedisStore } = await import("./redis-store.ts");
      return openRedisStore(url, { caCert });
    },
    retryMs: rate === undefined ? RETRY_MS : retryInterval(rate.seconds * 1000),
    isServer: true,
    lostNote(cause, { requests, window }, machines) {
      const limit = rate === undefined ? undefined : shareText({ requests, window }, machines);
      const reason = `The rate limit is not shared with other machines${scope}: ${name}: ${describeLoss(cause)}.`;
      return limit === undefined ? reason : `${reason} ${limit}`;
    },
    recoveredNote: `The rate limit is shared with other machines again: ${name}.`,
  };
}

/** Describes the share of a machine while the server is lost. */
function shareText({ requests, window }: WindowLimit, machines = ASSUMED_MACHINES): string {
  if (machines === 1) return "No other machine used it in the last minutes, so this machine uses all of it.";
  const share = requests / machines;
  const [count, factor] = share >= 1 ? [Math.floor(share), 1] : [1, 1 / share];
  const seconds = Math.round((window * factor) / 1000);
  return `Until it is reached again, this machine uses a share: ${pluralize(count, "request")} in ${seconds} s (1 of ${machines} machines).`;
}
