/** A metric of the network: its latest value and a chart, small as a card or large as a tab. */
import { Box } from "ink";
import { useMemo } from "react";
import type { Json } from "../../../base/index.ts";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { refreshBinding, valuesBinding } from "../../app/keys/bindings.ts";
import { Lines } from "../../app/lines.tsx";
import { fitLine, fitLines, joinEnds, lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { relativeClock } from "../../widgets/cells.ts";
import { barChart, daysPerBar, lineChart } from "../../widgets/chart/chart.ts";
import { dailySeries, dayText, summarizeSeries } from "../../widgets/chart/series.ts";
import { partSign, stackedChart } from "../../widgets/chart/stacked.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { daysIn, details, headline, legend, type Metric, type NetworkDays } from "./metrics.ts";

const EMPTY = "No days in this range.";

interface MetricProps {
  readonly metric: Metric;
  readonly days: NetworkDays;
  readonly region: Region;
}

/** How a chart of a metric is drawn. */
interface MetricChartOptions {
  readonly width: number;
  readonly height: number;
  readonly unicode: boolean;
  readonly colored: boolean;
}

/** Returns the chart of a metric. */
function metricChart(
  { chart, field, parts, unit }: Metric,
  rows: readonly Json[],
  options: MetricChartOptions,
): readonly TextLine[] {
  const series = (name: string) => dailySeries(rows, "block_date", [name]);
  const all = { ...options, isAverage: true, empty: EMPTY, ...(unit === undefined ? {} : { unit }) };
  if (parts)
    return stackedChart(
      parts.map((part) => ({ role: part.role, points: series(part.field) })),
      all,
    );
  return chart === "line" ? lineChart(series(field), all) : barChart(series(field), all);
}

/** Returns as many of the parts as fit into a line, with distances. */
function joinFitting(parts: readonly TextLine[], width: number): TextLine {
  let line: TextLine = [];
  for (const part of parts) {
    const longer: TextLine = line.length === 0 ? part : [...line, span("  "), ...part];
    if (lineWidth(longer) > width) break;
    line = longer;
  }
  return line;
}

/** Returns whether the theme has colours. */
export function useColors(): boolean {
  const { services, theme } = useExplorer();
  return services.colorScheme !== "none" && theme !== "mono";
}

/** Minimum height of a card with a second line of numbers. */
const MIN_TALL_CARD = 9;

/** Shows a metric as a card with a small chart. */
export function MetricCard({ metric, days, region, number }: MetricProps & { readonly number: number }) {
  const { services } = useExplorer();
  const colored = useColors();
  const params = useMemo(() => ({ range: days }), [days]);
  const resource = useResource(metric.endpoint, params);
  const rows = resource.answer?.rows;
  const { width, height } = region;
  const title = [span(`${number} `, "hotkey"), span(metric.title, "title")];
  if (!rows) {
    const inner = { ...region, height: height - 1, top: region.top + 1 };
    return (
      <Box flexDirection="column" width={width} height={height}>
        <Lines lines={[title]} width={width} height={1} />
        <ResourceStatus resource={resource} region={inner} />
      </Box>
    );
  }
  const { unicode } = services;
  const clock = relativeClock(services);
  const known = daysIn(rows);
  const options = { unicode, colored };
  const more = [...legend(metric, known, clock, (at) => partSign(at, options)), ...details(metric, known, clock)];
  const header = [
    joinEnds(title, headline(metric, known, clock, { unicode, width: width - lineWidth(title) - 2 }), width),
  ];
  if (height >= MIN_TALL_CARD && more.length > 0) header.push(joinFitting(more, width));
  const chart = metricChart(metric, rows, { ...options, width, height: height - header.length });
  return <Lines lines={fitLines([...header, ...chart], width, height)} width={width} height={height} />;
}

/** Shows a metric as a large chart or as rows. */
export function MetricPanel({ metric, days, region, part }: MetricProps & { readonly part: string }) {
  const { services } = useExplorer();
  const colored = useColors();
  const [isTable, setTable] = useViewState(`${part} table`, false);
  const params = useMemo(() => ({ range: days }), [days]);
  const resource = useResource(metric.endpoint, params);
  const status = useResourceLine(resource);
  const rows = resource.answer?.rows;
  useBindings("screen", [
    valuesBinding(isTable ? "chart" : "table", () => setTable((before) => !before)),
    refreshBinding(resource.refresh, !isTable),
  ]);
  useSubject(isTable ? undefined : { request: resource.request, rows });
  if (!rows && !isTable) return <ResourceStatus resource={resource} region={region} />;
  const { width, height, top } = region;
  const lines = [...panelHeader(metric, rows ?? [], { ...services, colored, width }), ...(status ? [status] : [])];
  const inner = { width, height: height - lines.length, top: top + lines.length };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={lines} width={width} height={Math.min(lines.length, height)} />
      {isTable ? (
        <ListPanel endpoint={metric.endpoint} params={params} region={inner} part={`${part} list`} />
      ) : (
        <Lines
          lines={metricChart(metric, rows ?? [], { ...inner, unicode: services.unicode, colored })}
          width={width}
          height={inner.height}
        />
      )}
    </Box>
  );
}

type HeaderOptions = ReturnType<typeof useExplorer>["services"] & { readonly colored: boolean; readonly width: number };

/** Returns the numbers above a large chart: the latest day, its parts, and the extremes. */
function panelHeader(metric: Metric, rows: readonly Json[], options: HeaderOptions): readonly TextLine[] {
  const { unicode, colored, width } = options;
  const clock = relativeClock(options);
  const known = daysIn(rows);
  const points = dailySeries(rows, "block_date", [metric.field]);
  const summary = summarizeSeries(points);
  if (!summary) return [];
  const bars = metric.chart === "bars" ? daysPerBar(points, width) : 1;
  const first = joinFitting(
    [
      [span(metric.title, "title"), span("  "), ...headline(metric, known, clock, { unicode, width })],
      [span(`on ${dayText(summary.last.day)}, change over ${known.length} days`, "note")],
    ],
    width,
  );
  const parts = legend(metric, known, clock, (at) => partSign(at, { unicode, colored }));
  const note: readonly TextLine[] = bars > 1 ? [[span(`bars: average of ${bars} days`, "note")]] : [];
  const extremes: readonly TextLine[] = [
    [span("lowest ", "key"), span(dayText(summary.lowest.day))],
    [span("highest ", "key"), span(dayText(summary.highest.day))],
  ];
  const second = joinFitting([...parts, ...details(metric, known, clock), ...extremes, ...note], width);
  return [fitLine(first, width), fitLine(second, width)];
}
