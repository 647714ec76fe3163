/** The cursor of a chart: the point that it is on, which is stored by its time. */
import { useMemo } from "react";
import { useViewState } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";

/** A cursor on points. */
export interface ChartCursor {
  /** The index of the point; undefined without a cursor. */
  readonly index: number | undefined;
  /** Moves to a point, or removes the cursor. */
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
    {
      ...actionBinding("move.left"),
      keys: ["left", "h"],
      label: "earlier value",
      group: "move",
      hint: 14,
      active: hasPoints,
      run: step(-1),
    },
    {
      ...actionBinding("move.right"),
      keys: ["right", "l"],
      label: "later value",
      group: "move",
      active: hasPoints,
      run: step(1),
    },
    { ...actionBinding("move.first"), label: "first value", group: "move", active: hasPoints, run: () => select(0) },
    {
      ...actionBinding("move.last"),
      label: "newest value",
      group: "move",
      active: hasPoints,
      run: () => select(undefined),
    },
    {
      ...actionBinding("view.cancel"),
      label: "remove the cursor",
      group: "view",
      hint: 9,
      active: index !== undefined,
      run: () => select(undefined),
    },
  ];
  return { index, select, bindings };
}
