/** Who may start: the rule of all stores, without a clock or a place where turns are kept. */
import type { PermitRequest, RateLimitBucket, StepRequest } from "./store.ts";

/** What a store holds at the moment of a step. */
export interface BucketState {
  /** Turns in the window. */
  readonly used: number;
  /** Those of them that were interactive. */
  readonly interactive: number;
  /** Turns wanted by others who come before the one who asks: interactive ones before his interactive ones… */
  readonly aheadInteractive: number;
  /** …and both kinds before those in the background. */
  readonly aheadBackground: number;
  /** Milliseconds that a pause still lasts; 0 without one. */
  readonly pause: number;
}

/** What is granted. */
export interface Allocation {
  readonly interactive: number;
  readonly background: number;
  /** Turns that must end before the first that was not granted may start; 0 when all were, or a pause is the reason. */
  readonly missing: number;
}

/**
 * Turns that only interactive requests may take: twice as many as there were, at least one in a hundred, at most one in
 * five. So a person beside a bulk job waits for nobody, and a bulk job alone uses nearly everything.
 */
export function interactiveReserve(requests: number, interactive: number): number {
  if (requests === Number.POSITIVE_INFINITY) return 0;
  const least = Math.min(Math.max(1, Math.floor(requests * 0.01)), Math.floor(requests * 0.03));
  const most = Math.max(least, Math.floor(requests * 0.2));
  return Math.min(Math.max(2 * interactive, least), most);
}

/** Divides what is left in the window. */
export function allocate(
  { requests }: Pick<RateLimitBucket, "requests">,
  view: BucketState,
  wanted: { readonly interactive: number; readonly background: number },
): Allocation {
  const none = { interactive: 0, background: 0, missing: 0 };
  if (view.pause > 0) return none;
  const interactive = clamp(requests - view.used - view.aheadInteractive, wanted.interactive);
  const used = view.used + interactive;
  const seen = view.interactive + interactive;
  const cap = requests - Math.max(0, interactiveReserve(requests, seen) - seen);
  const ahead = view.aheadBackground + wanted.interactive - interactive;
  const background = clamp(cap - used - ahead, wanted.background);
  if (interactive < wanted.interactive) {
    return { interactive, background, missing: used + view.aheadInteractive + 1 - requests };
  }
  if (background < wanted.background) return { interactive, background, missing: used + background + ahead + 1 - cap };
  return { interactive, background, missing: 0 };
}

/** Turns of both kinds, from the first of each on. */
export type PermitCounts = Pick<Allocation, "interactive" | "background">;

/** How many of the turns granted can be paid for, and the compute units that they cost. */
export function affordable(
  { unitsPerDay = Number.POSITIVE_INFINITY }: Pick<RateLimitBucket, "unitsPerDay">,
  spent: number,
  ask: Pick<StepRequest, keyof PermitCounts>,
  granted: PermitCounts,
): PermitCounts & { readonly cost: number } {
  let cost = 0;
  const count = (wanted: readonly PermitRequest[]) => {
    const first = wanted.findIndex((one) => {
      if (!isAffordable(unitsPerDay, spent + cost, one.cost)) return true;
      cost += one.cost;
      return false;
    });
    return first < 0 ? wanted.length : first;
  };
  const interactive = count(ask.interactive.slice(0, granted.interactive));
  const background = count(ask.background.slice(0, granted.background));
  return { interactive, background, cost };
}

/** Whether a request may still be paid for; one that costs nothing always may. */
export function isAffordable(unitsPerDay: number, spent: number, cost: number): boolean {
  return cost === 0 || spent + cost <= unitsPerDay;
}

function clamp(free: number, wanted: number): number {
  return Math.max(0, Math.min(free, wanted));
}
