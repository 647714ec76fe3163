/** New files for what the explorer exports: nothing that is there is ever replaced. */
import { type FileHandle, open, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { unwritableError } from "../file/target.ts";

/** Names that are tried: the one that was asked for, then `-2`, `-3`, … */
const MAX_NAMES = 999;
const MODE = 0o644;

/**
 * Makes the function that writes a new file into a folder and gives its path. Where the name is taken, the next free
 * one of `name-2`, `name-3`, … is.
 * @throws UsageError when the name is none, or the file cannot be written; then nothing of it is left
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
    throw new UsageError("The file needs a name.", { hint: "For example: transfers.csv" });
  }
  if (/[/\\\p{Cc}]/u.test(name)) {
    throw new UsageError("The name of the file must be a name alone, without a folder.", {
      hint: "Files go to the folder in which solx was started.",
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
  throw new UsageError(`${requestedName} is there ${MAX_NAMES} times already.`, { hint: "Choose another name." });
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
