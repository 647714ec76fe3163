/** The usage of a key in the Prometheus text format. */
import { decimalOf, decimalText, scaleDown, sumDecimals } from "../../base/index.ts";
import { successRate } from "../../client/index.ts";
import type { UsageSnapshot } from "./snapshot.ts";

type Labels = Readonly<Record<string, string>>;
type Value = number | string | undefined;

const STATES = ["enough", "short", "none", "unknown"] as const;

/**
 * Formats all metrics. Unknown values are omitted; `solx_usage_up` is 0 if the API did not respond.
 * @param snapshot undefined if no valid numbers are known
 * @param last time of the last known numbers in milliseconds since the epoch, if there is no snapshot
 */
export function prometheusText(profile: string, snapshot: UsageSnapshot | undefined, last = snapshot?.at): string {
  const blocks: string[] = [];
  const metric = (name: string, help: string, ...values: readonly (readonly [value: Value, labels?: Labels])[]) => {
    const lines = values.flatMap(([value, labels = {}]) =>
      value === undefined ? [] : [`solx_${name}${labelText({ profile, ...labels })} ${value}`],
    );
    if (lines.length > 0) blocks.push(`# HELP solx_${name} ${help}`, `# TYPE solx_${name} gauge`, ...lines);
  };
  metric("usage_up", "Whether the last request for the usage succeeded.", [snapshot && !snapshot.error ? 1 : 0]);
  metric("usage_sample_timestamp_seconds", "Time of the reported usage.", [last && last / 1000]);
  if (snapshot) addMetrics(snapshot, metric);
  return `${blocks.join("\n")}\n`;
}

type Metric = (name: string, help: string, ...values: readonly (readonly [value: Value, labels?: Labels])[]) => void;

function addMetrics({ usage, forecast, busiest }: UsageSnapshot, metric: Metric): void {
  const { used, remaining, percent, today, week, average, endsAt, periodEnd, state } = forecast;
  const field = (name: string) => numberText(decimalOf(usage[name]));
  metric("compute_units_used", "Compute units used in the billing period.", [numberText(used)]);
  metric("compute_units_remaining", "Compute units left in the billing period.", [numberText(remaining)]);
  metric("compute_units_limit", "Compute units of the billing period.", [
    used && remaining ? decimalText(sumDecimals([used, remaining])) : undefined,
  ]);
  metric("compute_units_used_ratio", "Used share of the compute units, from 0 to 1.", [
    percent && decimalText(scaleDown(percent, 2)),
  ]);
  metric(
    "compute_units_per_day",
    "Compute units used per day, over different windows.",
    [today, { window: "24h" }],
    [week, { window: "7d" }],
    [average, { window: "period" }],
  );
  metric(
    "compute_units_exhausted_timestamp_seconds",
    "When the compute units run out at the current rate; absent if never.",
    [endsAt && Math.round(endsAt / 1000)],
  );
  metric(
    "compute_units_state",
    "1 for the current state of the compute units: enough, short (they run out before the period ends), none or unknown.",
    ...STATES.map((name) => [name === state ? 1 : 0, { state: name }] as const),
  );
  metric("period_end_timestamp_seconds", "When the billing period ends.", [periodEnd && periodEnd / 1000]);
  metric("requests_24h", "Requests of the key in the last 24 hours.", [field("total_requests_24h")]);
  // Without requests, a success ratio of 0 would look like an outage.
  const rate = successRate(usage) === undefined ? undefined : decimalOf(usage.success_rate_24h);
  metric("requests_success_ratio_24h", "Success ratio of these requests, from 0 to 1.", [
    rate && decimalText(scaleDown(rate, 2)),
  ]);
  metric(
    "local_requests_24h",
    "Requests of this machine in the last 24 hours.",
    ...busiest.map(({ endpoint, requests }) => [requests, { endpoint }] as const),
  );
  metric(
    "local_requests_failed_24h",
    "Requests of this machine in the last 24 hours that failed, were rejected or got no response.",
    ...busiest.map(({ endpoint, failed }) => [failed, { endpoint }] as const),
  );
  metric(
    "local_compute_units_24h",
    "Compute units of the requests of this machine in the last 24 hours, by list price.",
    ...busiest.map(({ endpoint, units }) => [units, { endpoint }] as const),
  );
}

const numberText = (value: ReturnType<typeof decimalOf>) => value && decimalText(value);

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join(",")}}`;
}

/** Escapes the value of a label. */
function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
