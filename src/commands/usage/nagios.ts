/** The use of a key as a plugin of Nagios tells it: one line with performance data, and an exit code of its own. */
import { decimalText } from "../../base/decimal.ts";
import type { SolxError } from "../../base/errors.ts";
import { sumDecimals } from "../../base/ratio.ts";
import { forecastText, successRate } from "../../client/index.ts";
import { safeText } from "../../output/text/safe.ts";
import { formatUsedShare, groupDigits } from "../../output/values/number.ts";
import type { RunContext } from "../run/context.ts";
import { beyond, sentenceOf } from "./limit-check.ts";
import { isLimited, type Thresholds } from "./options.ts";
import type { Look } from "./snapshot.ts";

const EXITS = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;

type Status = keyof typeof EXITS;

/** A line and its exit code. */
export interface PluginResult {
  readonly line: string;
  readonly exitCode: number;
}

/**
 * The state of the key. No units left is always critical; without any limit, units that end before the period are a
 * warning.
 * @throws IncompleteError when the numbers that decide are not known
 */
export function nagiosResult(look: Look, { fail, warn }: Thresholds): PluginResult {
  const isNone = look.forecast.state === "none";
  const isFree = !isLimited(fail) && !isLimited(warn);
  const critical = beyond(look, isNone ? { ...fail, renewal: true } : fail);
  // What fails for certain is told, whatever else is not known.
  const warning = critical.length > 0 ? [] : beyond(look, isFree ? { renewal: true } : warn);
  const status: Status = critical.length > 0 ? "CRITICAL" : warning.length > 0 ? "WARNING" : "OK";
  const reasons = critical.length > 0 ? critical : warning;
  const text = reasons.length > 0 ? sentenceOf(reasons) : `${knownText(look)}. ${forecastText(look.forecast)}`;
  return resultOf(status, `${text} | ${performance(look, { fail, warn })}`);
}

/** Tells a failure: the state is not known. Where standard output cannot be written, on standard error. */
export async function tellUnknown(context: RunContext, { message }: SolxError): Promise<number> {
  const { line, exitCode } = resultOf("UNKNOWN", message);
  try {
    await context.printText(line);
    await context.flush();
  } catch {
    context.reporter.write(line);
  }
  return exitCode;
}

/** The numbers in few words. */
export function knownText({ forecast: { percent, remaining: left } }: Look): string {
  const share = percent ? `${formatUsedShare(percent)} used` : "";
  const rest = left ? `${groupDigits(left)} units left` : "";
  return [share, rest].filter(Boolean).join(", ") || "No numbers are known";
}

function resultOf(status: Status, text: string): PluginResult {
  return { line: `${status} - ${safeText(text.replaceAll("\n", " "))}\n`, exitCode: EXITS[status] };
}

/** `name=value[unit];warning;critical;least;most` each, in the notation of ranges: `10:` is "10 or more is well". */
function performance({ forecast, usage }: Look, { fail, warn }: Thresholds): string {
  const { percent, used, remaining: left, perDay } = forecast;
  const all = used && left ? decimalText(sumDecimals([used, left])) : "";
  const least = (value: number | undefined) => (value === undefined ? "" : `${value}:`);
  const facts = [
    percent && `used=${decimalText(percent)}%;${warn.over ?? ""};${fail.over ?? ""};0;100`,
    left && `units_left=${decimalText(left)};${least(warn.under)};${least(fail.under)};0;${all}`,
    used && `units_used=${decimalText(used)};;;0;${all}`,
    perDay !== undefined && `units_per_day=${Math.round(perDay)};;;0`,
    typeof usage.total_requests_24h === "number" && `requests_24h=${usage.total_requests_24h};;;0`,
    successRate(usage) !== undefined && `success_24h=${successRate(usage)}%;;;0;100`,
  ];
  return facts.filter((fact) => typeof fact === "string").join(" ");
}
