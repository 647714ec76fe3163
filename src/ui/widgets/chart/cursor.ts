/** The cursor of a chart: the point that it is on, which is stored by its time. */
import { useMemo } from "react";
import { useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
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
    { ...bindAction("move.left", "earlier value", step(-1), { hint: 14, active: hasPoints }), keys: ["left", "h"] },
    { ...bindAction("move.right", "later value", step(1), { active: hasPoints }), keys: ["right", "l"] },
    bindAction("move.first", "first value", () => select(0), { active: hasPoints }),
    bindAction("move.last", "newest value", () => select(undefined), { active: hasPoints }),
    bindAction("view.cancel", "remove the cursor", () => select(undefined), { hint: 9, active: index !== undefined }),
  ];
  return { index, select, bindings };
}
