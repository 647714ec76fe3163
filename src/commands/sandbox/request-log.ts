/** The log of the sandbox's requests: lines for people, or JSON for programs. What clients send is made safe. */
import { createPainter, escapeJson, safeText, type Theme } from "../../output/index.ts";
import type { RequestEntry } from "../../sandbox/index.ts";

/** The logged part of a request; it contains no key. */
export type LoggedRequest = Omit<RequestEntry, "number" | "route">;

/** Returns a request as a line of NDJSON. */
export function jsonLine({ time, milliseconds, path, query, ...event }: LoggedRequest) {
  const { method, client, status, units, faults, message, note } = event;
  const ms = Math.round(milliseconds * 10) / 10;
  const target = formatTarget({ path, query });
  const outcome = { status, ms, units, faults, message, note };
  const entry = { time: new Date(time).toISOString(), client, method, path: target, ...outcome };
  return `${escapeJson(JSON.stringify(entry))}\n`;
}

/** Returns a request as a line for people: time, status, method, target, duration. */
export function readableLine(event: LoggedRequest, theme: Theme | undefined): string {
  const paint = createPainter(theme);
  const { time, method, client, status, milliseconds, faults = [], message, note } = event;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const statusText = paint(status < 400 ? "good" : "bad", String(status));
  const speed = `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  const reasons = [client && `client ${client}`, ...faults.map((fault) => `fault ${fault}`), message, note];
  const details = [speed, ...reasons.filter((reason) => reason !== undefined)];
  const line = [paint("note", clock), statusText, safeText(method), safeText(formatTarget(event))].join(" ");
  return `${line} ${paint("note", safeText(details.join(" · ")))}\n`;
}

function formatTarget({ path, query = "" }: { readonly path: string; readonly query?: string | undefined }): string {
  return query === "" || query.startsWith("?") ? path + query : `${path}?${query}`;
}

/** Maximum number of unwritten lines; further lines are counted and dropped. */
const MAX_PENDING = 10_000;

/** Writes lines in order without blocking the caller. */
export interface Log {
  add(line: string): void;
  /** Waits until all lines are written. */
  end(): Promise<void>;
  /** Rejects when a line could not be written. */
  readonly failed: Promise<never>;
}

/**
 * Creates a log over a text sink.
 * @param lost returns the line that reports how many lines were dropped
 */
export function createLog(write: (text: string) => Promise<void>, lost: (count: number) => string): Log {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let pending: string[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (pending.length > 0) {
      const text = pending.join("") + (dropped > 0 ? lost(dropped) : "");
      pending = [];
      dropped = 0;
      await write(text);
    }
  };
  return {
    add(line) {
      if (pending.length < MAX_PENDING) pending.push(line);
      else dropped += 1;
      writing ??= drain()
        .catch(failed.reject)
        .finally(() => {
          writing = undefined;
        });
    },
    end: async () => writing,
    failed: failed.promise,
  };
}
