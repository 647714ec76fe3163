/** The run context of the explorer's client, whose messages go to a log: they must not be written over the screen. */

import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import {
  checkRegularFile,
  createEmitter,
  createFolder,
  errorMessage,
  InterruptedError,
  SolxError,
} from "../../base/index.ts";
import type { ExitReason, Progress } from "../../ui/index.ts";
import type { RunContext } from "../run/context.ts";
import { createContext } from "../run/create-context.ts";

/** The run context of the explorer's client. */
export interface ExplorerContext {
  readonly context: RunContext;
  /** Subscribes to notes; earlier ones are delivered at once. Returns a function that unsubscribes. */
  readonly onNote: (listener: (text: string) => void) => () => void;
  readonly progress: () => Progress | undefined;
  readonly onProgress: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
}

/** Creates a context like that of the command, with standard error redirected to the log and notes to listeners. */
export function createExplorerContext(runContext: RunContext, log: ExplorerLog): ExplorerContext {
  const listeners = new Set<(text: string) => void>();
  const pending: string[] = [];
  const notify = (text: string) => {
    if (listeners.size === 0) pending.push(text);
    for (const listener of listeners) listener(text);
  };
  const stderr = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      const text = String(chunk).trimEnd();
      log.write(text);
      const note = noteIn(text);
      if (note !== undefined) notify(note);
      done();
    },
  });
  const closing = new AbortController();
  const context = createContext({
    ...runContext.io,
    stderr: stderr as unknown as NodeJS.WriteStream,
    signal: AbortSignal.any([runContext.io.signal, closing.signal]),
  });
  context.globals = runContext.globals;
  context.runLine = runContext.runLine;
  context.command = runContext.command;
  let progress: Progress | undefined;
  const progressed = createEmitter();
  context.reporter.onProgress = (work) => {
    progress = work;
    progressed.emit();
  };
  return {
    context,
    onNote(listener) {
      listeners.add(listener);
      for (const text of pending.splice(0)) listener(text);
      return () => listeners.delete(listener);
    },
    progress: () => progress,
    onProgress: progressed.on,
    async close() {
      closing.abort(new InterruptedError());
      await context.session.close();
    },
  };
}

/** Returns the text of a note in the JSON line that a context writes for programs. */
function noteIn(line: string): string | undefined {
  if (!line.startsWith('{"note":')) return undefined;
  return String((JSON.parse(line) as { readonly note: unknown }).note);
}

/** The name of the file. */
export const LOG_FILE = "explore.log";
/** Maximum size of the file; then it is renamed to `explore.log.1` and a new one is started. */
const MAX_BYTES = 500_000;
const MAX_ENTRY_LENGTH = 10_000;

/** An open log. */
export interface ExplorerLog {
  readonly path: string | undefined;
  /** Adds an entry; failures to write are ignored. */
  readonly write: (text: string) => void;
}

/**
 * Opens the log in a folder, which is created with the first entry.
 * @param now milliseconds since the epoch
 */
export function openLog(folder: string | undefined, now: () => number): ExplorerLog {
  if (folder === undefined) return { path: undefined, write: () => {} };
  const path = join(folder, LOG_FILE);
  return {
    path,
    write(text) {
      try {
        createFolder(folder);
        checkRegularFile(path);
        if (existsSync(path) && statSync(path).size > MAX_BYTES) renameSync(path, `${path}.1`);
        const entry = `${new Date(now()).toISOString()} ${text.slice(0, MAX_ENTRY_LENGTH).trimEnd()}\n`;
        appendFileSync(path, entry, { mode: 0o600 });
      } catch {
        // A failure to log must not interrupt the explorer.
      }
    },
  };
}

/** Throws the error of a screen that its user has not left: the terminal was closed, or the program has a fault. */
export function assertLeft(exit: ExitReason, { path }: ExplorerLog): void {
  if (exit.how === "gone") throw new InterruptedError("The terminal was closed.", { terminated: true });
  if (exit.how !== "fault") return;
  throw new SolxError("unexpected", `The screen ended because of an internal error: ${errorMessage(exit.error)}`, {
    cause: exit.error,
    hint: path && `Details: ${path}`,
  });
}
