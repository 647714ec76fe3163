/**
 * Events that are to be delivered, and how far subjects were read: both change in one transaction, so that after a crash
 * no event is missing and none is found twice. A delivery is removed when it was made; the only repetition is the one
 * that was under way.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  enableWriteAheadLog,
  inTransaction,
  type JsonObject,
  lockBeside,
  openPrivateDatabase,
  parseJson,
  stringifyJson,
  UsageError,
} from "../../base/index.ts";

/** An event for an action. */
export interface Delivery {
  /** The action, by a name that it has in every run. */
  readonly action: string;
  /** Deliveries of one subject keep their order. */
  readonly subject: string;
  /** What receivers recognise repetitions by. */
  readonly key: string;
  readonly event: JsonObject;
}

/** A delivery in the outbox. */
export interface StoredDelivery extends Delivery {
  readonly id: number;
  /** How often it failed. */
  readonly attempts: number;
}

/** Deliveries of an action. */
export interface ActionCounts {
  readonly action: string;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly parked: number;
  /** When the oldest pending one was found, in milliseconds since the epoch. */
  readonly oldest: number | null;
  readonly last_error: string | null;
}

const TABLES = `
CREATE TABLE cursors (subject TEXT PRIMARY KEY, cursor TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT, action TEXT NOT NULL, subject TEXT NOT NULL, key TEXT NOT NULL,
  event TEXT NOT NULL, found INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0,
  parked INTEGER NOT NULL DEFAULT 0, error TEXT);
CREATE INDEX outbox_order ON outbox (action, parked, subject, id);
CREATE TABLE counts (
  action TEXT PRIMARY KEY, delivered INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE recent (
  id INTEGER PRIMARY KEY AUTOINCREMENT, found INTEGER NOT NULL, subject TEXT NOT NULL, event TEXT NOT NULL);
CREATE TABLE looks (subject TEXT PRIMARY KEY, look TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE polls (subject TEXT PRIMARY KEY, due INTEGER NOT NULL) WITHOUT ROWID`;

/** What becomes of a delivery, as `parked` has it. */
export const FATES = { due: 0, parked: 1, dropped: 2 } as const;

/** Events that are kept after their delivery, for the dashboard. */
export const MAX_RECENT = 2000;

/** Milliseconds after which it is stored when subjects are polled next. */
const POLLS_MS = 2000;

/** The first delivery of each subject, of those of an action that are not parked. */
const HEADS = "SELECT min(id) FROM outbox WHERE action = ? AND parked = 0 GROUP BY subject";

/** What a poll found about a subject. */
export interface Found {
  readonly subject: string;
  readonly events: readonly JsonObject[];
  readonly deliveries: readonly Pick<Delivery, "action" | "key" | "event">[];
  /** What the subject is continued from. */
  readonly cursor?: JsonObject | undefined;
}

/** What else is stored of a delivery. */
interface Restored {
  readonly id: number | null;
  readonly found: number;
  readonly attempts?: number;
  readonly parked?: number;
  readonly error?: string | null;
}

const NEVER = new AbortController().signal;

/** What is watched for a time: by this process, where there are others. */
export interface Share {
  /** Names of subjects without their identifiers. */
  readonly units: ReadonlySet<string>;
  /** Fires at the end of the time. */
  readonly signal: AbortSignal;
}

/** Opens the database of an outbox. */
export function openTables(path: string): DatabaseSync {
  const database = openPrivateDatabase(path, { version: 2, tables: TABLES }, { timeout: 5000 });
  if (path !== ":memory:") enableWriteAheadLog(database, path);
  return database;
}

/** Opens the outbox of a file, or one in memory (`:memory:`). */
export class Outbox {
  /** Whether it outlasts the process. */
  readonly isLasting: boolean;
  protected readonly database: DatabaseSync;
  readonly #lock: DatabaseSync | undefined;
  readonly #polls = new Map<string, number>();
  #polling: NodeJS.Timeout | undefined;

  /**
   * @param use `watch` locks the file for this process; `read` only looks into it
   * @throws UsageError when another process watches with this file
   */
  constructor(path: string, use: "watch" | "read" = "watch") {
    this.isLasting = path !== ":memory:";
    this.#lock = use === "watch" ? lockBeside(path, inUse) : undefined;
    this.database = openTables(path);
    if (use === "watch") this.database.exec(`DELETE FROM outbox WHERE parked = ${FATES.dropped}`);
    // A commit is on disk before an event is delivered.
    this.database.exec("PRAGMA synchronous = FULL");
    // The clock may have been set since: what failed before is tried at once.
    if (use === "watch") this.database.exec("UPDATE outbox SET due = 0");
  }

  /** Called when deliveries were added. */
  onAdded = (): void => {};

  /** Called when what has the outbox is lost, and when it is found again. */
  onState = (_isFailing: boolean): void => {};

  /** Fires when deliveries that are under way must not continue. */
  get signal(): AbortSignal {
    return NEVER;
  }

  /** Yields what is to be watched; each share ends before the next one. */
  async *shares(units: readonly string[], signal: AbortSignal): AsyncGenerator<Share> {
    yield { units: new Set(units), signal };
  }

  /** Returns what a subject is continued from. */
  cursor(subject: string): JsonObject | undefined {
    const row = this.database.prepare("SELECT cursor FROM cursors WHERE subject = ?").get(subject);
    return row && (parseJson(String(row.cursor)) as JsonObject);
  }

  /** Adds the deliveries of events, and stores how far their subject was read. */
  commit(now: number, { subject, events, deliveries, cursor }: Found, first?: number): void | Promise<void> {
    inTransaction(this.database, () => {
      for (const [at, one] of deliveries.entries())
        this.restore({ ...one, subject, found: now, id: first === undefined ? null : first + at });
      if (cursor) this.restoreCursor(subject, stringifyJson(cursor));
      if (!this.isLasting || events.length === 0) return;
      const remember = this.database.prepare("INSERT INTO recent (found, subject, event) VALUES (?, ?, ?)");
      for (const event of events) remember.run(now, subject, stringifyJson(event));
      this.database.prepare("DELETE FROM recent WHERE id <= (SELECT max(id) FROM recent) - ?").run(MAX_RECENT);
    });
    if (deliveries.length > 0) this.onAdded();
  }

  /** Returns the next delivery of an action: the oldest one that is due and the first of its subject. */
  next(action: string, now: number): StoredDelivery | undefined {
    const row = this.database
      .prepare(`SELECT * FROM outbox WHERE id IN (${HEADS}) AND due <= ? ORDER BY id LIMIT 1`)
      .get(action, now);
    if (!row) return undefined;
    const event = parseJson(String(row.event)) as JsonObject;
    const [id, attempts] = [Number(row.id), Number(row.attempts)];
    return { id, action, subject: String(row.subject), key: String(row.key), event, attempts };
  }

  /** Returns when the next delivery of an action is due; undefined when there is none. */
  nextDue(action: string): number | undefined {
    const row = this.database.prepare(`SELECT min(due) AS due FROM outbox WHERE id IN (${HEADS})`).get(action);
    return row?.due === null || row === undefined ? undefined : Number(row.due);
  }

  /** Tells others, after a moment, when subjects are polled next: milliseconds since the epoch. */
  polled(subjects: readonly string[], due: number): void {
    if (!this.isLasting) return;
    for (const subject of subjects) this.#polls.set(subject, due);
    this.#polling ??= setTimeout(() => {
      this.#polling = undefined;
      const polls = [...this.#polls];
      this.#polls.clear();
      try {
        inTransaction(this.database, () => {
          const insert = this.database.prepare("INSERT OR REPLACE INTO polls VALUES (?, ?)");
          for (const poll of polls) insert.run(...poll);
        });
      } catch {
        // The disk may be full: nothing depends on these times.
      }
    }, POLLS_MS).unref();
  }

  /** Removes a delivery that was made. */
  delivered({ id, action }: StoredDelivery): void | Promise<void> {
    inTransaction(this.database, () => {
      this.database.prepare("DELETE FROM outbox WHERE id = ?").run(id);
      this.#count(action, "delivered");
    });
  }

  /** Notes a failure: the delivery is repeated at a time, or parked when there is none. */
  failed({ id, action }: StoredDelivery, error: string, due: number | undefined): void | Promise<void> {
    inTransaction(this.database, () => {
      const update = "UPDATE outbox SET attempts = attempts + 1, due = ?, parked = ?, error = ? WHERE id = ?";
      this.database.prepare(update).run(due ?? 0, due === undefined ? 1 : 0, error, id);
      this.#count(action, "failed");
    });
  }

  /** Called for a delivery that was neither made nor failed. */
  interrupted(_delivery: StoredDelivery): void {}

  /** Decides about a parked delivery; one that is dropped can be parked again until the rules are watched anew. */
  settle(id: number, fate: keyof typeof FATES): void | Promise<void> {
    const sql = "UPDATE outbox SET parked = ?, attempts = 0, due = 0 WHERE id = ? AND parked <> 0";
    this.database.prepare(sql).run(FATES[fate], id);
    if (fate === "due") this.onAdded();
  }

  /** Makes parked deliveries due again; returns their number. */
  retryParked(): number | Promise<number> {
    return Number(
      this.database.prepare("UPDATE outbox SET parked = 0, attempts = 0, due = 0 WHERE parked = 1").run().changes,
    );
  }

  counts(): readonly ActionCounts[] {
    const rows = this.database
      .prepare(
        `SELECT action, coalesce(delivered, 0) AS delivered, coalesce(failed, 0) AS failed,
          total(parked = 0) AS pending, total(parked = 1) AS parked,
          min(CASE parked WHEN 0 THEN found END) AS oldest, max(error) AS last_error
         FROM (SELECT action, parked, found, error FROM outbox UNION ALL SELECT action, NULL, NULL, NULL FROM counts)
         LEFT JOIN counts USING (action) GROUP BY action ORDER BY action`,
      )
      .all();
    return rows as unknown as readonly ActionCounts[];
  }

  /** Removes everything but counts and recent events. */
  protected clear(): void {
    this.database.exec("DELETE FROM cursors; DELETE FROM outbox");
  }

  protected restoreCursor(subject: string, cursor: string): void {
    this.database.prepare("INSERT OR REPLACE INTO cursors VALUES (?, ?)").run(subject, cursor);
  }

  protected restore(one: Delivery & Restored): void {
    const { id, action, subject, key, event, found, attempts = 0, parked = 0, error = null } = one;
    this.database
      .prepare(
        "INSERT INTO outbox (id, action, subject, key, event, found, attempts, parked, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(id, action, subject, key, stringifyJson(event), found, attempts, parked, error);
  }

  protected setCounts(totals: readonly { action: string; what: string; count: number }[]): void {
    this.database.exec("DELETE FROM counts");
    for (const { action, what, count } of totals) this.#count(action, what as "delivered", count);
  }

  close(): void | Promise<void> {
    clearTimeout(this.#polling);
    this.database.close();
    this.#lock?.close();
  }

  #count(action: string, what: "delivered" | "failed", count = 1): void {
    const sql = `INSERT INTO counts (action, ${what}) VALUES (?, ?) ON CONFLICT DO UPDATE SET ${what} = ${what} + excluded.${what}`;
    this.database.prepare(sql).run(action, count);
  }
}

const inUse = () =>
  new UsageError("Another solx process watches these rules.", {
    code: "IN_USE",
    hint: "Stop it first, or see what it does: solx watch status",
  });
