/** The layout of the home page, and its top: how to search, whether the page refreshes, and the state of the chain. */
import { useRef, useSyncExternalStore } from "react";
import { objectsOf, pluralize } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { type Resource, useLiveResource } from "../../data/hooks.ts";
import type { LiveState, LiveStatus } from "../../data/live.ts";
import { LIVE_SHARES } from "../../data/live-plan.ts";
import { useResourceLine } from "../../data/status.tsx";
import { ageText } from "../../data/status-text.ts";
import { Lines } from "../../frame/lines.tsx";
import { paneLines } from "../../frame/pane.tsx";
import { layOutPanes, type PaneNeeds } from "../../frame/pane-layout.ts";
import { type Explorer, type Size, useExplorer } from "../../navigation/context.ts";
import type { QuotaView } from "../../navigation/data-store.ts";
import type { ActionName } from "../../navigation/keys/actions.ts";
import { formatKeyHints, type KeyLabels, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import { fitLine, joinEnds, lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { type ChainGauge, chainGauges, clusterGauges, unitsText } from "./gauges.ts";
import { CHAIN, type HomeSection, LATEST_BLOCKS, PERFORMANCE, STATUS, TOP_TOKENS } from "./sections.ts";

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

interface SectionPane extends PaneNeeds {
  readonly section: HomeSection;
}

interface HomeLayout {
  /** Number of lines of the summary at the top, of which the first is the search hint. */
  readonly summary: number;
  readonly hasCards: boolean;
  /** The sections in columns; where only one fits, the open one is visible with tabs. */
  readonly columns: ReturnType<typeof layOutPanes<SectionPane>>;
}

/** The region from which on the summary has cards. */
const MIN_CARDS: Size = { width: 100, height: 30 };
/** The lowest region with a line of gauges. */
const MIN_GAUGES_HEIGHT = 14;

/** Divides a region among sections: among all of them, or it shows one. */
export function layOutHome(
  { width, height }: Size,
  sections: readonly HomeSection[],
  open: HomeSection | undefined,
): HomeLayout {
  const hasCards = width >= MIN_CARDS.width && height >= MIN_CARDS.height;
  const summary = 1 + (hasCards ? CARD_HEIGHT : height >= MIN_GAUGES_HEIGHT ? 1 : 0);
  const space = { width, height: Math.max(1, height - summary) };
  const all = layOutPanes(
    sections.map((section) => ({ section, minimum: MIN_SECTION, weight: 1 })),
    space,
  );
  const isComplete = all.flat().length === sections.length;
  const single = isComplete || !open ? [] : [{ section: open, minimum: NO_SIZE, weight: 1 }];
  return { summary, hasCards, columns: isComplete ? all : layOutPanes(single, space) };
}

/** The smallest useful section, with its border. */
const MIN_SECTION: Size = { width: 55, height: 8 };
const NO_SIZE: Size = { width: 0, height: 0 };

/** Height of a card in lines: a value and its note with a border. */
export const CARD_HEIGHT = 4;
/** Minimum width of a drawing, and cells between it and the value. */
const MIN_DRAWING = 8;
const GAP = 1;
/** Cells that the border of a card and the space inside of it take. */
const CARD_SIDES = 4;

const minDrawing = ({ drawing }: ChainGauge) => (drawing ? Math.min(drawing.max, MIN_DRAWING) : 0);

function valueLine({ value, drawing }: ChainGauge, width: number): TextLine {
  if (!drawing || width <= 0) return value;
  const line = drawing.line(Math.min(drawing.max, width));
  return drawing.isFirst ? [...line, span(" "), ...value] : [...value, span(" "), ...line];
}

const valueWidth = (gauge: ChainGauge) => lineWidth(gauge.value) + (gauge.drawing ? GAP + minDrawing(gauge) : 0);

const withValues = (gauges: readonly ChainGauge[]) => gauges.filter(({ value }) => lineWidth(value) > 0);

/** Returns the first gauges that fit into one line. */
export function gaugeLine(gauges: readonly ChainGauge[], width: number): TextLine {
  const line: TextLine[] = [];
  let used = 0;
  for (const gauge of withValues(gauges)) {
    const next = [
      ...(used === 0 ? [] : [span("   ")]),
      span(`${gauge.title} `, "key"),
      ...valueLine(gauge, minDrawing(gauge)),
    ];
    used += lineWidth(next);
    if (used > width) break;
    line.push(next);
  }
  return line.flat();
}

/** Returns the first gauges that fit beside each other as cards, which fill the width. */
export function gaugeCards(gauges: readonly ChainGauge[], width: number, unicode: boolean): readonly TextLine[] {
  const cards: { readonly gauge: ChainGauge; readonly minimum: number }[] = [];
  let free = width;
  for (const gauge of withValues(gauges)) {
    const inside = Math.max(valueWidth(gauge), lineWidth(gauge.note ?? []), gauge.title.length + 2);
    if (inside + CARD_SIDES > free) break;
    cards.push({ gauge, minimum: inside + CARD_SIDES });
    free -= inside + CARD_SIDES;
  }
  const widths = grow(cards, free);
  const drawn = cards.map(({ gauge }, at) => cardLines(gauge, widths[at] ?? 0, unicode));
  return Array.from({ length: CARD_HEIGHT }, (_, line) => drawn.flatMap((card) => card[line] ?? []));
}

/** Distributes free cells: first to drawings, up to their maximum, the rest evenly. */
function grow(
  cards: readonly { readonly gauge: ChainGauge; readonly minimum: number }[],
  free: number,
): readonly number[] {
  const widths = cards.map(({ minimum }) => minimum);
  const missing = cards.map(({ gauge }) => (gauge.drawing ? gauge.drawing.max - minDrawing(gauge) : 0));
  for (let left = free, at = 0; left > 0 && cards.length > 0; at = (at + 1) % cards.length) {
    const isMissing = (missing[at] ?? 0) > 0;
    if (!isMissing && missing.some((one) => one > 0)) continue;
    widths[at] = (widths[at] ?? 0) + 1;
    missing[at] = (missing[at] ?? 0) - 1;
    left -= 1;
  }
  return widths;
}

function cardLines(gauge: ChainGauge, width: number, unicode: boolean): readonly TextLine[] {
  const inside = width - CARD_SIDES;
  const drawing = gauge.drawing ? inside - lineWidth(gauge.value) - GAP : 0;
  const content = [valueLine(gauge, drawing), gauge.note ?? []].map(
    (line): TextLine => [span(" "), ...fitLine(line, inside)],
  );
  return paneLines(content, { title: gauge.title }, { width, height: CARD_HEIGHT }, unicode);
}
