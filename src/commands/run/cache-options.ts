/** Whether and where the answers of a run are kept, and what is told of their age. */
import { join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { type CacheOptions, durationText } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "./context.ts";

/** The file of the answers; undefined where there is no home folder. */
export function answerCacheFile({ paths }: Settings): string | undefined {
  return paths.cache && join(paths.cache, "answers.sqlite");
}

/**
 * The cache of a run; undefined when it has none. The sandbox in process does without: it is as quick itself. Servers
 * of this machine are asked each time, unless the cache was turned on by name.
 * @throws UsageError for options that contradict each other
 */
export function cacheOptions(settings: Settings, context: RunContext): CacheOptions | undefined {
  const { cache, fresh, offline, follow } = context.globals;
  const contradiction = [fresh && "--fresh", cache === false && "--no-cache", follow !== undefined && "--follow"].find(
    Boolean,
  );
  if (offline && contradiction) {
    throw new UsageError(`--offline and ${contradiction} contradict each other.`, { hint: "Give one of them." });
  }
  if (settings.sandbox || cache === false) return undefined;
  const file = answerCacheFile(settings);
  if (offline && file === undefined) {
    throw new UsageError("There is no folder in which answers could be kept.", { hint: "Set HOME or SOLX_HOME." });
  }
  if (file === undefined || (settings.get("cache") === "off" && !offline)) return undefined;
  context.reporter.onEvent((event) => {
    if (event.type === "cached") context.oldestCachedAge = Math.max(context.oldestCachedAge ?? 0, event.age);
    return false;
  });
  return {
    file,
    mode: offline ? "offline" : fresh ? "refresh" : "use",
    local: settings.resolved("cache").level !== "default",
    now: context.io.now,
  };
}

/** Says how old the answers of a run were, once there is everything to show. */
export async function noteCacheAge(context: RunContext, oldest: number): Promise<void> {
  const { offline } = context.globals;
  if (offline) return context.reporter.note(`From the cache, ${durationText(oldest)} old.`);
  await context.reporter.hint(`From the cache, ${durationText(oldest)} old; --fresh asks again.`);
}
