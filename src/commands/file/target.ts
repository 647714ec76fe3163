/** The file that `--out` names: what may be written, and why something may not. */
import { chmod, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../../base/errors.ts";

/** A file to write. */
export interface OutputTarget {
  /** As it was given, for messages. */
  readonly name: string;
  /** Where it is or will be, links followed. */
  readonly path: string;
  /** Where it is written until it is complete. */
  readonly partial: string;
  /** Its permissions; undefined when it is not there. */
  readonly mode: number | undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "the system does not allow it",
  EROFS: "the file system is read-only",
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  ENAMETOOLONG: "the name is too long",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  ELOOP: "its links lead in a circle",
};

/**
 * Looks at the file that was named.
 * @throws UsageError when it can be no file of rows: a folder, a pipe, a device
 */
export async function resolveTarget(name: string): Promise<OutputTarget> {
  if (name === "" || name === "-") {
    throw new UsageError(`--out needs the name of a file, not "${name}".`, {
      hint: "Without --out, everything goes to standard output.",
    });
  }
  const stats = await stat(name).catch(ignoreMissing(name));
  if (stats?.isDirectory() || /[\\/]$/.test(name)) {
    throw new UsageError(`${name} is a folder.`, { hint: `Name a file in it, e.g. ${join(name, "rows.ndjson")}` });
  }
  if (stats && !stats.isFile()) {
    throw new UsageError(`${name} is no ordinary file.`, { hint: `Leave out --out and redirect: > ${name}` });
  }
  const path = stats ? await realpath(name) : resolve(name);
  return { name, path, partial: `${path}.partial`, mode: stats && stats.mode & 0o777 };
}

/** Whether something has this name, be it a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreMissing(path))) !== undefined;
}

/** A failure of the file system as what is wrong with the file that was named. */
export function unwritableError(name: string, cause: unknown): UsageError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return new UsageError(`${name} cannot be written: ${REASONS[code] ?? message}.`, {
    code: code || "UNWRITABLE",
    cause,
  });
}

function ignoreMissing(name: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code === "ENOENT") return undefined;
    throw unwritableError(name, error);
  };
}

/** Gives the partial file its name, for good: also after a power cut it is there under one of the two. */
export async function renamePartial({ path, partial, mode }: OutputTarget): Promise<void> {
  if (mode !== undefined) await chmod(partial, mode);
  await rename(partial, path);
  await syncFolder(path);
}

/** Puts names on the disk; a system that cannot do so does it in its own time. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes the partial file. */
export async function removePartial({ partial }: OutputTarget): Promise<void> {
  await rm(partial, { force: true });
}
