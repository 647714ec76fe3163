/** What an outbox says to others than the run that fills it: the dashboard, in the same process or another one. */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, type JsonObject, parseJson } from "../../../base/index.ts";
import type { FoundEvent, ParkedEvent } from "../../../ui/index.ts";
import { FATES, openTables } from "../../watch/outbox.ts";
import type { WatchEvent } from "../../watch/template.ts";

/** Reads an outbox. */
export class OutboxView {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = openTables(path);
  }

  /** Returns a number that changes when others have written. */
  version(): number {
    return Number(this.#database.prepare("PRAGMA data_version").get()?.data_version);
  }

  /** Returns the values of a subject that is watched for changes. */
  rowsOf(subject: string): readonly JsonObject[] {
    const row = this.#database.prepare("SELECT cursor FROM cursors WHERE subject = ?").get(subject);
    const { rows = {} } = row ? (parseJson(String(row.cursor)) as JsonObject) : {};
    return Object.values(rows as JsonObject) as readonly JsonObject[];
  }

  /** Returns the events that were found after one, the oldest first. */
  recent(after: number): readonly FoundEvent[] {
    return this.#database.prepare("SELECT * FROM recent WHERE id > ? ORDER BY id").all(after).map(eventOf);
  }

  /** Returns what could not be delivered, the oldest first. */
  parked(): readonly ParkedEvent[] {
    const rows = this.#database.prepare(`SELECT * FROM outbox WHERE parked = ${FATES.parked} ORDER BY id`).all();
    return rows.map((row) => ({
      ...eventOf(row),
      ...{ action: String(row.action), attempts: Number(row.attempts), error: String(row.error ?? "") },
    }));
  }

  /** Returns how many events were delivered, and how many are still to be. */
  totals(): { readonly delivered: number; readonly pending: number } {
    const sql = `SELECT (SELECT coalesce(sum(delivered), 0) FROM counts) AS delivered,
      (SELECT count(*) FROM outbox WHERE parked = ${FATES.due}) AS pending`;
    const { delivered, pending } = this.#database.prepare(sql).get() ?? {};
    return { delivered: Number(delivered), pending: Number(pending) };
  }

  /** Returns when subjects are polled next, in milliseconds since the epoch. */
  nextPolls(): ReadonlyMap<string, number> {
    const rows = this.#database.prepare("SELECT subject, due FROM polls").all();
    return new Map(rows.map(({ subject, due }) => [String(subject), Number(due)]));
  }

  /** Returns what was seen of subjects, as JSON. */
  looks(): ReadonlyMap<string, string> {
    const rows = this.#database.prepare("SELECT subject, look FROM looks").all();
    return new Map(rows.map(({ subject, look }) => [String(subject), String(look)]));
  }

  setLooks(looks: ReadonlyMap<string, string>): void {
    inTransaction(this.#database, () => {
      const insert = this.#database.prepare("INSERT OR REPLACE INTO looks VALUES (?, ?)");
      for (const [subject, look] of looks) insert.run(subject, look);
    });
  }

  close(): void {
    this.#database.close();
  }
}

function eventOf({ id, found, subject, event }: Readonly<Record<string, unknown>>): FoundEvent {
  const place = { id: Number(id), found: Number(found), subject: String(subject) };
  return { ...(parseJson(String(event)) as WatchEvent), ...place };
}
