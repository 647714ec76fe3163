/**
 * `solx usage --watch`: looks at the use of a key every so often, for days. At a terminal it is a screen; elsewhere, and
 * where JSON is asked for, each look is a line. Failures that may pass are outlived.
 */

import { errorMessage } from "../../base/error-message.ts";
import { CheckError, InterruptedError, SolxError, toSentence as sentence, UsageError } from "../../base/errors.ts";
import { stringifyJson, toNumber } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../base/time.ts";
import { forecastText } from "../../client/index.ts";
import { formatInfo, shouldUseColor, supportsUnicode } from "../../output/index.ts";
import { escapeJson } from "../../output/text/safe.ts";
import { formatUsedShare, groupDigits } from "../../output/values/number.ts";
import { detectColorScheme } from "../../ui/app/theme/theme.ts";
import { createWatcher, type Watcher } from "../../ui/watch/watcher.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { parseDuration } from "../endpoint/follow-argument.ts";
import { createExplorerContext } from "../explore/context.ts";
import { openLog } from "../explore/log.ts";
import { canExplore } from "../explore/terminal-support.ts";
import type { RunContext } from "../run/context.ts";
import { formatSpan } from "../run/progress-text.ts";
import { derivedView } from "./derived.ts";
import { beyond, countText, sentenceOf } from "./limit-check.ts";
import { thresholdsOf, type UsageOptions } from "./options.ts";
import { createLooker, type Look } from "./snapshot.ts";

/** The line for people, without its line break: when, how much, how fast, and what that comes to. */
export function lookLine(look: Look): string {
  const { at, forecast, usage } = look;
  const { percent, remaining: left, perDay } = forecast;
  const requests = toNumber(usage.total_requests_24h);
  return [
    new Date(at).toISOString().replace(/\.\d+Z$/, "Z"),
    ...(percent ? [`${formatUsedShare(percent)} used`] : []),
    ...(left ? [`${groupDigits(left)} units left`] : []),
    ...(perDay === undefined ? [] : [`${countText(perDay)} a day`]),
    ...(requests === undefined ? [] : [`${countText(requests)} requests in 24 h`]),
    forecastText(forecast),
  ].join("  ");
}

/** The same as JSON on one line: the object that `solx usage -o json` gives. */
export function lookJson(look: Look): string {
  return escapeJson(stringifyJson(derivedView(look)));
}

/** Seconds between two looks. */
const DEFAULT_INTERVAL = 60;
const LEAST_INTERVAL = 10;
const MOST_INTERVAL = DAY_SECONDS;

/**
 * Watches until it is left or stopped.
 * @throws CheckError (exit 11) when a limit is exceeded; without a screen, also a failure that will not pass
 */
export async function watch(context: RunContext, options: UsageOptions): Promise<void> {
  const interval = intervalOf(options.watch ?? true);
  const format = await formatOf(context);
  if (format === "screen") await onScreen(context, options, interval);
  else await inLines(context, options, { interval, isJson: format === "ndjson" });
}

/**
 * Seconds between two looks.
 * @throws UsageError when it is no span, or too short
 */
export function intervalOf(given: string | true): number {
  if (given === true || given === "") return DEFAULT_INTERVAL;
  const seconds = parseDuration(given);
  if (seconds !== undefined && seconds >= LEAST_INTERVAL && seconds <= MOST_INTERVAL) return seconds;
  throw new UsageError(
    seconds === undefined
      ? `--watch ${given}: that is no interval.`
      : `--watch ${given}: the interval must be ${LEAST_INTERVAL}s to ${MOST_INTERVAL / HOUR_SECONDS}h.`,
    { hint: `Intervals look like 30s, 5m or 1h; each look costs a request. Without one: ${DEFAULT_INTERVAL}s.` },
  );
}

/** How looks are told: on a screen, as lines for people, or as JSON. */
async function formatOf(context: RunContext): Promise<"screen" | "lines" | "ndjson"> {
  const { fields, columns, jq } = context.globals;
  const settings = await context.settings();
  const isAsked = context.globals.json === true || settings.resolve("output").level !== "default";
  const shaped = Object.entries({ "--fields": fields, "--columns": columns, "--jq": jq }).find(([, value]) => value);
  if (shaped)
    throw new UsageError(`--watch and ${shaped[0]} contradict each other.`, { hint: "Pipe -o ndjson to jq." });
  const asked = isAsked ? await context.format() : "table";
  if (formatInfo(asked).family === "json") return "ndjson";
  if (asked !== "table") {
    throw new UsageError(`--watch cannot print ${asked}.`, { hint: "As JSON, a line for each look: -o ndjson" });
  }
  return canExplore(context.io) ? "screen" : "lines";
}

/** What a look is checked against; throws what ends the watch. */
type Check = (look: Look) => void;

function checkOf(options: UsageOptions): Check {
  const { fail } = thresholdsOf(options);
  return (look) => {
    const failed = beyond(look, fail);
    if (failed.length > 0) throw new CheckError(sentenceOf(failed), { code: "CHECK" });
  };
}

async function onScreen(context: RunContext, options: UsageOptions, interval: number): Promise<void> {
  const { env, stdin, stdout, signal } = context.io;
  const settings = await context.settings();
  const log = openLog(settings.paths.state, context.io.now);
  const inside = createExplorerContext(context, log);
  const check = checkOf(options);
  try {
    const looker = await createLooker(inside.context);
    inside.onClose(async () => looker.close());
    const now = await inside.context.clock();
    // A key that is missing is told at once, not on a screen.
    if ((await settings.key(signal)) === undefined && !settings.sandbox) await looker.look(signal);
    const ended = new AbortController();
    const watcher = createWatcher({
      poll: (ending) => looker.look(ending),
      samples: looker.samples,
      interval,
      now,
      onReading: (reading) => {
        try {
          check(reading);
        } catch (error) {
          ended.abort(error);
        }
      },
    });
    const { runWatch: watchInTerminal } = await import("../../ui/watch/screen.tsx");
    const how = await watchInTerminal({
      watcher,
      now,
      rate: () => inside.context.remainingRequests(),
      cost: costOfLook(),
      isSandbox: settings.sandbox,
      palette: detectColorScheme(
        shouldUseColor({ flag: context.globals.color, env, isTTY: stdout.isTTY === true }),
        env,
      ),
      unicode: supportsUnicode(env),
      log: log.write,
      stdin,
      stdout,
      signal: AbortSignal.any([signal, ended.signal]),
    });
    if (how.how === "fault") throw faultOf(how.error, log.path);
    if (how.how === "gone") throw new InterruptedError("The terminal is gone.", { terminated: true });
    signal.throwIfAborted();
    ended.signal.throwIfAborted();
  } finally {
    await inside.close();
  }
}

const costOfLook = () => endpointAt("/monitor/usage").cost.units;

function faultOf(error: unknown, path: string | undefined): SolxError {
  const text = errorMessage(error);
  return new SolxError("unexpected", `The watch ended over a fault of its own: ${text}`, {
    cause: error,
    ...(path === undefined ? {} : { hint: `More about it is in ${path}` }),
  });
}

/** A line for each look, until the reader is gone. */
async function inLines(
  context: RunContext,
  options: UsageOptions,
  { interval, isJson }: { readonly interval: number; readonly isJson: boolean },
): Promise<void> {
  const { signal } = context.io;
  const check = checkOf(options);
  const looker = await createLooker(context);
  const now = await context.clock();
  // Each retry within a look would be told otherwise, look after look.
  const stopListening = context.reporter.onEvent(({ type }) => type === "retry" || type === "wait");
  const price = pluralize(Math.ceil((HOUR_SECONDS / interval) * costOfLook()), "compute unit");
  await context.reporter.note(`Looking every ${formatSpan(interval)}: an hour costs ${price}.`);
  const ending = Promise.withResolvers<void>();
  let last: Promise<unknown> = Promise.resolve();
  let since: number | undefined;
  // One after the other: lines keep their order, and what ends the watch ends it once.
  const then = (action: () => Promise<void>) => {
    last = last.then(action).catch(ending.reject);
  };
  const watcher: Watcher = createWatcher({
    poll: (stop) => looker.look(stop),
    samples: looker.samples,
    interval,
    now,
    onReading: (reading) =>
      then(async () => {
        if (since !== undefined)
          await context.reporter.note(`It works again, after ${formatSpan((now() - since) / 1000)}.`);
        since = undefined;
        await context.printText(`${isJson ? lookJson(reading) : lookLine(reading)}\n`);
        await context.flush();
        check(reading);
      }),
    onFailure: (error) =>
      then(async () => {
        if (!mayPass(error)) throw error;
        if (since === undefined)
          await context.reporter.note(`${sentence(error)} Watching goes on when that has passed.`);
        since ??= now();
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
    looker.close();
    stopListening();
  }
}

/** Whether a later look may succeed. */
function mayPass({ exit }: SolxError): boolean {
  return exit === "network" || exit === "server" || exit === "rateLimited" || exit === "quota";
}
