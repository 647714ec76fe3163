/** The page of a token: metadata, prices, statistics, holders and markets. */
import { useMemo } from "react";
import { type Decimal, decimalOf, isObject } from "../../../base/index.ts";
import { TokenMeta } from "../../../catalogue/schemas.ts";
import { useFollow } from "../../data/follow.ts";
import { useResource } from "../../data/hooks.ts";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span, textLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatField } from "../../widgets/cells.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { useChartStyle } from "../../widgets/chart/panel.tsx";
import { AccountData } from "../account/data.tsx";
import { accountRoute } from "../account/record.ts";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import { HeadedList } from "../entity/panels.tsx";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { PriceChart } from "./price-chart.tsx";
import { CANDLES, concentrationLines, concentrationOf, HOLDERS, TOKEN } from "./record.ts";
import { Statistics } from "./statistics.tsx";

/** Shows a token. */
export function TokenPage(props: PageProps<EntityRoute>) {
  const { navigation } = useExplorer();
  const page = useEntity(TOKEN, props);
  const { id, states, clock } = page;
  const { meta } = page.answers;
  useBindings("screen", [
    bindAction("account.as-account", "as account", () => navigation.open(accountRoute(id)), { hint: 60 }),
  ]);
  const status = useFollow(states.meta, true);
  const supply = useMemo(() => decimalOf(meta?.supply), [meta]);
  const title = [...(meta ? [cellSpan(formatField(TokenMeta, meta, "symbol", clock))] : []), span(" in USD", "note")];
  return (
    <EntityLayout
      page={page}
      status={status}
      tabs={{
        mint: (tab) => <AccountData {...tab} />,
        price: (tab) => <PriceChart title={title} {...tab} />,
        candles: ({ region, part }) => (
          <CandlePanel endpoint={CANDLES} params={{ address: id }} titleOf={() => title} region={region} part={part} />
        ),
        statistics: (tab) => <Statistics {...tab} />,
        holders: (tab) => <Holders supply={supply} {...tab} />,
      }}
    />
  );
}

/** The number of holders that concentration is based on. */
const LARGEST = 40;
/** Minimum height with the concentration as a bar. */
const MIN_BAR_HEIGHT = 12;

function Holders({ id, supply, region, part }: TabProps & { readonly supply: Decimal | undefined }) {
  const resource = useResource(HOLDERS, { address: id, page: 1, page_size: LARGEST });
  const rows = resource.answer?.rows;
  const groups = useMemo(() => concentrationOf((rows ?? []).filter(isObject), supply), [rows, supply]);
  const { width, height } = region;
  const style = useChartStyle();
  const bar = useMemo(
    () => concentrationLines(groups, { ...style, width }, height < MIN_BAR_HEIGHT ? 1 : 2),
    [groups, style, width, height],
  );
  const lines = bar.length > 0 ? bar : [textLine(rows ? "Too few holders to compute the concentration." : "", "note")];
  return <HeadedList lines={lines} endpoint={HOLDERS} params={{ address: id }} region={region} part={part} />;
}
