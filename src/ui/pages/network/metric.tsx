/** A metric of the network: its latest value and a chart, small as a card or large as a tab. */
import { Box } from "ink";
import { useMemo } from "react";
import type { Json } from "../../../base/index.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import { fitLines, joinEnds, span } from "../../navigation/theme/text-line.ts";
import { relativeClock } from "../../widgets/cells.ts";
import { barsPlot, partSign } from "../../widgets/chart/bars.ts";
import { drawChart } from "../../widgets/chart/frame.ts";
import { type ChartChoice, joinFitting } from "../../widgets/chart/heading.ts";
import { areaPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor, useChartStyle } from "../../widgets/chart/panel.tsx";
import type { PlotOf } from "../../widgets/chart/plot.ts";
import { dailySeries } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { dayAt, daysIn, details, headline, legend, type Metric, metricHeading, type NetworkDays } from "./metrics.ts";

const EMPTY = "No days in this range.";

interface MetricProps {
  readonly metric: Metric;
  readonly days: NetworkDays;
  readonly region: Region;
}

const seriesOf = (rows: readonly Json[], field: string) => dailySeries(rows, "block_date", [field]);

/** Returns the chart of a metric. */
function metricPlot(
  { chart, field, parts = [{ field, name: "", role: "bar" }] }: Metric,
  rows: readonly Json[],
): PlotOf {
  if (chart === "line") return areaPlot(seriesOf(rows, field), { role: "bar" });
  return barsPlot(parts.map((part) => ({ role: part.role, points: seriesOf(rows, part.field) })));
}

/** Minimum height of a card with a second line of numbers. */
const MIN_TALL_CARD = 9;

/** Shows a metric as a card with a small chart. */
export function MetricCard({ metric, days, region, number }: MetricProps & { readonly number: number }) {
  const { services } = useExplorer();
  const style = useChartStyle();
  const params = useMemo(() => ({ range: days }), [days]);
  const resource = useResource(metric.endpoint, params);
  const rows = resource.answer?.rows;
  const plot = useMemo(() => rows && metricPlot(metric, rows), [metric, rows]);
  const { width, height } = region;
  const known = daysIn(rows);
  const clock = relativeClock(services);
  const more = [...legend(metric, known, clock, (at) => partSign(at, style)), ...details(metric, known, clock)];
  const hasMore = height >= MIN_TALL_CARD && more.length > 0;
  const chartHeight = height - (hasMore ? 2 : 1);
  const lines = useMemo(
    () => plot && drawChart(plot, { ...style, width, height: chartHeight, unit: metric.unit, empty: EMPTY }).lines(),
    [plot, style, width, chartHeight, metric],
  );
  const title = [
    { ...span(`${number} `, "hotkey"), press: String(number) },
    { ...span(metric.title, "title"), press: String(number) },
  ];
  if (!lines) {
    const inner = { ...region, height: height - 1, top: region.top + 1 };
    return (
      <Box flexDirection="column" width={width} height={height}>
        <Lines lines={[title]} width={width} height={1} />
        <ResourceStatus resource={resource} region={inner} />
      </Box>
    );
  }
  const numbers = headline(metric, known, clock, style.unicode);
  const header = [joinEnds(title, numbers, width), ...(hasMore ? [joinFitting(more, width)] : [])];
  return <Lines lines={fitLines([...header, ...lines], width, height)} width={width} height={height} />;
}

interface MetricPanelProps extends MetricProps {
  readonly choice: ChartChoice;
  readonly part: string;
}

/** Shows a metric as a large chart or as rows. */
export function MetricPanel({ metric, days, region, choice, part }: MetricPanelProps) {
  const { services } = useExplorer();
  const style = useChartStyle();
  const params = useMemo(() => ({ range: days }), [days]);
  const resource = useResource(metric.endpoint, params);
  const rows = resource.answer?.rows;
  const plot = useMemo(() => rows && metricPlot(metric, rows), [metric, rows]);
  const points = useMemo(() => seriesOf(rows ?? [], metric.field), [rows, metric]);
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const known = useMemo(() => daysIn(rows), [rows]);
  const heading = (index: number | undefined) =>
    metricHeading(metric, known, points, index, {
      clock: relativeClock(services),
      unicode: style.unicode,
      signOf: (at) => partSign(at, style),
    });
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      unit={metric.unit}
      empty={EMPTY}
      cursor={cursor}
      heading={heading}
      choice={choice}
      rows={rows}
      rowAt={(index) => dayAt(known, times[index])}
      table={(inner, tablePart) => (
        <ListPanel endpoint={metric.endpoint} params={params} region={inner} part={tablePart} />
      )}
      region={region}
      part={part}
    />
  );
}
