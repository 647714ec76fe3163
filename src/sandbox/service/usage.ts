/**
 * Stores the usage of keys: compute units of the month, requests of the last 24 hours by minute, and the latest
 * requests. Servers store it in memory; commands that answer in process store it in a file shared by processes. Keys
 * are identified by a name; the key itself is not stored.
 */

import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  createFolder,
  describeError,
  enableWriteAheadLog,
  inTransaction,
  MINUTE_MS,
  openDatabase,
} from "../../base/index.ts";

/** A metered request of a key. */
export interface MeteredRequest {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly route: string;
  readonly status: number;
  readonly units: number;
  /** Whether it was an export that was not rejected. */
  readonly exported: boolean;
}

/** The usage of a key. */
export interface UsageTotals {
  /** Compute units of this month (UTC). */
  readonly periodUnits: number;
  readonly requests24h: number;
  readonly successes24h: number;
  readonly units24h: number;
}

/** Options of a usage store. */
export interface UsageOptions {
  /** The path of the file; in memory without one. */
  readonly path?: string | undefined;
  /** The name that identifies the key. */
  readonly name: string;
  /** Called with a message when the file cannot be used. */
  readonly onNote?: ((note: string) => void) | undefined;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS keys (
  name TEXT PRIMARY KEY,
  period INTEGER NOT NULL,
  units INTEGER NOT NULL,
  exported INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS minutes (
  name TEXT NOT NULL,
  minute INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  units INTEGER NOT NULL,
  PRIMARY KEY (name, minute)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  time INTEGER NOT NULL,
  route TEXT NOT NULL,
  status INTEGER NOT NULL,
  units INTEGER NOT NULL
) STRICT;
`;

const DAY_MINUTES = 24 * 60;
/** Requests are written in batches of this size, or when the first of them is older than MAX_BATCH_AGE_MS. */
const MAX_BATCH = 256;
const MAX_BATCH_AGE_MS = 1000;
/** Number of latest requests that are stored individually. */
const MAX_STORED_REQUESTS = 10_000;
/** Milliseconds to wait for another process that is writing. */
const BUSY_TIMEOUT_MS = 500;

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

/** Returns the start of the month (UTC) in milliseconds. */
export function monthStart(time: number, offset = 0): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
}

/** Counts requests. A file that cannot be used is replaced by a store in memory. Times are in milliseconds. */
export class UsageStore {
  readonly #name: string;
  readonly #onNote: UsageOptions["onNote"];
  readonly #statements = new Map<string, StatementSync>();
  #path: string | undefined;
  #pending: MeteredRequest[] = [];
  #db: DatabaseSync | undefined;
  #period: { readonly start: number; readonly end: number; units: number } | undefined;

  constructor({ path, name, onNote }: UsageOptions) {
    this.#path = path;
    this.#name = name;
    this.#onNote = onNote;
  }

  add(request: MeteredRequest): void {
    this.#pending.push(request);
    const period = this.#periodAt(request.time);
    if (period) period.units += request.units;
    const [first = request] = this.#pending;
    if (this.#pending.length >= MAX_BATCH || request.time - first.time > MAX_BATCH_AGE_MS) this.#flush();
  }

  /** Returns the compute units of the month that contains a time. */
  periodUnits(now: number): number {
    const period = this.#periodAt(now);
    if (period) return period.units;
    this.#flush();
    const units = this.#storedUnits(monthStart(now));
    this.#setPeriod(now, units);
    return units;
  }

  /** Returns the month whose units are known, if it contains a time. */
  #periodAt(time: number) {
    return this.#period && time >= this.#period.start && time < this.#period.end ? this.#period : undefined;
  }

  #setPeriod(now: number, units: number): void {
    this.#period = { start: monthStart(now), end: monthStart(now, 1), units };
  }

  totals(now: number): UsageTotals {
    this.#flush();
    const row = this.#row(
      `SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(successes), 0) AS successes,
         coalesce(sum(units), 0) AS units FROM minutes WHERE name = ? AND minute > ? AND minute <= ?`,
      minuteOf(now) - DAY_MINUTES,
      minuteOf(now),
    );
    return {
      periodUnits: this.#storedUnits(monthStart(now)),
      requests24h: Number(row?.requests),
      successes24h: Number(row?.successes),
      units24h: Number(row?.units),
    };
  }

  /** Returns the times of requests that were not rejected, oldest first, and of the last export, since a time. */
  since(time: number): { readonly requests: readonly number[]; readonly lastExport: number | undefined } {
    this.#flush();
    const sql = "SELECT time FROM requests WHERE name = ? AND time > ? AND status NOT IN (403, 429) ORDER BY time";
    const rows = this.#withFallback(() => this.#prepare(sql).all(this.#name, time));
    const exported = Number(this.#row("SELECT exported FROM keys WHERE name = ?")?.exported ?? 0);
    return { requests: rows.map((row) => Number(row.time)), lastExport: exported > time ? exported : undefined };
  }

  /** Sets the compute units of the month. */
  setPeriodUnits(units: number, now: number): void {
    this.#flush();
    this.#withFallback(() =>
      this.#prepare(
        `INSERT INTO keys VALUES (?, ?, ?, 0)
         ON CONFLICT DO UPDATE SET period = excluded.period, units = excluded.units`,
      ).run(this.#name, monthStart(now), units),
    );
    this.#setPeriod(now, units);
  }

  close(): void {
    this.#flush();
    this.#closeDatabase();
  }

  #closeDatabase(): void {
    this.#statements.clear();
    try {
      this.#db?.close();
    } catch {
      // A file that cannot be used may not close either.
    }
    this.#db = undefined;
  }

  #storedUnits(start: number): number {
    return Number(this.#row("SELECT units FROM keys WHERE name = ? AND period = ?", start)?.units ?? 0);
  }

  /** Returns the first row of a query, whose first parameter is the name of the key. */
  #row(sql: string, ...values: readonly number[]) {
    return this.#withFallback(() => this.#prepare(sql).get(this.#name, ...values));
  }

  /** Writes the pending requests in one transaction. */
  #flush(): void {
    if (this.#pending.length === 0) return;
    const batch = this.#pending;
    this.#pending = [];
    this.#withFallback(() => inTransaction(this.#open(), () => this.#write(batch)));
  }

  #write(batch: readonly MeteredRequest[]): void {
    const name = this.#name;
    const request = this.#prepare("INSERT INTO requests (name, time, route, status, units) VALUES (?, ?, ?, ?, ?)");
    for (const { time, route, status, units } of batch) request.run(name, Math.floor(time), route, status, units);
    const minute = this.#prepare(
      `INSERT INTO minutes VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
         requests = requests + excluded.requests, successes = successes + excluded.successes,
         units = units + excluded.units`,
    );
    const key = this.#prepare(
      `INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
         units = excluded.units + iif(period = excluded.period, units, 0), period = excluded.period,
         exported = max(exported, excluded.exported)`,
    );
    for (const [at, group] of Map.groupBy(batch, ({ time }) => minuteOf(time))) {
      const exports = group.filter(({ exported }) => exported).map(({ time }) => Math.floor(time));
      minute.run(name, at, group.length, group.filter(({ status }) => status === 200).length, sum(group));
      key.run(name, monthStart(at * MINUTE_MS), sum(group), Math.max(0, ...exports));
    }
    this.#prepare("DELETE FROM requests WHERE id <= (SELECT max(id) FROM requests) - ?").run(MAX_STORED_REQUESTS);
    const last = batch.at(-1)?.time ?? 0;
    this.#prepare("DELETE FROM minutes WHERE name = ? AND minute < ?").run(name, minuteOf(last) - 2 * DAY_MINUTES);
  }

  /** Runs an action on the file, or in memory when the file cannot be used. */
  #withFallback<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      const path = this.#path;
      if (path === undefined) throw error;
      this.#onNote?.(
        `The usage file ${path} cannot be used (${describeError(error)}): requests are counted in memory.`,
      );
      this.#path = undefined;
      this.#closeDatabase();
      return action();
    }
  }

  #open(): DatabaseSync {
    if (this.#db) return this.#db;
    if (this.#path !== undefined) createFolder(dirname(this.#path));
    const db = openDatabase(this.#path ?? ":memory:", { timeout: BUSY_TIMEOUT_MS });
    this.#db = db;
    // Usage data is not worth waiting for a disk.
    db.exec("PRAGMA synchronous = OFF");
    if (this.#path !== undefined) enableWriteAheadLog(db, this.#path);
    db.exec(TABLES);
    return db;
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#open().prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const sum = (items: readonly MeteredRequest[]): number => items.reduce((total, { units }) => total + units, 0);
