/** Files and folders: replacing, recognising and creating them, and paths in the home folder of the user. */
import { mkdirSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { failureReason, fileError, type SolxError, systemCode, UsageError } from "./errors.ts";
import { sleep } from "./time.ts";

/** What Windows answers while another program has a file open: a spreadsheet, a virus scanner, an indexer. */
const SHARING_VIOLATIONS: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Pauses in milliseconds between the attempts to replace a file that is open: two and a half seconds in total. */
const PAUSES = [10, 20, 40, 80, 160, 320, 640, 1280] as const;

/** The system access that {@link replaceFile} needs; replaceable in tests. */
interface RenameOptions {
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
 * Replaces the text of a file at once, in a folder that is created if necessary; without a text, removes the file.
 * @param mode the permission bits
 * @throws SolxError with the file unchanged
 */
export async function replaceText(path: string, text: string | undefined, mode = 0o600): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  try {
    if (text === undefined) return rmSync(path);
    createFolder(dirname(path));
    writeFileSync(partial, text, { mode, flag: "wx" });
    await replaceFile(partial, path);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw unwritableError(path, cause, "Nothing was changed.");
  }
}

/** Reasons why a file cannot be written, where they differ from those for other accesses. */
const WRITE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
};
/** Windows reports an open file as one without permission. */
const WINDOWS_REASON = "another program has it open, or it is read-only";

/**
 * Returns the error for a file, or another output, that cannot be written.
 * @param hint what else to do, before the advice about the system's code
 */
export function unwritableError(
  what: string,
  cause: unknown,
  hint?: string,
  { platform = process.platform }: RenameOptions = {},
): SolxError {
  const code = systemCode(cause) ?? "";
  const shared = platform === "win32" && SHARING_VIOLATIONS.has(code) ? WINDOWS_REASON : undefined;
  const reason = shared ?? WRITE_REASONS[code] ?? failureReason(cause);
  return fileError(`${what} cannot be written: ${reason}.`, cause, hint);
}

/**
 * Returns the identity of a file on this machine, which survives renames; undefined when there is no file. File numbers
 * of Windows exceed 2^53: as numbers, those of two files could be equal.
 */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/**
 * Creates a folder and its missing parents, readable for their owner alone; an existing folder stays as it is.
 * @throws the system's error, with a clearer message where a file has the folder's name
 */
export function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) createFolder(parent);
  try {
    // One level at a time: creating all levels at once never returns on some file systems.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (isFolder(folder)) return;
    if (statOf(folder) === undefined) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${folder} is a file, not a folder`, { cause: error }), { code });
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

/**
 * Returns the number and bytes of the files of a folder, those of its folders included, or of the file that a path is.
 * What cannot be read, or is removed meanwhile, counts as nothing; links in a folder are not followed.
 */
export async function measureFiles(path: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const { readdir, stat } = await import("node:fs/promises");
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    const about = await stat(path).catch(() => undefined);
    return about?.isFile() ? { files: 1, bytes: about.size } : { files: 0, bytes: 0 };
  }
  const inner = entries.filter((entry) => !entry.isSymbolicLink());
  const sizes = await Promise.all(inner.map(({ name }) => measureFiles(join(path, name))));
  return {
    files: sizes.reduce((sum, { files }) => sum + files, 0),
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Returns the home folder of the user; undefined where none is known. */
export const homeFolder = ({ HOME, USERPROFILE }: Env): string | undefined => HOME || USERPROFILE || undefined;

/**
 * Returns a path with `~` at its start replaced by the home folder: shells do not expand it behind `=` and `@` and in
 * quotes. Undefined where there is no home folder.
 */
export function expandHome(path: string, env: Env): string | undefined {
  if (!/^~(?:[\\/]|$)/.test(path)) return path;
  const home = homeFolder(env);
  return home && join(home, path.slice(1));
}

/**
 * Returns a path that was typed, like {@link expandHome}.
 * @throws UsageError where there is no home folder
 */
export function expandTypedPath(path: string, env: Env): string {
  const expanded = expandHome(path, env);
  if (expanded !== undefined) return expanded;
  throw new UsageError(`cannot expand ~ in ${path}: there is no home folder`, {
    hint: "Set HOME, or write the complete path.",
  });
}

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;
