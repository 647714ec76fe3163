/** The permits of all processes of this machine, in an SQLite file that stays consistent when one of them is killed. */

import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  createFolder,
  createPrivateFile,
  DAY_MS,
  enableWriteAheadLog,
  ensureSchema,
  fileIdentity,
  inTransaction,
  isBusy,
  isDamaged,
  monotonicMs,
  openDatabase,
  type Schema,
  setDamagedFileAside,
  sleep,
} from "../../../base/index.ts";
import { affordable, allocate, otherWaiters, type QueueEntry, type QueuePosition, queuePosition } from "./allocate.ts";
import { computeShare, isWorthStoring, type MachineRecord, machineState, updateRecord } from "./machine-share.ts";
import {
  bootId,
  GRACE_MS,
  MAX_MACHINE,
  machineClock,
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

/** Opens the store. @throws when the file cannot be used */
export async function openSqliteStore(options: SqliteFileOptions): Promise<RateLimitStore> {
  let open = await openPrepared(options);
  const tryStep = (bucket: RateLimitBucket, request: StepRequest) =>
    retryWhileBusy(() =>
      inTransaction(open.database, () =>
        step(open.statements, bucket, request, {
          now: open.now(),
          date: options.calendar(),
          machine: open.machine,
        }),
      ),
    );
  return {
    async step(bucket, request) {
      try {
        return await tryStep(bucket, request);
      } catch (error) {
        if (!isDamaged(error)) throw error;
        open.setAside();
        open = await openPrepared(options);
        return tryStep(bucket, request);
      }
    },
    close: () => open.database.close(),
  };
}

type PreparedFile = OpenFile & { readonly statements: Statements };

async function openPrepared(options: SqliteFileOptions): Promise<PreparedFile> {
  const file = await openFile(options);
  const prepared = new Map<keyof Statements, StatementSync>();
  const statements = new Proxy({} as Statements, {
    get(_, name: keyof Statements) {
      const statement = prepared.get(name) ?? file.database.prepare(STATEMENTS[name]);
      prepared.set(name, statement);
      return statement;
    },
  });
  return { ...file, statements };
}

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
  return { share: computeShare(after, bucket, now), machine: machineState(machine, after, bucket, now) };
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

/** Where the file is. */
export interface SqliteFileOptions {
  readonly folder: string;
  readonly calendar: () => number;
  readonly onNote: (text: string) => void;
}

// The names of the file, its tables and its columns are older than those of the code: processes of other versions use
// the same file at the same time. A slot is a permit.
const FILE_NAME = "budget.sqlite";
/** Milliseconds for which a statement blocks this process while another one writes. */
const BLOCKING_MS = 10;
/** Pages of the write-ahead log at which it is written back to the file. */
const WAL_PAGES = 256;
/** Milliseconds for which opening is retried while another process holds the file, and the pauses in between. */
const OPEN_TIMEOUT_MS = 3000;
const OPEN_RETRY_MS = 20;

const SCHEMA: Schema = {
  version: 1,
  tables: `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE,
    paused_at REAL NOT NULL, paused_until REAL NOT NULL, day TEXT NOT NULL, units INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE slots (
    id INTEGER PRIMARY KEY, account INTEGER NOT NULL, until REAL NOT NULL, interactive INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX slots_by_end ON slots (account, until, interactive);
  CREATE TABLE waiters (
    account INTEGER NOT NULL, owner INTEGER NOT NULL, interactive INTEGER NOT NULL,
    served INTEGER NOT NULL, since REAL NOT NULL, wants INTEGER NOT NULL, due REAL NOT NULL,
    PRIMARY KEY (account, owner, interactive)
  ) STRICT, WITHOUT ROWID`,
};

/** Tables that versions before 0.2 neither have nor need. */
const ADDED_TABLES = `
  CREATE TABLE IF NOT EXISTS clocks (
    boot TEXT PRIMARY KEY, offset REAL NOT NULL, seen REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS days (
    account INTEGER NOT NULL, day TEXT NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (account, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS machines (boot TEXT PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS servers (account INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT`;

interface OpenFile {
  readonly database: DatabaseSync;
  /** Returns milliseconds of the clock that the times in the file are of. */
  readonly now: () => number;
  /** The number of this machine among those that share a server. */
  readonly machine: number;
  /** Closes the damaged file and renames it, so that a new one can take its place. */
  setAside(): void;
}

/**
 * Opens the file, and creates it if it does not exist, readable by its owner only.
 * @throws when it cannot be created, read or written
 */
async function openFile(options: SqliteFileOptions): Promise<OpenFile> {
  const { folder, onNote } = options;
  const path = join(folder, FILE_NAME);
  createFolder(folder);
  const start = monotonicMs();
  for (let isReplaced = false; ; ) {
    const file = openOnce(path, onNote);
    try {
      configure(file.database, path);
      const boot = bootId();
      const now = openClock(file.database, boot, options);
      return { ...file, now, machine: machineNumber(file.database, boot) };
    } catch (error) {
      if (isDamaged(error) && !isReplaced) {
        isReplaced = true;
        file.setAside();
      } else {
        file.database.close();
        if (!isBusy(error) || monotonicMs() - start > OPEN_TIMEOUT_MS) throw error;
      }
    }
    await sleep(Math.random() * OPEN_RETRY_MS);
  }
}

function openOnce(path: string, onNote: SqliteFileOptions["onNote"]): Omit<OpenFile, "now" | "machine"> {
  createPrivateFile(path);
  const identity = fileIdentity(path);
  const database = openDatabase(path);
  const setAside = () => {
    database.close();
    // Another process may have replaced it already.
    if (fileIdentity(path) !== identity) return;
    const name = setDamagedFileAside(path);
    onNote(`${path} is damaged: it was renamed to ${name}, and the count of requests restarts.`);
  };
  return { database, setAside };
}

/**
 * Configures the database. Nothing is flushed to the disk: that takes longer than a request, and after a power failure
 * the counts are out of date anyway. A killed process leaves the file intact; a file damaged by a power failure is
 * replaced.
 */
function configure(database: DatabaseSync, path: string): void {
  database.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}`);
  enableWriteAheadLog(database, path);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`);
  ensureSchema(database, SCHEMA);
  database.exec(ADDED_TABLES);
}

/**
 * Returns the clock of a file, which all processes read alike and no change of the machine's time moves: the time since
 * the machine started, plus an offset that the first process after the start stores. So the times are near those of
 * older versions. Without a name for the run of the machine, a restart is recognised by a time that was seen before;
 * one that is not recognised only makes permits look younger than they are.
 */
function openClock(database: DatabaseSync, boot: string, { calendar }: SqliteFileOptions): () => number {
  const sinceStart = machineClock();
  if (sinceStart === undefined) {
    const origin = calendar() - monotonicMs();
    return () => monotonicMs() + origin;
  }
  const offset = inTransaction(database, () => {
    // Read while no other process stores its time: what is stored is never later within one run of the machine.
    const seen = sinceStart();
    const row = database.prepare("SELECT offset, seen FROM clocks WHERE boot = ?").get(boot);
    const stored = row as { readonly offset: number; readonly seen: number } | undefined;
    const current = stored !== undefined && stored.seen <= seen ? stored.offset : calendar() - seen;
    database.prepare("INSERT OR REPLACE INTO clocks (boot, offset, seen) VALUES (?, ?, ?)").run(boot, current, seen);
    return current;
  });
  return () => sinceStart() + offset;
}

function machineNumber(database: DatabaseSync, boot: string): number {
  const number = Math.floor(Math.random() * MAX_MACHINE);
  database.prepare("INSERT OR IGNORE INTO machines (boot, id) VALUES (?, ?)").run(boot, number);
  return Number(database.prepare("SELECT id FROM machines WHERE boot = ?").get(boot)?.id);
}
