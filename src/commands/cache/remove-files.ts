/** What `solx cache clear --all` removes: every file that solx creates again. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage, SolxError } from "../../base/index.ts";
import { USAGE_FILE } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { LOG_FILE } from "../explore/log.ts";
import { cacheFolder, SANDBOX_FOLDER } from "../sandbox/world.ts";

/**
 * Removes the content of the cache folder, and samples and logs of the state folder. Checkpoints, indexes, rate limits,
 * settings and keys stay.
 * @returns the bytes by what they were
 * @throws when a file cannot be removed, for example because another process uses it
 */
export async function removeFiles(settings: Settings): Promise<Readonly<Record<string, number>>> {
  const cache = cacheFolder(settings);
  const { state } = settings.paths;
  // By the beginning of the names: databases have files beside them, and full logs are renamed.
  const parts: readonly (readonly [part: string, folder: string | undefined, prefix: string])[] = [
    ["worlds", cache, SANDBOX_FOLDER],
    ["compiled", cache, "compiled"],
    ["cache", cache, ""],
    ["samples", state, USAGE_FILE],
    ["logs", state, LOG_FILE],
  ];
  const sizes: Record<string, number> = {};
  for (const [part, folder, prefix] of parts) sizes[part] = folder === undefined ? 0 : await removeIn(folder, prefix);
  return sizes;
}

/** Removes the entries of a folder whose name has a prefix, and returns their size in bytes. */
async function removeIn(folder: string, prefix: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let bytes = 0;
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(folder, name);
    bytes += await sizeOf(path);
    try {
      await rm(path, { recursive: true, force: true });
    } catch (cause) {
      throw new SolxError("unexpected", `${path} cannot be removed: ${errorMessage(cause)}.`, {
        code: "CACHE",
        hint: "Stop other solx processes, then run: solx cache clear --all",
        cause,
      });
    }
  }
  return bytes;
}

/** Returns the size of a file, or of all files below a folder; 0 for what is removed meanwhile. */
async function sizeOf(path: string): Promise<number> {
  const about = await stat(path).catch(() => undefined);
  if (!about?.isDirectory()) return about?.size ?? 0;
  const names = await readdir(path).catch(() => []);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
