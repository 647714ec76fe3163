/** The remaining units of a period: a line of what is known, and a dotted one to the renewal at the current pace. */
import { DAY_MS, type JsonObject, toNumber } from "../../../base/index.ts";
import { type Forecast, STATE_ROLES, type UsageSample } from "../../../client/index.ts";
import { fitLine, joinEnds, type Role, span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { drawChart } from "./frame.ts";
import { lineSign, linesPlot } from "./lines.ts";
import type { ChartStyle, PlotOf } from "./plot.ts";
import type { ChartPoint } from "./series.ts";

interface BurnDownData {
  /** The latest answer of the usage endpoint, and its forecast. */
  readonly usage: JsonObject;
  readonly forecast: Forecast;
  /** Earlier answers, oldest first. */
  readonly samples: readonly UsageSample[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface BurnDown {
  /** From the reset until now. */
  readonly known: readonly ChartPoint[];
  /** From now until the end of the period. */
  readonly expected: readonly ChartPoint[];
}

const pointAt = (milliseconds: number, value: number): ChartPoint => ({
  time: milliseconds / 1000,
  value,
  exact: undefined,
});

/** Returns the remaining units; undefined where the period or the units are unknown. */
export function burnDown({ usage, forecast, samples, now }: BurnDownData): BurnDown | undefined {
  const { perDay = 0, periodEnd, resetAt: reset, isOver } = forecast;
  const [usedUnits, left] = [toNumber(usage.usage_cus), toNumber(usage.remaining_cus)];
  if (usedUnits === undefined || left === undefined || periodEnd === undefined || reset === undefined) return undefined;
  if (isOver || reset >= now) return undefined;
  const earlier = samples
    .filter(({ at, usage: before }) => at > reset && at < now && isSamePeriod(before, usage))
    .flatMap(({ at, usage: before }) => {
      const units = toNumber(before.remaining_cus);
      return units === undefined ? [] : [pointAt(at, units)];
    });
  const endsAt = perDay > 0 ? Math.min(periodEnd, now + (left / perDay) * DAY_MS) : periodEnd;
  const expectedAt = (time: number) => Math.max(0, left - (perDay * (time - now)) / DAY_MS);
  return {
    known: [pointAt(reset, usedUnits + left), ...earlier, pointAt(now, left)],
    expected: [
      pointAt(now, left),
      pointAt(endsAt, expectedAt(endsAt)),
      ...(endsAt < periodEnd ? [pointAt(periodEnd, 0)] : []),
    ],
  };
}

/** Returns whether the units were not reset between two answers. */
const isSamePeriod = (before: JsonObject, now: JsonObject): boolean =>
  before.last_cu_reset_date === now.last_cu_reset_date && before.renew_date === now.renew_date;

/** The role of the lines by how long the units last. */
const ROLES: Readonly<Record<Forecast["state"], Role>> = { ...STATE_ROLES, unknown: "bar" };
const EXPECTED: Role = "series2";

const burnDownPlot = ({ known, expected }: BurnDown, state: Forecast["state"]): PlotOf =>
  linesPlot(
    [
      { role: ROLES[state], points: known },
      { role: EXPECTED, points: expected, isDotted: true },
    ],
    { fromZero: true },
  );

interface BurnDownOptions extends ChartStyle {
  readonly width: number;
  /** Lines with the heading. */
  readonly height: number;
}

/** Returns the chart under its heading; nothing where the period is unknown. */
export function burnDownLines(data: BurnDownData, options: BurnDownOptions): readonly TextLine[] {
  const line = burnDown(data);
  if (!line) return [];
  const { width, height } = options;
  const { state, periodEnd = 0 } = data.forecast;
  const legend: TextLine = [
    span("Units left  ", "title"),
    span(`${lineSign({}, options)} `, ROLES[state]),
    span("known  ", "note"),
    span(`${lineSign({ isDotted: true }, options)} `, EXPECTED),
    span("at the current pace", "note"),
  ];
  const renewal = textLine(`renewal ${new Date(periodEnd).toISOString().slice(0, 10)}`, "note");
  const chart = drawChart(burnDownPlot(line, state), { ...options, height: height - 1, empty: "" });
  return [fitLine(joinEnds(legend, renewal, width), width), ...chart.lines()];
}
