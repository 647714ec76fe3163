/** A chart of an answer with its heading, its cursor and its rows: the frame of all pages with charts. */

import { Box } from "ink";
import { type ReactNode, useMemo, useState } from "react";
import type { Json } from "../../../base/index.ts";
import type { Resource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../navigation/context.ts";
import { bindAction, refreshBinding, valuesBinding } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { useTheme } from "../../navigation/theme/use-theme.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { drawChart } from "./frame.ts";
import { type ChartChoice, type ChartHeading, headingLines } from "./heading.ts";
import type { ChartStyle, PlotOf } from "./plot.ts";

interface ChartPanelProps {
  /** The request behind the chart: its status is shown until there is a plot. */
  readonly resource: Resource;
  /** What is drawn. The same function as long as the data is the same; undefined before the answer. */
  readonly plot: PlotOf | undefined;
  /** Precedes the numbers of the axis, such as `$`, or follows them, such as `%`. */
  readonly unit?: string | undefined;
  readonly empty: string;
  readonly cursor: ChartCursor;
  /** Returns what is said about a point, or about the whole chart. */
  readonly heading: (index: number | undefined) => ChartHeading;
  readonly choice?: ChartChoice | undefined;
  /** The rows behind the points, by index: the row at the cursor can be copied. */
  readonly rows?: readonly Json[] | undefined;
  readonly rowAt?: ((index: number) => Json | undefined) | undefined;
  /** Renders the rows in place of the chart. */
  readonly table?: ((region: Region, part: string) => ReactNode) | undefined;
  readonly bindings?: readonly Binding[];
  readonly region: Region;
  readonly part: string;
}

/** Returns what the terminal can draw. */
export function useChartStyle(): ChartStyle {
  const { services } = useExplorer();
  const { paint } = useTheme();
  const { unicode } = services;
  const { colors } = paint;
  return useMemo(() => ({ unicode, colors }), [unicode, colors]);
}

/** Shows a chart or its rows. */
export function ChartPanel(props: ChartPanelProps) {
  const { resource, plot, cursor, choice, table, region, part, bindings = [] } = props;
  const [isTable, setTable] = useViewState(`${part} isTable`, false);
  const hasTable = table !== undefined;
  const status = useResourceLine(resource);
  useBindings("screen", [
    ...bindings,
    ...(isTable ? [] : cursor.bindings),
    ...(hasTable ? [valuesBinding(isTable ? "chart" : "table", () => setTable((before) => !before))] : []),
    refreshBinding(resource.refresh, !isTable),
  ]);
  const row = cursor.index === undefined ? undefined : props.rowAt?.(cursor.index);
  useSubject(
    isTable ? undefined : { request: resource.request, rows: props.rows, ...(row === undefined ? {} : { row }) },
  );
  const { width, height, top } = region;
  // Pointing shows a point without moving the cursor.
  const [pointed, setPointed] = useState<number>();
  const index = pointed ?? cursor.index;
  if (!plot && !isTable) return <ResourceStatus resource={resource} region={region} />;
  const heading = headingLines(props.heading(index), choice, width, height);
  const lines = status ? [...heading, status] : heading;
  const inner = { width, height: Math.max(0, height - lines.length), top: top + lines.length };
  const chooseRange = ({ type, hit }: MouseEvent) => {
    if (type === "click" && typeof hit === "number") choice?.choose(hit);
  };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={lines} width={width} height={Math.min(lines.length, height)} onMouse={chooseRange} />
      {isTable && table ? (
        table(inner, `${part} table`)
      ) : (
        <Chart {...props} plot={plot} index={index} region={inner} point={setPointed} />
      )}
    </Box>
  );
}

interface ChartProps extends Pick<ChartPanelProps, "plot" | "unit" | "empty" | "cursor" | "region"> {
  readonly index: number | undefined;
  readonly point: (index: number | undefined) => void;
}

/** Draws a chart. It is drawn once for an answer and a size; a cursor that moves changes a column of it. */
function Chart({ plot, unit, empty, cursor, region, index, point }: ChartProps) {
  const style = useChartStyle();
  const { width, height } = region;
  const drawing = useMemo(
    () => plot && drawChart(plot, { ...style, width, height, unit, empty }),
    [plot, style, width, height, unit, empty],
  );
  const lines = useMemo(() => drawing?.lines(index) ?? [], [drawing, index]);
  const onMouse = ({ type, x }: MouseEvent) => {
    if (type === "leave") point(undefined);
    else if (type === "move") point(drawing?.indexAt(x));
    else if (type === "click") cursor.select(drawing?.indexAt(x));
  };
  return <Lines lines={lines} width={width} height={height} onMouse={onMouse} hover />;
}

interface ChartCursor {
  /** The index of the point; undefined without a cursor. */
  readonly index: number | undefined;
  readonly select: (index: number | undefined) => void;
  readonly bindings: readonly Binding[];
}

/** Returns the index after a step from an index or, without one, from beyond the newest point. */
function steppedIndex(index: number | undefined, by: number, count: number): number | undefined {
  const next = (index ?? count) + by;
  return next >= count ? undefined : Math.max(0, next);
}

/**
 * Returns the cursor of a chart.
 * @param part names the chart within its page
 * @param times Unix seconds of its points, in ascending order
 */
export function useChartCursor(part: string, times: readonly number[]): ChartCursor {
  const [selected, setSelected] = useViewState<number | undefined>(`${part} cursor`, undefined);
  const index = useMemo(() => {
    const at = selected === undefined ? -1 : times.indexOf(selected);
    return at < 0 ? undefined : at;
  }, [selected, times]);
  const select = (to: number | undefined) => setSelected(to === undefined ? undefined : times[to]);
  const step = (by: number) => () =>
    setSelected((before) => {
      const at = before === undefined ? -1 : times.indexOf(before);
      const to = steppedIndex(at < 0 ? undefined : at, by, times.length);
      return to === undefined ? undefined : times[to];
    });
  const hasPoints = times.length > 0;
  const bindings: readonly Binding[] = [
    { ...bindAction("move.left", "earlier value", step(-1), { hint: 14, active: hasPoints }), keys: ["left", "h"] },
    { ...bindAction("move.right", "later value", step(1), { active: hasPoints }), keys: ["right", "l"] },
    bindAction("move.first", "first value", () => select(0), { active: hasPoints }),
    bindAction("move.last", "newest value", () => select(undefined), { active: hasPoints }),
    bindAction("view.cancel", "remove the cursor", () => select(undefined), { hint: 9, active: index !== undefined }),
  ];
  return { index, select, bindings };
}
