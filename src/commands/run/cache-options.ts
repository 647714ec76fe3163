/** The cache of a run, and the note about the age of its answers. */

import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { type CacheOptions, durationText } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";

/** Returns the file of cached answers; undefined without a home folder. */
export function answerCacheFile({ paths }: Settings): string | undefined {
  return paths.cache && join(paths.cache, "answers.sqlite");
}

/**
 * Returns the cache of a run; undefined if it has none. A sandbox or an index in process is as fast as a cache. Answers of local
 * servers are cached only if the cache is turned on explicitly.
 * @throws UsageError for contradicting options
 */
export function cacheOptions(settings: Settings, context: RunContext): CacheOptions | undefined {
  const { cache, fresh, offline, follow } = context.globals;
  const contradiction = [
    fresh && "--fresh",
    cache === false && "--no-cache",
    follow !== undefined && "--follow",
    settings.get("record") !== undefined && "--record",
  ].find(Boolean);
  if (offline && contradiction) {
    throw new UsageError(`--offline and ${contradiction} cannot be used together`);
  }
  if (sourceOf(settings).facts.isInProcess || cache === false) return undefined;
  const file = answerCacheFile(settings);
  if (offline && file === undefined) {
    throw new UsageError("there is no folder for cached answers", { hint: "Set HOME or SOLX_HOME." });
  }
  if (settings.get("cache") === "off" && !offline) return undefined;
  if (file === undefined) {
    void context.reporter.note("Answers are not cached: there is no home folder. Set HOME or SOLX_HOME.");
    return undefined;
  }
  context.reporter.onEvent((event) => {
    if (event.type === "cached")
      context.outcome.oldestCachedAge = Math.max(context.outcome.oldestCachedAge ?? 0, event.age);
    return false;
  });
  return {
    file,
    mode: offline ? "offline" : fresh ? "refresh" : "use",
    local: settings.resolve("cache").level !== "default",
    now: context.io.now,
  };
}

/** Notes how old the cached answers of a run are, after the output. */
export async function noteCacheAge(context: RunContext, oldest: number): Promise<void> {
  const { offline } = context.globals;
  if (offline) return context.reporter.note(`From the cache, ${durationText(oldest)} old.`);
  await context.reporter.hint(`From the cache, ${durationText(oldest)} old; --fresh bypasses it.`);
}
