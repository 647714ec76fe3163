/**
 * Samples of the usage endpoint, stored on this machine, because the API has no history of a key's usage. Old samples
 * are thinned out: one per minute for an hour, one per ten minutes for a day, one per hour for a month, one per day for
 * 13 months.
 */

import type { DatabaseSync } from "node:sqlite";
import {
  DAY_MS,
  describeError,
  HOUR_MS,
  inTransaction,
  isBusy,
  isObject,
  type JsonObject,
  MINUTE_MS,
  parseJson,
  stringifyJson,
} from "../../base/index.ts";
import { openUsageFile } from "./file.ts";

/** An answer of the usage endpoint. */
export interface UsageSample {
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  /** The API's object with its names and exact digits; without the e-mail address of the key's owner. */
  readonly usage: JsonObject;
}

/** The samples of one account. Methods never throw: a file that cannot be used is replaced by memory. */
export interface UsageSamples {
  add(sample: UsageSample): void;
  /** Returns the samples since a time (milliseconds since the epoch), oldest first. */
  since(time: number): readonly UsageSample[];
  /** Returns the latest sample. */
  latest(): UsageSample | undefined;
  close(): void;
}

/** Where samples are stored, and of which account. */
export interface UsageSamplesOptions {
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

/** Opens the samples of an account. */
export function openUsageSamples(options: UsageSamplesOptions): UsageSamples {
  return new SqlSamples(options);
}

class SqlSamples implements UsageSamples {
  readonly #options: UsageSamplesOptions;
  #database: DatabaseSync | undefined;
  #isLost = false;

  constructor(options: UsageSamplesOptions) {
    this.#options = options;
  }

  add({ at, usage: { email: _, ...usage } }: UsageSample): void {
    this.#safely((database) => inTransaction(database, () => this.#write(database, Math.floor(at), usage)));
  }

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
