/** The page of a market: a pool, its reserves and its volume. */

import { MarketVolume } from "../../../catalogue/schemas.ts";
import { useBindings, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { EntityLayout } from "../entity/layout.tsx";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { LiquidityChart, type MarketDays, VolumeChart } from "./daily-chart.tsx";
import { CANDLES, MARKET } from "./record.ts";
import { pricedLine } from "./summary.ts";

/** Shows a market. */
export function MarketPage(props: PageProps<EntityRoute>) {
  const [days, setDays] = useViewState<MarketDays>("days", 30);
  const page = useEntity(MARKET, props, { days });
  const { id, answers, states, nameOf } = page;
  const chart = { resource: states.volume, days, setDays };
  useBindings("screen", [bindAction("view.refresh", "refresh", states.volume.refresh, { hint: 40 })]);
  return (
    <EntityLayout
      page={page}
      tabs={{
        candles: ({ region, part }) => (
          <CandlePanel
            endpoint={CANDLES}
            params={{ address: id }}
            titleOf={(data) => pricedLine(data, nameOf)}
            region={region}
            part={part}
          />
        ),
        volume: (tab) => <VolumeChart {...chart} {...tab} />,
        liquidity: (tab) => <LiquidityChart info={answers.info} {...chart} {...tab} />,
        statistics: ({ region, part }) => (
          <ValuePanel
            value={answers.volume ?? {}}
            entity={MarketVolume}
            request={states.volume.request}
            region={region}
            part={part}
          />
        ),
      }}
    />
  );
}
