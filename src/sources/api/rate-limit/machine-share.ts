/**
 * The share of a machine in the rate limit while the server that machines share it through is lost, or has just returned
 * without the permits that were granted meanwhile. The shares of all machines add up to the limit.
 */
import {
  ASSUMED_MACHINES,
  absenceTime,
  GRACE_MS,
  MACHINE_MEMORY_MS,
  type MachineShare,
  type MachineState,
  type RateLimitBucket,
  type ServerState,
} from "./store.ts";

/** What a machine remembers of the server. Times are those of the store that holds the record. */
export interface MachineRecord {
  /** The machines that share the bucket. */
  readonly machines: number;
  /** Identifies the data of the server, and how many steps they hold; undefined before the first contact. */
  readonly epoch?: number;
  readonly steps?: number;
  readonly contactAt?: number;
  /** When the server was lost; undefined while it is reached and knows all permits in the window. */
  readonly lostAt?: number;
  /** Permits of this machine in the window when others, who still reach the server, had noticed that it is cut off. */
  readonly usedAtLoss?: number;
  /** When the machine last granted permits that the server does not know. */
  readonly localAt?: number;
  /** Whether the server does not yet know all permits in the window. */
  readonly isYoung?: boolean;
  /** The number of this machine among the machines, and by how much the time of the server was ahead at the last contact. */
  readonly rank?: number;
  readonly ahead?: number;
  /** When the API last refused a request, and how many times in a row it did. */
  readonly refusedAt?: number;
  readonly refusals?: number;
}

/** The state of a store in a step. */
export interface ShareTime {
  readonly now: number;
  /** Permits in the window. */
  readonly used: number;
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
  const current = server.isReached ? contact(known, server, now) : loss(known, bucket, used, now);
  const isWholeLimit = server.isReached && !server.isYoung;
  if (!isRefused || isWholeLimit || now - (known.refusedAt ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return current;
  const refusals = Math.min(MAX_REFUSALS, remainingRefusals(known, bucket, now) + 1);
  return { ...current, refusedAt: now, refusals };
}

function contact(
  { refusedAt, refusals, lostAt, usedAtLoss }: MachineRecord,
  { machines, epoch, steps, isYoung, rank, time }: ServerState & { isReached: true },
  now: number,
): MachineRecord {
  const refused = refusedAt === undefined || refusals === undefined ? {} : { refusedAt, refusals };
  // A server that returned without data knows as little as none what others used before the loss.
  const lost = isYoung && lostAt !== undefined ? { lostAt, ...(usedAtLoss !== undefined && { usedAtLoss }) } : {};
  return { machines, epoch, steps, isYoung, rank, ahead: time - now, contactAt: now, ...refused, ...lost };
}

/** Another machine may have come since the last contact. */
function loss(record: MachineRecord, { window }: RateLimitBucket, used: number, now: number): MachineRecord {
  const { lostAt = now, usedAtLoss } = record;
  const machines = Math.max(ASSUMED_MACHINES, record.machines);
  const isNoticed = now - lostAt >= absenceTime(window);
  return { ...record, machines, lostAt, localAt: now, ...(isNoticed && { usedAtLoss: usedAtLoss ?? used }) };
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
  const essence = ({ steps: _, contactAt: __, ahead: ___, ...rest }: MachineRecord) =>
    JSON.stringify(rest, Object.keys(rest).sort());
  return essence(before) !== essence(after);
}

/**
 * Returns the machine's share of a bucket; undefined for all of it. After the loss, machines that still reach the server
 * use what this one leaves until they notice its absence. For one window more, it is unknown what others have used before:
 * each may replace its own permits as they end, and no others. A share of less than one request is one in a longer window.
 */
export function computeShare(record: MachineRecord, bucket: RateLimitBucket, now: number): MachineShare | undefined {
  const { machines, lostAt, usedAtLoss = 0, isYoung } = record;
  const { requests, window } = bucket;
  if (requests === Number.POSITIVE_INFINITY || (lostAt === undefined && !isYoung)) return undefined;
  const factor = machines * 2 ** remainingRefusals(record, bucket, now);
  const share = requests / factor;
  if (machines > 1 && lostAt !== undefined && now - lostAt < absenceTime(window) + window) {
    const allowed = Math.min(share, Math.max(usedAtLoss, share * FIRST_WINDOW_PART));
    return { requests: Math.floor(allowed), window, delay: 0 };
  }
  if (share >= 1) return { requests: Math.floor(share), window, delay: 0 };
  return { requests: 1, window: Math.ceil(window / share), delay: turnDelay(record, bucket, factor, now) };
}

/**
 * Returns the milliseconds until the turn of a machine. Turns are as far apart as requests may be, by the clock of the
 * server as the machines last saw it, so that no two machines send their requests at the same time. A turn is the
 * beginning of that time; the rest of the slack is for requests that arrive late.
 */
function turnDelay(
  { rank = 0, ahead = 0 }: MachineRecord,
  { requests, window }: RateLimitBucket,
  factor: number,
  now: number,
): number {
  const slack = Math.min(GRACE_MS, window / 4);
  const distance = (window + slack) / requests;
  const period = distance * factor;
  const phase = (((now + ahead - rank * distance) % period) + period) % period;
  return phase < slack / 2 ? 0 : period - phase;
}

/** A refusal lowers the share until a window passes without one. */
function remainingRefusals(
  { refusedAt, refusals = 0 }: MachineRecord,
  { window }: RateLimitBucket,
  now: number,
): number {
  return refusedAt === undefined ? 0 : Math.max(0, refusals - Math.floor(Math.max(0, now - refusedAt) / window));
}
