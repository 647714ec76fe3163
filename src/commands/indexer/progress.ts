/** The progress of an index: a line that is redrawn on a terminal, JSON lines elsewhere. */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { DAY_SECONDS, groupThousands, type JsonObject, pluralize, stringifyJson } from "../../base/index.ts";
import type { IndexEvent, IndexProgress } from "../../chain/indexer/index.ts";
import { formatBytes } from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { formatSpan } from "../run/progress-text.ts";
import { canRedraw, getStatusLine } from "../run/status-line.ts";

/** Milliseconds between two reports of progress. */
const DRAW_MS = 200;
const LINE_MS = 5000;

/** Reports what an index does. */
export interface IndexReporter {
  readonly onEvent: (event: IndexEvent) => void;
  /** Reports the last progress and erases the line. */
  end(): Promise<void>;
}

/**
 * Creates a reporter for the index in a file.
 * @param onClosed called when the reader of the output is gone
 */
export async function createIndexReporter(
  context: RunContext,
  path: string,
  onClosed: () => void,
): Promise<IndexReporter> {
  const free = await freeBytes(path);
  return canRedraw(context.io) ? redrawnLine(context, free) : jsonLines(context, free, onClosed);
}

/** Returns the free bytes of the disk of a file; undefined when they are not known. */
async function freeBytes(path: string): Promise<number | undefined> {
  const about = await statfs(dirname(path)).catch(() => undefined);
  return about && about.bavail * about.bsize;
}

/** Returns the seconds of the cluster's time that fit on the disk at the measured growth. */
function spanOnDisk({ bytesPerDay }: IndexProgress, free: number | undefined): number | undefined {
  if (bytesPerDay === undefined || bytesPerDay <= 0 || free === undefined) return undefined;
  return Math.round((free / bytesPerDay) * DAY_SECONDS);
}

/** Returns progress as a line, the most important first. */
function progressLine(progress: IndexProgress, free?: number): string {
  const { slot, tip, lag, blocks, transactions, transactionsPerSecond, bytes, bytesPerTransaction } = progress;
  const span = spanOnDisk(progress, free);
  if (blocks === 0) return `Waiting for blocks after slot ${groupThousands(tip)}`;
  return [
    `Slot ${groupThousands(slot)}`,
    lag === 0 ? "at the tip" : `${pluralize(lag, "slot")} behind`,
    pluralize(transactions, "transaction"),
    `${groupThousands(Math.round(transactionsPerSecond))}/s`,
    formatBytes(bytes),
    ...(bytesPerTransaction === undefined ? [] : [`${groupThousands(Math.round(bytesPerTransaction))} bytes each`]),
    ...(span === undefined ? [] : [`${formatSpan(span)} fit on the disk`]),
  ].join(", ");
}

/** Returns an event as a JSON object. */
function eventObject(event: IndexEvent, free?: number): JsonObject {
  if (event.kind === "start")
    return { kind: "start", from: event.from, resumed: event.isResumed, genesis: event.genesisHash };
  if (event.kind !== "progress") return { ...event };
  const { progress, isAtTip } = event;
  const { blocks, transactions, rows, bytes, tip } = progress;
  // Before the first block of a run there is no slot to compare with the tip.
  const position = blocks === 0 ? { slot: null, tip, lag: null } : { slot: progress.slot, tip, lag: progress.lag };
  return {
    kind: "progress",
    ...position,
    at_tip: isAtTip,
    blocks,
    transactions,
    rows,
    transactions_per_second: Math.round(progress.transactionsPerSecond),
    rows_per_second: Math.round(progress.rowsPerSecond),
    bytes,
    bytes_per_transaction: rounded(progress.bytesPerTransaction),
    bytes_per_day: rounded(progress.bytesPerDay),
    seconds_on_disk: spanOnDisk(progress, free) ?? null,
  };
}

const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));

function redrawnLine(context: RunContext, free: number | undefined): IndexReporter {
  const line = context.globals.quiet ? undefined : getStatusLine(context).open();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    onEvent(event) {
      if (event.kind === "progress") {
        if (performance.now() - drawnAt < DRAW_MS) return;
        drawnAt = performance.now();
        line?.show(progressLine(event.progress, free));
        return;
      }
      const text = eventText(event);
      if (text !== undefined) context.reporter.defer(() => context.reporter.note(text));
    },
    async end() {
      line?.close();
      await context.reporter.flush();
    },
  };
}

/** Returns an event as a sentence. */
function eventText(event: Exclude<IndexEvent, { readonly kind: "progress" }>): string | undefined {
  switch (event.kind) {
    case "start":
      return `${event.isResumed ? "Continuing" : "Indexing"} from ${event.from === "now" ? "the next block" : event.from === "earliest" ? "the first block" : `slot ${groupThousands(event.from)}`}. Ctrl-C stops.`;
    case "rollback":
      return `The cluster dropped the blocks from slot ${groupThousands(event.slot)} on: they were removed.`;
    case "gap": {
      const slots = `slots ${groupThousands(event.from)} to ${groupThousands(event.to)}`;
      return `The node does not have ${slots} (${event.reason}): the index has a gap there.`;
    }
    case "note":
      return event.text;
  }
}

function jsonLines(context: RunContext, free: number | undefined, onClosed: () => void): IndexReporter {
  let writing = Promise.resolve();
  let printedAt = Number.NEGATIVE_INFINITY;
  let latest: IndexEvent | undefined;
  const print = (event: IndexEvent) => {
    latest = undefined;
    writing = writing
      .then(() => context.printer.printText(`${stringifyJson(eventObject(event, free))}\n`))
      .catch(onClosed);
  };
  return {
    onEvent(event) {
      if (event.kind !== "progress") return print(event);
      latest = event;
      if (performance.now() - printedAt < LINE_MS) return;
      printedAt = performance.now();
      print(event);
    },
    async end() {
      if (latest) print(latest);
      await writing;
    },
  };
}
