/** The log of the sandbox's requests: lines for people, or JSON for programs. What clients send is made safe. */
import { escapeJson, safeText } from "../../output/text/safe.ts";
import { createPainter } from "../../output/text/theme.ts";
import type { RequestEntry } from "../../sandbox/index.ts";

/** What is told of a request that was answered; no key is in it. */
export type LoggedRequest = Omit<RequestEntry, "number" | "route">;

/** A request as a line of JSON. */
export function jsonLine({ time, milliseconds, path, query, ...event }: LoggedRequest) {
  const { method, status, units, faults, message, note } = event;
  const ms = Math.round(milliseconds * 10) / 10;
  const target = formatTarget({ path, query });
  const entry = { time: new Date(time).toISOString(), method, path: target, status, ms, units, faults, message, note };
  return `${escapeJson(JSON.stringify(entry))}\n`;
}

/** A request as a line for people: when, how it went, what was asked, how long it took. */
export function readableLine(event: LoggedRequest, color: boolean): string {
  const paint = createPainter(color);
  const { time, method, status, milliseconds, faults = [], message, note } = event;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const statusText = paint(status < 400 ? "good" : "bad", String(status));
  const speed = `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  const reasons = [...faults.map((fault) => `fault ${fault}`), message, note];
  const details = [speed, ...reasons.filter((reason) => reason !== undefined)];
  const line = [paint("note", clock), statusText, safeText(method), safeText(formatTarget(event))].join(" ");
  return `${line} ${paint("note", safeText(details.join(" · ")))}\n`;
}

function formatTarget({ path, query = "" }: { readonly path: string; readonly query?: string | undefined }): string {
  return query === "" || query.startsWith("?") ? path + query : `${path}?${query}`;
}

/** Lines that a slow reader has not taken yet; more are counted, not kept. */
const MAX_PENDING = 10_000;

/** Writes lines in their order without holding up who tells them. */
export interface Log {
  add(line: string): void;
  /** Waits until all lines are written. */
  end(): Promise<void>;
  /** Rejects when a line could not be written. */
  readonly failed: Promise<never>;
}

/**
 * A log over a place for text.
 * @param lost the line that tells how many were left out
 */
export function createLog(write: (text: string) => Promise<void>, lost: (count: number) => string): Log {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let pending: string[] = [];
  let missed = 0;
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (pending.length > 0) {
      const text = pending.join("") + (missed > 0 ? lost(missed) : "");
      pending = [];
      missed = 0;
      await write(text);
    }
  };
  return {
    add(line) {
      if (pending.length < MAX_PENDING) pending.push(line);
      else missed += 1;
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
