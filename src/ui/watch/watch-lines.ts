/** Renders the usage watch as lines: the most important ones first, as many as fit. */
import { DAY_MS, groupThousands, HOUR_MS, type SolxError, toSentence } from "../../base/index.ts";
import { PLANS } from "../../catalogue/index.ts";
import {
  durationText,
  type EndpointUsage,
  type Forecast,
  forecastText,
  hourlyRates,
  STATE_ROLES,
  type UsageReport,
  type UsageSample,
} from "../../client/index.ts";
import { formatUsedShare, groupDigits, safeText, wrap } from "../../output/index.ts";
import type { ColorRange } from "../navigation/theme/painter.ts";
import {
  fitLine,
  fitLines,
  joinEnds,
  lineWidth,
  span,
  type TextLine,
  textLine,
} from "../navigation/theme/text-line.ts";
import { barsPlot } from "../widgets/chart/bars.ts";
import { burnDown, burnDownLines } from "../widgets/chart/burn-down.ts";
import { drawChart } from "../widgets/chart/frame.ts";
import { measureExtent } from "../widgets/chart/scale.ts";
import { usageFact, usageFacts } from "../widgets/usage-facts.ts";
import type { WatchState } from "./watcher.ts";

const GAP = "  ";

const HINTS: readonly (readonly [key: string, label: string])[] = [
  ["q", "quit"],
  ["?", "help"],
  ["r", "refresh now"],
  ["+ -", "interval"],
  ["t", "chart range"],
];

function hintLine({ toast, width }: Pick<WatchView, "toast" | "width">): TextLine {
  if (toast !== undefined) return fitLine(textLine(toast, "title"), width);
  const hints = HINTS.map(([key, label], at): TextLine => {
    return [span(at === 0 ? "" : GAP), span(key, "hotkey"), span(` ${label}`, "note")];
  });
  let remaining = width;
  const fitting = hints.filter((hint) => {
    remaining -= lineWidth(hint);
    return remaining >= 0;
  });
  return fitting.flat();
}

/** State of the rate limit in this process. */
export interface RateStatus {
  readonly requests: number;
  readonly of: number;
  readonly seconds: number;
}

/** What the screen shows. */
export interface WatchView {
  readonly width: number;
  readonly height: number;
  readonly unicode: boolean;
  readonly colors: ColorRange;
  readonly now: number;
  readonly state: WatchState;
  readonly range: ChartRange;
  readonly isSandbox: boolean;
  readonly cost: number;
  readonly rate: RateStatus | undefined;
  readonly toast: string | undefined;
}

const WIDE = 110;
const MIN_CHART_HEIGHT = 2;
/** Windows smaller than this use the small layout, which has key hints from `SMALL_HINTS` lines on. */
const SMALL = { width: 44, height: 9 };
const SMALL_HINTS = 5;

/** Returns exactly as many lines as the window is high. */
export function watchLines(view: WatchView): readonly TextLine[] {
  const { width, height, state } = view;
  if (width < SMALL.width || height < SMALL.height) return fitLines(smallLines(view), width, height);
  const top = [headLine(view), ...verdictLines(view), ...problemLines(view)].slice(0, Math.max(1, height - 2));
  const bottom = [statusLine(view), hintLine(view)];
  const middleHeight = Math.max(0, height - top.length - bottom.length);
  const middle = state.latest ? middleLines(view, state.latest, middleHeight) : [];
  return fitLines([...top, ...fitLines(middle, width, middleHeight), ...bottom], width, height);
}

function smallLines(view: WatchView): readonly TextLine[] {
  const { width, height, state, isSandbox } = view;
  const { latest, problem } = state;
  if (!latest) return [...problemLines(view), ...verdictLines(view), hintLine(view)];
  const { percent, remaining: left, state: verdict } = latest.forecast;
  const role = problem ? "note" : STATE_ROLES[verdict];
  const lines: readonly TextLine[] = [
    textLine(`${percent ? `${formatUsedShare(percent)} ` : ""}${VERDICTS[verdict]}`, role),
    ...(problem ? [describeAge(state, view.now)] : []),
    textLine(`${left ? groupDigits(left) : "-"} left`),
    ...wrap(forecastText(latest.forecast), width).map((text) => textLine(text, role)),
    ...problemLines(view),
    textLine(isSandbox ? "SANDBOX" : `profile ${safeText(latest.profile)}`, "note"),
  ];
  return height < SMALL_HINTS ? lines : [...fitLines(lines, width, height - 1), hintLine(view)];
}

function headLine({ width, now, state, isSandbox }: WatchView): TextLine {
  const { latest } = state;
  const plan = latest?.plan === undefined ? [] : [span(` · ${PLANS[latest.plan].title}`)];
  const left: TextLine = [
    span("solx usage", "brand"),
    ...(latest && !isSandbox ? [span(` · profile ${safeText(latest.profile)}`)] : []),
    ...plan,
    ...(isSandbox ? [span("  "), span(" SANDBOX ", "sandbox")] : []),
  ];
  return joinEnds(left, describeAge(state, now), width);
}

function describeAge({ latest, problem, isPolling }: WatchState, now: number): TextLine {
  if (isPolling) return [span("loading…", "note")];
  if (!latest) return [];
  const age = Math.max(0, (now - latest.at) / 1000);
  const words = age < 1 ? "now" : `${durationText(age)} ago`;
  return problem ? [span(`STALE: ${words}`, "warning")] : [span(`updated ${words}`, "note")];
}

const VERDICTS = {
  none: "✖ NONE LEFT",
  short: "⚠ SHORT",
  enough: "✔ OK",
  unknown: "? NOT KNOWN",
} as const satisfies Readonly<Record<Forecast["state"], string>>;

function verdictLines({ width, state }: WatchView): readonly TextLine[] {
  const { latest, problem, isPolling } = state;
  if (!latest) return problem || !isPolling ? [] : [textLine("Loading usage of the key…", "note")];
  const { state: verdict } = latest.forecast;
  return wrap(`${VERDICTS[verdict]}: ${forecastText(latest.forecast)}`, width).map((text) =>
    textLine(text, problem ? "note" : STATE_ROLES[verdict]),
  );
}

function problemLines({ width, state, now }: WatchView): readonly TextLine[] {
  const { problem, failures, nextAt, latest } = state;
  if (!problem) return [];
  const role = isTemporary(problem) ? "warning" : "bad";
  const what = latest ? "showing earlier data" : "no data yet";
  const seconds = Math.max(0, (nextAt - now) / 1000);
  const again = `${what}; failed ${failures === 1 ? "once" : `${failures} times`}, next try in ${clockText(seconds)}`;
  const hint = problem.hint?.split("\n")[0];
  return [
    ...wrap(`⚠ ${safeText(toSentence(problem))}`, width).map((text) => textLine(text, role)),
    ...(hint === undefined ? [] : wrap(safeText(hint), width).map((text) => textLine(text, "note"))),
    textLine(again, role),
  ];
}

function isTemporary({ exit }: SolxError): boolean {
  return exit !== "auth" && exit !== "permission" && exit !== "usage";
}

function middleLines(view: WatchView, reading: UsageReport, height: number): readonly TextLine[] {
  const { width } = view;
  const { busiest } = reading;
  const facts = factLines(view, reading);
  const isWide = width >= WIDE && busiest.length > 0;
  const table = endpointLines(busiest, isWide ? facts.length : Math.min(busiest.length + 1, Math.floor(height / 5)));
  const upper = (isWide ? beside([facts, table], width) : facts).slice(0, Math.max(2, height - MIN_CHART_HEIGHT));
  const isAiry = height >= upper.length + 8;
  const above = isAiry ? [textLine(""), ...upper, textLine("")] : upper;
  const lower = isWide || height < above.length + table.length + 5 ? [] : [textLine(""), ...table];
  return [...above, ...chartLines(view, reading, height - above.length - lower.length), ...lower];
}

/** Draws a chart with its title in a number of cells and lines. */
type DrawChart = (width: number, height: number) => readonly TextLine[];

/** Returns the charts that fit, in rows which share the lines: what is left, the rates, and the days. */
function chartLines(view: WatchView, reading: UsageReport, height: number): readonly TextLine[] {
  const { width, now, state, range } = view;
  const left: DrawChart = (cells, lines) => burnDownChart(view, reading, cells, lines);
  const rates: DrawChart = (cells, lines) =>
    barChart(view, { title: `units per hour, last ${range.name}`, ...range }, cells, lines);
  const days: DrawChart = (cells, lines) => barChart(view, DAYS, cells, lines);
  const hasLeft = burnDown({ ...reading, samples: state.history, now }) !== undefined;
  const hasRates = state.history.length > 1;
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
  { unicode, colors, now, state }: WatchView,
  reading: UsageReport,
  width: number,
  height: number,
): readonly TextLine[] {
  if (height < MIN_ROW_HEIGHT / 2) return [];
  const data = { usage: reading.usage, forecast: reading.forecast, samples: state.history, now };
  return burnDownLines(data, { width, height, unicode, colors });
}

/** Puts columns of lines beside each other, each as wide as the others. */
function beside(columns: readonly (readonly TextLine[])[], width: number): readonly TextLine[] {
  const size = Math.floor((width - GAP.length * (columns.length - 1)) / columns.length);
  return Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, at) =>
    columns.flatMap((lines, column) => [span(column === 0 ? "" : GAP), ...fitLine(lines[at] ?? [], size)]),
  );
}

function factLines(view: WatchView, report: UsageReport): readonly TextLine[] {
  const { width, unicode, rate, now, state } = view;
  const recentPace = paceOfLastHour(state.history, now);
  return [
    ...usageFacts(report, { width: width >= WIDE ? Math.floor(width / 2) - 2 : width, unicode, now }),
    ...(recentPace === undefined ? [] : [usageFact("per hour", span(recentPace))]),
    ...(rate === undefined
      ? []
      : [usageFact("rate", span(`${countText(rate.requests)} of ${countText(rate.of)} requests available now`))]),
  ];
}

function paceOfLastHour(history: WatchState["history"], now: number): string | undefined {
  const from = history.find(({ at }) => at >= now - HOUR_MS)?.at;
  const to = history.at(-1)?.at;
  if (from === undefined || to === undefined || to <= from) return undefined;
  const [rate] = hourlyRates(history, { from, to, count: 1 });
  return rate === undefined ? undefined : `${countText(rate)} by the last ${durationText((now - from) / 1000)}`;
}

function endpointLines(busiest: readonly EndpointUsage[], maxLines: number): readonly TextLine[] {
  if (busiest.length === 0 || maxLines < 2) return [];
  const visible = busiest.slice(0, maxLines - 1);
  const width = Math.max(20, ...visible.map(({ endpoint }) => endpoint.length));
  const cell = (text: string) => text.padStart(11);
  const rows = visible.map(
    ({ endpoint, requests, failed, units }): TextLine => [
      span(endpoint.padEnd(width)),
      span(cell(countText(requests))),
      span(cell(countText(failed)), failed > 0 ? "warning" : undefined),
      span(cell(countText(units))),
    ],
  );
  const heads = ["requests", "failed", "units"].map((head) => span(cell(head), "key"));
  return [[span("busiest here, 24 h".padEnd(width), "title"), ...heads], ...rows];
}

/** A chart of what was used in the parts of a time range. */
interface UseChart extends Pick<ChartRange, "length" | "count"> {
  readonly title: string;
  /** Hours that each bar counts (default: 1). */
  readonly hours?: number;
}

function barChart(
  { unicode, colors, now, state }: WatchView,
  { title, length, count, hours = 1 }: UseChart,
  width: number,
  height: number,
): readonly TextLine[] {
  if (height < MIN_CHART_HEIGHT) return [];
  const from = now - length;
  const rates = hourlyRates(state.history, { from, to: now, count }).map((rate) => rate && rate * hours);
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

function statusLine({ now, state, cost, width }: WatchView): TextLine {
  const { interval, nextAt, isPolling } = state;
  const next = isPolling ? "refreshing" : `next in ${clockText(Math.max(0, (nextAt - now) / 1000))}`;
  const hourly = Math.round((3600 / interval) * cost);
  return fitLine(
    textLine(`${next} · every ${clockText(interval)}, ${countText(hourly)} units per hour`, "note"),
    width,
  );
}

/** Formats a countdown: `45 s`, `2 min 5 s`, `1 h 3 min`. */
export function clockText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [
    [Math.floor(whole / 3600), "h"],
    [Math.floor((whole % 3600) / 60), "min"],
    [whole % 60, "s"],
  ] as const;
  const units = parts.filter(([count]) => count > 0).slice(0, 2);
  return units.length === 0 ? "0 s" : units.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

const countText = (count: number) => groupThousands(Math.round(count));

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
