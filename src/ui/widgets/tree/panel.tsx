/** Foldable rows of text with links, with a cursor and a filter. */

import { useMemo } from "react";
import { Lines } from "../../frame/lines.tsx";
import {
  type Region,
  type Subject,
  useBindings,
  useExplorer,
  usePane,
  usePaneFit,
  useSubject,
  useViewState,
} from "../../navigation/context.ts";
import { entityPage } from "../../navigation/entity-pages.ts";
import { bindAction, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { NO_MATCHES } from "../filter.ts";
import type { TableLines } from "../table/layout.ts";
import { filterLine, useFilterInput } from "../text-input.ts";
import { itemAtLine, type Movement, moveBindings, toLines, wheelMovement } from "../viewport.ts";
import {
  cursorAfter,
  filterTreeRows,
  highlightRow,
  INITIAL_TREE_STATE,
  type Link,
  linkStops,
  listRowLinks,
  moveSideways,
  rowLine,
  rowWithKey,
  scrollLine,
  type TreeRow,
  type TreeState,
  toggleAll,
  toggleRow,
  treeTop,
  type VisibleRow,
  visibleCursor,
  visibleRows,
} from "./rows.ts";

/** Shows rows that fold and link. */
export function TreePanel(props: TreeOptions) {
  const { lines, onMouse } = useTree(props);
  const { width, height } = props.region;
  usePaneFit(props.rows.length);
  return <Lines lines={lines} width={width} height={height} onMouse={onMouse} />;
}

/** A pane beside a tree. */
export interface TreeNeighbour {
  /** What the key that moves there is for. */
  readonly label: string;
  readonly focus: () => void;
}

interface TreeOptions {
  /** Must be the same array until something changes, since it is memoized. */
  readonly rows: readonly TreeRow[];
  readonly region: Region;
  /** Distinguishes the panels of a page. */
  readonly part: string;
  /** The request of the rows, for copying and the command line. */
  readonly request?: Subject["request"];
  /** Whether keys are for this panel (default). */
  readonly active?: boolean | undefined;
  /** The key of the row at which the cursor starts (default: the first one). */
  readonly startAt?: string | undefined;
  /** The panes beside it, which keys for the sides move to; without them, these keys move between links. */
  readonly neighbours?: { readonly left?: TreeNeighbour; readonly right?: TreeNeighbour } | undefined;
  /** Makes it the active panel, on a click. */
  readonly onFocus?: (() => void) | undefined;
  /** Whether the border around it shows the position, which otherwise takes the last line where rows are hidden. */
  readonly isFramed?: boolean | undefined;
  /** Lays out the visible rows as a table, whose heading stays above them; called each time they are drawn. */
  readonly layOut?: ((rows: readonly TreeRow[]) => Pick<TableLines, "head" | "rows">) | undefined;
}

/** A tree as lines. */
export interface Tree {
  readonly lines: readonly TextLine[];
  /** The row at the cursor, and its line. */
  readonly selected: TreeRow | undefined;
  readonly selectedLine: number;
  /** The range of visible rows; undefined where all are visible. */
  readonly position: string | undefined;
  readonly onMouse: (event: MouseEvent) => void;
}

/** Returns a tree that fills a region and registers its keys. */
export function useTree(options: TreeOptions): Tree {
  const {
    rows: allRows,
    region,
    part,
    request,
    active: isActive = true,
    startAt,
    neighbours,
    onFocus,
    isFramed,
    layOut,
  } = options;
  const active = usePane().isFocused && isActive;
  const explorer = useExplorer();
  const { services } = explorer;
  const { input: filterInput, bindings: filterBindings } = useFilterInput(part, allRows.length > 1, active);
  const filtered = useMemo(() => filterTreeRows(filterInput.text, allRows), [filterInput.text, allRows]);
  const { rows } = filtered;
  const total = allRows.filter(({ isStatic }) => isStatic !== true).length;
  const filterBar = filterLine(filterInput, filtered, total, keyLabelsOf(explorer));
  const { width } = region;
  const above = [filterBar, layOut].filter((one) => one !== undefined).length;
  const space = Math.max(0, region.height - above);
  const initial = useMemo(() => ({ ...INITIAL_TREE_STATE, cursor: rowWithKey(allRows, startAt) }), [allRows, startAt]);
  const [stored, setState] = useViewState<TreeState | undefined>(part, undefined);
  const state = stored ?? initial;
  const visible = useMemo(() => visibleRows(rows, state.folds), [rows, state.folds]);
  const hasPositionLine = isFramed !== true && visible.length > space && space > 2;
  const height = hasPositionLine ? space - 1 : space;
  const cursor = visibleCursor(state, visible);
  const top = treeTop({ ...state, cursor }, visible, height);
  const selected = visible[cursor];
  const layout = (one: VisibleRow) => rowLine(one, width, services.unicode);
  const shown = visible.slice(top, top + height);
  const table = layOut?.(shown.map(({ row }) => row));
  const laidOut = table?.rows ?? shown.map(layout);
  const line = laidOut[cursor - top] ?? [];
  const stops = selected ? linkStops(selected, line) : [];
  const stop = neighbours ? undefined : stops[Math.min(state.stopIndex, stops.length - 1)];

  /** Updates build on the latest state: the visible rows may have changed since this frame. */
  const update = (change: (before: TreeState, now: readonly VisibleRow[]) => TreeState) =>
    setState((latest) => {
      const before = latest ?? initial;
      const now = before.folds === state.folds ? visible : visibleRows(rows, before.folds);
      const next = change({ ...before, cursor: visibleCursor(before, now) }, now);
      return { ...next, top: treeTop(next, next.folds === before.folds ? now : visibleRows(rows, next.folds), height) };
    });
  const moveLink = (by: 1 | -1) => () =>
    update((before, now) => {
      const row = now[before.cursor];
      return moveSideways(before, row, by, row ? layout(row) : [], width);
    });
  const { bindings, openSelected, move } = useTreeBindings({ rows, visible, selected, stops, stop, height, update });
  useBindings("panel", active ? [...filterBindings, ...sideBindings(neighbours, moveLink), ...bindings] : []);
  useSubject(
    active
      ? {
          request,
          row: selected?.row.row,
          cell: cellOfLink(stop ?? stops.find(({ cell }) => cell !== undefined) ?? stops[0]),
          lines: () => plainTexts(visible, services.unicode),
          local: filterInput.text === "" ? undefined : [`filter /${filterInput.text}/`],
        }
      : undefined,
  );

  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) return move(wheel);
    const clicked = itemAtLine({ count: visible.length }, { top, height }, event.y - above);
    if (event.type !== "click") return;
    if (!active) onFocus?.();
    if (clicked === undefined) return;
    if (clicked === cursor && active) openSelected();
    else update((before, now) => ({ ...before, cursor: cursorAfter(now, clicked, 0) }));
  };
  const lines = laidOut.map((one, index) => {
    if (top + index !== cursor) return scrollLine(one, state.scrollLeft);
    return active ? highlightRow(line, stop?.at, width, state.scrollLeft) : scrollLine(line, state.scrollLeft);
  });
  const body = visible.length === 0 && filterBar ? [textLine(`${NO_MATCHES}.`, "note")] : lines;
  const position =
    visible.length > height ? `${top + 1}–${Math.min(visible.length, top + height)} of ${visible.length}` : undefined;
  return {
    lines: [
      ...[filterBar, table?.head].filter((one) => one !== undefined),
      ...body,
      ...(hasPositionLine && position !== undefined ? [positionLine(position, width)] : []),
    ],
    selected: selected?.row,
    selectedLine: cursor - top + above,
    position,
    onMouse,
  };
}

interface TreeBindingsOptions {
  readonly rows: readonly TreeRow[];
  readonly visible: readonly VisibleRow[];
  readonly selected: VisibleRow | undefined;
  readonly stops: readonly Link[];
  /** The selected link of the row; undefined where keys do not select links. */
  readonly stop: Link | undefined;
  readonly height: number;
  readonly update: (change: (before: TreeState, now: readonly VisibleRow[]) => TreeState) => void;
}

function useTreeBindings({ rows, visible, selected, stops, stop, height, update }: TreeBindingsOptions) {
  const { navigation, openPopup } = useExplorer();
  // A row that neither folds nor is a link as a whole opens its first link.
  const rowTarget = selected?.isOpen === undefined ? stops.find((one) => one.target)?.target : undefined;
  const target = stop?.target ?? selected?.row.target ?? rowTarget;
  const links = selected ? listRowLinks(selected.row) : [];
  const move = (movement: Movement) => {
    const by = movement.direction * toLines(movement, height);
    update((before, now) => ({ ...before, cursor: cursorAfter(now, before.cursor, by) }));
  };
  const toggleFold = () => update(toggleRow);
  const openSelected = () => {
    if (target) navigation.open(target, target === selected?.row.target ? selected.row.state : undefined);
    else if (selected?.isOpen !== undefined) toggleFold();
  };
  const hasFolds = visible.some(({ isOpen }) => isOpen !== undefined);
  const bindings: readonly Binding[] = [
    ...moveBindings(move),
    bindAction("go.open", target ? "open" : "fold or unfold", openSelected, {
      hint: 10,
      active: target !== undefined || selected?.isOpen !== undefined,
    }),
    bindAction("go.links", "links", () => openPopup({ kind: "links", links }), {
      hint: 24,
      active: links.length > 1,
    }),
    bindAction("detail.fold", "fold or unfold", toggleFold, { active: hasFolds }),
    bindAction("detail.fold-all", "fold or unfold all", () => update((before) => toggleAll(before, rows)), {
      hint: 45,
      active: hasFolds,
    }),
  ];
  return { bindings, openSelected, move };
}

/** Returns the keys for both sides: between panes, or between the links of a row. */
function sideBindings(neighbours: TreeOptions["neighbours"], moveLink: (by: 1 | -1) => () => void): readonly Binding[] {
  if (!neighbours) {
    return [
      bindAction("move.left", "previous link", moveLink(-1)),
      bindAction("move.right", "next link", moveLink(1), { hint: 44 }),
    ];
  }
  const crossing = (name: "move.left" | "move.right", to: TreeNeighbour | undefined) =>
    bindAction(name, to?.label ?? "", () => to?.focus(), { hint: 11, active: to !== undefined });
  return [crossing("move.left", neighbours.left), crossing("move.right", neighbours.right)];
}

const UNLIMITED_WIDTH = 1000;

function plainTexts(visible: readonly VisibleRow[], unicode: boolean): readonly string[] {
  return visible.map((one) =>
    rowLine(one, UNLIMITED_WIDTH, unicode)
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

/** Returns the cell that is copied for a link: its own, or the identifier of its target. */
function cellOfLink(link: Link | undefined): Subject["cell"] {
  const { cell, target } = link ?? {};
  if (cell || target?.kind !== "entity") return cell;
  return { field: target.entity, value: target.id, kind: entityPage(target.entity).kind };
}

function positionLine(position: string, width: number): TextLine {
  return [span(" ".repeat(Math.max(0, width - position.length))), span(position, "note")];
}
