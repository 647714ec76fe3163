/** Folders of ours, made where they are missing. */
import { mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it, for their owner alone; one that is there is left as it is.
 * @throws the system's error where it cannot be made; with its code and other words where a file is in its place
 */
export function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) createFolder(above);
  try {
    // One level at a time: making all levels at once never returns on some file systems.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (isFolder(folder)) return;
    if (statOf(folder)?.isFile() !== true) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${folder} is a file, not a folder`, { cause: error }), { code });
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;
