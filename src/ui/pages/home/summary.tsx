/** The top of the home page: how to search, whether the page refreshes, and the state of the chain. */
import { useRef, useSyncExternalStore } from "react";
import { objectsOf, pluralize } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { type Resource, useLiveResource } from "../../data/hooks.ts";
import type { LiveState, LiveStatus } from "../../data/live.ts";
import { LIVE_SHARES } from "../../data/live-plan.ts";
import { useResourceLine } from "../../data/status.tsx";
import { ageText } from "../../data/status-text.ts";
import { Lines } from "../../frame/lines.tsx";
import { type Explorer, useExplorer } from "../../navigation/context.ts";
import type { EndpointRequest, QuotaView } from "../../navigation/data-store.ts";
import type { ActionName } from "../../navigation/keys/actions.ts";
import { formatKeyHints, type KeyLabels, keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { type ChainGauge, chainGauges, clusterGauges, unitsText } from "./gauges.ts";
import { gaugeCards, gaugeLine, type HomeLayout } from "./layout.ts";
import { LATEST_BLOCKS, TOP_TOKENS } from "./sections.ts";

const NO_PARAMS = {};
/** The state of the chain, of the cluster of a node, and the minutes of the cluster. */
export const CHAIN: EndpointRequest = { endpoint: endpointAt("/chaininfo", "public"), params: NO_PARAMS };
export const STATUS: EndpointRequest = { endpoint: endpointAt("/node/status", "node"), params: NO_PARAMS };
export const PERFORMANCE: EndpointRequest = { endpoint: endpointAt("/node/performance", "node"), params: NO_PARAMS };

interface SummaryProps {
  readonly width: number;
  readonly layout: Pick<HomeLayout, "summary" | "hasCards">;
  readonly live: LiveState;
}

/** The summary with the API. */
export function ChainSummary(props: SummaryProps) {
  const { services } = useExplorer();
  const chain = useLiveResource(CHAIN);
  const blocks = objectsOf(useLiveResource(LATEST_BLOCKS).answer?.rows);
  const tokens = objectsOf(useLiveResource(TOP_TOKENS).answer?.rows);
  const sol = tokens.find(({ address }) => address === WRAPPED_SOL);
  const data = { chain: answerObject(chain), blocks, sol, units: useUnits() };
  const gauges = chainGauges(data, relativeClock(services), services.unicode);
  return <SummaryLines {...props} resource={chain} gauges={gauges} />;
}

/** The summary with a node. */
export function ClusterSummary(props: SummaryProps) {
  const { services } = useExplorer();
  const status = useLiveResource(STATUS);
  const samples = objectsOf(useLiveResource(PERFORMANCE).answer?.rows);
  const data = answerObject(status);
  const gauges = data ? clusterGauges({ status: data, samples }, relativeClock(services), services.unicode) : [];
  return <SummaryLines {...props} resource={status} gauges={gauges} />;
}

/** Returns the compute units left; the same object until their text changes, since every request costs some. */
function useUnits(): QuotaView["units"] {
  const { data } = useExplorer();
  const displayed = useRef(data.quota().units);
  return useSyncExternalStore(data.subscribe, () => {
    const { units } = data.quota();
    if (unitsText(units) !== unitsText(displayed.current)) displayed.current = units;
    return displayed.current;
  });
}

interface SummaryLinesProps extends SummaryProps {
  readonly resource: Resource;
  readonly gauges: readonly ChainGauge[];
}

function SummaryLines({ width, layout, live, resource, gauges }: SummaryLinesProps) {
  const explorer = useExplorer();
  const { unicode } = explorer.services;
  const state = useResourceLine(resource);
  const values = layout.hasCards ? gaugeCards(gauges, width, unicode) : [gaugeLine(gauges, width)];
  const lines = [topLine(live, width, explorer), ...(state ? [state, ...values.slice(1)] : values)];
  return <Lines lines={lines} width={width} height={layout.summary} />;
}

/** Returns the search hint, and at the right end whether the page refreshes and what that costs. */
function topLine(live: LiveState, width: number, explorer: Explorer): TextLine {
  const keyOf = keyLabelsOf(explorer);
  const press = (line: TextLine, name: ActionName) =>
    line.map((one): Span => ({ ...one, press: explorer.keys.keyOf(name) }));
  const search = searchHint(keyOf("go.search"));
  const right = liveVariants(live, keyOf).find((line) => lineWidth(line) + MIN_SEARCH <= width) ?? [];
  const space = width - lineWidth(right) - 2;
  const left = search.find((line) => lineWidth(line) <= space) ?? [];
  return joinEnds(press(left, "go.search"), press(right, "list.auto"), width);
}

/** Cells that the search hint has in any case. */
const MIN_SEARCH = 54;

function searchHint(key: string | undefined): readonly TextLine[] {
  const paste = "paste an address, signature, slot or link";
  if (key === undefined) return [[span(`${paste} to open it`, "note")], [span(paste, "note")]];
  return [`search and commands · ${paste} to open it`, `search · ${paste}`, `search · ${paste.slice(0, 16)}`].map(
    (text) => [span(key, "hotkey"), span(` ${text}`, "note")],
  );
}

/** Why a page does not refresh. */
const OFF_TEXTS: Readonly<Record<Exclude<LiveStatus, "on">, string>> = {
  paused: "paused · press any key",
  scarce: "not live: few units left",
  still: "sandbox: no new blocks",
  off: "paused",
};

/** Returns the state of the refreshes, the longest form first. */
function liveVariants({ status, everyMs, costPerHour }: LiveState, keyOf: KeyLabels): readonly TextLine[] {
  const key = formatKeyHints(keyOf, [["list.auto", status === "on" ? "pause" : "resume"]]);
  const hint = key === "" || status === "paused" || status === "still" ? [] : [span(` · ${key}`, "note")];
  if (status !== "on") {
    const state = [span("○ ", "note"), span(OFF_TEXTS[status], status === "still" ? "note" : "warning")];
    return [[...state, ...hint], state];
  }
  const live: TextLine = [span("● ", "good"), span("live", "good")];
  const pace = span(` every ${ageText(Math.min(...everyMs))}`, "note");
  if (costPerHour === 0) return [[...live, pace, ...hint], live];
  const share = `${LIVE_SHARES.unitsPerHour * 100}%`;
  const cost = ` · ${pluralize(costPerHour, "unit")}/h`;
  return [
    [...live, pace, span(`${cost}, at most ${share} of those left`, "note"), ...hint],
    [...live, pace, span(cost, "note"), ...hint],
    [...live, pace, ...hint],
  ];
}
