/** Files: replacing them where other programs may have them open, and recognising them by identity. */
import { statSync } from "node:fs";
import process from "node:process";
import { sleep } from "./abort.ts";

/** What Windows answers while another program has a file open: a spreadsheet, a virus scanner, an indexer. */
const SHARING_VIOLATIONS: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Pauses in milliseconds between the attempts to replace a file that is open: two and a half seconds in total. */
const PAUSES = [10, 20, 40, 80, 160, 320, 640, 1280] as const;

/** The system access that {@link replaceFile} needs; replaceable in tests. */
export interface RenameOptions {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Promise<void>;
}

/** `node:fs/promises` takes longer to load than most commands take to parse their arguments. */
const renameFile = async (from: string, to: string) => (await import("node:fs/promises")).rename(from, to);

/**
 * Renames a file over another one. Windows cannot replace a file that is open, so that it is tried repeatedly there.
 * @throws the system's error
 */
export async function replaceFile(
  from: string,
  to: string,
  { platform = process.platform, rename = renameFile }: RenameOptions = {},
): Promise<void> {
  for (const pause of platform === "win32" ? PAUSES : []) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!SHARING_VIOLATIONS.has((error as NodeJS.ErrnoException).code)) throw error;
      await sleep(pause);
    }
  }
  await rename(from, to);
}

/**
 * Returns the identity of a file on this machine, which survives renames; undefined when there is no file. File numbers
 * of Windows exceed 2^53: as numbers, those of two files could be equal.
 */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
