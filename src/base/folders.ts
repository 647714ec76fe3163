/** Folders of solx. */
import { mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

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
