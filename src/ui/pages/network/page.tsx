/** The page of the network: what happens on the chain per day. */
import { Box } from "ink";
import { useMemo } from "react";
import { isObject, type Json, type JsonObject, percentChange, toDecimal } from "../../../base/index.ts";
import type { Endpoint } from "../../../catalogue/index.ts";
import {
  NetworkComputeUnits,
  NetworkDexActivity,
  NetworkFees,
  NetworkSlots,
  NetworkStake,
  NetworkTransactions,
} from "../../../catalogue/schemas.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { refreshBinding } from "../../navigation/keys/bindings.ts";
import { fitLines, joinEnds, joinFitting, type Role, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, type EntitySchema, endpointAt, formatField, relativeClock } from "../../widgets/cells.ts";
import { barsPlot, partSign } from "../../widgets/chart/bars.ts";
import { drawChart } from "../../widgets/chart/frame.ts";
import { type ChartChoice, type ChartHeading, rangeBindings, rangeChoice } from "../../widgets/chart/heading.ts";
import { areaPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor, useChartStyle } from "../../widgets/chart/panel.tsx";
import type { PlotOf } from "../../widgets/chart/plot.ts";
import { type ChartPoint, dailySeries, summarizeSeries, timeText } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { shortNumber } from "../entity/fields.ts";
import { type Tab, TabbedPage } from "../entity/layout.tsx";
import type { PageProps } from "../props.ts";

type NetworkDays = (typeof NETWORK_RANGES)[number];

/** Cells between two cards. */
const GAP = 2;
/** Minimum width of a card, and of a page with three of them side by side. */
const MIN_CARD_WIDTH = 32;
const MIN_WIDE = 150;

/** Shows the statistics of the network. */
export function NetworkPage({ region }: PageProps) {
  const { data } = useExplorer();
  const [days, setDays] = useViewState<NetworkDays>("days", 90);
  useBindings("screen", [
    ...rangeBindings(NETWORK_RANGES, days, setDays),
    refreshBinding(() => {
      for (const { endpoint } of METRICS) data.refresh({ endpoint, params: { range: days } });
    }),
  ]);
  const choice = rangeChoice(NETWORK_RANGES, days, setDays);
  const tabs: readonly Tab[] = [
    { name: "overview", render: (inner) => <Overview region={inner} days={days} /> },
    ...METRICS.map(
      (metric): Tab => ({
        name: metric.title,
        render: (inner) => (
          <MetricPanel metric={metric} days={days} choice={choice} region={inner} part={metric.title} />
        ),
      }),
    ),
  ];
  return <TabbedPage region={region} header={[rangeLine(days)]} tabs={tabs} />;
}

function rangeLine(days: NetworkDays): TextLine {
  return [
    span("The network per day  ", "title"),
    ...NETWORK_RANGES.flatMap((range): TextLine => [span(`${range}d`, range === days ? "active" : "note"), span(" ")]),
  ];
}

const columnsFor = (width: number): number => (width >= MIN_WIDE ? 3 : width >= 2 * MIN_CARD_WIDTH + GAP ? 2 : 1);

/** Minimum height of a card: its title and a chart of two lines. */
const MIN_CARD_HEIGHT = 3;

/** Shows all metrics as cards. Cards that do not fit have a tab. */
function Overview({ region, days }: { readonly region: Region; readonly days: NetworkDays }) {
  const columns = columnsFor(region.width);
  const count = Math.max(1, Math.min(Math.ceil(METRICS.length / columns), Math.floor(region.height / MIN_CARD_HEIGHT)));
  const rows = Array.from({ length: count }, (_, row) => METRICS.slice(row * columns, (row + 1) * columns));
  const part = (size: number, parts: number, at: number) =>
    Math.floor((size * (at + 1)) / parts) - Math.floor((size * at) / parts);
  const hasGap = region.height >= count * (MIN_CARD_HEIGHT + 3);
  let top = region.top;
  return (
    <Box flexDirection="column" width={region.width} height={region.height}>
      {rows.map((metrics, row) => {
        const height = part(region.height, count, row);
        const cardTop = top;
        top += height;
        const cardHeight = height - (hasGap && row < count - 1 ? 1 : 0);
        return (
          <Box key={metrics[0]?.title} columnGap={GAP} width={region.width} height={height}>
            {metrics.map((metric, column) => {
              const width = part(region.width - GAP * (columns - 1), columns, column);
              return (
                <MetricCard
                  key={metric.title}
                  metric={metric}
                  number={row * columns + column + 2}
                  days={days}
                  region={{ width, height: cardHeight, top: cardTop }}
                />
              );
            })}
          </Box>
        );
      })}
    </Box>
  );
}

const EMPTY = "No days in this range.";

const seriesOf = (rows: readonly Json[], field: string) => dailySeries(rows, "block_date", [field]);

function metricPlot({ chart, field, parts }: Metric, rows: readonly Json[]): PlotOf {
  if (chart === "line") return areaPlot(seriesOf(rows, field), { role: "bar" });
  const series = parts ?? [{ field, role: "bar" as const }];
  return barsPlot(series.map((part) => ({ role: part.role, points: seriesOf(rows, part.field) })));
}

function useMetric(metric: Metric, range: NetworkDays) {
  const params = useMemo(() => ({ range }), [range]);
  const resource = useResource(metric.endpoint, params);
  const { answer } = resource;
  const days = useMemo(() => (answer?.rows ?? []).filter(isObject), [answer]);
  const plot = useMemo(() => answer?.rows && metricPlot(metric, answer.rows), [metric, answer]);
  return { params, resource, days, plot };
}

/** Returns what is said about the latest of some days: a headline such as `68.5M ▲ 2.1%`, and details. */
function useDescription({ entity, field, noun, more = [], parts = [] }: Metric) {
  const { services } = useExplorer();
  const style = useChartStyle();
  const clock = relativeClock(services);
  return (days: readonly JsonObject[]): { readonly headline: TextLine; readonly details: readonly TextLine[] } => {
    const [first, last] = [days[0], days.at(-1)];
    if (!first || !last) return { headline: [], details: [] };
    const text = (name: string) => shortNumber(formatField(entity, last, name, clock).text);
    const nounSpans = (word: string | undefined) => (word === undefined ? [] : [span(` ${word}`, "note")]);
    const [before, now] = [toDecimal(first[field]), toDecimal(last[field])];
    const change = before && now && percentChange(before, now);
    return {
      headline: [
        span(text(field)),
        ...nounSpans(noun),
        ...(change ? [span("  "), changeSpan(change, style.unicode)] : []),
      ],
      details: [
        ...parts.map(({ field: part, name, role }, at) => [
          span(`${partSign(at, style)} `, role),
          span(name, "key"),
          span(` ${text(part)}`),
        ]),
        ...more.map((one) => [span(text(one.field), "note"), ...nounSpans(one.noun)]),
      ],
    };
  };
}

interface MetricProps {
  readonly metric: Metric;
  readonly days: NetworkDays;
  readonly region: Region;
}

/** Minimum height of a card with a second line of numbers. */
const MIN_TALL_CARD = 9;

function MetricCard({ metric, days: range, region, number }: MetricProps & { readonly number: number }) {
  const style = useChartStyle();
  const { resource, days, plot } = useMetric(metric, range);
  const { width, height } = region;
  const { headline, details } = useDescription(metric)(days);
  const hasMore = height >= MIN_TALL_CARD && details.length > 0;
  const chartHeight = height - (hasMore ? 2 : 1);
  const lines = useMemo(
    () => plot && drawChart(plot, { ...style, width, height: chartHeight, unit: metric.unit, empty: EMPTY }).lines(),
    [plot, style, width, chartHeight, metric],
  );
  const press = String(number);
  const title = [
    { ...span(`${number} `, "hotkey"), press },
    { ...span(metric.title, "title"), press },
  ];
  if (!lines) {
    return (
      <Box flexDirection="column" width={width} height={height}>
        <Lines lines={[title]} width={width} height={1} />
        <ResourceStatus resource={resource} region={{ width, height: height - 1 }} />
      </Box>
    );
  }
  const header = [joinEnds(title, headline, width), ...(hasMore ? [joinFitting(details, width)] : [])];
  return <Lines lines={fitLines([...header, ...lines], width, height)} width={width} height={height} />;
}

interface MetricPanelProps extends MetricProps {
  readonly choice: ChartChoice;
  readonly part: string;
}

function MetricPanel({ metric, days: range, region, choice, part }: MetricPanelProps) {
  const { params, resource, days, plot } = useMetric(metric, range);
  const points = useMemo(() => seriesOf(days, metric.field), [days, metric]);
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const describe = useDescription(metric);
  const dayAt = (index: number) => {
    const date = timeText(times[index] ?? 0, true);
    return days.findLast(({ block_date: day }) => day === date);
  };
  const heading = (index: number | undefined): ChartHeading => {
    const title = [span(metric.title, "title")];
    const at = index ?? points.length - 1;
    const [point, day] = [points[at], dayAt(at)];
    if (!point || !day) return { title, values: [], details: [] };
    const until = days.slice(0, days.indexOf(day) + 1);
    const { headline, details } = describe(until);
    const summary = index === undefined ? summarizeSeries(points) : undefined;
    const extreme = (name: string, { time }: ChartPoint) => [span(`${name} `, "key"), span(timeText(time, true))];
    const date = timeText(point.time, true);
    const when = summary ? span(`on ${date}, change over ${until.length} days`, "note") : span(date, "marked");
    return {
      title,
      values: [headline, [when]],
      details: [
        ...details,
        ...(summary ? [extreme("lowest", summary.lowest), extreme("highest", summary.highest)] : []),
      ],
    };
  };
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      unit={metric.unit}
      empty={EMPTY}
      cursor={cursor}
      heading={heading}
      choice={choice}
      rows={resource.answer?.rows}
      rowAt={dayAt}
      table={(inner, tablePart) => (
        <ListPanel endpoint={metric.endpoint} params={params} region={inner} part={tablePart} />
      )}
      region={region}
      part={part}
    />
  );
}

/** The ranges of the page in days. */
const NETWORK_RANGES = [30, 90, 180, 365] as const;

interface Metric {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly entity: EntitySchema;
  /** The field of the headline, and the word after its value. */
  readonly field: string;
  readonly noun?: string;
  /** Further fields beside the headline, the most important first. */
  readonly more?: readonly { readonly field: string; readonly noun?: string }[];
  /** Stacked parts; a metric without parts is one series. */
  readonly parts?: readonly { readonly field: string; readonly name: string; readonly role: Role }[];
  /** Bars begin at zero; a line shows small changes of a large value. */
  readonly chart: "bars" | "line";
  /** The unit before the numbers of the axis. */
  readonly unit?: string;
}

const METRICS: readonly Metric[] = [
  {
    title: "transactions",
    endpoint: endpointAt("/analytics/transactions", "public"),
    entity: NetworkTransactions,
    field: "total",
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
    chart: "line",
  },
];
