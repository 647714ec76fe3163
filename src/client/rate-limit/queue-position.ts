/**
 * Those who wait in a store that others use too. Each gets {@link PERMITS_PER_STEP} turns at a time, then the next one does: who was
 * given less comes first, and among equals who has waited longer. One who had nothing to wait for, or comes anew, begins
 * with the least of those who wait: nobody saves up turns, and nobody pays for turns that nobody else wanted.
 */
import { OVERDUE_MS, PERMITS_PER_STEP } from "./store.ts";

/** One who waits, or did a moment ago. */
export interface QueueEntry {
  readonly owner: number;
  readonly interactive: number;
  /** Turns that were given to him, beside what he began with. */
  readonly served: number;
  readonly since: number;
  /** Turns that he still wants; 0 when he does not wait now. */
  readonly wants: number;
  /** When he asks again, at the latest. */
  readonly due: number;
}

/** Where somebody stands. */
export interface QueuePosition {
  readonly served: number;
  readonly since: number;
  /** Turns of others that come first. */
  readonly ahead: number;
  /** Turns that he may take before it is another's turn. */
  readonly allowed: number;
  /** Whether others wait for the same kind of turns. */
  readonly isContested: boolean;
}

const round = (served: number) => Math.floor(served / PERMITS_PER_STEP);

/**
 * Who waits now. One who is late does not count: he was killed, or is busy with something else, and keeps his place for
 * when he comes.
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

/** Where one stands who wants so many turns. */
export function queuePosition(
  queue: readonly QueueEntry[],
  { owner, interactive, requested, now }: { owner: number; interactive: 0 | 1; requested: number; now: number },
): QueuePosition {
  const place = queue.find((waiter) => waiter.owner === owner && waiter.interactive === interactive);
  const others = otherWaiters(queue, owner, interactive, now);
  const all = queue.map(({ served }) => served);
  const least = others.length > 0 ? Math.min(...others.map(({ served }) => round(served))) * PERMITS_PER_STEP : 0;
  const isInLine = place !== undefined && isWaiting(place, now);
  const known = place?.served ?? (others.length > 0 ? 0 : Math.max(0, ...all));
  const served = isInLine ? known : Math.max(least, known);
  const since = place?.since ?? now;
  const ahead = others.reduce((sum, other) => {
    const isEarlier = other.since < since || (other.since === since && other.owner < owner);
    const rounds = round(served) + (isEarlier ? 1 : 0);
    return sum + Math.max(0, Math.min(other.wants, rounds * PERMITS_PER_STEP - other.served));
  }, 0);
  const isContested = others.length > 0;
  const open = isContested ? Math.min(requested, (round(served) + 1) * PERMITS_PER_STEP - served) : requested;
  return { served, since, ahead, allowed: open, isContested };
}
