/** The usage of a key as output of a Nagios plugin: one line with performance data, and a plugin exit code. */
import { type Decimal, decimalText, type SolxError, scaleDown, toDecimal } from "../../base/index.ts";
import { forecastText, successRate } from "../../client/index.ts";
import { formatUsedShare, groupDigits, safeText } from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { checkLimits, hasLimit, joinPhrases, type Thresholds } from "./limits.ts";
import type { UsageSnapshot } from "./snapshot.ts";

const EXITS = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;

type Status = keyof typeof EXITS;

/** Returns the state of the key as the line and the exit code of a plugin. Without limits, units that run out before the end of the period are a warning. */
export function nagiosResult(snapshot: UsageSnapshot, { fail, warn }: Thresholds) {
  const isExhausted = snapshot.forecast.state === "none";
  const hasNoLimits = !hasLimit(fail) && !hasLimit(warn);
  const critical = checkLimits(snapshot, isExhausted ? { ...fail, mustLastUntilRenewal: true } : fail);
  // Exceeded critical limits are reported even if other numbers are unknown.
  const warning = critical.length > 0 ? [] : checkLimits(snapshot, hasNoLimits ? { mustLastUntilRenewal: true } : warn);
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

function pluginResult(status: Status, text: string) {
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

type Labels = Readonly<Record<string, string>>;
type Value = number | string | undefined;

const STATES = ["enough", "short", "none", "unknown"] as const;

/** A metric: its name without the prefix, its help, and its values with their labels. */
export type Metric = readonly [
  name: string,
  help: string,
  ...values: readonly (readonly [value: Value, labels?: Labels])[],
];

/**
 * Formats all metrics. Unknown values are omitted; `solx_usage_up` is 0 if the API did not respond.
 * @param snapshot undefined if no valid numbers are known
 * @param last time of the last known numbers in milliseconds since the epoch, if there is no snapshot
 */
export function prometheusText(profile: string, snapshot: UsageSnapshot | undefined, last = snapshot?.at): string {
  const metrics: readonly Metric[] = [
    ["usage_up", "Whether the last request for the usage succeeded.", [snapshot && !snapshot.error ? 1 : 0]],
    ["usage_sample_timestamp_seconds", "Time of the reported usage.", [last && last / 1000]],
    ...(snapshot ? usageMetrics(snapshot) : []),
  ];
  return formatMetrics(metrics, { profile });
}

/** Formats metrics; those whose names end with `_total` are counters. @param common labels of all values */
export function formatMetrics(metrics: readonly Metric[], common: Labels): string {
  const blocks = metrics.map(([name, help, ...values]) => {
    const lines = values
      .filter(([value]) => value !== undefined)
      .map(([value, labels]) => `solx_${name}${labelText({ ...common, ...labels })} ${value}\n`);
    const type = name.endsWith("_total") ? "counter" : "gauge";
    return lines.length === 0 ? "" : `# HELP solx_${name} ${help}\n# TYPE solx_${name} ${type}\n${lines.join("")}`;
  });
  return blocks.join("");
}

function usageMetrics({ usage, forecast, busiest }: UsageSnapshot): readonly Metric[] {
  const { used, remaining, total, percent, today, week, average, endsAt, periodEnd, state } = forecast;
  // Without requests, a success ratio of 0 would look like an outage.
  const rate = successRate(usage) === undefined ? undefined : toDecimal(usage.success_rate_24h);
  const perEndpoint = (field: "requests" | "failed" | "units") =>
    busiest.map((one) => [one[field], { endpoint: one.endpoint }] as const);
  const ratio = (share: Decimal | undefined) => share && decimalText(scaleDown(share, 2));
  return [
    ["compute_units_used", "Compute units used in the billing period.", [numberText(used)]],
    ["compute_units_remaining", "Compute units left in the billing period.", [numberText(remaining)]],
    ["compute_units_limit", "Compute units of the billing period.", [numberText(total)]],
    ["compute_units_used_ratio", "Used share of the compute units, from 0 to 1.", [ratio(percent)]],
    [
      "compute_units_per_day",
      "Compute units used per day, over different windows.",
      [today, { window: "24h" }],
      [week, { window: "7d" }],
      [average, { window: "period" }],
    ],
    [
      "compute_units_exhausted_timestamp_seconds",
      "When the compute units run out at the current rate; absent if never.",
      [endsAt && Math.round(endsAt / 1000)],
    ],
    [
      "compute_units_state",
      "1 for the current state of the compute units: enough, short (they run out before the period ends), none or unknown.",
      ...STATES.map((name) => [name === state ? 1 : 0, { state: name }] as const),
    ],
    ["period_end_timestamp_seconds", "When the billing period ends.", [periodEnd && periodEnd / 1000]],
    ["requests_24h", "Requests of the key in the last 24 hours.", [numberText(toDecimal(usage.total_requests_24h))]],
    ["requests_success_ratio_24h", "Success ratio of these requests, from 0 to 1.", [ratio(rate)]],
    ["local_requests_24h", "Requests of this machine in the last 24 hours.", ...perEndpoint("requests")],
    [
      "local_requests_failed_24h",
      "Requests of this machine in the last 24 hours that failed, were rejected or got no response.",
      ...perEndpoint("failed"),
    ],
    [
      "local_compute_units_24h",
      "Compute units of the requests of this machine in the last 24 hours, by list price.",
      ...perEndpoint("units"),
    ],
  ];
}

const numberText = (value: Decimal | undefined) => value && decimalText(value);

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
