/** `--until`: when following ends. */
import { UsageError } from "../../base/index.ts";
import { parseDuration } from "../run/arguments.ts";

/** When following ends: at a time in milliseconds since the epoch, or with the first row that matches a condition. */
export type StopCondition = { readonly at: number } | { readonly condition: string };

const TIME_OF_DAY = /^(\d{1,2}):(\d{2})$/;
/** A single word is not a condition on a row. */
const WORD = /^[A-Za-z][\w-]*$/;
const MOMENT = /^(\d+|\d{4}-\d{2}-\d{2}([T ].*)?|now|today|yesterday)$/i;

/**
 * Parses `--until`: a duration from now (`2h`), a time (ISO 8601, Unix seconds, or `18:00` local time), or else a jq
 * condition.
 * @throws UsageError when it is empty, invalid or in the past
 */
export async function parseUntil(text: string, now: number): Promise<StopCondition> {
  const input = text.trim();
  if (input === "") throw new UsageError("--until needs a value.", { hint: "For example: --until 2h" });
  if (/[a-z]$/i.test(input)) {
    const span = parseDuration(input);
    if (span !== undefined) return { at: now + span * 1000 };
  }
  const at = nextTimeOfDay(input, now) ?? (MOMENT.test(input) ? await parseMoment(input, now) : undefined);
  if (at === undefined && WORD.test(input)) {
    throw new UsageError(`invalid value "${input}" for --until: expected a duration, a time or a jq condition`, {
      hint: "For example: --until 2h, --until 18:00, --until '.amount > 1000000'",
    });
  }
  if (at === undefined) return { condition: input };
  if (at <= now)
    throw new UsageError(`--until ${input} is in the past.`, { hint: "Give a future time, or a duration such as 2h." });
  return { at };
}

async function parseMoment(text: string, now: number): Promise<number> {
  const { parseUnixTime: momentOf } = await import("../../client/index.ts");
  return momentOf(text, "--until", now) * 1000;
}

/** Returns the next occurrence of a time of day in local time. */
function nextTimeOfDay(text: string, now: number): number | undefined {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const moment = new Date(now);
  moment.setHours(Number(hour), Number(minute), 0, 0);
  if (moment.getTime() <= now) moment.setDate(moment.getDate() + 1);
  return moment.getTime();
}
