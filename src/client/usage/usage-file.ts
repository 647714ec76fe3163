/**
 * The file with the usage data of this machine: samples of the usage endpoint, because the API has no history of it, and
 * counts of requests by endpoint, hour and outcome; no parameters, identifiers, addresses or keys. It is readable by its
 * owner only, and replaced when it is damaged. Keys and servers are stored as a hash of both.
 */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  DAY_MS,
  describeError,
  HOUR_MS,
  inTransaction,
  isBusy,
  isDamaged,
  isObject,
  type JsonObject,
  MINUTE_MS,
  openPrivateDatabase,
  parseJson,
  type Schema,
  setDamagedFileAside,
  stringifyJson,
  toHour,
} from "../../base/index.ts";
import { orderUsers, type UsageUser, type UserUsage, userKey } from "./usage-users.ts";

/** The name of the file; other files of the database begin with it. */
export const USAGE_FILE = "usage.sqlite";
/** Milliseconds for which a statement waits while another process writes. */
const BUSY_MS = 1000;

/** Later than the first version of the file. */
const USERS = `CREATE TABLE IF NOT EXISTS users (
  account TEXT NOT NULL, hour INTEGER NOT NULL, user TEXT NOT NULL,
  requests INTEGER NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (account, hour, user)
) STRICT, WITHOUT ROWID`;

const SCHEMA: Schema = {
  version: 1,
  tables: `
  CREATE TABLE samples (
    account TEXT NOT NULL, at INTEGER NOT NULL, usage TEXT NOT NULL, PRIMARY KEY (account, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE requests (
    account TEXT NOT NULL, hour INTEGER NOT NULL, route TEXT NOT NULL, outcome TEXT NOT NULL,
    requests INTEGER NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (account, hour, route, outcome)
  ) STRICT, WITHOUT ROWID`,
};

/**
 * Opens the file, and creates it if it does not exist; without a folder, opens a database in memory.
 * @throws when it cannot be created, read or written
 */
function openUsageFile(folder: string | undefined): DatabaseSync {
  if (folder === undefined) return openPrepared(":memory:");
  const path = join(folder, USAGE_FILE);
  try {
    return openPrepared(path);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    setDamagedFileAside(path);
    return openPrepared(path);
  }
}

/**
 * Nothing is flushed to the disk, because no count is worth the wait. The rollback journal removes an incomplete write
 * of a killed process, and many processes may create the file at once without coordination.
 */
function openPrepared(path: string): DatabaseSync {
  const database = openPrivateDatabase(path, SCHEMA, { timeout: BUSY_MS });
  database.exec(`PRAGMA synchronous = OFF; ${USERS}`);
  return database;
}

/** An answer of the usage endpoint. */
export interface UsageSample {
  readonly at: number;
  /** The API's object with its names and exact digits; without the e-mail address of the key's owner. */
  readonly usage: JsonObject;
}

interface UsageSamplesOptions {
  /** The state folder; without one, samples are stored in memory. */
  readonly folder: string | undefined;
  /** The account of key and server, see `accountId()`. */
  readonly account: string;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called once with a sentence when the file cannot be used. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** Of the samples whose age is between `from` and `to`, the last one of each `step` remains; in milliseconds. */
const THINNING: readonly { readonly from: number; readonly to: number; readonly step: number }[] = [
  { from: 0, to: HOUR_MS, step: MINUTE_MS },
  { from: HOUR_MS, to: DAY_MS, step: 10 * MINUTE_MS },
  { from: DAY_MS, to: 31 * DAY_MS, step: HOUR_MS },
  { from: 31 * DAY_MS, to: 396 * DAY_MS, step: DAY_MS },
];
const OLDEST = 396 * DAY_MS;

const RANGE = "account = ? AND at > ? AND at <= ?";
const THIN = `DELETE FROM samples WHERE ${RANGE} AND at NOT IN (
    SELECT max(at) FROM samples WHERE ${RANGE} GROUP BY at / CAST(? AS INTEGER))`;

/** The samples of one account. Methods never throw: a file that cannot be used is replaced by memory. */
export class UsageSamples {
  readonly #options: UsageSamplesOptions;
  #database: DatabaseSync | undefined;
  #isLost = false;

  constructor(options: UsageSamplesOptions) {
    this.#options = options;
  }

  add({ at, usage: { email: _, ...usage } }: UsageSample): void {
    this.#safely((database) => inTransaction(database, () => this.#write(database, Math.floor(at), usage)));
  }

  /** Returns the samples since a time (milliseconds since the epoch), oldest first. */
  since(time: number): readonly UsageSample[] {
    return this.#read("at >= ? AND at <= ? ORDER BY at", time);
  }

  latest(): UsageSample | undefined {
    return this.#read("at >= ? AND at <= ? ORDER BY at DESC LIMIT 1", 0).at(0);
  }

  close(): void {
    const database = this.#database;
    this.#database = undefined;
    database?.close();
  }

  #write(database: DatabaseSync, at: number, usage: JsonObject): void {
    const { account, now } = this.#options;
    const insert = database.prepare("INSERT OR REPLACE INTO samples (account, at, usage) VALUES (?, ?, ?)");
    insert.run(account, at, stringifyJson(usage));
    const thin = database.prepare(THIN);
    const time = Math.floor(now());
    for (const { from, to, step } of THINNING) {
      const range = [account, time - to, time - from] as const;
      thin.run(...range, ...range, step);
    }
    database.prepare("DELETE FROM samples WHERE at <= ?").run(time - OLDEST);
  }

  #read(condition: string, from: number): readonly UsageSample[] {
    const { account, now } = this.#options;
    const rows = this.#safely((database) =>
      database
        .prepare(`SELECT at, usage FROM samples WHERE account = ? AND ${condition}`)
        .all(account, Math.ceil(from), Math.floor(now())),
    );
    return (rows ?? []).flatMap(({ at, usage }) => {
      const value = parseJson(String(usage));
      return isObject(value) ? [{ at: Number(at), usage: value }] : [];
    });
  }

  /** Runs an action on the file, or in memory after the file failed. Skips it when others hold the file for long. */
  #safely<T>(action: (database: DatabaseSync) => T): T | undefined {
    const { folder, onNote } = this.#options;
    try {
      this.#database ??= openUsageFile(this.#isLost ? undefined : folder);
      return action(this.#database);
    } catch (error) {
      if (isBusy(error)) return undefined;
      if (this.#isLost) throw error;
      this.#isLost = true;
      onNote?.(`Usage samples are not stored: ${describeError(error)}.`);
      this.close();
      return this.#safely(action);
    }
  }
}

/** How an exchange ended: the class of its status, 429 by itself, or no response. */
export type RequestOutcome = `${1 | 2 | 3 | 4 | 5}xx` | "429" | "none";

/** Requests of one kind in one hour. */
export interface RequestCount {
  /** Hours since the epoch. */
  readonly hour: number;
  /** The endpoint by its route in the catalogue; `other` for a path outside the catalogue. */
  readonly route: string;
  readonly outcome: RequestOutcome;
  readonly requests: number;
  /** Compute units by the price list. */
  readonly units: number;
}

const RETENTION_HOURS = 7 * 24;

/**
 * Adds counts of a user to those of an account, and removes counts older than a week.
 * @throws when the file cannot be written
 */
export function recordRequests(
  folder: string,
  account: string,
  counts: readonly RequestCount[],
  { now, user }: { readonly now: number; readonly user: UsageUser },
): void {
  const database = openUsageFile(folder);
  try {
    inTransaction(database, () => {
      const add = database.prepare(
        `INSERT INTO requests (account, hour, route, outcome, requests, units) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
      );
      const addUser = database.prepare(
        `INSERT INTO users (account, hour, user, requests, units) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
      );
      for (const { hour, route, outcome, requests, units } of counts) {
        add.run(account, hour, route, outcome, requests, units);
        addUser.run(account, hour, userKey(user), requests, units);
      }
      for (const table of ["requests", "users"]) {
        database
          .prepare(`DELETE FROM ${table} WHERE account = ? AND hour <= ?`)
          .run(account, toHour(now) - RETENTION_HOURS);
      }
    });
  } finally {
    database.close();
  }
}

/**
 * Reads the counts of an account in the hours up to a time, including the current one.
 * @throws when the file cannot be read
 */
export function readRequestCounts(
  folder: string,
  account: string,
  hours: number,
  now: number,
): readonly RequestCount[] {
  const database = openUsageFile(folder);
  try {
    const rows = database
      .prepare(
        `SELECT hour, route, outcome, requests, units FROM requests
         WHERE account = ? AND hour > ? AND hour <= ? ORDER BY hour, route, outcome`,
      )
      .all(account, toHour(now) - hours, toHour(now));
    return rows as unknown as RequestCount[];
  } finally {
    database.close();
  }
}

/**
 * Reads who sent the requests of an account in the hours up to a time, who used most units first.
 * @throws when the file cannot be read
 */
export function readUserCounts(folder: string, account: string, hours: number, now: number): readonly UserUsage[] {
  const database = openUsageFile(folder);
  try {
    const rows = database
      .prepare(
        `SELECT user, SUM(requests) AS requests, SUM(units) AS units FROM users
         WHERE account = ? AND hour > ? AND hour <= ? GROUP BY user`,
      )
      .all(account, toHour(now) - hours, toHour(now));
    return orderUsers(rows.map(({ user, requests, units }) => [String(user), Number(requests), Number(units)]));
  } finally {
    database.close();
  }
}
