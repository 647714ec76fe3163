/** What a store of turns is asked and what it says. Who shares a store shares what it counts. */

/** What is counted together: the requests of a key at a server, or its exports. */
export interface RateLimitBucket {
  /** The key and the server, without telling either. */
  readonly account: string;
  /** Who asks: a number of its own for each lane of each budget, below 2³¹. */
  readonly owner: number;
  /** Turns in any window. */
  readonly requests: number;
  /** Milliseconds. */
  readonly window: number;
  /** Compute units that may be spent in a day (UTC); undefined for any number. */
  readonly unitsPerDay: number | undefined;
}

/** A turn that is wanted. */
export interface PermitRequest {
  readonly id: number;
  /** Compute units: they are spent in the step that gives the turn. */
  readonly cost: number;
}

/** A turn that is over. */
export interface ReleasedPermit {
  readonly id: number;
  /** Milliseconds since it ended: since the answer, if that did not take too long; {@link UNUSED} if nobody used it. */
  readonly ago: number;
}

/** One step: what is wanted, and what is to be written down with it. */
export interface StepRequest {
  /** The turns wanted now; they are given from the first on. */
  readonly interactive: readonly PermitRequest[];
  readonly background: readonly PermitRequest[];
  readonly released: readonly ReleasedPermit[];
  /** Compute units to add to those of the day, beside what turns cost; below 0 for those that were not spent after all. */
  readonly units: number;
  /** Milliseconds for which nobody may start; 0 for no pause. */
  readonly pause: number;
}

/** The answer to a step. */
export interface StepResult {
  /** How many of the turns wanted may start now. */
  readonly interactive: number;
  readonly background: number;
  /** Milliseconds until the first of those not granted may start, as far as is known; 0 when all were. */
  readonly wait: number;
  /** Milliseconds after which to ask again, at the latest. */
  readonly pollAfter: number;
  /** Turns left in the window. */
  readonly remaining: number;
  /** Compute units spent in the current day (UTC). */
  readonly units: number;
}

/** Counts turns. A step is atomic: no two who share the store get the same turn. */
export interface RateLimitStore {
  step(lane: RateLimitBucket, ask: StepRequest): StepResult | Promise<StepResult>;
  /** Lets go of files and connections. */
  close(): void | Promise<void>;
}

/**
 * Milliseconds after which a turn without an answer counts as answered. A server counts a request between its start and
 * its answer; so a turn is free again a window after its answer, and one whose process was killed after this much more.
 */
export const GRACE_MS = 2000;

/** The `ago` of a turn that nobody used: it was over before any window began. */
export const UNUSED = 1e11;

/** Turns that are asked for at a time: nobody takes a whole window before the others have come. */
export const PERMITS_PER_STEP = 16;

/** Turns are remembered at least so long, for others who count in a longer window. */
export const RETENTION_MS = 60_000;

/** Milliseconds that one who waits may be late and still keep those behind from taking the turn. */
export const OVERDUE_MS = 250;

/** Milliseconds after which one who waits asks again, whatever the forecast is: others may have been quicker. */
export function pollInterval({ window }: RateLimitBucket): number {
  return Math.min(1000, Math.max(50, window / 10));
}

/** A pause as it is kept: when it was made, and until when it lasts. */
export interface Pause {
  readonly at: number;
  readonly until: number;
}

/** A pause made at a moment that a clock which was set back has not reached yet begins now. */
export function normalizePause({ at, until }: Pause, now: number): Pause {
  return at > now ? { at: now, until: now + until - at } : { at, until };
}

/** The day that compute units are summed for. */
export function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
