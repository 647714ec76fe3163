/** `solx cache stats` and `solx cache clear`. */

import { stat } from "node:fs/promises";
import { errorMessage, type JsonObject, nearestName, SolxError, UsageError } from "../../base/index.ts";
import { CACHE_KIND_NAMES, CACHE_KINDS, type CacheKind, loadFields } from "../../catalogue/index.ts";
import { clearCachedAnswers, readCacheStats } from "../../client/index.ts";
import { quoteText } from "../../config/index.ts";
import { formatInfo } from "../../output/index.ts";
import { answerCacheFile } from "../run/cache-options.ts";
import type { RunContext } from "../run/context.ts";

/** Prints the number and size of the cached answers of each kind, and the location of the cache. */
export async function printCacheStats(context: RunContext): Promise<void> {
  const file = answerCacheFile(await context.settings());
  const entries = await withCacheErrors(file, () => (file === undefined ? [] : readCacheStats(file)));
  const kinds = CACHE_KIND_NAMES.map((kind): JsonObject => {
    const { count = 0, bytes = 0, oldest, newest } = entries.find((entry) => entry.kind === kind) ?? {};
    const { about, seconds } = CACHE_KINDS[kind];
    return { kind, about, answers: count, bytes, oldest: unixTime(oldest), newest: unixTime(newest), fresh: seconds };
  });
  const bytes = await fileSize(file);
  if (formatInfo(await context.format()).isDocument) return context.printObject({ file: file ?? null, bytes, kinds });
  await context.printRows(kinds, {
    entity: cacheRowSchema,
    columns: ["kind", "answers", "bytes", "oldest", "newest", { path: "fresh", head: "fresh for (s)" }, "about"],
  });
  await context.reporter.hint(`${megabytes(bytes)} MB in ${file ?? "no file"}. To clear the cache: solx cache clear`);
}

/** The schema of a row; zod is loaded only for the formats that need it. */
async function cacheRowSchema() {
  const { builders, f } = await loadFields();
  return builders.looseObject({
    kind: f.enum("Kind of data", CACHE_KIND_NAMES),
    about: f.text("What this kind contains"),
    answers: f.count("Number of cached answers"),
    bytes: f.count("Size of their bodies in the file"),
    oldest: f.unixTime("Time of the oldest answer").nullable(),
    newest: f.unixTime("Time of the newest answer").nullable(),
    fresh: f.number("Seconds for which an answer is reused"),
  });
}

/** Removes cached answers, all or of one kind. */
export async function clearCache(context: RunContext, { kind }: { readonly kind?: string }): Promise<void> {
  const only = kind === undefined ? undefined : parseKind(kind);
  const file = answerCacheFile(await context.settings());
  const before = await fileSize(file);
  const removed = await withCacheErrors(file, () => (file === undefined ? 0 : clearCachedAnswers(file, only)));
  const bytes = Math.max(0, before - (await fileSize(file)));
  await context.printObject({ removed, kind: only ?? null, bytes, file: file ?? null });
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

function parseKind(text: string): CacheKind {
  const kind = CACHE_KIND_NAMES.find((name) => name === text);
  if (kind) return kind;
  const suggestion = nearestName(text, CACHE_KIND_NAMES);
  throw new UsageError(`invalid value ${quoteText(text)} for --kind: expected ${CACHE_KIND_NAMES.join(", ")}`, {
    ...(suggestion === undefined ? {} : { hint: `Did you mean ${suggestion}?` }),
  });
}

async function fileSize(file: string | undefined): Promise<number> {
  const about = file === undefined ? undefined : await stat(file).catch(() => undefined);
  return about?.size ?? 0;
}

const unixTime = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : Math.floor(milliseconds / 1000);
const megabytes = (bytes: number) => Math.round(bytes / 100_000) / 10;
