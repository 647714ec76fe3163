/** Checks of folders and of what is kept in them. */

import { mkdtemp, opendir, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { pluralize } from "../../base/text.ts";
import { readCacheStats } from "../../client/index.ts";
import type { Paths } from "../../config/index.ts";
import { formatBytes } from "../../output/index.ts";
import { answerCacheFile } from "../run/cache-options.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";

/** Files that are counted in one folder. */
const MAX_COUNTED_FILES = 10_000;
/** Bytes free on a disk below which writing will soon fail. */
const LOW_DISK_BYTES = 100_000_000;

/** What each folder is for, and what is missed where it cannot be written. */
const FOLDERS: Readonly<Record<keyof Paths, readonly [holds: string, without: string]>> = {
  config: ["settings and keys", "Settings and keys cannot be saved; give the key in SOLX_API_KEY."],
  state: ["budget, checkpoints", "Processes do not share the rate, and stopped fetches cannot go on."],
  cache: ["answers, sandbox", "Every answer is fetched anew, and the sandbox is made anew each time."],
};

function folderCheck(name: keyof Paths): Check {
  return {
    area: "files",
    name,
    run: async ({ settings }, signal) => {
      const path = settings.paths[name];
      const [contents, consequence] = FOLDERS[name];
      const hint = `${consequence} Set SOLX_HOME to a folder that you may write to.`;
      if (path === undefined) return { level: "warning", value: null, message: `no folder for ${contents}`, hint };
      const place = await nearestExistingFolder(path);
      const reason = await findWriteProblem(place, path);
      if (reason !== undefined) return { level: "warning", value: { path, writable: false }, message: reason, hint };
      if (place !== path) {
        return {
          level: "ok",
          value: { path, writable: true, bytes: 0 },
          message: `${path}: is made when it is needed`,
        };
      }
      const size = await measureFolder(path, name !== "config", signal);
      return withDiskSpace(place, {
        level: "ok",
        value: { path, writable: true, ...size },
        message: `${path}: ${contents}; ${pluralize(size.files, "file")}, ${formatBytes(size.bytes)}`,
      });
    },
  };
}

/** The folder, or the one above it in which it would be made. */
async function nearestExistingFolder(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || dirname(path) === path ? path : nearestExistingFolder(dirname(path));
}

/**
 * Tries it: what a folder's mode says is not all that counts.
 * @param path the folder that is meant, in this one or this one itself
 */
async function findWriteProblem(folder: string, path: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, ".solx-doctor-")));
    return undefined;
  } catch (error) {
    const isFolder = await stat(folder)
      .then((stats) => stats.isDirectory())
      .catch(() => true);
    const place = path === folder ? "" : `${path} cannot be written: `;
    if (!isFolder) return `${place}${folder} is a file, not a folder`;
    return `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

/** How much is in a folder, and in those below it where that is wanted: with `SOLX_HOME` the others are below the first. */
async function measureFolder(
  path: string,
  recursive: boolean,
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  let [files, bytes] = [0, 0];
  for await (const file of listFiles(path, recursive)) {
    signal.throwIfAborted();
    files += 1;
    bytes += await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    if (files >= MAX_COUNTED_FILES) break;
  }
  return { files, bytes };
}

/** Files of a folder. Other processes add and remove what they need: a folder that is gone when its turn comes is empty. */
async function* listFiles(folder: string, recursive: boolean): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isFile()) yield path;
      else if (recursive && entry.isDirectory()) yield* listFiles(path, recursive);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

async function withDiskSpace(folder: string, outcome: Outcome): Promise<Outcome> {
  const disk = await statfs(folder).catch(() => undefined);
  const free = disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
  if (free >= LOW_DISK_BYTES) return outcome;
  return {
    ...outcome,
    level: "warning",
    message: `${outcome.message}; only ${formatBytes(free)} are free on the disk`,
    hint: "Make room, or remove what solx keeps: solx cache clear, solx sandbox reset",
  };
}

const answerCache: Check = {
  area: "files",
  name: "answers",
  run: async ({ settings }: CheckContext) => {
    const path = answerCacheFile(settings);
    if (settings.sandbox || path === undefined) return [];
    if (settings.get("cache") === "off") {
      return { level: "note", value: { on: false }, message: "not kept", hint: "Keep them: solx config set cache on" };
    }
    try {
      const count = readCacheStats(path).reduce((sum, kind) => sum + kind.count, 0);
      return { level: "ok", value: { on: true, path, count }, message: `${pluralize(count, "answer")} kept` };
    } catch (error) {
      return {
        level: "warning",
        value: { on: true, path },
        message: `${path} cannot be used: ${errorMessage(error)}`,
        hint: "Nothing is lost when it is removed: solx cache clear",
      };
    }
  },
};

/** The checks of this file. */
export const FILE_CHECKS: readonly Check[] = [
  folderCheck("config"),
  folderCheck("state"),
  folderCheck("cache"),
  answerCache,
];
