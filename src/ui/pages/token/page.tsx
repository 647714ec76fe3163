/** The page of a token: metadata, prices, statistics, holders and markets. */

import { useMemo } from "react";
import { decimalOf } from "../../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../../catalogue/index.ts";
import { TokenMeta } from "../../../catalogue/schemas.ts";
import { useFollow } from "../../data/follow.ts";
import { useNameOf, useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import { span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, cellSpan, endpointAt, formatField, relativeClock, titleLine } from "../../widgets/cells.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { accountRoute } from "../account/redirect.ts";
import { NODE_ACCOUNT, StatePanel } from "../account/state-panel.tsx";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { Holders } from "./holders.tsx";
import { PriceChart } from "./price-chart.tsx";
import { CANDLES, PRICE } from "./prices.ts";
import { STATISTICS, Statistics } from "./statistics.tsx";
import { nameWarning, tokenFacts, tokenName } from "./summary.ts";

const META = endpointAt("/token/meta");
const HISTORY = endpointAt("/token/historical-data");

/** Days of the history: as many as the API has. */
const HISTORY_DAYS = 30;

/** The lists of a token, by the name of the tab. */
const TABS: readonly (readonly [name: string, endpoint: Endpoint, params: (id: string) => ParameterValues])[] = [
  ["markets", endpointAt("/token/markets"), (id) => ({ token: [id] })],
  ["transfers", endpointAt("/token/transfer"), (id) => ({ address: id })],
  ["defi", endpointAt("/token/defi/activities"), (id) => ({ address: id })],
];

/** Shows a token. */
export function TokenPage({ route, region }: PageProps<EntityRoute>) {
  const { services, navigation } = useExplorer();
  const { id } = route;
  const params = useMemo(() => ({ address: id }), [id]);
  const history = useMemo(() => ({ address: id, range: HISTORY_DAYS }), [id]);
  const nameOf = useNameOf();
  const resource = useResource(META, params);
  const state = useResourceLine(resource);
  const meta = answerObject(resource);
  const clock = relativeClock(services);
  useBindings("screen", [
    {
      ...actionBinding("account.as-account"),
      label: "as account",
      group: "go",
      hint: 60,
      run: () => navigation.open(accountRoute(id)),
    },
  ]);
  const status = useFollow(resource, true);
  const warning = meta && nameWarning(meta, clock);
  const notes: readonly TextLine[] = [
    titleLine(meta ? tokenName(meta, clock) : [], id, region.width),
    ...(state ? [state] : []),
    ...(warning === undefined ? [] : [textLine(`${warning}: verify the mint address.`, "warning")]),
  ];
  const space = summaryHeight(region.height) - notes.length;
  // A node knows no prices.
  const facts = (meta ? tokenFacts(meta, clock, services.unicode, nameOf) : []).filter(
    ({ label }) => label !== "price" || !services.node,
  );
  const supply = useMemo(() => decimalOf(meta?.supply), [meta]);
  const title = [...(meta ? [cellSpan(formatField(TokenMeta, meta, "symbol", clock))] : []), span(" in USD", "note")];
  const tabs: readonly Tab[] = [
    {
      name: "mint",
      endpoint: NODE_ACCOUNT,
      render: (inner, part) => <StatePanel id={id} region={inner} part={part} />,
    },
    {
      name: "price",
      endpoint: PRICE,
      render: (inner, part) => <PriceChart id={id} title={title} region={inner} part={part} />,
    },
    {
      name: "candles",
      endpoint: CANDLES,
      render: (inner, part) => (
        <CandlePanel endpoint={CANDLES} params={params} titleOf={() => title} region={inner} part={part} />
      ),
    },
    {
      name: "statistics",
      endpoint: STATISTICS,
      render: (inner, part) => <Statistics id={id} region={inner} part={part} />,
    },
    { name: "holders", render: (inner, part) => <Holders id={id} supply={supply} region={inner} part={part} /> },
    ...TABS.map(
      ([name, endpoint, paramsFor]): Tab => ({
        name,
        endpoint,
        render: (inner, part) => <ListPanel endpoint={endpoint} params={paramsFor(id)} region={inner} part={part} />,
      }),
    ),
    {
      name: "history",
      endpoint: HISTORY,
      render: (inner, part) => <ListPanel endpoint={HISTORY} params={history} region={inner} part={part} />,
    },
    {
      name: "about",
      render: (inner, part) => (
        <DetailPanel endpoint={META} params={params} region={inner} part={part} addressEntity="token" />
      ),
    },
  ];
  return (
    <EntityLayout
      route={route}
      region={region}
      summary={[...notes, ...summaryLines(facts, region.width, space)]}
      tabs={tabs}
      status={status}
    />
  );
}
