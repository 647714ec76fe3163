/** The price of a token with its volume, and its comparison with SOL. */
import { useMemo } from "react";
import type { Decimal } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { formatUsd } from "../../../output/index.ts";
import { useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { candleParts, candleRole, volumeParts } from "../../widgets/chart/candles.ts";
import {
  type ChartDays,
  type ChartHeading,
  RANGES,
  rangeBindings,
  rangeChoice,
  seriesHeading,
} from "../../widgets/chart/heading.ts";
import { areaPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import { summarizeSeries } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import type { TabProps } from "../props.ts";
import { ComparedPrices, type PriceRange } from "./compared-prices.tsx";
import { noPricesText, type Prices, usePrices } from "./prices.ts";
import { CANDLES } from "./record.ts";

const INITIAL_STATE: { readonly days: ChartDays; readonly isCompared: boolean } = { days: 30, isCompared: false };

interface PriceChartProps extends TabProps {
  /** What is priced: `JUP in USD`. */
  readonly title: TextLine;
}

/** Shows the price of a token, beside that of SOL if the user wants. */
export function PriceChart(props: PriceChartProps) {
  const { id, title, part } = props;
  const [{ days, isCompared }, set] = useViewState(part, INITIAL_STATE);
  const isSol = id === WRAPPED_SOL;
  const compare = bindAction(
    "chart.compare",
    isCompared ? "price only" : `compare with SOL (${CANDLES.cost.units} units)`,
    () => set((before) => ({ ...before, isCompared: !before.isCompared })),
    { hint: 15, active: !isSol },
  );
  const range = {
    days,
    setDays: (next: ChartDays) => set((before) => ({ ...before, days: next })),
    bindings: [
      ...rangeBindings(RANGES, days, (change) => set((before) => ({ ...before, days: change(before.days) }))),
      compare,
    ],
  };
  if (!isCompared || isSol) return <SinglePrice {...props} {...range} />;
  return <ComparedPrices {...props} {...range} tokens={[{ id, name: title.slice(0, 1) }, SOL]} />;
}

const SOL = { id: WRAPPED_SOL, name: [span("SOL")] };

/** Shows the price of a token as a chart or as rows. */
function SinglePrice({ id, title, days, setDays, bindings, region, part }: PriceChartProps & PriceRange) {
  const prices = usePrices(id, days);
  const { points } = prices;
  const times = useMemo(() => (points ?? []).map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const plot = useMemo(() => pricePlot(prices), [prices]);
  const heading = usePriceHeading(prices, title, days);
  const { endpoint, params } = prices.resource.request;
  return (
    <ChartPanel
      resource={prices.resource}
      plot={plot}
      unit="$"
      empty={noPricesText(days)}
      cursor={cursor}
      heading={heading}
      choice={rangeChoice(RANGES, days, setDays)}
      rows={prices.resource.answer?.rows}
      rowAt={(index) => prices.candles.find(({ time }) => time === times[index])?.row}
      table={(inner, tablePart) => <ListPanel endpoint={endpoint} params={params} region={inner} part={tablePart} />}
      bindings={bindings}
      region={region}
      part={part}
    />
  );
}

function pricePlot({ points, candles }: Prices) {
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
  title: TextLine,
  days: ChartDays,
): (index: number | undefined) => ChartHeading {
  const { unicode } = useExplorer().services;
  const source = resource.request.endpoint === CANDLES ? `candles of ${resolution}` : "prices per day";
  return (index) => {
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
