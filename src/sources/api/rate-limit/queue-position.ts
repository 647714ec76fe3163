/**
 * Fair order of the clients that wait in a shared store. Each gets {@link PERMITS_PER_STEP} permits at a time, then the
 * next one does: clients that were granted fewer come first, and among equals the one that has waited longer. A client
 * that had nothing to wait for, or comes back, starts at the minimum of those waiting, so that no client saves up permits,
 * and none pays for permits that no other client requested.
 */
import { OVERDUE_MS, PERMITS_PER_STEP } from "./store.ts";

/** A client that waits, or did a moment ago. */
export interface QueueEntry {
  readonly owner: number;
  readonly interactive: number;
  /** Permits granted, including the number it started with. */
  readonly served: number;
  readonly since: number;
  /** Permits still requested; 0 when it is not waiting at the moment. */
  readonly wants: number;
  /** When it asks again at the latest. */
  readonly due: number;
}

/** The position of a client in the queue. */
export interface QueuePosition {
  readonly served: number;
  readonly since: number;
  /** Permits of others that come first. */
  readonly ahead: number;
  /** Permits that the client may take before the next one gets its share. */
  readonly allowed: number;
  /** Whether others wait for the same kind of permits. */
  readonly isContested: boolean;
}

const roundOf = (served: number) => Math.floor(served / PERMITS_PER_STEP);

/**
 * Returns the other clients that wait now. One that is overdue does not count: it was killed, or is busy with something
 * else, and retains its place until it asks again.
 */
export function otherWaiters(
  queue: readonly QueueEntry[],
  owner: number,
  interactive: 0 | 1,
  now: number,
): readonly QueueEntry[] {
  return queue.filter((other) => other.owner !== owner && other.interactive === interactive && isWaiting(other, now));
}

function isWaiting({ wants, due }: QueueEntry, now: number): boolean {
  return wants > 0 && due > now - OVERDUE_MS && due <= now + 1000;
}

/** Returns the position of a client that requests a number of permits. */
export function queuePosition(
  queue: readonly QueueEntry[],
  { owner, interactive, requested, now }: { owner: number; interactive: 0 | 1; requested: number; now: number },
): QueuePosition {
  const entry = queue.find((other) => other.owner === owner && other.interactive === interactive);
  const others = otherWaiters(queue, owner, interactive, now);
  const isContested = others.length > 0;
  const minServed = isContested ? Math.min(...others.map((other) => roundOf(other.served))) * PERMITS_PER_STEP : 0;
  const known = entry?.served ?? (isContested ? 0 : Math.max(0, ...queue.map((other) => other.served)));
  const served = entry !== undefined && isWaiting(entry, now) ? known : Math.max(minServed, known);
  const since = entry?.since ?? now;
  const ahead = others.reduce((sum, other) => {
    const isEarlier = other.since < since || (other.since === since && other.owner < owner);
    const rounds = roundOf(served) + (isEarlier ? 1 : 0);
    return sum + Math.max(0, Math.min(other.wants, rounds * PERMITS_PER_STEP - other.served));
  }, 0);
  const share = (roundOf(served) + 1) * PERMITS_PER_STEP - served;
  return { served, since, ahead, allowed: isContested ? Math.min(requested, share) : requested, isContested };
}
