/**
 * What was asked from this machine, in counts: which endpoint, in which hour, how it went, and the compute units. No
 * parameter, no identifier, no address and no key is in it. All processes write into one file; a week is kept.
 */

import { HOUR_MS, inTransaction } from "../../base/index.ts";
import { openUsageFile } from "./file.ts";

/** How an exchange ended: the class of the status, 429 by itself, or that no answer came. */
export type RequestOutcome = `${1 | 2 | 3 | 4 | 5}xx` | "429" | "none";

/** Requests of one kind in one hour. */
export interface RequestCount {
  /** Hours since the epoch. */
  readonly hour: number;
  /** The endpoint by the catalogue's route; `other` for a path that the catalogue does not have. */
  readonly route: string;
  readonly outcome: RequestOutcome;
  readonly requests: number;
  /** Compute units, as the price list has them. */
  readonly units: number;
}

const RETENTION_HOURS = 7 * 24;

/** The hour of a moment in milliseconds. */
export const toHour = (moment: number): number => Math.floor(moment / HOUR_MS);

/**
 * Adds counts to those of an account, and removes what is older than a week.
 * @throws when the file cannot be written
 */
export function recordRequests(folder: string, account: string, counts: readonly RequestCount[], now: number): void {
  const database = openUsageFile(folder);
  try {
    inTransaction(database, () => {
      const add = database.prepare(
        `INSERT INTO requests (account, hour, route, outcome, requests, units) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
      );
      for (const { hour, route, outcome, requests, units } of counts) {
        add.run(account, hour, route, outcome, requests, units);
      }
      database
        .prepare("DELETE FROM requests WHERE account = ? AND hour <= ?")
        .run(account, toHour(now) - RETENTION_HOURS);
    });
  } finally {
    database.close();
  }
}

/**
 * The counts of an account in the hours before a moment, this one included.
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
