/** The page of a market: a pool, its reserves and its volume. */

import { useMemo } from "react";
import { WELL_KNOWN_TOKENS } from "../../../catalogue/index.ts";
import { MarketVolume } from "../../../catalogue/schemas.ts";
import { useNameOf, useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import { answerObject, endpointAt, relativeClock, titleLine } from "../../widgets/cells.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { DetailPanel, ValuePanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { LiquidityChart, type MarketDays, VolumeChart } from "./daily-chart.tsx";
import { marketFacts, mintsOf, pairLine, pricedLine } from "./summary.ts";

const INFO = endpointAt("/market/info");
const VOLUME = endpointAt("/market/volume");
const META = endpointAt("/token/meta");
const DEFI = endpointAt("/token/defi/activities");
const CANDLES = endpointAt("/market/price-ohlcv");
const POSITIONS = endpointAt("/market/positions");

/** Shows a market. */
export function MarketPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const { id } = route;
  const [days, setDays] = useViewState<MarketDays>("days", 30);
  const params = useMemo(() => ({ address: id }), [id]);
  const volumeParams = useMemo(() => ({ address: id, time: [`${days}d`, "today"] }), [id, days]);
  const [info, volume] = [useResource(INFO, params), useResource(VOLUME, volumeParams)];
  const [first = "", second = ""] = mintsOf(answerObject(info));
  const nameOf = useNameOf();
  useSymbol(first);
  useSymbol(second);
  const state = useResourceLine(info);
  useBindings("screen", [
    { ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 40, run: volume.refresh },
  ]);
  const market = { info: answerObject(info), volume: answerObject(volume), nameOf };
  const clock = relativeClock(services);
  const facts = marketFacts(market, clock, services.unicode);
  const notes = [titleLine(pairLine(market), id, region.width), ...(state ? [state] : [])];
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const tabs: readonly Tab[] = [
    {
      name: "candles",
      render: (inner, part) => (
        <CandlePanel
          endpoint={CANDLES}
          params={params}
          titleOf={(data) => pricedLine(data, nameOf)}
          region={inner}
          part={part}
        />
      ),
    },
    {
      name: "volume",
      render: (inner, part) => (
        <VolumeChart resource={volume} days={days} setDays={setDays} region={inner} part={part} />
      ),
    },
    {
      name: "liquidity",
      render: (inner, part) => (
        <LiquidityChart info={market.info} resource={volume} days={days} setDays={setDays} region={inner} part={part} />
      ),
    },
    {
      name: "statistics",
      render: (inner: Region, part) => (
        <ValuePanel
          value={answerObject(volume) ?? {}}
          entity={MarketVolume}
          request={volume.request}
          region={inner}
          part={part}
        />
      ),
    },
    {
      name: "positions",
      render: (inner, part) => <ListPanel endpoint={POSITIONS} params={params} region={inner} part={part} />,
    },
    {
      name: "defi",
      active: first !== "",
      render: (inner, part) => (
        <ListPanel endpoint={DEFI} params={{ address: first, source: [id] }} region={inner} part={part} />
      ),
    },
    {
      name: "about",
      render: (inner, part) => (
        <DetailPanel endpoint={INFO} params={params} region={inner} part={part} addressEntity="market" />
      ),
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} />;
}

/** Requests the metadata of a reserve's token for its symbol, unless that is built in. */
function useSymbol(mint: string): void {
  const params = useMemo(() => ({ address: mint }), [mint]);
  useResource(META, params, mint !== "" && !WELL_KNOWN_TOKENS.has(mint));
}
