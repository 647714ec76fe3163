/**
 * The share of a machine in the rate limit while the server that machines share it through is lost, or has just returned
 * without the permits that were granted meanwhile. The shares of all machines add up to the limit.
 */
import {
  ASSUMED_MACHINES,
  GRACE_MS,
  MACHINE_MEMORY_MS,
  type MachineState,
  type RateLimitBucket,
  type ServerState,
  type WindowLimit,
} from "./store.ts";

/** What a machine remembers of the server. Times are those of the store that holds the record. */
export interface MachineRecord {
  /** The machines that share the bucket. */
  readonly machines: number;
  /** Identifies the data of the server, and how many steps they hold; undefined before the first contact. */
  readonly epoch?: number;
  readonly steps?: number;
  readonly contactAt?: number;
  /** When the server was lost; undefined while it is reached. */
  readonly lostAt?: number;
  /** Permits of this machine in the window when the server was lost. */
  readonly usedAtLoss?: number;
  /** When the machine last granted permits that the server does not know. */
  readonly localAt?: number;
  /** Whether the server does not yet know all permits in the window. */
  readonly isYoung?: boolean;
  /** When the API last refused a request, and how many times in a row it did. */
  readonly refusedAt?: number;
  readonly refusals?: number;
}

/** The state of a store in a step. */
export interface ShareTime {
  readonly now: number;
  /** Permits in the window. */
  readonly used: number;
  /** Whether the API refused a request. */
  readonly isRefused: boolean;
}

/** The part of the share that may be used at once after the loss of the server, whatever others have just used. */
const FIRST_WINDOW_PART = 0.05;
/** Milliseconds in which several refusals count as one: requests that were in flight together. */
const REFUSAL_MS = 1000;
/** Refusals in a row after which the share is not reduced any more. */
const MAX_REFUSALS = 6;
/** Milliseconds after which a record is stored again although only the number of steps changed. */
const STORE_INTERVAL_MS = 1000;

/** Returns the record after a step in which a server was reached, or was not. */
export function updateRecord(
  record: MachineRecord | undefined,
  bucket: RateLimitBucket,
  server: ServerState | "unknown",
  { now, used, isRefused }: ShareTime,
): MachineRecord {
  const known = record ?? { machines: ASSUMED_MACHINES };
  if (server === "unknown") return known;
  const current = server.isReached ? contact(known, server, now) : loss(known, used, now);
  const isWholeLimit = server.isReached && !server.isYoung;
  if (!isRefused || isWholeLimit || now - (known.refusedAt ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return current;
  const refusals = Math.min(MAX_REFUSALS, remainingRefusals(known, bucket, now) + 1);
  return { ...current, refusedAt: now, refusals };
}

function contact(
  { refusedAt, refusals }: MachineRecord,
  { machines, epoch, steps, isYoung }: ServerState & { isReached: true },
  now: number,
): MachineRecord {
  const refused = refusedAt === undefined || refusals === undefined ? {} : { refusedAt, refusals };
  return { machines, epoch, steps, isYoung, contactAt: now, ...refused };
}

/** Another machine may have come since the last contact. */
function loss(record: MachineRecord, used: number, now: number): MachineRecord {
  if (record.lostAt !== undefined) return { ...record, localAt: now };
  const machines = Math.max(ASSUMED_MACHINES, record.machines);
  return { ...record, machines, lostAt: now, usedAtLoss: used, localAt: now };
}

/** Returns the machine as the server sees it. What it remembers no longer counts when the server has forgotten it. */
export function machineState(
  id: number,
  { epoch, steps, machines, contactAt, localAt }: MachineRecord,
  { window }: RateLimitBucket,
  now: number,
): MachineState {
  const isWithin = (time: number | undefined, duration: number) => time !== undefined && now - time < duration;
  const memory = isWithin(contactAt, MACHINE_MEMORY_MS) ? { epoch, steps } : {};
  return { id, ...memory, machines, hasLocalPermits: isWithin(localAt, window + GRACE_MS) };
}

/** Whether a record must be stored: something else than the number of steps changed, or that a while ago. */
export function isWorthStoring(before: MachineRecord | undefined, after: MachineRecord): boolean {
  if (before === undefined || (after.contactAt ?? 0) - (before.contactAt ?? 0) > STORE_INTERVAL_MS) return true;
  const essence = ({ steps: _, contactAt: __, ...rest }: MachineRecord) =>
    JSON.stringify(rest, Object.keys(rest).sort());
  return essence(before) !== essence(after);
}

/**
 * Returns the machine's share of a bucket; undefined for all of it. For one window after the loss, it is unknown what
 * other machines have used before: each may replace its own permits as they end, and no others. A share of less than
 * one request is one in a longer window.
 */
export function shareOf(record: MachineRecord, bucket: RateLimitBucket, now: number): WindowLimit | undefined {
  const { machines, lostAt, usedAtLoss = 0, isYoung } = record;
  if (bucket.requests === Number.POSITIVE_INFINITY || (lostAt === undefined && !isYoung)) return undefined;
  const factor = machines * 2 ** remainingRefusals(record, bucket, now);
  const share = bucket.requests / factor;
  if (machines > 1 && lostAt !== undefined && now - lostAt < bucket.window) {
    const requests = Math.min(share, Math.max(usedAtLoss, share * FIRST_WINDOW_PART));
    return { requests: Math.floor(requests), window: bucket.window };
  }
  if (share >= 1) return { requests: Math.floor(share), window: bucket.window };
  return { requests: 1, window: Math.ceil(bucket.window / share) };
}

/** A refusal lowers the share until a window passes without one. */
function remainingRefusals(
  { refusedAt, refusals = 0 }: MachineRecord,
  { window }: RateLimitBucket,
  now: number,
): number {
  return refusedAt === undefined ? 0 : Math.max(0, refusals - Math.floor(Math.max(0, now - refusedAt) / window));
}
