/** The page of a market: a pool, its reserves and its volume. */
import { useMemo } from "react";
import { type Decimal, type JsonObject, listOf, textOf } from "../../../base/index.ts";
import { MarketVolume } from "../../../catalogue/schemas.ts";
import { formatUsd, type NameOf } from "../../../output/index.ts";
import { type Resource, useNameOf, useResource } from "../../data/hooks.ts";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, idSpan, relativeClock } from "../../widgets/cells.ts";
import { barsPlot } from "../../widgets/chart/bars.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { rangeBindings, rangeChoice, seriesHeading } from "../../widgets/chart/heading.ts";
import { areaPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import { type ChartPoint, dailySeries, summarizeSeries } from "../../widgets/chart/series.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import type { EntityRoute, PageProps } from "../props.ts";
import { CANDLES, MARKET, META, mintsOf, reserveLines } from "./record.ts";

/** Shows a market. */
export function MarketPage(props: PageProps<EntityRoute>) {
  const [days, setDays] = useViewState<MarketDays>("days", 30);
  const page = useEntity(MARKET, props, { days });
  const { id, answers, states, nameOf } = page;
  const chart = { resource: states.volume, days, setDays };
  useBindings("screen", [bindAction("view.refresh", "refresh", states.volume.refresh, { hint: 40 })]);
  return (
    <EntityLayout
      page={page}
      tabs={{
        candles: ({ region, part }) => (
          <CandlePanel
            endpoint={CANDLES}
            params={{ address: id }}
            titleOf={(data) => pricedLine(data, nameOf)}
            region={region}
            part={part}
          />
        ),
        volume: (tab) => <DailyChart metric="volume" {...chart} {...tab} />,
        liquidity: (tab) => <LiquidityChart info={answers.info} {...chart} {...tab} />,
        statistics: ({ region, part }) => (
          <ValuePanel
            value={answers.volume ?? {}}
            entity={MarketVolume}
            request={states.volume.request}
            region={region}
            part={part}
          />
        ),
      }}
    />
  );
}

/** Returns what candles price: `wSOL in USDC`. */
function pricedLine(data: JsonObject | undefined, nameOf: NameOf): TextLine {
  const [token, currency] = [textOf(data?.token), textOf(data?.currency)];
  if (token === undefined || currency === undefined) return [];
  return [idSpan(token, nameOf, "token"), span(" in ", "note"), idSpan(currency, nameOf, "token")];
}

/** The ranges of the endpoint, whose values are per day. */
const RANGES = [7, 30, 90, 365] as const;
type MarketDays = (typeof RANGES)[number];

/** What a day has; `fields` are names of the value, of which the first that a day has is used. */
const METRICS = {
  volume: {
    title: "volume per day",
    fields: ["value", "volume"],
    plot: (points: readonly ChartPoint[]) => barsPlot([{ role: "bar", points }]),
  },
  liquidity: {
    title: "value locked",
    fields: ["tvl"],
    plot: (points: readonly ChartPoint[]) =>
      areaPlot(points, { role: summarizeSeries(points)?.change?.negative ? "bad" : "good" }),
  },
} as const;

interface DailyChartProps {
  readonly metric: keyof typeof METRICS;
  /** What is said first below the value. */
  readonly notes?: readonly TextLine[];
  readonly resource: Resource;
  readonly days: MarketDays;
  readonly setDays: (after: MarketDays | ((before: MarketDays) => MarketDays)) => void;
  readonly region: Region;
  readonly part: string;
}

const NO_NOTES: readonly TextLine[] = [];

function DailyChart({ metric, notes = NO_NOTES, resource, days, setDays, region, part }: DailyChartProps) {
  const { unicode } = useExplorer().services;
  const { title, fields, plot: plotOf } = METRICS[metric];
  const volume = answerObject(resource);
  const points = useMemo(() => dailySeries(listOf(volume?.days), "day", fields), [volume, fields]);
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const plot = useMemo(() => volume && plotOf(points), [volume, plotOf, points]);
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      unit="$"
      empty={`No data for these days.${days < 365 ? " + shows more days." : ""}`}
      cursor={cursor}
      heading={(index) => {
        const options = { format: formatDollars, isDaily: true, unicode, period: `${days} days` };
        const { values, details } = seriesHeading(points, index, options);
        return { title: [span(title, "title")], values, details: [...notes, ...details] };
      }}
      choice={rangeChoice(RANGES, days, setDays)}
      bindings={rangeBindings(RANGES, days, setDays)}
      region={region}
      part={part}
    />
  );
}

const formatDollars = (value: Decimal): string => formatUsd(value);

type LiquidityChartProps = Omit<DailyChartProps, "metric" | "notes"> & { readonly info: JsonObject | undefined };

function LiquidityChart({ info, ...props }: LiquidityChartProps) {
  const { services } = useExplorer();
  const nameOf = useNameOf();
  const [first = "", second = ""] = mintsOf(info);
  const prices = [useTokenPrice(first), useTokenPrice(second)];
  return (
    <DailyChart metric="liquidity" notes={reserveLines(info, nameOf, relativeClock(services), prices)} {...props} />
  );
}

/** Returns the price of a token, which is requested where the tab is open. */
function useTokenPrice(mint: string) {
  return answerObject(useResource(META, { address: mint }, mint !== ""))?.price;
}
