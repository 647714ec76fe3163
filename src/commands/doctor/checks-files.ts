/** Checks of the folders of solx and of the files in them. */

import { mkdtemp, opendir, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, pluralize } from "../../base/index.ts";
import { readCacheStats } from "../../client/index.ts";
import type { Paths } from "../../config/index.ts";
import { formatBytes } from "../../output/index.ts";
import { answerCacheFile } from "../run/cache-options.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";

/** Maximum number of files counted in one folder. */
const MAX_COUNTED_FILES = 10_000;
/** Free bytes below which writes will soon fail. */
const LOW_DISK_BYTES = 100_000_000;

/** The contents of each folder, and the consequence if it is not writable. */
const FOLDERS: Readonly<Record<keyof Paths, readonly [contents: string, consequence: string]>> = {
  config: ["settings and keys", "Settings and keys cannot be saved; set SOLX_API_KEY instead."],
  state: [
    "rate limit, checkpoints",
    "Processes do not share the rate limit, and interrupted exports cannot be resumed.",
  ],
  cache: ["answers, sandbox", "Answers are not cached, and the sandbox is created on every run."],
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
      const existing = await nearestExistingFolder(path);
      const reason = await findWriteProblem(existing, path);
      if (reason !== undefined) return { level: "warning", value: { path, writable: false }, message: reason, hint };
      if (existing !== path) {
        return {
          level: "ok",
          value: { path, writable: true, bytes: 0 },
          message: `${path}: created when needed`,
        };
      }
      const size = await measureFolder(path, name !== "config", signal);
      return withDiskSpace(existing, {
        level: "ok",
        value: { path, writable: true, ...size },
        message: `${path}: ${contents}; ${pluralize(size.files, "file")}, ${formatBytes(size.bytes)}`,
      });
    },
  };
}

/** Returns the folder, or its nearest parent that exists. */
async function nearestExistingFolder(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || dirname(path) === path ? path : nearestExistingFolder(dirname(path));
}

/**
 * Returns why a folder is not writable, or undefined if it is. Writes to it, since its mode alone is not conclusive.
 * @param path the required folder: this one, or one to be created in it
 */
async function findWriteProblem(folder: string, path: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, ".solx-doctor-")));
    return undefined;
  } catch (error) {
    const isFolder = await stat(folder)
      .then((stats) => stats.isDirectory())
      .catch(() => true);
    const prefix = path === folder ? "" : `${path} is not writable: `;
    if (!isFolder) return `${prefix}${folder} is a file, not a folder`;
    return `${path} is not writable (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

/** Measures a folder. The configuration is measured without subfolders: with `SOLX_HOME` these are the other folders. */
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

/** Lists the files of a folder. A folder that another process removes meanwhile counts as empty. */
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
    message: `${outcome.message}; only ${formatBytes(free)} free on the disk`,
    hint: "Free some space, or delete cached data: solx cache clear, solx sandbox reset",
  };
}

const answerCache: Check = {
  area: "files",
  name: "answers",
  run: async ({ settings }: CheckContext) => {
    const path = answerCacheFile(settings);
    if (settings.sandbox || path === undefined) return [];
    if (settings.get("cache") === "off") {
      return {
        level: "note",
        value: { on: false },
        message: "caching is off",
        hint: "Turn it on: solx config set cache on",
      };
    }
    try {
      const count = readCacheStats(path).reduce((sum, kind) => sum + kind.count, 0);
      return { level: "ok", value: { on: true, path, count }, message: `${pluralize(count, "answer")} cached` };
    } catch (error) {
      return {
        level: "warning",
        value: { on: true, path },
        message: `${path} cannot be used: ${errorMessage(error)}`,
        hint: "Delete it; it only holds cached answers: solx cache clear",
      };
    }
  },
};

/** Checks of files and folders. */
export const FILE_CHECKS: readonly Check[] = [
  folderCheck("config"),
  folderCheck("state"),
  folderCheck("cache"),
  answerCache,
];
