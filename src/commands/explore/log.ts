/** The explorer's log: what cannot be told on a screen that is drawn over. */
import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "../../base/folders.ts";

const FILE_NAME = "explore.log";
/** Bytes of the file, after which it begins anew; the one before is kept beside it. */
const MAX_BYTES = 500_000;
/** Characters of one entry. */
const MAX_ENTRY_LENGTH = 10_000;

/** A log. */
export interface ExplorerLog {
  /** The file; undefined where there is no folder for it. */
  readonly path: string | undefined;
  /** Adds an entry; where nothing can be written, nothing happens. */
  readonly write: (text: string) => void;
}

/**
 * The log in a folder, which is made with the first entry.
 * @param now milliseconds since the epoch
 */
export function openLog(folder: string | undefined, now: () => number): ExplorerLog {
  if (folder === undefined) return { path: undefined, write: () => {} };
  const path = join(folder, FILE_NAME);
  return {
    path,
    write(text) {
      try {
        createFolder(folder);
        if (existsSync(path) && statSync(path).size > MAX_BYTES) renameSync(path, `${path}.1`);
        const entry = `${new Date(now()).toISOString()} ${text.slice(0, MAX_ENTRY_LENGTH).trimEnd()}\n`;
        appendFileSync(path, entry, { mode: 0o600 });
      } catch {
        // A log that cannot be written must not end what it would tell of.
      }
    },
  };
}
