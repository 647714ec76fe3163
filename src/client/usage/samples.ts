/**
 * What the usage endpoint told, kept on this machine: the only history that there is of a key's use. Old samples are
 * thinned out: one a minute for an hour, one in ten minutes for a day, one an hour for a month, one a day for 13 months.
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

/** What the API told at a moment. */
export interface UsageSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The API's object, with its own names and every digit; without the address of the key's owner. */
  readonly usage: JsonObject;
}

/** The samples of one account. Nothing here fails: a file that cannot be used is replaced by memory. */
export interface UsageSamples {
  add(sample: UsageSample): void;
  /** Those from a moment (milliseconds since the epoch) until now, the oldest first. */
  since(moment: number): readonly UsageSample[];
  /** The newest until now. */
  latest(): UsageSample | undefined;
  close(): void;
}

/** Where samples are kept, and whose they are. */
export interface UsageSamplesOptions {
  /** The folder for state; without one they are kept in memory. */
  readonly folder: string | undefined;
  /** What `accountOf()` of the budget makes of key and server. */
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told once, in a sentence, when the file cannot be used. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** Of samples older than `from`, and not older than `to`, the last one of each `step` is kept; in milliseconds. */
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

/** Opens the samples of an account. `node:sqlite` is loaded with this module. */
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

  since(moment: number): readonly UsageSample[] {
    return this.#read("at >= ? AND at <= ? ORDER BY at", moment);
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
    const moment = Math.floor(now());
    for (const { from, to, step } of THINNING) {
      const range = [account, moment - to, moment - from] as const;
      thin.run(...range, ...range, step);
    }
    database.prepare("DELETE FROM samples WHERE at <= ?").run(moment - OLDEST);
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

  /** Does something with the file, or with memory once the file failed. A file that others hold for long is passed over. */
  #safely<T>(action: (database: DatabaseSync) => T): T | undefined {
    const { folder, onNote } = this.#options;
    try {
      this.#database ??= openUsageFile(this.#isLost ? undefined : folder);
      return action(this.#database);
    } catch (error) {
      if (isBusy(error)) return undefined;
      if (this.#isLost) throw error;
      this.#isLost = true;
      onNote?.(`Samples of the usage are not kept: ${describeError(error)}.`);
      this.close();
      return this.#safely(action);
    }
  }
}
