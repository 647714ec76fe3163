/** Renders the usage watch as lines: the most important ones first, as many as fit. */
import { HOUR_MS, type SolxError, toSentence } from "../../base/index.ts";
import { PLANS } from "../../catalogue/index.ts";
import {
  durationText,
  type Forecast,
  forecastText,
  hourlyRates,
  STATE_ROLES,
  type UsageReport,
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
import { type ChartRange, countText, usageCharts, usageTables } from "../widgets/usage-charts.ts";
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

function middleLines(view: WatchView, report: UsageReport, height: number): readonly TextLine[] {
  const { width, state } = view;
  const facts = factLines(view, report);
  const upper = facts.slice(0, Math.max(2, height - MIN_CHART_HEIGHT));
  const isAiry = height >= upper.length + 8;
  const above = isAiry ? [[], ...upper, []] : upper;
  const tables = usageTables(report, width, Math.min(Math.floor(height / 4), height - above.length - 6));
  const lower = tables.length === 0 ? [] : [[], ...tables];
  const charts = usageCharts({ ...view, history: state.history }, report, height - above.length - lower.length);
  return [...above, ...charts, ...lower];
}

function factLines(view: WatchView, report: UsageReport): readonly TextLine[] {
  const { width, unicode, rate, now, state } = view;
  const recentPace = paceOfLastHour(state.history, now);
  return [
    ...usageFacts(report, { width, unicode, now }),
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
