/** The permits of all processes of this machine, in an SQLite file that stays consistent when one of them is killed. */
import type { StatementSync } from "node:sqlite";
import { DAY_MS, inTransaction, isBusy, isDamaged, monotonicMs, sleep } from "../../../base/index.ts";
import { affordable, allocate } from "./allocate.ts";
import { isWorthStoring, type MachineRecord, machineState, shareOf, updateRecord } from "./machine-share.ts";
import { otherWaiters, type QueueEntry, type QueuePosition, queuePosition } from "./queue-position.ts";
import { type OpenFile, openFile, type SqliteFileOptions } from "./sqlite-file.ts";
import {
  GRACE_MS,
  normalizePause,
  type PermitRequest,
  pollInterval,
  type RateLimitBucket,
  type RateLimitStore,
  RETENTION_MS,
  type StepRequest,
  type StepResult,
  utcDay,
} from "./store.ts";

/** Milliseconds for which other processes may hold the file before a step fails. */
const BUSY_TIMEOUT_MS = 3000;
/** Milliseconds between two attempts while the file is held, at most. */
const BUSY_RETRY_MS = 20;
/** Days whose compute units are stored. */
const STORED_DAYS = 14;
/** Days after which an account without requests is removed. */
const ACCOUNT_DAYS = 7;

const STATEMENTS = {
  account: "SELECT id, paused_at, paused_until, day, units FROM accounts WHERE hash = ?",
  addAccount: "INSERT INTO accounts (hash, paused_at, paused_until, day, units) VALUES (?, 0, 0, ?, 0)",
  removeAccounts: "DELETE FROM accounts WHERE day < ? AND id NOT IN (SELECT account FROM slots WHERE until > ?)",
  removeOrphanPermits: "DELETE FROM slots WHERE account NOT IN (SELECT id FROM accounts)",
  server: "SELECT record FROM servers WHERE account = ?",
  storeServer: "INSERT OR REPLACE INTO servers (account, record) VALUES (?, ?)",
  removeOrphanServers: "DELETE FROM servers WHERE account NOT IN (SELECT id FROM accounts)",
  removeOrphanDays: "DELETE FROM days WHERE account NOT IN (SELECT id FROM accounts)",
  removeOrphanWaiters: "DELETE FROM waiters WHERE account NOT IN (SELECT id FROM accounts)",
  pause: "UPDATE accounts SET paused_at = ?, paused_until = ? WHERE id = ?",
  spend: "UPDATE accounts SET day = ?, units = ? WHERE id = ?",
  unitsOfDay: "SELECT units FROM days WHERE account = ? AND day = ?",
  storeDay: "INSERT OR REPLACE INTO days (account, day, units) VALUES (?, ?, ?)",
  pruneDays:
    "DELETE FROM days WHERE account = ? AND day NOT IN (SELECT day FROM days WHERE account = ? ORDER BY day DESC LIMIT ?)",
  clampPermits: "UPDATE slots SET until = ? WHERE account = ? AND until > ?",
  endPermit: "UPDATE slots SET until = ? WHERE id = ?",
  prunePermits: "DELETE FROM slots WHERE account = ? AND until <= ?",
  countPermits:
    "SELECT count(*) AS used, coalesce(sum(interactive), 0) AS interactive FROM slots WHERE account = ? AND until > ?",
  endTime: "SELECT until FROM slots WHERE account = ? AND until > ? ORDER BY until LIMIT 1 OFFSET ?",
  addPermit: "INSERT OR REPLACE INTO slots (id, account, until, interactive) VALUES (?, ?, ?, ?)",
  waiters: "SELECT owner, interactive, served, since, wants, due FROM waiters WHERE account = ?",
  putWaiter:
    "INSERT OR REPLACE INTO waiters (account, owner, interactive, served, since, wants, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
  removeWaiter: "DELETE FROM waiters WHERE account = ? AND owner = ? AND interactive = ?",
  pruneWaiters: "DELETE FROM waiters WHERE account = ? AND due < ?",
} as const;

/** Each is prepared when it first runs: most runs need a third of them. */
type Statements = Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;

interface AccountRow {
  readonly id: number;
  readonly paused_at: number;
  readonly paused_until: number;
  readonly day: string;
  readonly units: number;
}

/**
 * Opens the store.
 * @throws when the file cannot be used
 */
export async function openSqliteStore(options: SqliteFileOptions): Promise<RateLimitStore> {
  let open = await openPrepared(options);
  const tryStep = (bucket: RateLimitBucket, request: StepRequest) =>
    retryWhileBusy(() =>
      inTransaction(open.file.database, () =>
        step(open.statements, bucket, request, {
          now: open.file.now(),
          date: options.calendar(),
          machine: open.file.machine,
        }),
      ),
    );
  return {
    async step(bucket, request) {
      try {
        return await tryStep(bucket, request);
      } catch (error) {
        if (!isDamaged(error)) throw error;
        open.file.setAside();
        open = await openPrepared(options);
        return tryStep(bucket, request);
      }
    },
    close: () => open.file.database.close(),
  };
}

interface PreparedFile {
  readonly file: OpenFile;
  readonly statements: Statements;
}

async function openPrepared(options: SqliteFileOptions): Promise<PreparedFile> {
  const file = await openFile(options);
  const statements = {};
  for (const [name, sql] of Object.entries(STATEMENTS)) {
    let statement: StatementSync | undefined;
    const get = () => {
      statement ??= file.database.prepare(sql);
      return statement;
    };
    Object.defineProperty(statements, name, { get });
  }
  return { file, statements: statements as Statements };
}

/** Retries until no other process holds the file; the event loop runs in between. */
async function retryWhileBusy<T>(action: () => T): Promise<T> {
  const start = monotonicMs();
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() - start > BUSY_TIMEOUT_MS) throw error;
    }
    await sleep(Math.random() * BUSY_RETRY_MS);
  }
}

/** A step: when it runs, by the clock of the file and by the calendar, and on which machine. */
interface StepContext {
  readonly now: number;
  readonly date: number;
  readonly machine: number;
}

function step(
  statements: Statements,
  bucket: RateLimitBucket,
  request: StepRequest,
  { now, date, machine }: StepContext,
): StepResult {
  const account = findOrAddAccount(statements, bucket, { now, date });
  const spent = Math.max(0, unitsOfDay(statements, account, date) + request.units);
  const pausedFor = record(statements, account, request, now);
  const { share, ...state } = machineShare(statements, account, bucket, request, { now, machine });
  const pause = Math.max(pausedFor, share?.delay ?? 0);
  const limit = { requests: share?.requests ?? bucket.requests, window: bucket.window };
  statements.prunePermits.run(account.id, now - Math.max(limit.window, RETENTION_MS));
  const windowStart = now - limit.window;
  const { used, interactive } = countPermits(statements, account, windowStart);
  const queue = statements.waiters.all(account.id) as unknown as QueueEntry[];
  const { owner } = bucket;
  const positions = {
    interactive: queuePosition(queue, { owner, interactive: 1, requested: request.interactive.length, now }),
    background: queuePosition(queue, { owner, interactive: 0, requested: request.background.length, now }),
  };
  const othersInteractive = otherWaiters(queue, owner, 1, now).reduce((sum, { wants }) => sum + wants, 0);
  const aheadInteractive = positions.interactive.ahead;
  const aheadBackground = othersInteractive + positions.background.ahead;
  const { missing, ...available } = allocate(
    limit,
    { used, interactive, pause, aheadInteractive, aheadBackground },
    { interactive: positions.interactive.allowed, background: positions.background.allowed },
  );
  const granted = affordable(bucket, spent, request, available);
  const units = spent + granted.cost;
  if (account.day !== utcDay(date) || account.units !== units) statements.spend.run(utcDay(date), units, account.id);
  const addPermits = (requests: readonly PermitRequest[], kind: 0 | 1) => {
    if (bucket.requests === Number.POSITIVE_INFINITY) return;
    for (const { id } of requests) statements.addPermit.run(id, account.id, now + GRACE_MS, kind);
  };
  addPermits(request.interactive.slice(0, granted.interactive), 1);
  addPermits(request.background.slice(0, granted.background), 0);
  const endTime = () => statements.endTime.get(account.id, windowStart, missing - 1) as { until: number } | undefined;
  const wait = pause > 0 ? pause : missing > 0 ? (endTime()?.until ?? now) - windowStart : 0;
  const pollAfter = Math.min(wait, pollInterval(bucket));
  const entries = { account: account.id, owner, queue, now, due: now + pollAfter };
  updateQueue(statements, { ...entries, kind: 1 }, positions.interactive, [request.interactive, granted.interactive]);
  updateQueue(statements, { ...entries, kind: 0 }, positions.background, [request.background, granted.background]);
  const remaining = Math.max(0, limit.requests - used - granted.interactive - granted.background);
  const { interactive: interactivePermits, background } = granted;
  return { interactive: interactivePermits, background, wait, pollAfter, remaining, units, share, ...state };
}

function countPermits(statements: Statements, { id }: AccountRow, from: number): { used: number; interactive: number } {
  return statements.countPermits.get(id, from) as { used: number; interactive: number };
}

/** Updates what this machine remembers of the server that machines share, and returns its share. */
function machineShare(
  statements: Statements,
  account: AccountRow,
  bucket: RateLimitBucket,
  { server, pause }: StepRequest,
  { now, machine }: Pick<StepContext, "now" | "machine">,
): Pick<StepResult, "share" | "machine"> {
  if (server === undefined) return {};
  const row = statements.server.get(account.id) as { readonly record: string } | undefined;
  const before: MachineRecord | undefined = row && JSON.parse(row.record);
  const { used } = countPermits(statements, account, now - bucket.window);
  const after = updateRecord(before, bucket, server, { now, used, isRefused: pause > 0 });
  if (isWorthStoring(before, after)) statements.storeServer.run(account.id, JSON.stringify(after));
  return { share: shareOf(after, bucket, now), machine: machineState(machine, after, bucket, now) };
}

interface QueueUpdate {
  readonly account: number;
  readonly owner: number;
  readonly queue: readonly QueueEntry[];
  readonly kind: 0 | 1;
  readonly now: number;
  /** When the client asks again at the latest. */
  readonly due: number;
}

/** Stores the position of a client that waits for more permits; removes it when it is no longer needed. */
function updateQueue(
  statements: Statements,
  { account, owner, queue, kind, now, due }: QueueUpdate,
  { served, since, isContested }: QueuePosition,
  [requests, granted]: readonly [readonly PermitRequest[], number],
): void {
  const isKnown = queue.some((entry) => entry.owner === owner && entry.interactive === kind);
  const missing = requests.length - granted;
  if (missing > 0 || (isKnown && isContested)) {
    statements.putWaiter.run(account, owner, kind, served + granted, since, missing, due);
    statements.pruneWaiters.run(account, now - RETENTION_MS);
  } else if (isKnown) statements.removeWaiter.run(account, owner, kind);
}

/** Returns the row of an account. Adding one removes accounts that were not used for some days. */
function findOrAddAccount(
  statements: Statements,
  bucket: RateLimitBucket,
  { now, date }: Pick<StepContext, "now" | "date">,
): AccountRow {
  const row = statements.account.get(bucket.account) as AccountRow | undefined;
  if (row) return row;
  statements.removeAccounts.run(utcDay(date - ACCOUNT_DAYS * DAY_MS), now - RETENTION_MS);
  statements.removeOrphanPermits.run();
  statements.removeOrphanWaiters.run();
  statements.removeOrphanDays.run();
  statements.removeOrphanServers.run();
  statements.addAccount.run(bucket.account, utcDay(date));
  return statements.account.get(bucket.account) as unknown as AccountRow;
}

/**
 * Returns the compute units of the day. Those of another day are stored when the day changes: a clock that was wrong for
 * a while may return to it.
 */
function unitsOfDay(statements: Statements, { id, day, units }: AccountRow, date: number): number {
  const today = utcDay(date);
  if (day === today) return units;
  statements.storeDay.run(id, day, units);
  statements.pruneDays.run(id, id, STORED_DAYS);
  return (statements.unitsOfDay.get(id, today) as { units: number } | undefined)?.units ?? 0;
}

/**
 * Records what a step reports, and returns the remaining milliseconds of a pause. After a restart of the clock, no client
 * waits longer than a window.
 */
function record(statements: Statements, account: AccountRow, { released, pause }: StepRequest, now: number): number {
  statements.clampPermits.run(now + GRACE_MS, account.id, now + GRACE_MS);
  for (const { id, ago } of released) statements.endPermit.run(now - ago, id);
  const stored = normalizePause({ at: account.paused_at, until: account.paused_until }, now);
  const current = now + pause > stored.until ? { at: now, until: now + pause } : stored;
  if (current.at !== account.paused_at && current.until > now) {
    statements.pause.run(current.at, current.until, account.id);
  }
  return Math.max(0, current.until - now);
}
