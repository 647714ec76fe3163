/** Candles of a pool or a token, with their resolution, a selected candle and a table. */
import { Box } from "ink";
import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import type { CandleResolution, Endpoint, ParameterValues } from "../../../catalogue/index.ts";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { refreshBinding, valuesBinding } from "../../app/keys/bindings.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import { Lines } from "../../app/lines.tsx";
import { fitLine, joinEnds, lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { answerObject, relativeClock } from "../cells.ts";
import { ListPanel } from "../list/panel.tsx";
import {
  candleLine,
  candleRows,
  candlesLine,
  isDailyResolution,
  nextResolution,
  resolutionLine,
} from "./candle-rows.ts";
import { candleCapacity, candleChart, visibleEnd } from "./candles.ts";

/** Candles of a request: more than fit on most screens, for scrolling. */
const CANDLES = 500;
/** Cells per candle, from the most candles to the widest ones. */
const STEPS = [1, 2, 4, 6] as const;

interface PanelState {
  readonly resolution: CandleResolution;
  /** Index of {@link STEPS}. */
  readonly zoom: number;
  /** The time of the selected candle. */
  readonly selected: number | undefined;
  /** The time of the last visible candle while one is selected. */
  readonly last: number | undefined;
  readonly isTable: boolean;
  readonly isInverted: boolean;
}

const INITIAL_STATE: PanelState = {
  resolution: "1h",
  zoom: 1,
  selected: undefined,
  last: undefined,
  isTable: false,
  isInverted: false,
};

interface CandlePanelProps {
  /** An endpoint with rows of candles and the parameters `res` and `candles`. */
  readonly endpoint: Endpoint;
  /** The parameters that identify the subject. */
  readonly params: ParameterValues;
  /** Returns what is priced, such as `SOL in USDC`, from the data of the answer. */
  readonly titleOf?: (data: JsonObject | undefined) => TextLine;
  readonly region: Region;
  readonly part: string;
}

/** Shows candles as a chart or as rows. */
export function CandlePanel({ endpoint, params, titleOf, region, part }: CandlePanelProps) {
  const explorer = useExplorer();
  const { services } = explorer;
  const { unicode } = services;
  const [state, set] = useViewState(part, INITIAL_STATE);
  const { resolution, zoom, isTable, isInverted } = state;
  const canInvert = endpoint.query.direction !== undefined;
  const request = useMemo(
    () => ({ ...params, res: resolution, candles: CANDLES, ...(canInvert && isInverted ? { direction: "base" } : {}) }),
    [params, resolution, canInvert, isInverted],
  );
  const resource = useResource(endpoint, request);
  const status = useResourceLine(resource);
  const rows = resource.answer?.rows;
  const candles = useMemo(() => candleRows(rows ?? []), [rows]);
  const { width, height, top } = region;
  const step = STEPS[zoom] ?? 2;
  const at = state.selected === undefined ? -1 : candles.findIndex(({ time }) => time === state.selected);
  const selected = at < 0 ? undefined : at;
  const lastIndex = candles.findIndex(({ time }) => time === state.last);
  const capacity = candleCapacity(width, step);
  const end = visibleEnd(candles.length, capacity, selected, lastIndex < 0 ? candles.length : lastIndex + 1);
  const select = (index: number | undefined) => {
    const to = index === undefined ? undefined : Math.max(0, Math.min(candles.length - 1, index));
    const last = to === undefined ? undefined : candles[visibleEnd(candles.length, capacity, to, end) - 1]?.time;
    set((before) => ({ ...before, selected: to === undefined ? undefined : candles[to]?.time, last }));
  };
  useBindings("screen", [
    ...viewBindings(state, set, canInvert),
    ...selectionBindings({ count: candles.length, selected, select, active: !isTable }),
    refreshBinding(resource.refresh, !isTable),
  ]);
  const current = selected === undefined ? undefined : candles[selected];
  useSubject(isTable ? undefined : { request: resource.request, rows, row: current?.row });
  if (!rows && !isTable) return <ResourceStatus resource={resource} region={region} />;
  const clock = relativeClock(services);
  const title = titleOf?.(answerObject(resource)) ?? [];
  const visible = candles.slice(Math.max(0, end - capacity), end);
  const words = current ? candleLine(current, clock, unicode, width) : candlesLine(visible, unicode);
  const header = headerLines(title, words, resolutionLine(resolution, width), width, height);
  const lines = status ? [...header, status] : header;
  const inner = { width, height: height - lines.length, top: top + lines.length };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={lines} width={width} height={Math.min(lines.length, height)} />
      {isTable ? (
        <ListPanel endpoint={endpoint} params={request} region={inner} part={`${part} table`} />
      ) : (
        <Lines
          lines={candleChart(candles, {
            ...inner,
            unicode,
            colored: services.colorScheme !== "none" && explorer.theme !== "mono",
            step,
            isDaily: isDailyResolution(resolution),
            last: end - 1,
            selected,
            empty: "No trades with these candles. > selects longer ones.",
          })}
          width={width}
          height={inner.height}
        />
      )}
    </Box>
  );
}

/** Minimum height with two lines above the chart. */
const MIN_TALL = 10;

/** Returns the title, the numbers and the resolutions in as few lines as they need. */
function headerLines(
  title: TextLine,
  words: TextLine,
  resolutions: TextLine,
  width: number,
  height: number,
): readonly TextLine[] {
  const all: TextLine = title.length === 0 ? words : [...title, span("  "), ...words];
  if (lineWidth(all) + lineWidth(resolutions) + 2 <= width) return [joinEnds(all, resolutions, width)];
  if (height < MIN_TALL) return [fitLine(words, width)];
  const isTitleShort = lineWidth(title) + lineWidth(resolutions) + 2 <= width;
  return [isTitleShort ? joinEnds(title, resolutions, width) : fitLine(resolutions, width), fitLine(words, width)];
}

type SetState = (after: (before: PanelState) => PanelState) => void;

function viewBindings(
  { zoom, isTable, isInverted, resolution }: PanelState,
  set: SetState,
  canInvert: boolean,
): readonly Binding[] {
  const change = (changes: (before: PanelState) => Partial<PanelState>) => () =>
    set((before) => ({ ...before, ...changes(before) }));
  const resolve = (by: number) =>
    change((before) => ({ resolution: nextResolution(before.resolution, by), selected: undefined, last: undefined }));
  return [
    {
      ...actionBinding("chart.longer"),
      label: "longer candles",
      group: "view",
      hint: 11,
      active: resolution !== "1Y",
      run: resolve(1),
    },
    {
      ...actionBinding("chart.shorter"),
      label: "shorter candles",
      group: "view",
      hint: 12,
      active: resolution !== "1m",
      run: resolve(-1),
    },
    {
      ...actionBinding("chart.more"),
      label: "more candles",
      group: "view",
      hint: 15,
      active: !isTable && zoom > 0,
      run: change((before) => ({ zoom: Math.max(0, before.zoom - 1) })),
    },
    {
      ...actionBinding("chart.less"),
      label: "fewer candles",
      group: "view",
      hint: 16,
      active: !isTable && zoom < STEPS.length - 1,
      run: change((before) => ({ zoom: Math.min(STEPS.length - 1, before.zoom + 1) })),
    },
    valuesBinding(
      isTable ? "chart" : "table",
      change((before) => ({ isTable: !before.isTable })),
    ),
    {
      ...actionBinding("chart.invert"),
      label: isInverted ? "price of the first" : "price of the second",
      group: "view",
      hint: 17,
      active: canInvert,
      run: change((before) => ({ isInverted: !before.isInverted })),
    },
  ];
}

interface Selection {
  readonly count: number;
  readonly selected: number | undefined;
  readonly select: (index: number | undefined) => void;
  readonly active: boolean;
}

function selectionBindings({ count, selected, select, active }: Selection): readonly Binding[] {
  const hasCandles = active && count > 0;
  return [
    {
      ...actionBinding("move.left"),
      label: "earlier candle",
      group: "move",
      hint: 13,
      active: hasCandles,
      run: () => select((selected ?? count) - 1),
    },
    {
      ...actionBinding("move.right"),
      label: "later candle",
      group: "move",
      active: hasCandles,
      run: () => select(selected === count - 1 ? undefined : (selected ?? count) + 1),
    },
    { ...actionBinding("move.first"), label: "first candle", group: "move", active: hasCandles, run: () => select(0) },
    {
      ...actionBinding("move.last"),
      label: "newest candle",
      group: "move",
      active: hasCandles,
      run: () => select(undefined),
    },
  ];
}
