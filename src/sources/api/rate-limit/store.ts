/** The requests to a store of permits, its results, and the clocks and intervals. All clients of a store share its counts. */

import { readFileSync } from "node:fs";
import process from "node:process";
import { DAY_MS, monotonicMs, sha256 } from "../../../base/index.ts";

/** What is counted together: the requests of a key at a server, or its exports. */
export interface RateLimitBucket {
  /** Identifies the key and the server without revealing either. */
  readonly account: string;
  /** Identifies the client that asks: a number below 2³¹, different for each bucket of each rate limiter. */
  readonly owner: number;
  /** Permits in any window. */
  readonly requests: number;
  /** Length of the window in milliseconds. */
  readonly window: number;
  /** Compute units that may be spent in a day (UTC); undefined for no limit. */
  readonly unitsPerDay: number | undefined;
  /** Who asks, where a server that machines share counts what each uses. */
  readonly user?: string | undefined;
}

/** The limit of a bucket, or a machine's share of it. */
export type WindowLimit = Pick<RateLimitBucket, "requests" | "window">;

/** The share of a machine. */
export interface MachineShare extends WindowLimit {
  /** Milliseconds until the machine's turn, where machines take turns because there is less than one request for each. */
  readonly delay: number;
}

/** A permit that is requested. */
export interface PermitRequest {
  readonly id: number;
  /** Compute units, spent in the step that grants the permit. */
  readonly cost: number;
}

/** A permit whose request is over. */
export interface ReleasedPermit {
  readonly id: number;
  /** Milliseconds since it ended: since the answer, unless that took too long; {@link UNUSED} if no request was sent. */
  readonly ago: number;
}

/** One step: the permits requested, and what is recorded along with them. */
export interface StepRequest {
  /** Permits requested now; they are granted from the first on. */
  readonly interactive: readonly PermitRequest[];
  readonly background: readonly PermitRequest[];
  readonly released: readonly ReleasedPermit[];
  /** Compute units to add to today's, besides the cost of permits; negative for units that were not spent after all. */
  readonly units: number;
  /** Milliseconds for which no request may start; 0 for no pause. */
  readonly pause: number;
  /** For the store of a machine: the server that machines share, before contact `unknown`; undefined where there is none. */
  readonly server?: ServerState | "unknown" | undefined;
  /** For a server that machines share: the machine. */
  readonly machine?: MachineState | undefined;
}

/** A step that requests and records nothing. */
export const EMPTY_STEP: StepRequest = { interactive: [], background: [], released: [], units: 0, pause: 0 };

/** The server through which machines share a bucket, as a machine sees it. */
export type ServerState =
  | { readonly isReached: false }
  | {
      readonly isReached: true;
      /** Identifies the data of the server: it changes when they are lost. */
      readonly epoch: number;
      /** Steps since the data began. */
      readonly steps: number;
      /** Machines seen in the last minutes. */
      readonly machines: number;
      /** Whether permits that the server does not know may still be in the window. */
      readonly isYoung: boolean;
      /** The number of this machine among them, from 0. */
      readonly rank: number;
      /** The time of the server in milliseconds. */
      readonly time: number;
    };

/** A machine, as the server that it shares a bucket through sees it. */
export interface MachineState {
  readonly id: number;
  /** What the machine remembers of the server. */
  readonly epoch?: number | undefined;
  readonly steps?: number | undefined;
  readonly machines: number;
  /** Whether the machine granted permits that the server does not know. */
  readonly hasLocalPermits: boolean;
  /** Whether a client of the machine ends: the machine may send no further step. */
  readonly leaves?: boolean;
}

/** The answer to a step. */
export interface StepResult {
  /** How many of the permits requested are granted. */
  readonly interactive: number;
  readonly background: number;
  /** Milliseconds until the first permit that was not granted is expected; 0 when all were granted. */
  readonly wait: number;
  /** Milliseconds after which to ask again at the latest. */
  readonly pollAfter: number;
  /** Permits remaining in the window. */
  readonly remaining: number;
  /** Compute units spent today (UTC). */
  readonly units: number;
  /** The machine's share that applied instead of the limit, while the server that machines share is lost. */
  readonly share?: MachineShare | undefined;
  /** Answers {@link StepRequest.machine}. */
  readonly server?: ServerState | undefined;
  /** Answers {@link StepRequest.server}. */
  readonly machine?: MachineState | undefined;
}

/** Counts permits. A step is atomic: the same permit is never granted twice. */
export interface RateLimitStore {
  step(bucket: RateLimitBucket, request: StepRequest): StepResult | Promise<StepResult>;
  close(): void | Promise<void>;
}

/**
 * Milliseconds after which a permit without an answer counts as answered. A server counts a request at some time between
 * its start and its answer, so a permit is available again one window after the answer, or, if its process was killed,
 * this much later.
 */
export const GRACE_MS = 2000;

/** The `ago` of a permit that was never used: it ended before any window began. */
export const UNUSED = 1e11;

/** Permits requested per step at most, so that no client takes a whole window before other clients had a step. */
export const PERMITS_PER_STEP = 16;

/** Permits are remembered at least this long, for clients that count in a longer window. */
export const RETENTION_MS = 60_000;

/** Machines are numbered below this. */
export const MAX_MACHINE = 2 ** 48;

/** Milliseconds for which a machine that shares a server counts after its last step. */
export const MACHINE_MEMORY_MS = 300_000;

/** The machines assumed to share a server, at least, while it is lost. */
export const ASSUMED_MACHINES = 2;

/** Milliseconds after which a server counts as lost that does not answer. */
export const SERVER_TIMEOUT_MS = 1000;

/** Milliseconds after which a lost server is tried again. */
export function retryInterval(window: number): number {
  return Math.min(5000, Math.max(200, window / 4));
}

/** Milliseconds after which a machine that has nothing to request shows the server that it is there. */
export function presenceInterval(window: number): number {
  return Math.min(1000, Math.max(200, window / 4));
}

/**
 * Milliseconds after which a machine counts as cut off that neither left nor sent a step. Its share is reserved for it as
 * long as it is remembered.
 */
export function absenceTime(window: number): number {
  return 3 * presenceInterval(window);
}

/** Milliseconds after which a server that returned knows all permits in the window: by then all machines are back. */
export function settlingTime(window: number): number {
  return window + 2 * retryInterval(window) + SERVER_TIMEOUT_MS;
}

/** Milliseconds that a waiting client may be overdue before others pass it. */
export const OVERDUE_MS = 250;

/** Milliseconds after which a waiting client asks again, whatever the forecast: others may have finished early. */
export function pollInterval({ window }: RateLimitBucket): number {
  return Math.min(1000, Math.max(50, window / 10));
}

/** A pause as it is stored: when it was set, and when it ends. */
interface Pause {
  readonly at: number;
  readonly until: number;
}

/** Moves a pause set in the future, which means that the clock was set back since, to start now. */
export function normalizePause({ at, until }: Pause, now: number): Pause {
  return at > now ? { at: now, until: now + until - at } : { at, until };
}

/** The last day that was formatted: every request needs its day. */
let formatted = { number: Number.NaN, text: "" };

/** Returns the UTC day for which compute units are summed, as `YYYY-MM-DD`. */
export function utcDay(now: number): string {
  const number = Math.floor(now / DAY_MS);
  if (number !== formatted.number) formatted = { number, text: new Date(now).toISOString().slice(0, 10) };
  return formatted.text;
}

const DIGITS = 32;

/**
 * Returns the account of a key at a server: a hash from which neither can be recovered.
 * @param server any URL of the server
 */
export function accountId(key: string | undefined, server: string): string {
  return sha256(`${key ?? ""}\n${new URL(server).origin}`).slice(0, DIGITS);
}

/** What a rate limiter reads the time from: a monotonic clock measures windows; the calendar selects the day of the units. */
export interface Clock {
  /** Returns milliseconds since some moment; it never jumps, whatever happens to the clock of the machine. */
  readonly monotonic: () => number;
  /** Returns milliseconds since the epoch, as the machine believes. */
  readonly calendar: () => number;
}

/** Returns the clock of this process; `calendar` replaces `Date.now`. */
export function processClock(calendar: () => number = () => Date.now()): Clock {
  return { monotonic: monotonicMs, calendar };
}

/**
 * Returns the clock of the machine: milliseconds since it started, the same for all of its processes; undefined on
 * runtimes whose high-resolution time starts with the process. `performance.timeOrigin` would not do: processes that
 * started before and after a jump of the clock disagree about it.
 */
export function machineClock(): (() => number) | undefined {
  return monotonicMs() / 1000 - process.uptime() > 1 ? monotonicMs : undefined;
}

/** Returns what identifies the current run of the machine where the system has a name for it. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
