/** The turns of all processes of this machine, in a file that SQLite keeps whole whatever happens to them. */
import type { StatementSync } from "node:sqlite";
import { sleep } from "../../base/abort.ts";
import { inTransaction, isBusy, isDamaged } from "../../base/sqlite.ts";
import { affordable, allocate } from "./allocate.ts";
import { otherWaiters, type QueueEntry, type QueuePosition, queuePosition } from "./queue-position.ts";
import { type OpenFile, openFile, type SqliteOptions } from "./sqlite-file.ts";
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

/** Milliseconds for which others may hold the file before it is given up. */
const BUSY_MS = 3000;
/** Milliseconds between two tries at a file that others hold, at most. */
const BUSY_PAUSE_MS = 20;
const DAY_MS = 86_400_000;
/** Days for which an account is remembered that nobody uses. */
const KEPT_DAYS = 7;

const STATEMENTS = {
  account: "SELECT id, paused_at, paused_until, day, units FROM accounts WHERE hash = ?",
  addAccount: "INSERT INTO accounts (hash, paused_at, paused_until, day, units) VALUES (?, 0, 0, ?, 0)",
  forgetAccounts: "DELETE FROM accounts WHERE day < ?",
  forgetSlots: "DELETE FROM slots WHERE account NOT IN (SELECT id FROM accounts)",
  forgetWaiters: "DELETE FROM waiters WHERE account NOT IN (SELECT id FROM accounts)",
  pause: "UPDATE accounts SET paused_at = ?, paused_until = ? WHERE id = ?",
  spend: "UPDATE accounts SET day = ?, units = ? WHERE id = ?",
  clamp: "UPDATE slots SET until = ? WHERE account = ? AND until > ?",
  over: "UPDATE slots SET until = ? WHERE id = ?",
  purge: "DELETE FROM slots WHERE account = ? AND until <= ?",
  used: "SELECT count(*) AS used, coalesce(sum(interactive), 0) AS interactive FROM slots WHERE account = ? AND until > ?",
  end: "SELECT until FROM slots WHERE account = ? AND until > ? ORDER BY until LIMIT 1 OFFSET ?",
  take: "INSERT OR REPLACE INTO slots (id, account, until, interactive) VALUES (?, ?, ?, ?)",
  waiters: "SELECT owner, interactive, served, since, wants, due FROM waiters WHERE account = ?",
  wait: "INSERT OR REPLACE INTO waiters (account, owner, interactive, served, since, wants, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
  leave: "DELETE FROM waiters WHERE account = ? AND owner = ? AND interactive = ?",
  forget: "DELETE FROM waiters WHERE account = ? AND due < ?",
} as const;

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
export async function openSqliteStore(options: SqliteOptions): Promise<RateLimitStore> {
  let open = await prepared(options);
  const once = (lane: RateLimitBucket, ask: StepRequest) =>
    whenFree(() => inTransaction(open.file.database, () => step(open.statements, lane, ask, options.now())));
  return {
    async step(lane, ask) {
      try {
        return await once(lane, ask);
      } catch (error) {
        if (!isDamaged(error)) throw error;
        open.file.setAside();
        open = await prepared(options);
        return once(lane, ask);
      }
    },
    close: () => open.file.database.close(),
  };
}

interface Prepared {
  readonly file: OpenFile;
  readonly statements: Statements;
}

async function prepared(options: SqliteOptions): Promise<Prepared> {
  const file = await openFile(options);
  const made = Object.entries(STATEMENTS).map(([name, sql]) => [name, file.database.prepare(sql)]);
  return { file, statements: Object.fromEntries(made) as Statements };
}

/** Tries until nobody else holds the file; the event loop runs in between. */
async function whenFree<T>(action: () => T): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > BUSY_MS) throw error;
    }
    await sleep(Math.random() * BUSY_PAUSE_MS);
  }
}

function step(statements: Statements, lane: RateLimitBucket, ask: StepRequest, now: number): StepResult {
  const account = accountOf(statements, lane, now);
  const { pause, spent } = write(statements, account, ask, now);
  statements.purge.run(account.id, now - Math.max(lane.window, RETENTION_MS));
  const from = now - lane.window;
  const { used, interactive } = statements.used.get(account.id, from) as { used: number; interactive: number };
  const queue = statements.waiters.all(account.id) as unknown as QueueEntry[];
  const { owner } = lane;
  const person = queuePosition(queue, { owner, interactive: 1, requested: ask.interactive.length, now });
  const bulk = queuePosition(queue, { owner, interactive: 0, requested: ask.background.length, now });
  const persons = otherWaiters(queue, owner, 1, now).reduce((sum, { wants }) => sum + wants, 0);
  const view = { used, interactive, pause, aheadInteractive: person.ahead, aheadBackground: persons + bulk.ahead };
  const { missing, ...free } = allocate(lane, view, { interactive: person.allowed, background: bulk.allowed });
  const granted = affordable(lane, spent, ask, free);
  const units = spent + granted.cost;
  if (account.day !== utcDay(now) || account.units !== units) statements.spend.run(utcDay(now), units, account.id);
  const take = (wanted: readonly PermitRequest[], kind: 0 | 1) => {
    if (lane.requests === Number.POSITIVE_INFINITY) return;
    for (const { id } of wanted) statements.take.run(id, account.id, now + GRACE_MS, kind);
  };
  take(ask.interactive.slice(0, granted.interactive), 1);
  take(ask.background.slice(0, granted.background), 0);
  const end = () => statements.end.get(account.id, from, missing - 1) as { until: number } | undefined;
  const wait = pause > 0 ? pause : missing > 0 ? (end()?.until ?? now) - from : 0;
  const wake = Math.min(wait, pollInterval(lane));
  const keep = (kind: 0 | 1, place: QueuePosition, wanted: number, got: number) => {
    const isKnown = queue.some((waiter) => waiter.owner === owner && waiter.interactive === kind);
    const { served, since, isContested } = place;
    if (wanted > got || (isKnown && isContested)) {
      statements.wait.run(account.id, owner, kind, served + got, since, wanted - got, now + wake);
      statements.forget.run(account.id, now - RETENTION_MS);
    } else if (isKnown) statements.leave.run(account.id, owner, kind);
  };
  keep(1, person, ask.interactive.length, granted.interactive);
  keep(0, bulk, ask.background.length, granted.background);
  const left = Math.max(0, lane.requests - used - granted.interactive - granted.background);
  return {
    interactive: granted.interactive,
    background: granted.background,
    wait,
    pollAfter: wake,
    remaining: left,
    units,
  };
}

/** The row of an account; accounts of other days that hold nothing any more go when a new one comes. */
function accountOf(statements: Statements, lane: RateLimitBucket, now: number): AccountRow {
  const known = statements.account.get(lane.account) as AccountRow | undefined;
  if (known) return known;
  statements.forgetAccounts.run(utcDay(now - KEPT_DAYS * DAY_MS));
  statements.forgetSlots.run();
  statements.forgetWaiters.run();
  statements.addAccount.run(lane.account, utcDay(now));
  return statements.account.get(lane.account) as unknown as AccountRow;
}

/** Writes down what came with a step. A clock that was set back makes nobody wait longer than a window. */
function write(
  statements: Statements,
  account: AccountRow,
  { released: done, units, pause }: StepRequest,
  now: number,
) {
  statements.clamp.run(now + GRACE_MS, account.id, now + GRACE_MS);
  for (const { id, ago } of done) statements.over.run(now - ago, id);
  const kept = normalizePause({ at: account.paused_at, until: account.paused_until }, now);
  const paused = now + pause > kept.until ? { at: now, until: now + pause } : kept;
  if (paused.at !== account.paused_at && paused.until > now) statements.pause.run(paused.at, paused.until, account.id);
  const before = account.day === utcDay(now) ? account.units : 0;
  return { pause: Math.max(0, paused.until - now), spent: Math.max(0, before + units) };
}
