/** `solx usage --watch`: polls the usage of a key, for days: on a screen, or as a line for each poll. */

import {
  formatSpan,
  HOUR_SECONDS,
  pluralize,
  toSentence as sentence,
  stringifyJson,
  toNumber,
  UsageError,
} from "../../base/index.ts";
import { forecastText } from "../../client/index.ts";
import {
  escapeJson,
  formatInfo,
  formatUsedShare,
  groupDigits,
  isTable,
  resolveTheme,
  shouldUseColor,
  supportsUnicode,
} from "../../output/index.ts";
import { loadUsageWatch, UsageWatcher } from "../../ui/index.ts";
import { usageEndpoint } from "../endpoint/answers.ts";
import { assertLeft, createExplorerContext, openLog } from "../explore/context.ts";
import { canExplore } from "../explore/terminal-support.ts";
import { parseInterval } from "../number-option.ts";
import { shapingOption } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { themeOfStream } from "../run/theme.ts";
import { usageResult } from "./derived.ts";
import { assertLimits, formatCount, type Limits } from "./limits.ts";
import { createUsageSource, TRANSIENT_EXITS, type UsageSnapshot } from "./snapshot.ts";

/** Formats a snapshot as one line of text: time, usage, burn rate and forecast. */
function snapshotLine(snapshot: UsageSnapshot): string {
  const { at, forecast, usage } = snapshot;
  const { percent, remaining, perDay } = forecast;
  const requests = toNumber(usage.total_requests_24h);
  return [
    new Date(at).toISOString().replace(/\.\d+Z$/, "Z"),
    ...(percent ? [`${formatUsedShare(percent)} used`] : []),
    ...(remaining ? [`${groupDigits(remaining)} units left`] : []),
    ...(perDay === undefined ? [] : [`${formatCount(perDay)} per day`]),
    ...(requests === undefined ? [] : [`${formatCount(requests)} requests in 24 h`]),
    forecastText(forecast),
  ].join("  ");
}

const INTERVAL = { min: 10, default: 60 };

/** Polls until it is stopped. Throws CheckError when a limit is exceeded, and errors that are not transient. */
export async function watch(context: RunContext, input: string | true, limits: Limits): Promise<void> {
  const interval = parseInterval("--watch", input, INTERVAL);
  const format = await watchFormat(context);
  if (format === "screen") await watchOnScreen(context, limits, interval);
  else await watchInLines(context, limits, { interval, isJson: format === "ndjson" });
}

/** Returns the output: a screen, lines of text, or NDJSON. */
async function watchFormat(context: RunContext): Promise<"screen" | "lines" | "ndjson"> {
  const settings = await context.session.settings();
  const isExplicit = settings.resolve("output").level !== "default";
  const shaping = shapingOption(context.globals);
  if (shaping) throw new UsageError(`--watch cannot be combined with ${shaping}`, { hint: "Pipe -o ndjson to jq." });
  const format = isExplicit ? await context.printer.format() : "table";
  if (formatInfo(format).family === "json") return "ndjson";
  if (!isTable(format)) {
    throw new UsageError(`--watch does not support -o ${format}`, { hint: "For one JSON object per poll: -o ndjson" });
  }
  return canExplore(context.io) ? "screen" : "lines";
}

async function watchOnScreen(context: RunContext, limits: Limits, interval: number): Promise<void> {
  const { env, stdin, stdout, signal } = context.io;
  const settings = await context.session.settings();
  const log = openLog(settings.paths.state, context.io.now);
  const explorer = createExplorerContext(context, log);
  try {
    const source = await createUsageSource(explorer.context);
    explorer.context.session.onClose(async () => source.close());
    const now = await explorer.context.session.clock();
    // A missing key is reported at once, not on a screen.
    if ((await settings.key(signal)) === undefined) await source.poll(signal);
    const limitAbort = new AbortController();
    const watcher = new UsageWatcher({
      poll: (ending) => source.poll(ending),
      samples: source.samples,
      interval,
      now,
      onReading: (snapshot) => {
        try {
          assertLimits(snapshot, limits);
        } catch (error) {
          limitAbort.abort(error);
        }
      },
    });
    const { runWatch } = await loadUsageWatch();
    const exit = await runWatch({
      watcher,
      now,
      rate: () => explorer.context.session.remainingRequests(),
      cost: unitsPerPoll(),
      isSandbox: sourceOf(settings).facts.isSimulated,
      theme: shouldUseColor({ flag: settings.get("color"), env, isTTY: stdout.isTTY === true })
        ? themeOfStream({ env, settings }, stdout, "dark")
        : resolveTheme({ theme: "mono", colorScheme: "none", depth: 4 }),
      unicode: supportsUnicode(env),
      log: log.write,
      stdin,
      stdout,
      signal: AbortSignal.any([signal, limitAbort.signal]),
    });
    assertLeft(exit, log);
    signal.throwIfAborted();
    limitAbort.signal.throwIfAborted();
  } finally {
    await explorer.close();
  }
}

const unitsPerPoll = () => usageEndpoint().cost.units;

/** Prints a line for each poll until the reader closes the pipe. */
async function watchInLines(
  context: RunContext,
  limits: Limits,
  { interval, isJson }: { readonly interval: number; readonly isJson: boolean },
): Promise<void> {
  const { signal } = context.io;
  const source = await createUsageSource(context);
  const now = await context.session.clock();
  // Suppresses the messages of retries and waits, which would be printed for every poll.
  const stopListening = context.reporter.onEvent(({ type }) => type === "retry" || type === "wait");
  const hourlyCost = pluralize(Math.ceil((HOUR_SECONDS / interval) * unitsPerPoll()), "compute unit");
  await context.reporter.note(`Polling every ${formatSpan(interval)} (${hourlyCost} per hour).`);
  const ending = Promise.withResolvers<void>();
  let queue: Promise<unknown> = Promise.resolve();
  let failingSince: number | undefined;
  // Sequential, so that lines stay in order and the watch ends only once.
  const enqueue = (action: () => Promise<void>) => {
    queue = queue.then(action).catch(ending.reject);
  };
  const watcher = new UsageWatcher({
    poll: (stop) => source.poll(stop),
    samples: source.samples,
    interval,
    now,
    onReading: (snapshot) =>
      enqueue(async () => {
        if (failingSince !== undefined)
          await context.reporter.note(`Recovered after ${formatSpan((now() - failingSince) / 1000)}.`);
        failingSince = undefined;
        await context.printer.printText(
          `${isJson ? escapeJson(stringifyJson(usageResult(snapshot))) : snapshotLine(snapshot)}\n`,
        );
        await context.printer.flush();
        assertLimits(snapshot, limits);
      }),
    onFailure: (error) =>
      enqueue(async () => {
        if (!TRANSIENT_EXITS.includes(error.exit)) throw error;
        if (failingSince === undefined) await context.reporter.note(`${sentence(error)} Polling continues.`);
        failingSince ??= now();
      }),
  });
  const stop = () => ending.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const timer = setInterval(watcher.tick, 1000);
  watcher.tick();
  try {
    await ending.promise;
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", stop);
    watcher.close();
    source.close();
    stopListening();
  }
}
