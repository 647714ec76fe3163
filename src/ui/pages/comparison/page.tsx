/** Several entities of a kind side by side: the prices of tokens on one axis, and all fields that differ. */
import { Box } from "ink";
import { useExplorer, useViewState } from "../../navigation/context.ts";
import { identifiersOf, shortId } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { answerShape } from "../../widgets/cells.ts";
import { type ChartDays, RANGES, rangeBindings } from "../../widgets/chart/heading.ts";
import { useEntity } from "../entity/layout.tsx";
import type { EntityRecord } from "../entity/record.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { recordOfEntity } from "../records.ts";
import { ComparedPrices } from "../token/compared-prices.tsx";
import { ComparedFields } from "./fields-panel.tsx";

/** From this height on a page has a chart, which takes at least half of it. */
const MIN_CHARTED = 20;
/** Lines of fields that leave the rest to the chart. */
const MAX_FIELDS = 22;

/** Shows the entities of a route side by side. */
export function ComparisonPage({ route, region }: PageProps<EntityRoute>) {
  const record = recordOfEntity(route.entity);
  return record ? <Comparison key={identifiersOf(route).join()} {...{ record, route, region }} /> : null;
}

function Comparison({ record, route, region }: PageProps<EntityRoute> & { readonly record: EntityRecord }) {
  const { data, services } = useExplorer();
  const ids = identifiersOf(route);
  // biome-ignore lint/correctness/useHookAtTopLevel: the entities of a route do not change.
  const pages = ids.map((id) => useEntity(record, { route: { ...route, id }, region }));
  const [days, setDays] = useViewState<ChartDays>("days", 30);
  const titles = ids.map((id) => data.nameOf(id) ?? shortId(id));
  const groups = Object.entries(record.requests).map(([name, { endpoint }]) => {
    const shape = answerShape(endpoint);
    return pages.map(({ answers }) => ({ value: answers[name], shape }));
  });
  const { width, height, top } = region;
  const hasChart = route.entity === "token" && height >= MIN_CHARTED && services.source.facts.hasPrices;
  const chart = { width, height: hasChart ? Math.max(Math.floor(height / 2), height - MAX_FIELDS) : 0, top };
  return (
    <Box flexDirection="column" width={width} height={height}>
      {hasChart ? (
        <ComparedPrices
          tokens={ids.map((id, at) => ({ id, name: [span(titles[at] ?? "", "token")] }))}
          days={days}
          setDays={setDays}
          bindings={rangeBindings(RANGES, days, setDays)}
          region={chart}
          part="prices"
        />
      ) : null}
      <ComparedFields
        noun={`${route.entity}s`}
        titles={titles}
        groups={groups}
        args={["diff", ...ids, ...(ids.length > 2 ? ["--interactive"] : [])]}
        region={{ width, height: height - chart.height, top: top + chart.height }}
      />
    </Box>
  );
}
