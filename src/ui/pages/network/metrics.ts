/** The metrics of the network as data: their endpoints, their parts and how they are described. */
import { decimalOf, isObject, type Json, type JsonObject, percentChange } from "../../../base/index.ts";
import type { Endpoint } from "../../../catalogue/index.ts";
import {
  NetworkComputeUnits,
  NetworkDexActivity,
  NetworkFees,
  NetworkSlots,
  NetworkStake,
  NetworkTransactions,
} from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber } from "../../../output/index.ts";
import { type Role, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, type EntitySchema, endpointAt, formatField } from "../../widgets/cells.ts";
import type { ChartHeading } from "../../widgets/chart/heading.ts";
import { type ChartPoint, summarizeSeries, timeText } from "../../widgets/chart/series.ts";

/** The ranges of the page in days. */
export const NETWORK_RANGES = [30, 90, 180, 365] as const;

/** A range in days. */
export type NetworkDays = (typeof NETWORK_RANGES)[number];

/** A part of a metric: a field of its rows. */
export interface MetricPart {
  readonly field: string;
  readonly name: string;
  readonly role: Role;
}

/** A metric of the network. */
export interface Metric {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly entity: EntitySchema;
  /** The field of the headline, and the word after its value. */
  readonly field: string;
  readonly noun?: string;
  /** Further fields beside the headline, the most important first. */
  readonly more: readonly { readonly field: string; readonly noun?: string }[];
  /** Stacked parts; a metric without parts is one series. */
  readonly parts?: readonly MetricPart[];
  /** Bars begin at zero; a line shows small changes of a large value. */
  readonly chart: "bars" | "line";
  /** The unit before the numbers of the axis. */
  readonly unit?: string;
}

/** The metrics in the order of the page. */
export const METRICS: readonly Metric[] = [
  {
    title: "transactions",
    endpoint: endpointAt("/analytics/transactions", "public"),
    entity: NetworkTransactions,
    field: "total",
    more: [],
    parts: [
      { field: "vote", name: "votes", role: "track" },
      { field: "nonvote_success", name: "successful", role: "good" },
      { field: "nonvote_fail", name: "failed", role: "bad" },
    ],
    chart: "bars",
  },
  {
    title: "fees",
    endpoint: endpointAt("/analytics/fees", "public"),
    entity: NetworkFees,
    field: "total_fee",
    more: [{ field: "total_fee_usd" }],
    parts: [
      { field: "base_fee", name: "base", role: "link" },
      { field: "priority_fee", name: "priority", role: "warning" },
    ],
    chart: "bars",
  },
  {
    title: "DEX",
    endpoint: endpointAt("/analytics/dex/activity", "public"),
    entity: NetworkDexActivity,
    field: "volume_usd",
    more: [
      { field: "trade_count", noun: "trades" },
      { field: "trader_count", noun: "traders" },
      { field: "active_dex_count", noun: "exchanges" },
    ],
    chart: "bars",
    unit: "$",
  },
  {
    title: "compute units",
    endpoint: endpointAt("/analytics/compute-units", "public"),
    entity: NetworkComputeUnits,
    field: "value",
    more: [],
    chart: "bars",
  },
  {
    title: "stake",
    endpoint: endpointAt("/analytics/stake", "public"),
    entity: NetworkStake,
    field: "total_stake_sol",
    more: [{ field: "total_stake_usd" }],
    chart: "line",
  },
  {
    title: "blocks",
    endpoint: endpointAt("/analytics/slots", "public"),
    entity: NetworkSlots,
    field: "value",
    more: [],
    chart: "line",
  },
];

/** Returns the row of a day. @param time Unix seconds */
export function dayAt(days: readonly JsonObject[], time: number | undefined): JsonObject | undefined {
  const date = time === undefined ? undefined : timeText(time, true);
  return days.findLast(({ block_date: day }) => day === date);
}

/** What the heading of a metric depends on. */
export interface MetricHeadingOptions {
  readonly clock: Clock;
  readonly unicode: boolean;
  readonly signOf: (at: number) => string;
}

/** Returns what is said about a day of a metric, or about its latest day and its extremes. */
export function metricHeading(
  metric: Metric,
  days: readonly JsonObject[],
  points: readonly ChartPoint[],
  index: number | undefined,
  { clock, unicode, signOf }: MetricHeadingOptions,
): ChartHeading {
  const title: TextLine = [span(metric.title, "title")];
  const point = points[index ?? points.length - 1];
  const day = dayAt(days, point?.time);
  if (!point || !day) return { title, values: [], details: [] };
  const until = days.slice(0, days.indexOf(day) + 1);
  const summary = index === undefined ? summarizeSeries(points) : undefined;
  const extreme = (name: string, { time }: ChartPoint): TextLine => [
    span(`${name} `, "key"),
    span(timeText(time, true)),
  ];
  return {
    title,
    values: [
      headline(metric, until, clock, unicode),
      index === undefined
        ? [span(`on ${timeText(point.time, true)}, change over ${until.length} days`, "note")]
        : [span(timeText(point.time, true), "marked")],
    ],
    details: [
      ...legend(metric, until, clock, signOf),
      ...details(metric, until, clock),
      ...(summary ? [extreme("lowest", summary.lowest), extreme("highest", summary.highest)] : []),
    ],
  };
}

const compact = (text: string): string => compactNumber(text) ?? text;

/** Returns the rows that are objects, oldest first. */
export const daysIn = (rows: readonly Json[] | undefined): readonly JsonObject[] => (rows ?? []).filter(isObject);

/** Returns the change of a field over the days in percent. */
function changeOf(days: readonly JsonObject[], field: string) {
  const [first, last] = [decimalOf(days[0]?.[field]), decimalOf(days.at(-1)?.[field])];
  return first && last && percentChange(first, last);
}

/** Returns the value of the latest day and its change over all days: `68.5M ▲ 2.1%`. */
export function headline(
  { entity, field, noun }: Metric,
  days: readonly JsonObject[],
  clock: Clock,
  unicode: boolean,
): TextLine {
  const last = days.at(-1);
  if (!last) return [];
  const change = changeOf(days, field);
  return [
    span(compact(formatField(entity, last, field, clock).text)),
    ...(noun === undefined ? [] : [span(` ${noun}`, "note")]),
    ...(change ? [span("  "), changeSpan(change, unicode)] : []),
  ];
}

/** Returns further values of the latest day: `$2.4M`, `4.9M trades`. */
export function details({ entity, more }: Metric, days: readonly JsonObject[], clock: Clock): readonly TextLine[] {
  const last = days.at(-1);
  if (!last) return [];
  return more.map(({ field, noun }) => [
    span(compact(formatField(entity, last, field, clock).text), "note"),
    ...(noun === undefined ? [] : [span(` ${noun}`, "note")]),
  ]);
}

/** Returns the legend of the parts with their values of the latest day. */
export function legend(
  { entity, parts = [] }: Metric,
  days: readonly JsonObject[],
  clock: Clock,
  signOf: (at: number) => string,
): readonly TextLine[] {
  const last = days.at(-1);
  return parts.map(({ field, name, role }, at) => [
    span(`${signOf(at)} `, role),
    span(name, "key"),
    ...(last ? [span(` ${compact(formatField(entity, last, field, clock).text)}`)] : []),
  ]);
}
