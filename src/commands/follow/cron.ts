/** Calendars of polls, as cron expressions in the time zone of the machine. */
import { Cron } from "croner";
import { MINUTE_SECONDS, UsageError } from "../../base/index.ts";
import type { PollTimes } from "../../client/index.ts";
import { quoteText } from "../../config/index.ts";

/** Times over which the interval is averaged. */
const TIMES = 50;

/** Whether a text is meant as an expression: five fields, or a name such as `@daily`. */
export const isCron = (text: string): boolean => /\s|^@/.test(text.trim());

/** Parses an expression. @throws UsageError for one that is invalid or never occurs */
export function parseCron(text: string, now: number): PollTimes {
  const refusal = (reason: string) =>
    new UsageError(`invalid cron expression ${quoteText(text)}: ${reason}`, {
      hint: "Examples: */15 * * * *, 0 9 * * 1-5, @daily",
    });
  if (!/^(@\w+|\S+(\s+\S+){4})$/.test(text.trim())) throw refusal("it has five fields");
  let cron: Cron;
  try {
    cron = new Cron(text.trim(), { mode: "5-part" });
  } catch (error) {
    throw refusal((error as Error).message.replace(/^CronPattern: /, ""));
  }
  const times = cron.nextRuns(TIMES, new Date(now));
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) throw refusal("it never occurs");
  return {
    interval: Math.max(MINUTE_SECONDS, (last.getTime() - first.getTime()) / Math.max(1, times.length - 1) / 1000),
    nextTime: (after) => cron.nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}
