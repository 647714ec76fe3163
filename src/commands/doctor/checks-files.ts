/** Checks of the folders of solx and of the files in them. */

import { mkdtemp, opendir, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, pluralize } from "../../base/index.ts";
import { readCacheStats } from "../../client/index.ts";
import type { Paths } from "../../config/index.ts";
import { formatBytes } from "../../output/index.ts";
import { answerCacheFile } from "../run/cache-options.ts";
import { type Check, localCheck, note, ok, warning } from "./finding.ts";

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

const folderCheck = (name: keyof Paths): Check =>
  localCheck("files", name, async ({ settings }, signal) => {
    const path = settings.paths[name];
    const [contents, consequence] = FOLDERS[name];
    const hint = `${consequence} Set SOLX_HOME to a folder that you may write to.`;
    if (path === undefined) return warning(`no folder for ${contents}`, { hint });
    const existing = await nearestExistingFolder(path);
    const reason = await findWriteProblem(existing, path);
    if (reason !== undefined) return warning(reason, { value: { path, writable: false }, hint });
    if (existing !== path) return ok(`${path}: created when needed`, { path, writable: true, bytes: 0 });
    const size = await measureFolder(path, name !== "config", signal);
    const value = { path, writable: true, ...size };
    const message = `${path}: ${contents}; ${pluralize(size.files, "file")}, ${formatBytes(size.bytes)}`;
    const disk = await statfs(path).catch(() => undefined);
    const free = disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
    if (free >= LOW_DISK_BYTES) return ok(message, value);
    return warning(`${message}; only ${formatBytes(free)} free on the disk`, {
      value,
      hint: "Free some space, or delete cached data: solx cache clear, solx sandbox reset",
    });
  });

/** Returns the folder, or its nearest parent that exists. */
async function nearestExistingFolder(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  return stats || dirname(path) === path ? path : nearestExistingFolder(dirname(path));
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
    const stats = await stat(folder).catch(() => undefined);
    const prefix = path === folder ? "" : `${path} is not writable: `;
    if (stats?.isDirectory() === false) return `${prefix}${folder} is a file, not a folder`;
    return `${path} is not writable (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

/** Measures a folder. The configuration is measured without subfolders: with `SOLX_HOME` these are the other folders. */
async function measureFolder(path: string, recursive: boolean, signal: AbortSignal) {
  let [files, bytes] = [0, 0];
  for await (const file of listFiles(path, recursive)) {
    signal.throwIfAborted();
    files += 1;
    bytes += (await stat(file).catch(() => undefined))?.size ?? 0;
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

const answerCache = localCheck("files", "answers", async ({ settings, facts }) => {
  const path = answerCacheFile(settings);
  if (facts.isSimulated || path === undefined) return [];
  if (settings.get("cache") === "off") {
    return note("caching is off", { value: { on: false }, hint: "Turn it on: solx config set cache on" });
  }
  try {
    const count = readCacheStats(path).reduce((sum, kind) => sum + kind.count, 0);
    return ok(`${pluralize(count, "answer")} cached`, { on: true, path, count });
  } catch (error) {
    return warning(`${path} cannot be used: ${errorMessage(error)}`, {
      value: { on: true, path },
      hint: "Delete it; it only holds cached answers: solx cache clear",
    });
  }
});

/** Checks of files and folders. */
export const FILE_CHECKS: readonly Check[] = [
  folderCheck("config"),
  folderCheck("state"),
  folderCheck("cache"),
  answerCache,
];
