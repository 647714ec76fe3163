/** The volume and the liquidity of a pool per day. */
import { useMemo } from "react";
import { type Decimal, isArray, type JsonObject } from "../../../base/index.ts";
import { formatUsd } from "../../../output/index.ts";
import { type Resource, useNameOf, useResource } from "../../data/hooks.ts";
import { type Region, useExplorer } from "../../navigation/context.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { barsPlot } from "../../widgets/chart/bars.ts";
import { rangeBindings, rangeChoice, seriesHeading } from "../../widgets/chart/heading.ts";
import { areaPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import type { PlotOf } from "../../widgets/chart/plot.ts";
import { type ChartPoint, dailySeries, summarizeSeries } from "../../widgets/chart/series.ts";
import { META } from "./record.ts";
import { mintsOf, reserveLines } from "./summary.ts";

/** The ranges of the endpoint, whose values are per day. */
const RANGES = [7, 30, 90, 365] as const;

/** A range in days. */
export type MarketDays = (typeof RANGES)[number];

/** What a day has. */
interface DailyMetric {
  readonly title: string;
  /** Names of the field: the first that a day has is used. */
  readonly fields: readonly string[];
  readonly plot: (points: readonly ChartPoint[]) => PlotOf;
}

/** The metrics of a pool. */
const METRICS = {
  volume: {
    title: "volume per day",
    fields: ["value", "volume"],
    plot: (points) => barsPlot([{ role: "bar", points }]),
  },
  liquidity: {
    title: "value locked",
    fields: ["tvl"],
    plot: (points) => areaPlot(points, { role: summarizeSeries(points)?.change?.negative ? "bad" : "good" }),
  },
} as const satisfies Readonly<Record<string, DailyMetric>>;

interface DailyChartProps {
  readonly metric: DailyMetric;
  /** What is said first below the value. */
  readonly notes?: readonly TextLine[] | undefined;
  readonly resource: Resource;
  readonly days: MarketDays;
  readonly setDays: (after: MarketDays | ((before: MarketDays) => MarketDays)) => void;
  readonly region: Region;
  readonly part: string;
}

const formatDollars = (value: Decimal): string => formatUsd(value);

const NO_NOTES: readonly TextLine[] = [];

/** Shows a metric of a pool as a chart. */
function DailyChart({ metric, notes = NO_NOTES, resource, days, setDays, region, part }: DailyChartProps) {
  const { services } = useExplorer();
  const volume = answerObject(resource);
  const points = useMemo(() => {
    const rows = volume?.days;
    return isArray(rows) ? dailySeries(rows as never, "day", metric.fields) : [];
  }, [volume, metric]);
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const plot = useMemo(() => (volume ? metric.plot(points) : undefined), [volume, metric, points]);
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      unit="$"
      empty={`No data for these days.${days < 365 ? " + shows more days." : ""}`}
      cursor={cursor}
      heading={(index) => {
        const { unicode } = services;
        const options = { format: formatDollars, isDaily: true, unicode, period: `${days} days` };
        const { values, details } = seriesHeading(points, index, options);
        return { title: [span(metric.title, "title")], values, details: [...notes, ...details] };
      }}
      choice={rangeChoice(RANGES, days, setDays)}
      bindings={rangeBindings(RANGES, days, setDays)}
      region={region}
      part={part}
    />
  );
}

type ChartProps = Omit<DailyChartProps, "metric" | "notes">;

/** Shows the volume of a pool. */
export function VolumeChart(props: ChartProps) {
  return <DailyChart metric={METRICS.volume} {...props} />;
}

/** Shows the value locked in a pool, and its reserves in units and dollars. */
export function LiquidityChart({ info, ...props }: ChartProps & { readonly info: JsonObject | undefined }) {
  const { services } = useExplorer();
  const nameOf = useNameOf();
  const [first = "", second = ""] = mintsOf(info);
  const prices = [useTokenPrice(first), useTokenPrice(second)];
  const notes = reserveLines(info, nameOf, relativeClock(services), prices);
  return <DailyChart metric={METRICS.liquidity} notes={notes} {...props} />;
}

/** Returns the price of a token, which is requested where the tab is open. */
function useTokenPrice(mint: string) {
  const params = useMemo(() => ({ address: mint }), [mint]);
  return answerObject(useResource(META, params, mint !== ""))?.price;
}
