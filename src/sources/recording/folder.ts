/** Folders of recordings: files that several processes add at the same time, each named after its request. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFolder, errorMessage, systemReason, UsageError } from "../../base/index.ts";
import { formatRecording, parseRecording, type Recording } from "./recording.ts";
import { fileStem } from "./request.ts";

/** Adds recordings to a folder. */
export interface RecordingWriter {
  /**
   * Writes a recording to a new file and returns the name of the file. Recordings of one request are numbered.
   * @throws the system's error
   */
  write(recording: Recording): Promise<string>;
}

/**
 * Opens a folder for recordings, which is created if necessary.
 * @throws UsageError when it cannot be used
 */
export function openRecordingWriter(folder: string): RecordingWriter {
  try {
    createFolder(folder);
  } catch (cause) {
    throw new UsageError(`cannot record to ${folder}: ${reasonOf(cause)}`, { code: "BAD_FOLDER", cause });
  }
  /** The numbers that are in use, by the beginning of the name. */
  const numbers = new Map<string, number>();
  return {
    async write(recording) {
      const stem = fileStem(recording.request);
      // A file appears complete, under a number that no other process took.
      const temporary = join(folder, `.${stem}.${randomUUID()}.tmp`);
      try {
        await writeFile(temporary, formatRecording(recording), { mode: 0o600, flag: "wx" });
        for (let number = (numbers.get(stem) ?? 0) + 1; ; number += 1) {
          const name = `${stem}-${number}.json`;
          numbers.set(stem, number);
          if (await publish(temporary, join(folder, name))) return name;
        }
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}

/** Gives a file another name; returns false where that name is taken. */
async function publish(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      // Some file systems have no links.
      return copyFile(from, to, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Returns the files of a folder of recordings, in the order in which equal requests were recorded.
 * @throws UsageError for a folder that cannot be read
 */
export async function listRecordings(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder).catch((cause) => {
    throw new UsageError(`cannot read the recordings in ${folder}: ${reasonOf(cause)}`, {
      code: "BAD_FOLDER",
      cause,
    });
  });
  const { compare } = new Intl.Collator("en", { numeric: true });
  return all.filter((name) => name.endsWith(".json") && !name.startsWith(".")).toSorted(compare);
}

/**
 * Reads a recording.
 * @throws UsageError when the file cannot be read or is not a recording
 */
export async function readRecording(folder: string, name: string): Promise<Recording> {
  const path = join(folder, name);
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new UsageError(`cannot read ${path}: ${reasonOf(cause)}`, { code: "BAD_RECORDING", cause });
  });
  return parseRecording(text, path);
}

const reasonOf = (cause: unknown) => systemReason(cause) ?? errorMessage(cause);
