/** Candles of a pool or a token, with their resolution. */
import { useEffect, useMemo } from "react";
import { type JsonObject, percentChange, toDecimal } from "../../../base/index.ts";
import {
  CANDLE_RESOLUTIONS,
  type CandleResolution,
  type Endpoint,
  type ParameterValues,
} from "../../../catalogue/index.ts";
import { formatPrice } from "../../../output/index.ts";
import { useResource } from "../../data/hooks.ts";
import { type Region, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, changeSpan } from "../cells.ts";
import { ListPanel } from "../list/panel.tsx";
import {
  type CandleRow,
  candleCapacity,
  candleExtremes,
  candleParts,
  candleRows,
  candlesPlot,
  isDailyResolution,
  visibleEnd,
  volumeParts,
} from "./candles.ts";
import { fieldWidthOf } from "./frame.ts";
import { type ChartHeading, nextRange } from "./heading.ts";
import { ChartPanel, useChartCursor } from "./panel.tsx";
import { timeText } from "./series.ts";

/** Candles of a request: more than fit on most screens, for scrolling. */
const CANDLES = 500;
/** Cells per candle, from the most candles to the widest ones. */
const STEPS = [1, 2, 4, 6] as const;

interface PanelState {
  readonly resolution: CandleResolution;
  readonly step: (typeof STEPS)[number];
  readonly isInverted: boolean;
}

const INITIAL_STATE: PanelState = { resolution: "1h", step: 2, isInverted: false };

interface CandlePanelProps {
  /** An endpoint with rows of candles and the parameters `res` and `candles`. */
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  /** Returns what is priced, such as `SOL in USDC`, from the data of the answer. */
  readonly titleOf: (data: JsonObject | undefined) => TextLine;
  readonly region: Region;
  readonly part: string;
}

/** Shows candles as a chart or as rows. */
export function CandlePanel({ endpoint, params, titleOf, region, part }: CandlePanelProps) {
  const { services } = useExplorer();
  const [state, set] = useViewState(part, INITIAL_STATE);
  const { resolution, step, isInverted } = state;
  const canInvert = endpoint.query.direction !== undefined;
  const request = useMemo(
    () => ({ ...params, res: resolution, candles: CANDLES, ...(canInvert && isInverted ? { direction: "base" } : {}) }),
    [params, resolution, canInvert, isInverted],
  );
  const resource = useResource(endpoint, request);
  const rows = resource.answer?.rows;
  const candles = useMemo(() => candleRows(rows ?? []), [rows]);
  const times = useMemo(() => candles.map(({ time }) => time), [candles]);
  const cursor = useChartCursor(part, times);
  const capacity = candleCapacity(fieldWidthOf(region.width), step);
  const end = useVisibleEnd(part, times, capacity, cursor.index);
  const plot = useMemo(
    () => (rows ? candlesPlot(candles, { step, end, most: capacity }) : undefined),
    [rows, candles, step, end, capacity],
  );
  const title = titleOf(answerObject(resource));
  const isDaily = isDailyResolution(resolution);
  const heading = (index: number | undefined): ChartHeading => {
    const visible = candles.slice(Math.max(0, end - capacity), end);
    const current = index === undefined ? undefined : candles[index];
    return { title, ...candleHeading(current, visible, isDaily, services.unicode) };
  };
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      empty="No trades with these candles. > selects longer ones."
      cursor={cursor}
      heading={heading}
      choice={{
        labels: CANDLE_RESOLUTIONS,
        current: CANDLE_RESOLUTIONS.indexOf(resolution),
        choose: (at) => set((before) => ({ ...before, resolution: CANDLE_RESOLUTIONS[at] ?? before.resolution })),
      }}
      rows={rows}
      rowAt={(index) => candles[index]?.row}
      table={(inner, tablePart) => <ListPanel endpoint={endpoint} params={request} region={inner} part={tablePart} />}
      bindings={viewBindings(state, set, canInvert)}
      region={region}
      part={part}
    />
  );
}

/** Returns the index after the last visible candle, which moves as little as the cursor requires. */
function useVisibleEnd(part: string, times: readonly number[], capacity: number, selected: number | undefined): number {
  const [last, setLast] = useViewState<number | undefined>(`${part} last`, undefined);
  const at = last === undefined ? -1 : times.indexOf(last);
  const end = visibleEnd(times.length, capacity, selected, at < 0 ? times.length : at + 1);
  const now = selected === undefined ? undefined : times[end - 1];
  useEffect(() => {
    if (now !== last) setLast(now);
  });
  return end;
}

/** Returns what is said about the candle of the cursor, or about all that are visible. */
function candleHeading(
  current: CandleRow | undefined,
  visible: readonly CandleRow[],
  isDaily: boolean,
  unicode: boolean,
): Pick<ChartHeading, "values" | "details"> {
  const [first, last] = current ? [current, current] : [visible[0], visible.at(-1)];
  const [open, close] = [toDecimal(first?.row.open_price), toDecimal(last?.row.close_price)];
  const change = open && close && percentChange(open, close);
  const since = current ? [] : [span(` since ${timeText(first?.time ?? 0, isDaily)}`, "note")];
  return {
    values: [
      ...(close ? [[span(formatPrice(close), "title")]] : []),
      ...(current ? [[span(timeText(current.time, isDaily), "marked")]] : []),
      ...(change ? [[changeSpan(change, unicode), ...since]] : []),
    ],
    details: current ? candleParts(current.row) : [...candleExtremes(visible, isDaily), ...volumeParts(visible)],
  };
}

type SetState = (after: (before: PanelState) => PanelState) => void;

function viewBindings(
  { step, isInverted, resolution }: PanelState,
  set: SetState,
  canInvert: boolean,
): readonly Binding[] {
  const change = (changes: (before: PanelState) => Partial<PanelState>) => () =>
    set((before) => ({ ...before, ...changes(before) }));
  const resolve = (by: number) =>
    change((before) => ({ resolution: nextRange(CANDLE_RESOLUTIONS, before.resolution, by) }));
  const widen = (by: number) => change((before) => ({ step: nextRange(STEPS, before.step, by) }));
  return [
    bindAction("chart.longer", "longer candles", resolve(1), { hint: 11, active: resolution !== "1Y" }),
    bindAction("chart.shorter", "shorter candles", resolve(-1), { hint: 12, active: resolution !== "1m" }),
    bindAction("chart.more", "more candles", widen(-1), { hint: 15, active: step !== STEPS[0] }),
    bindAction("chart.less", "fewer candles", widen(1), { hint: 16, active: step !== STEPS.at(-1) }),
    bindAction(
      "chart.invert",
      isInverted ? "price of the first" : "price of the second",
      change((before) => ({ isInverted: !before.isInverted })),
      { hint: 17, active: canInvert },
    ),
  ];
}
