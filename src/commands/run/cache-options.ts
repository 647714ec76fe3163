/** The cache of a run, and the note about the age of its answers. */

import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { type CacheOptions, durationText } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";
import { recordFolder } from "./record-options.ts";

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
  const mode = settings.get("cache");
  const { follow } = context.globals;
  const contradiction =
    follow !== undefined ? "--follow" : recordFolder(context) === undefined ? undefined : "--record";
  if (mode === "only" && contradiction) {
    throw new UsageError(`--cache only and ${contradiction} cannot be used together`);
  }
  if (sourceOf(settings).facts.isInProcess || mode === "off") return undefined;
  const file = answerCacheFile(settings);
  if (mode === "only" && file === undefined) {
    throw new UsageError("there is no folder for cached answers", { hint: "Set HOME or SOLX_HOME." });
  }
  if (file === undefined) {
    void context.reporter.note("Answers are not cached: there is no home folder. Set HOME or SOLX_HOME.");
    return undefined;
  }
  const { outcome } = context;
  context.reporter.onEvent((event) => {
    if (event.type === "cached") outcome.oldestCachedAge = Math.max(outcome.oldestCachedAge ?? 0, event.age);
    return false;
  });
  return {
    file,
    mode: CLIENT_MODES[mode],
    local: settings.resolve("cache").level !== "default",
    now: context.io.now,
  };
}

const CLIENT_MODES = { on: "use", fresh: "refresh", only: "offline" } as const;

/** Notes how old the cached answers of a run are, after the output. */
export async function noteCacheAge(context: RunContext, oldest: number): Promise<void> {
  const age = `From the cache, ${durationText(oldest)} old`;
  const mode = (await context.session.settings()).get("cache");
  if (mode === "only") return context.reporter.note(`${age}.`);
  await context.reporter.hint(`${age}; --cache fresh bypasses it.`);
}
