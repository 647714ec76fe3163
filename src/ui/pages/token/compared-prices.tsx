/** The prices of several tokens on one axis: their changes since the first time that all have a price. */
import { useMemo } from "react";
import { type Region, useExplorer } from "../../navigation/context.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { type Role, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan } from "../../widgets/cells.ts";
import { type ChartDays, type ChartHeading, RANGES, rangeChoice } from "../../widgets/chart/heading.ts";
import { lineSign, linesPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor, useChartStyle } from "../../widgets/chart/panel.tsx";
import { type ChartPoint, relativeSeries, timeText } from "../../widgets/chart/series.ts";
import { noPricesText, usePrices } from "./prices.ts";

/** The range of a chart, and the keys that change it. */
export interface PriceRange {
  readonly days: ChartDays;
  readonly setDays: (days: ChartDays) => void;
  readonly bindings: readonly Binding[];
}

interface ComparedPricesProps extends PriceRange {
  /** The same number in each rendering. */
  readonly tokens: readonly { readonly id: string; readonly name: TextLine }[];
  readonly region: Region;
  readonly part: string;
}

const ROLES: readonly Role[] = ["series1", "series2", "series3", "series4", "series5", "series6"];

/** Shows prices as lines. */
export function ComparedPrices({ tokens, days, setDays, bindings, region, part }: ComparedPricesProps) {
  const { unicode } = useExplorer().services;
  const style = useChartStyle();
  // biome-ignore lint/correctness/useHookAtTopLevel: the number of tokens does not change.
  const prices = tokens.map(({ id }) => usePrices(id, days));
  const series = prices.map(({ points }) => points);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new in each rendering, its members are not.
  const changes = useMemo(() => relativeTo(series), series);
  const lines = useMemo(
    () => changes?.map((points, at) => ({ points, role: ROLES[at] ?? "bar", isDotted: at % 2 === 1 })),
    [changes],
  );
  const plot = useMemo(() => lines && linesPlot(lines), [lines]);
  const times = useMemo(() => (changes?.[0] ?? []).map(({ time }) => time), [changes]);
  const cursor = useChartCursor(part, times);
  const heading = (index: number | undefined): ChartHeading => {
    const own = changes?.[0] ?? [];
    const point = own[index ?? own.length - 1];
    const legend = (lines ?? []).map(
      (line, at): TextLine => [
        span(`${lineSign(line, style).repeat(2)} `, line.role),
        ...(tokens[at]?.name ?? []),
        span(" "),
        changeSpan(line.points.findLast(({ time }) => time <= (point?.time ?? 0))?.exact, unicode),
      ],
    );
    const [first = [], ...others] = legend;
    const [start] = own;
    return {
      title: first,
      values: [...others, ...(index === undefined || !point ? [] : [[span(timeText(point.time, isDaily), "marked")]])],
      details: start ? [[span(`change since ${timeText(start.time, isDaily)}`, "note")]] : [],
    };
  };
  const isDaily = prices.some((one) => one.isDaily);
  const [first] = prices;
  if (!first) return null;
  const missing = prices.find(({ points }) => points === undefined) ?? first;
  return (
    <ChartPanel
      resource={missing.resource}
      plot={plot}
      unit="%"
      empty={noPricesText(days)}
      cursor={cursor}
      heading={heading}
      choice={rangeChoice(RANGES, days, setDays)}
      bindings={bindings}
      region={region}
      part={part}
    />
  );
}

/** Returns changes in percent since the first time that all series have a value; undefined until all are known. */
function relativeTo(
  series: readonly (readonly ChartPoint[] | undefined)[],
): readonly (readonly ChartPoint[])[] | undefined {
  if (series.includes(undefined)) return undefined;
  const known = series as readonly (readonly ChartPoint[])[];
  const from = Math.max(...known.flatMap(([first]) => first?.time ?? []));
  return known.map((points) => relativeSeries(points, from));
}
