/** The usage of a key over time, and who uses it: on its page, and on the screen of `solx usage --watch`. */
import { DAY_MS, groupThousands, HOUR_MS } from "../../base/index.ts";
import {
  type EndpointUsage,
  hourlyRates,
  type KnownUsage,
  type UsageReport,
  type UsageSample,
  type UserUsage,
} from "../../client/index.ts";
import { clip, pad, safeText, textWidth } from "../../output/index.ts";
import type { ColorRange } from "../navigation/theme/painter.ts";
import { fitLine, type Role, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { barsPlot } from "./chart/bars.ts";
import { burnDown, burnDownLines } from "./chart/burn-down.ts";
import { drawChart } from "./chart/frame.ts";
import { measureExtent } from "./chart/scale.ts";

const GAP = "  ";
/** From this width on, there are two columns. */
const WIDE = 110;
const MIN_CHART_HEIGHT = 2;

/** How usage is drawn, and the samples of this machine. */
export interface UsageView {
  readonly width: number;
  readonly unicode: boolean;
  readonly colors: ColorRange;
  readonly now: number;
  readonly history: readonly UsageSample[];
  readonly range: ChartRange;
}

type UsageNumbers = Pick<UsageReport, "usage" | "forecast">;

/** Draws a chart with its title in a number of cells and lines. */
type DrawChart = (width: number, height: number) => readonly TextLine[];

/** Returns the charts that fit, in rows which share the lines: what is left, the rates, and the days. */
export function usageCharts(view: UsageView, report: UsageNumbers, height: number): readonly TextLine[] {
  const { width, now, history, range } = view;
  const left: DrawChart = (cells, lines) => burnDownChart(view, report, cells, lines);
  const rates: DrawChart = (cells, lines) =>
    barChart(view, { title: `units per hour, last ${range.name}`, ...range }, cells, lines);
  const days: DrawChart = (cells, lines) => barChart(view, DAYS, cells, lines);
  const hasLeft = burnDown({ ...report, samples: history, now }) !== undefined;
  const hasRates = history.length > 1;
  const upper = [...(hasLeft ? [left] : []), rates];
  const isWide = width >= WIDE && hasRates;
  const most = Math.max(1, Math.floor((height + 1) / MIN_ROW_HEIGHT));
  const rows = isWide ? [upper, [days]] : hasRates ? [...upper, days].map((one) => [one]) : [[hasLeft ? left : rates]];
  // With little space, the rates say most.
  const visible = most === 1 && !isWide && hasRates ? [[rates]] : rows.slice(0, most);
  return visible.flatMap((charts, row) => {
    const end = (at: number) => Math.floor(((height + 1) * at) / visible.length);
    const size = Math.floor((width - GAP.length * (charts.length - 1)) / charts.length);
    const lines = charts.map((draw) => draw(size, end(row + 1) - end(row) - 1));
    return [...(row === 0 ? [] : [textLine("")]), ...(charts.length > 1 ? beside(lines, width) : (lines[0] ?? []))];
  });
}

/** Lines of a row of charts, with the gap above the next one. */
const MIN_ROW_HEIGHT = 9;

function burnDownChart(
  { unicode, colors, now, history }: UsageView,
  { usage, forecast }: UsageNumbers,
  width: number,
  height: number,
): readonly TextLine[] {
  if (height < MIN_ROW_HEIGHT / 2) return [];
  return burnDownLines({ usage, forecast, samples: history, now }, { width, height, unicode, colors });
}

/** Puts columns of lines beside each other, each as wide as the others. */
function beside(columns: readonly (readonly TextLine[])[], width: number): readonly TextLine[] {
  const size = Math.floor((width - GAP.length * (columns.length - 1)) / columns.length);
  return Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, at) =>
    columns.flatMap((lines, column) => [span(column === 0 ? "" : GAP), ...fitLine(lines[at] ?? [], size)]),
  );
}

/** A chart of what was used in the parts of a time range. */
interface UseChart extends Pick<ChartRange, "length" | "count"> {
  readonly title: string;
  /** Hours that each bar counts (default: 1). */
  readonly hours?: number;
}

function barChart(
  { unicode, colors, now, history }: UsageView,
  { title, length, count, hours = 1 }: UseChart,
  width: number,
  height: number,
): readonly TextLine[] {
  if (height < MIN_CHART_HEIGHT) return [];
  const from = now - length;
  const rates = hourlyRates(history, { from, to: now, count }).map((rate) => rate && rate * hours);
  const points = rates.map((value, at) => ({ time: (from + (at * length) / count) / 1000, value, exact: undefined }));
  const chart = drawChart(barsPlot([{ role: "bar", points }]), {
    ...{ width, unicode, colors },
    height: height - 1,
    empty: "No chart yet: it needs two samples.",
  });
  const peak = measureExtent(rates)?.max;
  return [
    [span(title, "title"), span(peak === undefined ? "" : `  peak ${countText(peak)}`, "note")],
    ...chart.lines(),
  ];
}

/** Lines of a table at least: its heading and a row. */
const MIN_TABLE = 2;

/** Returns what this machine asked for most, and who used what, beside each other where there is space, as far as fits. */
export function usageTables({ busiest, users }: KnownUsage, width: number, height: number): readonly TextLine[] {
  const first = endpointTable(busiest, height);
  if (width >= WIDE) {
    const tables = [first, userTable(users, height)].filter((lines) => lines.length > 0);
    return tables.length === 0 ? [] : beside(tables, width);
  }
  const second = userTable(users, first.length === 0 ? height : height - first.length - 1);
  return [...first, ...(first.length > 0 && second.length > 0 ? [[]] : []), ...second];
}

function endpointTable(busiest: readonly EndpointUsage[], most: number): readonly TextLine[] {
  const rows = busiest.map(({ endpoint, requests, failed, units }) => ({
    texts: [endpoint],
    counts: [requests, failed, units],
  }));
  return countTable(["busiest here, 24 h"], ["requests", "failed", "units"], rows, most);
}

function userTable(users: readonly UserUsage[], most: number): readonly TextLine[] {
  const rows = users.map(({ command, profile, machine, requests, units }) => ({
    texts: [command, profile, machine],
    counts: [requests, units],
  }));
  return countTable(["who, 24 h", "profile", "machine"], ["requests", "units"], rows, most);
}

interface CountRow {
  readonly texts: readonly string[];
  readonly counts: readonly number[];
}

/** Returns a table of counts by texts, the first of which is its title. */
function countTable(
  heads: readonly string[],
  counted: readonly string[],
  rows: readonly CountRow[],
  most: number,
): readonly TextLine[] {
  if (rows.length === 0 || most < MIN_TABLE) return [];
  const safe = rows.slice(0, most - 1).map(({ texts, counts }) => ({
    counts,
    texts: texts.map((text) => clip(safeText(text), MAX_TEXT)),
  }));
  const widths = heads.map((head, at) =>
    Math.max(textWidth(head), ...safe.map(({ texts }) => textWidth(texts[at] ?? ""))),
  );
  const cell = (text: string) => text.padStart(COUNT_WIDTH);
  const line = (texts: readonly string[], role?: Role) =>
    texts.map((text, at) => span(`${pad(text, widths[at] ?? 0)}${GAP}`, at === 0 ? role : "note"));
  return [
    [...line(heads, "title"), ...counted.map((head) => span(cell(head), "key"))],
    ...safe.map(
      ({ texts, counts }): TextLine => [
        ...line(texts),
        ...counts.map((count, at) =>
          span(cell(countText(count)), counted[at] === "failed" && count > 0 ? "warning" : undefined),
        ),
      ],
    ),
  ];
}

const COUNT_WIDTH = 10;
const MAX_TEXT = 28;

/** Formats a count. */
export const countText = (count: number) => groupThousands(Math.round(count));

/** A time range of a chart, which ends now. */
export interface ChartRange {
  readonly name: string;
  readonly length: number;
  /** The number of bars: older samples are stored at longer intervals. */
  readonly count: number;
}

/** The ranges, the shortest first. */
export const RANGES: readonly [ChartRange, ...ChartRange[]] = [
  { name: "hour", length: HOUR_MS, count: 60 },
  { name: "6 hours", length: 6 * HOUR_MS, count: 36 },
  { name: "24 hours", length: DAY_MS, count: 144 },
  { name: "7 days", length: 7 * DAY_MS, count: 168 },
  { name: "30 days", length: 30 * DAY_MS, count: 180 },
];

/** The days of the last month. */
const DAYS: UseChart = {
  title: "units per day, last 30 days",
  length: 30 * DAY_MS,
  count: 30,
  hours: DAY_MS / HOUR_MS,
};

/** Returns the shortest range that shows all samples of the last day. */
export function defaultRange(samples: readonly UsageSample[], now: number): ChartRange {
  const oldest = samples.find(({ at }) => at > now - DAY_MS)?.at ?? now;
  return RANGES.find(({ length }) => length >= Math.min(DAY_MS, now - oldest)) ?? RANGES[0];
}
