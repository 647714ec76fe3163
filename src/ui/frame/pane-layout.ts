/** Divides a region among panes. Pure. */
import type { Size } from "../navigation/context.ts";

/** What a pane needs, its border included. */
export interface PaneNeeds {
  readonly minimum: Size;
  /** Its share of the area, compared with the other panes. */
  readonly weight: number;
  /** The height that shows all of its content, where this is known: more is given only to panes that all have theirs. */
  readonly enough?: number | undefined;
}

/** A pane and its place in a region, in cells from the top left. */
export interface PlacedPane<P> extends Size {
  readonly pane: P;
  readonly left: number;
  readonly top: number;
}

const MAX_COLUMNS = 4;
/** Lines of a pane with a single line of content. */
const MIN_HEIGHT = 3;
/** The width of a pane in cells for each of its lines: text is read best in a landscape of about this form. */
const FORM = 4;

/**
 * Lays out as many of the first panes as fit, in columns that are read from top to bottom: no pane is smaller than its
 * minimum or what its content needs, none overlap, and together they fill the region. Empty when not even the first one fits.
 */
export function layOutPanes<P extends PaneNeeds>(
  panes: readonly P[],
  size: Size,
): readonly (readonly PlacedPane<P>[])[] {
  for (let count = panes.length; count > 0; count -= 1) {
    const layouts = Array.from({ length: Math.min(count, MAX_COLUMNS) }, (_, at) =>
      splits(panes.slice(0, count), at + 1),
    )
      .flat()
      .flatMap((columns) => placeColumns(columns, size) ?? []);
    const [best] = layouts.toSorted((a, b) => a.badness - b.badness);
    if (best) return best.columns;
  }
  return [];
}

/** Returns all ways to split a list into a number of parts that are not empty. */
function splits<T>(list: readonly T[], parts: number): readonly (readonly (readonly T[])[])[] {
  if (parts === 1) return [[list]];
  return Array.from({ length: list.length - parts + 1 }, (_, at) => at + 1).flatMap((first) =>
    splits(list.slice(first), parts - 1).map((rest) => [list.slice(0, first), ...rest]),
  );
}

/** Places panes in given columns; undefined where their minima do not fit. */
function placeColumns<P extends PaneNeeds>(columns: readonly (readonly P[])[], { width, height }: Size) {
  const sum = (numbers: readonly number[]) => numbers.reduce((before, one) => before + one, 0);
  const weights = columns.map((column) => sum(column.map(({ weight }) => weight)));
  const widths = share(
    width,
    columns.map((column) => Math.max(...column.map(({ minimum }) => minimum.width))),
    weights,
  );
  if (!widths) return undefined;
  const placed: (readonly PlacedPane<P>[])[] = [];
  const areas: Size[] = [];
  for (const [at, column] of columns.entries()) {
    const shares = column.map(({ weight }) => weight);
    const minima = column.map(({ minimum }) => minimum.height);
    // The columns do not depend on contents, which arrive later.
    const plain = share(height, minima, shares);
    if (!plain) return undefined;
    const enough = column.map((pane) => pane.enough);
    const needed = minima.map((minimum, row) => Math.min(minimum, Math.max(MIN_HEIGHT, enough[row] ?? minimum)));
    const heights = share(height, needed, shares, enough) ?? plain;
    areas.push(...plain.map((lines) => ({ width: widths[at] ?? 0, height: lines })));
    const left = sum(widths.slice(0, at));
    placed.push(
      column.map((pane, row) => ({
        ...{ pane, left, top: sum(heights.slice(0, row)) },
        ...{ width: widths[at] ?? 0, height: heights[row] ?? 0 },
      })),
    );
  }
  const total = sum(weights);
  const badness = sum(
    columns.flat().map(({ weight }, at) => {
      const { width: across, height: down } = areas[at] ?? { width: 1, height: 1 };
      const area = (across * down * total) / (width * height * weight);
      return Math.abs(Math.log(area)) + Math.abs(Math.log(across / down / FORM));
    }),
  );
  return { columns: placed, badness };
}

/** Divides a number by weights into parts that are not below their minima; undefined where these exceed it. */
function share(
  whole: number,
  minima: readonly number[],
  weights: readonly number[],
  enough: readonly (number | undefined)[] = [],
): readonly number[] | undefined {
  const parts = [...minima];
  let free = whole - minima.reduce((sum, one) => sum + one, 0);
  if (free < 0) return undefined;
  // Each cell goes to the part that is the smallest for its weight.
  for (; free > 0; free -= 1) {
    const sizes = parts.map((part, at) => part / (weights[at] ?? 1));
    const needy = sizes.map((size, at) => ((parts[at] ?? 0) < (enough[at] ?? whole) ? size : Infinity));
    const candidates = needy.some(Number.isFinite) ? needy : sizes;
    const at = candidates.indexOf(Math.min(...candidates));
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}
