/** The page of the network: what happens on the chain per day. */
import { Box } from "ink";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { refreshBinding } from "../../navigation/keys/bindings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { rangeBindings, rangeChoice } from "../../widgets/chart/heading.ts";
import { type Tab, TabbedPage } from "../entity/layout.tsx";
import type { PageProps } from "../props.ts";
import { MetricCard, MetricPanel } from "./metric.tsx";
import { METRICS, NETWORK_RANGES, type NetworkDays } from "./metrics.ts";

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

/** Returns the title with the selected range highlighted. */
function rangeLine(days: NetworkDays): TextLine {
  return [
    span("The network per day  ", "title"),
    ...NETWORK_RANGES.flatMap((range): TextLine => [span(`${range}d`, range === days ? "active" : "note"), span(" ")]),
  ];
}

/** Returns the number of cards side by side. */
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
