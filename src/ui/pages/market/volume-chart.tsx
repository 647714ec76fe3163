/** The daily volume of a pool as bars. */
import { useMemo } from "react";
import { type Decimal, isArray } from "../../../base/index.ts";
import { formatUsd } from "../../../output/index.ts";
import { type Region, useExplorer } from "../../app/context.ts";
import { span } from "../../app/theme/text-line.ts";
import type { Resource } from "../../data/hooks.ts";
import { answerObject } from "../../widgets/cells.ts";
import { barsPlot } from "../../widgets/chart/bars.ts";
import { seriesHeading } from "../../widgets/chart/caption.ts";
import { useChartCursor } from "../../widgets/chart/cursor.ts";
import { ChartPanel } from "../../widgets/chart/panel.tsx";
import { rangeBindings, rangeChoice } from "../../widgets/chart/range.ts";
import { dailySeries } from "../../widgets/chart/series.ts";

/** The ranges of the endpoint, whose values are per day. */
export const VOLUME_RANGES = [7, 30, 90, 365] as const;

/** A range in days. */
export type VolumeDays = (typeof VOLUME_RANGES)[number];

interface VolumeChartProps {
  readonly resource: Resource;
  readonly days: VolumeDays;
  readonly setDays: (after: VolumeDays | ((before: VolumeDays) => VolumeDays)) => void;
  readonly region: Region;
  readonly part: string;
}

const formatDollars = (value: Decimal): string => formatUsd(value);

/** Shows the volume of a pool as a chart. */
export function VolumeChart({ resource, days, setDays, region, part }: VolumeChartProps) {
  const { services } = useExplorer();
  const volume = answerObject(resource);
  const points = useMemo(() => {
    const rows = volume?.days;
    return isArray(rows ?? null) ? dailySeries(rows as never, "day", ["value", "volume"]) : [];
  }, [volume]);
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const plot = useMemo(() => (volume ? barsPlot([{ role: "bar", points }]) : undefined), [volume, points]);
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      unit="$"
      empty={days < 365 ? "No volume data for these days. + shows more days." : "No volume data for these days."}
      cursor={cursor}
      heading={(index) => ({
        title: [span("volume per day", "title")],
        ...seriesHeading(points, index, {
          format: formatDollars,
          isDaily: true,
          unicode: services.unicode,
          period: `${days} days`,
        }),
      })}
      choice={rangeChoice(VOLUME_RANGES, days, setDays)}
      bindings={rangeBindings(VOLUME_RANGES, days, setDays)}
      region={region}
      part={part}
    />
  );
}
