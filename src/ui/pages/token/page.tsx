/** The page of a token: metadata, prices, statistics, holders and markets. */

import { useMemo } from "react";
import { decimalOf } from "../../../base/index.ts";
import { TokenMeta } from "../../../catalogue/schemas.ts";
import { useFollow } from "../../data/follow.ts";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatField } from "../../widgets/cells.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { accountRoute } from "../account/redirect.ts";
import { StatePanel } from "../account/state-panel.tsx";
import { EntityLayout } from "../entity/layout.tsx";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { Holders } from "./holders.tsx";
import { PriceChart } from "./price-chart.tsx";
import { CANDLES, TOKEN } from "./record.ts";
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
        mint: (tab) => <StatePanel {...tab} />,
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
