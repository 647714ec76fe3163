/** The log file of the explorer, for messages that cannot be shown on a full-screen terminal. */
import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkRegularFile, createFolder } from "../../base/index.ts";

/** The name of the file. */
export const LOG_FILE = "explore.log";
/** Maximum size of the file; then it is renamed to `explore.log.1` and a new one is started. */
const MAX_BYTES = 500_000;
/** Maximum length of an entry in characters. */
const MAX_ENTRY_LENGTH = 10_000;

/** An open log. */
export interface ExplorerLog {
  /** Path of the file; undefined without a state folder. */
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
