/** `solx cache stats` and `solx cache clear`. */
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  errorMessage,
  failureReason,
  fileError,
  type JsonObject,
  measureFiles,
  SolxError,
  UsageError,
} from "../../base/index.ts";
import { CACHE_KIND_NAMES, CACHE_KINDS, type CacheKind } from "../../catalogue/index.ts";
import { clearCachedAnswers, readCacheStats, USAGE_FILE } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { formatInfo } from "../../output/index.ts";
import { LOG_FILE } from "../explore/context.ts";
import { clearStoredNames, countStoredNames, nameFile } from "../names/name-store.ts";
import { rowSchema } from "../row-schema.ts";
import { answerCacheFile } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { cacheFolder, SANDBOX_FOLDER } from "../sandbox/world.ts";
import { NAMES, STORED_KINDS } from "./kinds.ts";

/** Prints the number and size of the cached answers of each kind and of the stored names, and where they are. */
export async function printCacheStats(context: RunContext): Promise<void> {
  const { answers, names } = await cacheFiles(context);
  const entries = await withCacheErrors(answers, () => (answers === undefined ? [] : readCacheStats(answers)));
  const kinds = CACHE_KIND_NAMES.map((kind): JsonObject => {
    const { count = 0, bytes = 0, oldest, newest } = entries.find((entry) => entry.kind === kind) ?? {};
    const { about, seconds } = CACHE_KINDS[kind];
    return { kind, about, answers: count, bytes, oldest: unixTime(oldest), newest: unixTime(newest), fresh: seconds };
  });
  const count = await withCacheErrors(names, () => (names === undefined ? 0 : countStoredNames(names)));
  const [bytes, nameBytes] = [await sizeOf(answers), await sizeOf(names)];
  if (formatInfo(await context.printer.format()).isDocument) {
    const nameStats = { count, bytes: nameBytes, file: names ?? null };
    return context.printer.printObject({ file: answers ?? null, bytes, kinds, names: nameStats });
  }
  const nameRow: JsonObject = {
    ...{ kind: NAMES, about: "names of addresses in earlier answers", answers: count, bytes: nameBytes },
    ...{ oldest: null, newest: null, fresh: null },
  };
  await context.printer.printRows([...kinds, nameRow], {
    entity: cacheRowSchema,
    columns: ["kind", "answers", "bytes", "oldest", "newest", { path: "fresh", head: "fresh for (s)" }, "about"],
  });
  const folder = answers === undefined ? "no folder" : dirname(answers);
  await context.reporter.hint(`${megabytes(bytes + nameBytes)} MB in ${folder}. To clear the cache: solx cache clear`);
}

/** Returns the files of answers and names; undefined without a home folder. */
async function cacheFiles(context: RunContext) {
  const settings = await context.session.settings();
  return { answers: answerCacheFile(settings), names: nameFile(settings) };
}

const cacheRowSchema = rowSchema((f) => ({
  kind: f.enum("Kind of data", STORED_KINDS),
  about: f.text("What this kind contains"),
  answers: f.count("Number of cached answers, or of names"),
  bytes: f.count("Size of their bodies in the file; of names, the size of their file"),
  oldest: f.unixTime("Time of the oldest answer").nullable(),
  newest: f.unixTime("Time of the newest answer").nullable(),
  fresh: f.number("Seconds for which an answer is reused").nullable(),
}));

interface ClearOptions {
  readonly kind?: CacheKind | typeof NAMES;
  readonly all?: boolean;
}

/** Removes cached answers and stored names, all or of one kind; with `all`, also every other file that is created again. */
export async function clearCache(context: RunContext, { kind, all = false }: ClearOptions): Promise<void> {
  if (all && kind !== undefined) throw new UsageError("--all and --kind cannot be used together");
  const { answers, names } = await cacheFiles(context);
  const size = async () => (await sizeOf(answers)) + (await sizeOf(names));
  const before = await size();
  const removed = await withCacheErrors(answers, () =>
    answers === undefined || kind === NAMES ? 0 : clearCachedAnswers(answers, kind),
  );
  const removedNames = await withCacheErrors(names, () =>
    names === undefined || (kind ?? NAMES) !== NAMES ? 0 : clearStoredNames(names),
  );
  const bytes = Math.max(0, before - (await size()));
  const result = { removed, names: removedNames, kind: kind ?? null, bytes, file: answers ?? null };
  if (!all) return context.printer.printObject(result);
  const files = await removeFiles(await context.session.settings());
  const total = Object.values(files).reduce((sum, part) => sum + part, bytes);
  await context.printer.printObject({ ...result, bytes: total, files });
}

async function withCacheErrors<T>(file: string | undefined, action: () => T): Promise<T> {
  try {
    return action();
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new SolxError("unexpected", `The cache in ${file} cannot be used: ${reason}.`, {
      code: "CACHE",
      hint: "It can be removed safely: solx cache clear, or delete the file.",
      cause,
    });
  }
}

const sizeOf = async (file: string | undefined) => (file === undefined ? 0 : (await measureFiles(file)).bytes);

const unixTime = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : Math.floor(milliseconds / 1000);
const megabytes = (bytes: number) => Math.round(bytes / 100_000) / 10;

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
      const hint = "Stop other solx processes, then run: solx cache clear --all";
      throw fileError(`${path} cannot be removed: ${failureReason(cause)}.`, cause, hint);
    }
  }
  return bytes;
}
