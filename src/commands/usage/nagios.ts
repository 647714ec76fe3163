/** The usage of a key as output of a Nagios plugin: one line with performance data, and a plugin exit code. */
import { decimalText, type SolxError } from "../../base/index.ts";
import { forecastText, successRate } from "../../client/index.ts";
import { formatUsedShare, groupDigits, safeText } from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { checkLimits, joinPhrases } from "./limit-check.ts";
import { hasLimit, type Thresholds } from "./options.ts";
import type { UsageSnapshot } from "./snapshot.ts";

const EXITS = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;

type Status = keyof typeof EXITS;

/** Output line and exit code of a plugin. */
export interface PluginResult {
  readonly line: string;
  readonly exitCode: number;
}

/**
 * Returns the state of the key. No remaining units are always critical. Without limits, units that run out before the
 * end of the period are a warning.
 * @throws IncompleteError when required numbers are unknown
 */
export function nagiosResult(snapshot: UsageSnapshot, { fail, warn }: Thresholds): PluginResult {
  const isExhausted = snapshot.forecast.state === "none";
  const hasNoLimits = !hasLimit(fail) && !hasLimit(warn);
  const critical = checkLimits(snapshot, isExhausted ? { ...fail, renewal: true } : fail);
  // Exceeded critical limits are reported even if other numbers are unknown.
  const warning = critical.length > 0 ? [] : checkLimits(snapshot, hasNoLimits ? { renewal: true } : warn);
  const status: Status = critical.length > 0 ? "CRITICAL" : warning.length > 0 ? "WARNING" : "OK";
  const reasons = critical.length > 0 ? critical : warning;
  const text =
    reasons.length > 0 ? joinPhrases(reasons) : `${numbersText(snapshot)}. ${forecastText(snapshot.forecast)}`;
  return pluginResult(status, `${text} | ${performanceData(snapshot, { fail, warn })}`);
}

/** Prints the state UNKNOWN for an error, on stderr if stdout cannot be written. Returns the exit code. */
export async function printUnknown(context: RunContext, { message }: SolxError): Promise<number> {
  const { line, exitCode } = pluginResult("UNKNOWN", message);
  try {
    await context.printer.printText(line);
    await context.printer.flush();
  } catch {
    context.reporter.write(line);
  }
  return exitCode;
}

/** Returns the main numbers as a phrase. */
export function numbersText({ forecast: { percent, remaining } }: UsageSnapshot): string {
  const share = percent ? `${formatUsedShare(percent)} used` : "";
  const remainder = remaining ? `${groupDigits(remaining)} units left` : "";
  return [share, remainder].filter(Boolean).join(", ") || "no numbers available";
}

function pluginResult(status: Status, text: string): PluginResult {
  return { line: `${status} - ${safeText(text.replaceAll("\n", " "))}\n`, exitCode: EXITS[status] };
}

/** Formats performance data, `name=value[unit];warning;critical;min;max` each. The range `10:` means "OK from 10 up". */
function performanceData({ forecast, usage }: UsageSnapshot, { fail, warn }: Thresholds): string {
  const { percent, used, remaining, total, perDay } = forecast;
  const all = total ? decimalText(total) : "";
  const atLeast = (value: number | undefined) => (value === undefined ? "" : `${value}:`);
  const metrics = [
    percent && `used=${decimalText(percent)}%;${warn.over ?? ""};${fail.over ?? ""};0;100`,
    remaining && `units_left=${decimalText(remaining)};${atLeast(warn.under)};${atLeast(fail.under)};0;${all}`,
    used && `units_used=${decimalText(used)};;;0;${all}`,
    perDay !== undefined && `units_per_day=${Math.round(perDay)};;;0`,
    typeof usage.total_requests_24h === "number" && `requests_24h=${usage.total_requests_24h};;;0`,
    successRate(usage) !== undefined && `success_24h=${successRate(usage)}%;;;0;100`,
  ];
  return metrics.filter((fact) => typeof fact === "string").join(" ");
}
