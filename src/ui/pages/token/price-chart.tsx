/** The price of a token with its volume, and its comparison with SOL. */
import { useMemo } from "react";
import type { Decimal } from "../../../base/index.ts";
import { type CandleResolution, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { formatUsd } from "../../../output/index.ts";
import { type Resource, useResource } from "../../data/hooks.ts";
import { useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan } from "../../widgets/cells.ts";
import {
  type CandleRow,
  candleParts,
  candleRole,
  candleRows,
  closingPrices,
  isDailyResolution,
  volumeParts,
} from "../../widgets/chart/candles.ts";
import {
  type ChartDays,
  type ChartHeading,
  RANGES,
  rangeBindings,
  rangeChoice,
  seriesHeading,
} from "../../widgets/chart/heading.ts";
import { areaPlot, lineSign, linesPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor, useChartStyle } from "../../widgets/chart/panel.tsx";
import { type ChartPoint, dailySeries, relativeSeries, summarizeSeries, timeText } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import type { TabProps } from "../props.ts";
import { CANDLES, PRICE } from "./record.ts";

const INITIAL_STATE: { readonly days: ChartDays; readonly isCompared: boolean } = { days: 30, isCompared: false };

interface PriceChartProps extends TabProps {
  /** What is priced: `JUP in USD`. */
  readonly title: TextLine;
}

/** Shows the price of a token as a chart or as rows. */
export function PriceChart({ id, title, region, part }: PriceChartProps) {
  const [{ days, isCompared }, set] = useViewState(part, INITIAL_STATE);
  const prices = usePrices(id, days);
  const isSol = id === WRAPPED_SOL;
  const other = usePrices(WRAPPED_SOL, days, isCompared && !isSol).points;
  const compared = useMemo(
    () => (isCompared && !isSol ? comparePrices(prices.points, other) : undefined),
    [prices.points, other, isCompared, isSol],
  );
  const points = compared?.own ?? prices.points;
  const times = useMemo(() => (points ?? []).map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const plot = useMemo(() => pricePlot(prices, compared), [compared, prices]);
  const heading = usePriceHeading(prices, compared, title, days);
  const setDays = (next: ChartDays) => set((before) => ({ ...before, days: next }));
  const { endpoint, params } = prices.resource.request;
  return (
    <ChartPanel
      resource={prices.resource}
      plot={plot}
      unit={compared ? "%" : "$"}
      empty={days < 365 ? "No prices for these days. + shows more days." : "No prices for these days."}
      cursor={cursor}
      heading={heading}
      choice={rangeChoice(RANGES, days, setDays)}
      rows={prices.resource.answer?.rows}
      rowAt={(index) => prices.candles.find(({ time }) => time === times[index])?.row}
      table={(inner, tablePart) => <ListPanel endpoint={endpoint} params={params} region={inner} part={tablePart} />}
      bindings={[
        ...rangeBindings(RANGES, days, (change) => set((before) => ({ ...before, days: change(before.days) }))),
        bindAction(
          "chart.compare",
          isCompared ? "price only" : `compare with SOL (${CANDLES.cost.units} units)`,
          () => set((before) => ({ ...before, isCompared: !before.isCompared })),
          { hint: 15, active: !isSol },
        ),
      ]}
      region={region}
      part={part}
    />
  );
}

/** The change of two prices in percent since the first time that both have. */
interface Comparison {
  readonly own: readonly ChartPoint[];
  readonly other: readonly ChartPoint[];
}

function comparePrices(own: Prices["points"], other: Prices["points"]): Comparison | undefined {
  if (!own?.[0] || !other?.[0]) return undefined;
  const from = Math.max(own[0].time, other[0].time);
  return { own: relativeSeries(own, from), other: relativeSeries(other, from) };
}

const OWN = { role: "series1", isDotted: false } as const;
const OTHER = { role: "series2", isDotted: true } as const;

function pricePlot({ points, candles }: Prices, compared: Comparison | undefined) {
  if (compared) {
    const { own, other } = compared;
    return linesPlot([
      { ...OWN, points: own },
      { ...OTHER, points: other },
    ]);
  }
  if (!points) return undefined;
  const change = summarizeSeries(points)?.change;
  const volumes = new Map(
    candles.map((candle) => [candle.time, { value: candle.volume, role: candleRole(candle) }] as const),
  );
  return areaPlot(points, { role: change?.negative ? "bad" : "good", volumes });
}

const formatDollars = (value: Decimal): string => formatUsd(value);

/** Returns the function that describes a point, or the whole chart. */
function usePriceHeading(
  { points = [], candles, resolution, isDaily, resource }: Prices,
  compared: Comparison | undefined,
  title: TextLine,
  days: ChartDays,
): (index: number | undefined) => ChartHeading {
  const { unicode } = useExplorer().services;
  const style = useChartStyle();
  const name = title.slice(0, 1);
  const source = resource.request.endpoint === CANDLES ? `candles of ${resolution}` : "prices per day";
  return (index) => {
    if (compared) {
      const own = compared.own[index ?? compared.own.length - 1];
      const other = compared.other.findLast(({ time }) => time <= (own?.time ?? 0));
      const legend = (line: typeof OWN | typeof OTHER, text: TextLine, point: ChartPoint | undefined): TextLine => [
        span(`${lineSign(line, style).repeat(2)} `, line.role),
        ...text,
        span(" "),
        changeSpan(point?.exact, unicode),
      ];
      const start = compared.own[0];
      return {
        title: legend(OWN, name, own),
        values: [
          legend(OTHER, [span("SOL")], other),
          ...(index === undefined || !own ? [] : [[span(timeText(own.time, isDaily), "marked")]]),
        ],
        details: start ? [[span(`change since ${timeText(start.time, isDaily)}`, "note")]] : [],
      };
    }
    const period = days === 1 ? "24 hours" : `${days} days`;
    const { values, details } = seriesHeading(points, index, { format: formatDollars, isDaily, unicode, period });
    const candle = index === undefined ? undefined : candles[index];
    return {
      title,
      values,
      details: candle ? candleParts(candle.row) : [...details, ...volumeParts(candles)],
      notes: [[span(source, "note")]],
    };
  };
}

/** The candles of a range: about as many as a chart is wide. */
const RESOLUTIONS: Readonly<Record<ChartDays, CandleResolution>> = { 1: "15m", 7: "1h", 30: "4h", 90: "1d", 365: "1d" };
/** More than any range has. */
const COUNT = 500;

interface Prices {
  /** The request that is answered or in flight. */
  readonly resource: Resource;
  /** Undefined before the answer. */
  readonly points: readonly ChartPoint[] | undefined;
  /** The candles behind the points, by index; empty where prices are per day. */
  readonly candles: readonly CandleRow[];
  readonly resolution: CandleResolution;
  readonly isDaily: boolean;
}

/** Returns the prices of a token; sends a second request only where there are no candles. */
function usePrices(id: string, days: ChartDays, isEnabled = true): Prices {
  const { services } = useExplorer();
  const res = RESOLUTIONS[days];
  const from_time = `${days}d`;
  const hasCandles = services.supports(CANDLES);
  const candleResource = useResource(CANDLES, { address: id, res, from_time, candles: COUNT }, isEnabled && hasCandles);
  const { answer, problem } = candleResource;
  const rows = answer?.rows;
  const candles = useMemo(() => candleRows(rows ?? []), [rows]);
  const isWithoutCandles =
    !hasCandles || (rows ? candles.length === 0 : problem !== undefined && !candleResource.isLoading);
  const dayResource = useResource(PRICE, { address: id, from_time }, isEnabled && isWithoutCandles);
  const dayRows = dayResource.answer?.rows;
  return useMemo(() => {
    if (!isWithoutCandles) {
      const points = rows && closingPrices(candles);
      return { resource: candleResource, points, candles, resolution: res, isDaily: isDailyResolution(res) };
    }
    const points = dayRows && dailySeries(dayRows, "date", ["price"]);
    return { resource: dayResource, points, candles: [], resolution: "1d", isDaily: true };
  }, [isWithoutCandles, rows, candles, candleResource, res, dayRows, dayResource]);
}
