/** The daily price of a token as a line, with the exact numbers. */

import { Box } from "ink";
import { useMemo } from "react";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { refreshBinding, valuesBinding } from "../../app/keys/bindings.ts";
import { Lines } from "../../app/lines.tsx";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { endpointAt } from "../../widgets/cells.ts";
import { captionLines } from "../../widgets/chart/caption.ts";
import { lineChart } from "../../widgets/chart/chart.ts";
import { type ChartDays, MAX_DAYS, RANGES, rangeBindings } from "../../widgets/chart/range.ts";
import { dailySeries, summarizeSeries } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";

const PRICE = endpointAt("/token/price");
const NO_PRICES = "No prices for these days.";
const INITIAL_STATE: { readonly days: ChartDays; readonly isTable: boolean } = { days: 30, isTable: false };

/** Shows the price of a token as a chart or as rows. */
export function PriceChart({ id, region, part }: { id: string; region: Region; part: string }) {
  const { services } = useExplorer();
  const [{ days, isTable }, set] = useViewState(part, INITIAL_STATE);
  const params = useMemo(() => ({ address: id, from_time: `${days}d` }), [id, days]);
  const resource = useResource(PRICE, params);
  const state = useResourceLine(resource);
  const rows = resource.answer?.rows;
  const points = useMemo(() => dailySeries(rows ?? [], "date", ["price"]), [rows]);
  useBindings("screen", [
    ...rangeBindings(RANGES, days, (change) => set((before) => ({ ...before, days: change(before.days) }))),
    valuesBinding(isTable ? "chart" : "table", () => set((before) => ({ ...before, isTable: !before.isTable }))),
    refreshBinding(resource.refresh, !isTable),
  ]);
  useSubject(isTable ? undefined : { request: resource.request, rows });
  const { width, height, top } = region;
  if (!rows && !isTable) return <ResourceStatus resource={resource} region={region} />;
  const caption = captionLines(summarizeSeries(points), { days, subject: "price", unicode: services.unicode, width });
  const header = [...caption, ...(state ? [state] : [])];
  const inner = { width, height: height - header.length, top: top + header.length };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={header} width={width} height={Math.min(header.length, height)} />
      {isTable ? (
        <ListPanel endpoint={PRICE} params={params} region={inner} part={`${part} table`} />
      ) : (
        <Lines
          lines={lineChart(points, {
            ...inner,
            unicode: services.unicode,
            unit: "$",
            empty: days < MAX_DAYS ? `${NO_PRICES} + shows more days.` : NO_PRICES,
          })}
          width={width}
          height={inner.height}
        />
      )}
    </Box>
  );
}
