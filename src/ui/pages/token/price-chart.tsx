/** The price of a token over days: a chart, and the exact numbers that matter. */

import { Box } from "ink";
import { useMemo } from "react";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { Lines } from "../../app/lines.tsx";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { endpointAt } from "../../widgets/cells.ts";
import { captionLines } from "../../widgets/chart/caption.ts";
import { lineChart } from "../../widgets/chart/chart.ts";
import { type ChartDays, MAX_DAYS, rangeBindings } from "../../widgets/chart/range.ts";
import { dailySeries, summarizeSeries } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";

const PRICE = endpointAt("/token/price");
const EMPTY = "There are no prices of these days.";
const START: { readonly days: ChartDays; readonly numbers: boolean } = { days: 30, numbers: false };

export function PriceChart({ id, region, part }: { id: string; region: Region; part: string }) {
  const { services } = useExplorer();
  const [{ days, numbers }, set] = useViewState(part, START);
  const params = useMemo(() => ({ address: id, from_time: `${days}d` }), [id, days]);
  const resource = useResource(PRICE, params);
  const state = useResourceLine(resource);
  const rows = resource.answer?.rows;
  const points = useMemo(() => dailySeries(rows ?? [], "date", ["price"]), [rows]);
  useBindings("screen", [
    ...rangeBindings(days, (change) => set((before) => ({ ...before, days: change(before.days) }))),
    {
      ...actionBinding("chart.numbers"),
      label: numbers ? "as a chart" : "as numbers",
      group: "view",
      hint: 14,
      run: () => set((before) => ({ ...before, numbers: !before.numbers })),
    },
    {
      ...actionBinding("view.refresh"),
      label: "refresh",
      group: "data",
      hint: 40,
      active: !numbers,
      run: resource.refresh,
    },
  ]);
  useSubject(numbers ? undefined : { request: resource.request, rows });
  const { width, height, top } = region;
  if (!rows && !numbers) return <ResourceStatus resource={resource} region={region} />;
  const words = captionLines(summarizeSeries(points), { days, subject: "price", unicode: services.unicode, width });
  const head = [...words, ...(state ? [state] : [])];
  const inner = { width, height: height - head.length, top: top + head.length };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={head} width={width} height={Math.min(head.length, height)} />
      {numbers ? (
        <ListPanel endpoint={PRICE} params={params} region={inner} part={`${part} numbers`} />
      ) : (
        <Lines
          lines={lineChart(points, {
            ...inner,
            unicode: services.unicode,
            unit: "$",
            empty: days < MAX_DAYS ? `${EMPTY} + asks for more days.` : EMPTY,
          })}
          width={width}
          height={inner.height}
        />
      )}
    </Box>
  );
}
