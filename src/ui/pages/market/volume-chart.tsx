/** The daily volume of a pool as bars, with the exact numbers. */
import { Box } from "ink";
import { useMemo } from "react";
import { isArray } from "../../../base/index.ts";
import { type Region, useBindings, useExplorer, useSubject } from "../../app/context.ts";
import { Lines } from "../../app/lines.tsx";
import type { Resource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { answerObject } from "../../widgets/cells.ts";
import { captionLines } from "../../widgets/chart/caption.ts";
import { barChart, daysPerBar } from "../../widgets/chart/chart.ts";
import { type ChartDays, MAX_DAYS, RANGES, rangeBindings } from "../../widgets/chart/range.ts";
import { dailySeries, summarizeSeries } from "../../widgets/chart/series.ts";

const NO_VOLUME = "No volume data for these days.";

interface VolumeChartProps {
  readonly resource: Resource;
  readonly days: ChartDays;
  readonly setDays: (after: (before: ChartDays) => ChartDays) => void;
  readonly region: Region;
}

/** Shows the volume of a pool as a chart. */
export function VolumeChart({ resource, days, setDays, region }: VolumeChartProps) {
  const { services } = useExplorer();
  const state = useResourceLine(resource);
  const volume = answerObject(resource);
  const rows = volume && isArray(volume.days ?? null) ? volume.days : undefined;
  const points = useMemo(() => dailySeries(isArray(rows) ? rows : [], "day", ["value", "volume"]), [rows]);
  useBindings("screen", rangeBindings(RANGES, days, setDays));
  useSubject({ request: resource.request, row: volume });
  const { width, height } = region;
  if (!volume) return <ResourceStatus resource={resource} region={region} />;
  const barDays = daysPerBar(points, width);
  const note = barDays > 1 ? { note: `${barDays} days per bar` } : {};
  const caption = captionLines(summarizeSeries(points), {
    days,
    subject: "volume",
    unicode: services.unicode,
    width,
    ...note,
  });
  const header = [...caption, ...(state ? [state] : [])];
  const inner = { width, height: height - header.length };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={header} width={width} height={Math.min(header.length, height)} />
      <Lines
        lines={barChart(points, {
          ...inner,
          unicode: services.unicode,
          unit: "$",
          empty: days < MAX_DAYS ? `${NO_VOLUME} + shows more days.` : NO_VOLUME,
        })}
        width={width}
        height={inner.height}
      />
    </Box>
  );
}
