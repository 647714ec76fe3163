/**
 * Counts of the requests of this machine: endpoint, hour, outcome and compute units; no parameters, identifiers,
 * addresses or keys. All processes write to one file, which holds a week.
 */

import { HOUR_MS, inTransaction } from "../../base/index.ts";
import { openUsageFile } from "./file.ts";

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

/** Returns the hour of a time in milliseconds. */
export const toHour = (time: number): number => Math.floor(time / HOUR_MS);

/**
 * Adds counts to those of an account, and removes counts older than a week.
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
