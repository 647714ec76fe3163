/** The permits of this process. */
import { affordable, allocate } from "./allocate.ts";
import { computeShare, type MachineRecord, machineState, updateRecord } from "./machine-share.ts";
import {
  type Clock,
  GRACE_MS,
  MAX_MACHINE,
  type MachineShare,
  pollInterval,
  type RateLimitBucket,
  type RateLimitStore,
  RETENTION_MS,
  type StepRequest,
  type StepResult,
  UNUSED,
  utcDay,
} from "./store.ts";

/** A process that stores nothing on its machine counts as one. */
const MACHINE = Math.floor(Math.random() * MAX_MACHINE);

/** Creates a store in memory. */
export function createMemoryStore({ monotonic, calendar }: Clock): RateLimitStore {
  const accounts = new Map<string, Account>();
  return {
    step(bucket, request) {
      const account = accounts.get(bucket.account) ?? new Account();
      accounts.set(bucket.account, account);
      return step(account, bucket, request, { now: monotonic(), day: utcDay(calendar()) });
    },
    close: () => accounts.clear(),
  };
}

function step(
  account: Account,
  bucket: RateLimitBucket,
  request: StepRequest,
  { now, day }: { now: number; day: string },
): StepResult {
  account.record(request, now);
  const share = account.shareOf(bucket, request, now);
  const limit = { requests: share?.requests ?? bucket.requests, window: bucket.window };
  const windowStart = now - limit.window;
  account.prune(Math.min(windowStart, now - RETENTION_MS));
  const interactive = account.interactive.countSince(windowStart);
  const used = interactive + account.background.countSince(windowStart);
  const pause = Math.max(0, account.pausedUntil - now, share?.delay ?? 0);
  const spent = Math.max(0, (account.units.get(day) ?? 0) + request.units);
  const state = { used, interactive, aheadInteractive: 0, aheadBackground: 0, pause };
  const requested = { interactive: request.interactive.length, background: request.background.length };
  const { missing, ...available } = allocate(limit, state, requested);
  const granted = affordable(bucket, spent, request, available);
  const units = spent + granted.cost;
  account.units.set(day, units);
  if (bucket.requests < Number.POSITIVE_INFINITY) {
    const [interactiveIds, backgroundIds] = [
      request.interactive.slice(0, granted.interactive),
      request.background.slice(0, granted.background),
    ];
    for (const { id } of interactiveIds) account.interactive.open.set(id, now + GRACE_MS);
    for (const { id } of backgroundIds) account.background.open.set(id, now + GRACE_MS);
  }
  const wait = pause > 0 ? pause : missing > 0 ? (account.endTime(windowStart, missing) ?? now) - windowStart : 0;
  return {
    interactive: granted.interactive,
    background: granted.background,
    wait,
    pollAfter: Math.min(wait, pollInterval(bucket)),
    remaining: Math.max(0, limit.requests - used - granted.interactive - granted.background),
    units,
    share,
    machine: account.machine && machineState(MACHINE, account.machine, bucket, now),
  };
}

class Account {
  readonly interactive = new PermitLog();
  readonly background = new PermitLog();
  pausedUntil = 0;
  machine: MachineRecord | undefined;
  /** Compute units by day. A clock that was wrong for a while may return to a day. */
  readonly units = new Map<string, number>();

  record({ released, pause }: StepRequest, now: number): void {
    for (const log of [this.interactive, this.background]) {
      for (const { id, ago } of released) log.end(id, ago < UNUSED ? now - ago : undefined);
      log.expire(now);
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + pause);
  }

  /** Updates what is known of the server that machines share, and returns the share of this one. */
  shareOf(bucket: RateLimitBucket, { server, pause }: StepRequest, now: number): MachineShare | undefined {
    if (server === undefined) return undefined;
    const from = now - bucket.window;
    const used = this.interactive.countSince(from) + this.background.countSince(from);
    this.machine = updateRecord(this.machine, bucket, server, { now, used, isRefused: pause > 0 });
    return computeShare(this.machine, bucket, now);
  }

  prune(before: number): void {
    this.interactive.prune(before);
    this.background.prune(before);
  }

  /** Returns when the given number of permits of the window that starts after `windowStart` will have ended. */
  endTime(windowStart: number, count: number): number | undefined {
    const times = [...this.interactive.endTimes(windowStart, count), ...this.background.endTimes(windowStart, count)];
    return times.sort((a, b) => a - b)[count - 1];
  }
}

/** Permits of one kind: those in use, and the times at which others ended, in ascending order. */
class PermitLog {
  /** When each permit in use will count as ended, by id. */
  readonly open = new Map<number, number>();
  #ended: number[] = [];

  end(id: number, at: number | undefined): void {
    if (this.open.delete(id) && at !== undefined) this.#insert(at);
  }

  expire(now: number): void {
    for (const [id, until] of this.open) {
      if (until <= now) this.end(id, until);
    }
  }

  /** Returns how many permits had not ended at a time. */
  countSince(time: number): number {
    return this.#ended.length - this.#countUntil(time) + this.open.size;
  }

  /** Returns the first end times after a time, and those of all permits in use. */
  endTimes(time: number, count: number): number[] {
    const index = this.#countUntil(time);
    return [...this.#ended.slice(index, index + count), ...this.open.values()];
  }

  prune(before: number): void {
    const count = this.#countUntil(before);
    if (count > this.#ended.length / 2) this.#ended = this.#ended.slice(count);
  }

  /** Permits end nearly in order, so the index is near the end. */
  #insert(at: number): void {
    let index = this.#ended.length;
    while (index > 0 && (this.#ended[index - 1] as number) > at) index -= 1;
    this.#ended.splice(index, 0, at);
  }

  /** Returns how many permits ended until a time. */
  #countUntil(time: number): number {
    let [low, high] = [0, this.#ended.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ended[middle] as number) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
