/** Creates files for exports of the explorer, never replacing existing ones. */
import { type FileHandle, open, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { UsageError, unwritableError } from "../../base/index.ts";

/** Maximum number of names to try: the requested one, then `-2`, `-3`, … */
const MAX_NAMES = 999;
const MODE = 0o644;

/**
 * Returns a function that writes a new file to a folder and returns its path. If the name exists, the next free one of
 * `name-2`, `name-3`, … is used.
 * @throws UsageError when the name is invalid or the file cannot be written; a partial file is removed
 */
export function createFileSaver(folder: string): (name: string, chunks: AsyncIterable<string>) => Promise<string> {
  return async (name, chunks) => {
    checkName(name);
    const { file, path } = await createUnique(folder, name);
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
      await file.close();
      return path;
    } catch (error) {
      await file.close().catch(() => {});
      await rm(path, { force: true });
      throw isSystemError(error) ? unwritableError(parse(path).base, error) : error;
    }
  };
}

function checkName(name: string): void {
  if (name.trim() === "" || name === "." || name === "..") {
    throw new UsageError("A file name is required.", { hint: "For example: transfers.csv" });
  }
  if (/[/\\\p{Cc}]/u.test(name)) {
    throw new UsageError("The file name must not contain a folder.", {
      hint: "Files are saved in the folder in which solx was started.",
    });
  }
}

async function createUnique(
  folder: string,
  requestedName: string,
): Promise<{ readonly file: FileHandle; readonly path: string }> {
  const { name, ext } = parse(requestedName);
  for (let count = 1; count <= MAX_NAMES; count += 1) {
    const path = join(folder, count === 1 ? requestedName : `${name}-${count}${ext}`);
    try {
      return { file: await open(path, "wx", MODE), path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unwritableError(requestedName, error);
    }
  }
  throw new UsageError(`${requestedName} and its ${MAX_NAMES - 1} numbered names already exist.`, {
    hint: "Choose another name.",
  });
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
