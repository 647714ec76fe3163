/** The rules by which all stores grant permits, independent of clocks and of where permits are stored. */
import { OVERDUE_MS, PERMITS_PER_STEP, type PermitRequest, type RateLimitBucket, type StepRequest } from "./store.ts";

interface BucketState {
  /** Permits in the window. */
  readonly used: number;
  /** How many of them were interactive. */
  readonly interactive: number;
  /** Permits that others request and get before the interactive ones of this client. */
  readonly aheadInteractive: number;
  /** Permits of both kinds that others request and get before the background ones of this client. */
  readonly aheadBackground: number;
  /** Remaining milliseconds of a pause; 0 without one. */
  readonly pause: number;
}

interface Allocation {
  readonly interactive: number;
  readonly background: number;
  /** Permits that must end before the first that was not granted; 0 when all were granted, or during a pause. */
  readonly missing: number;
}

/**
 * Returns how many permits are reserved for interactive requests: twice as many as were used, at least 1 % and at most
 * 20 %. A person working beside a bulk job never waits, and a bulk job alone uses nearly everything.
 */
export function interactiveReserve(requests: number, interactive: number): number {
  if (requests === Number.POSITIVE_INFINITY) return 0;
  const min = Math.min(Math.max(1, Math.floor(requests * 0.01)), Math.floor(requests * 0.03));
  const max = Math.max(min, Math.floor(requests * 0.2));
  return Math.min(Math.max(2 * interactive, min), max);
}

/** Divides the permits remaining in the window. */
export function allocate(
  { requests }: Pick<RateLimitBucket, "requests">,
  state: BucketState,
  requested: { readonly interactive: number; readonly background: number },
): Allocation {
  const none = { interactive: 0, background: 0, missing: 0 };
  if (state.pause > 0) return none;
  const interactive = clamp(requests - state.used - state.aheadInteractive, requested.interactive);
  const used = state.used + interactive;
  const usedInteractive = state.interactive + interactive;
  const cap = requests - Math.max(0, interactiveReserve(requests, usedInteractive) - usedInteractive);
  const ahead = state.aheadBackground + requested.interactive - interactive;
  const background = clamp(cap - used - ahead, requested.background);
  if (interactive < requested.interactive) {
    return { interactive, background, missing: used + state.aheadInteractive + 1 - requests };
  }
  if (background < requested.background) {
    return { interactive, background, missing: used + background + ahead + 1 - cap };
  }
  return { interactive, background, missing: 0 };
}

/** Numbers of permits of both kinds, counted from the first of each. */
type PermitCounts = Pick<Allocation, "interactive" | "background">;

/** Returns how many of the permits granted today's compute units can pay for, and their cost. */
export function affordable(
  { unitsPerDay = Number.POSITIVE_INFINITY }: Pick<RateLimitBucket, "unitsPerDay">,
  spent: number,
  request: Pick<StepRequest, keyof PermitCounts>,
  granted: PermitCounts,
): PermitCounts & { readonly cost: number } {
  let cost = 0;
  const count = (permits: readonly PermitRequest[]) => {
    const first = permits.findIndex((permit) => {
      if (!isAffordable(unitsPerDay, spent + cost, permit.cost)) return true;
      cost += permit.cost;
      return false;
    });
    return first < 0 ? permits.length : first;
  };
  const interactive = count(request.interactive.slice(0, granted.interactive));
  const background = count(request.background.slice(0, granted.background));
  return { interactive, background, cost };
}

/** Whether today's compute units can pay for a request; one that costs nothing is always affordable. */
export function isAffordable(unitsPerDay: number, spent: number, cost: number): boolean {
  return cost === 0 || spent + cost <= unitsPerDay;
}

function clamp(available: number, requested: number): number {
  return Math.max(0, Math.min(available, requested));
}

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

/**
 * Returns the position of a client that requests a number of permits. Each client that waits gets {@link PERMITS_PER_STEP}
 * at a time, then the next one does: clients that were granted fewer come first, and among equals the one that has waited
 * longer. A client that had nothing to wait for, or comes back, starts at the minimum of those waiting, so that no client
 * saves up permits, and none pays for permits that no other client requested.
 */
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
