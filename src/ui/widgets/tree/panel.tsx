/** Foldable rows of text with links, with a cursor and a filter. */

import { useMemo } from "react";
import { type Region, type Subject, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { entityPage } from "../../app/entity-pages.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { Binding, MouseEvent } from "../../app/keys/keymap.ts";
import { Lines } from "../../app/lines.tsx";
import { fitLine, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { filterLine, useFilterInput } from "../filter-input.ts";
import { itemAtLine, linesOf, type Movement, moveBindings, wheelMovement } from "../viewport.ts";
import {
  cursorAfter,
  cursorLine,
  filterTreeRows,
  INITIAL_TREE_STATE,
  type Link,
  linkStops,
  moveSideways,
  rowLine,
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

interface TreePanelProps {
  /** Must be the same array until something changes, since it is memoized. */
  readonly rows: readonly TreeRow[];
  readonly region: Region;
  /** Distinguishes the panels of a page. */
  readonly part: string;
  /** The request of the rows, for copying and the command line. */
  readonly request?: Subject["request"];
  /** Whether keys are for this panel (default). */
  readonly active?: boolean | undefined;
}

/** Shows rows that fold and link. */
export function TreePanel({ rows: allRows, region: outerRegion, part, request, active = true }: TreePanelProps) {
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { input: filterInput, bindings: filterBindings } = useFilterInput(part, allRows.length > 1, active);
  const filtered = useMemo(() => filterTreeRows(filterInput.text, allRows), [filterInput.text, allRows]);
  const { rows } = filtered;
  const total = allRows.filter(({ isStatic }) => isStatic !== true).length;
  const filterBar = filterLine(filterInput, filtered, total, keyLabelsOf(explorer));
  const region = filterBar ? { ...outerRegion, top: outerRegion.top + 1, height: outerRegion.height - 1 } : outerRegion;
  const [state, setState] = useViewState<TreeState>(part, INITIAL_TREE_STATE);
  const visible = useMemo(() => visibleRows(rows, state.folds), [rows, state.folds]);
  const { width } = region;
  const height = Math.max(0, region.height - (visible.length > region.height && region.height > 2 ? 1 : 0));
  const cursor = visibleCursor(state, visible);
  const top = treeTop({ ...state, cursor }, visible, height);
  const selected = visible[cursor];
  const layout = (one: VisibleRow) => rowLine(one, width, services.unicode);
  const line = selected ? layout(selected) : [];
  const stops = selected ? linkStops(selected, line) : [];
  const stop = stops[Math.min(state.stopIndex, stops.length - 1)];
  // A row that neither folds nor is a link as a whole opens its first link.
  const rowTarget = selected?.isOpen === undefined ? stops.find((one) => one.target)?.target : undefined;
  const target = stop?.target ?? rowTarget;

  /** Updates build on the latest state: the visible rows may have changed since this frame. */
  const update = (change: (before: TreeState, now: readonly VisibleRow[]) => TreeState) =>
    setState((before) => {
      const now = before.folds === state.folds ? visible : visibleRows(rows, before.folds);
      const next = change({ ...before, cursor: visibleCursor(before, now) }, now);
      return { ...next, top: treeTop(next, next.folds === before.folds ? now : visibleRows(rows, next.folds), height) };
    });
  const move = (movement: Movement) => {
    const by = movement.direction * linesOf(movement, height);
    update((before, now) => ({ ...before, cursor: cursorAfter(now, before.cursor, by) }));
  };
  const moveLink = (by: 1 | -1) => () =>
    update((before, now) => {
      const row = now[before.cursor];
      return moveSideways(before, row, by, row ? layout(row) : [], width);
    });
  const toggleFold = () => update(toggleRow);
  const openSelected = () => {
    if (target) navigation.open(target);
    else if (selected?.isOpen !== undefined) toggleFold();
  };

  const hasFolds = visible.some(({ isOpen }) => isOpen !== undefined);
  const bindings: readonly Binding[] = [
    ...filterBindings,
    ...moveBindings(move),
    { ...actionBinding("move.left"), label: "previous link", group: "move", run: moveLink(-1) },
    { ...actionBinding("move.right"), label: "next link", group: "move", hint: 44, run: moveLink(1) },
    {
      ...actionBinding("go.open"),
      label: target ? "open" : "fold or unfold",
      group: "data",
      hint: 10,
      active: target !== undefined || selected?.isOpen !== undefined,
      run: openSelected,
    },
    { ...actionBinding("detail.fold"), label: "fold or unfold", group: "view", active: hasFolds, run: toggleFold },
    {
      ...actionBinding("detail.fold-all"),
      label: "fold or unfold all",
      group: "view",
      hint: 45,
      active: hasFolds,
      run: () => update((before) => toggleAll(before, rows)),
    },
  ];
  const onMouse = (event: MouseEvent) => {
    if (event.type !== "click") return move(wheelMovement(event.type));
    const clicked = itemAtLine({ count: visible.length }, { top, height }, event.y - region.top);
    if (clicked === undefined || event.x < 0) return;
    if (clicked === cursor) openSelected();
    else update((before, now) => ({ ...before, cursor: cursorAfter(now, clicked, 0) }));
  };
  useBindings("panel", active ? bindings : [], active ? { onMouse } : {});

  const lines = visible.slice(top, top + height).map((one, index) => {
    const at = top + index;
    if (at !== cursor || !active) return scrollLine(layout(one), state.scrollLeft);
    return cursorLine(line, stop?.at, width, state.scrollLeft);
  });
  const position = height < region.height ? [positionLine(top, height, visible.length, width)] : [];
  const body = visible.length === 0 && filterBar ? [textLine("No rows match the filter.", "note")] : lines;
  return (
    <>
      {active ? (
        <SubjectReporter
          subject={{
            request,
            row: selected?.row.row,
            cell: cellOfLink(stop),
            lines: () => plainTexts(visible, services.unicode),
            local: filterInput.text === "" ? undefined : [`filter /${filterInput.text}/`],
          }}
        />
      ) : null}
      <Lines
        lines={[...(filterBar ? [filterBar] : []), ...body, ...position]}
        width={width}
        height={outerRegion.height}
      />
    </>
  );
}

/** Width of a line without a window. */
const UNLIMITED_WIDTH = 1000;

/** Returns the rows as uncut lines of text. */
function plainTexts(visible: readonly VisibleRow[], unicode: boolean): readonly string[] {
  return visible.map((one) =>
    rowLine(one, UNLIMITED_WIDTH, unicode)
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

/** Reports what is selected; a separate component, so that inactive panels report nothing. */
function SubjectReporter({ subject }: { readonly subject: Subject }) {
  useSubject(subject);
  return null;
}

/** Returns the line with the range of visible rows. */
function positionLine(top: number, height: number, count: number, width: number): TextLine {
  const text = `${top + 1}–${Math.min(count, top + height)} of ${count}`;
  return fitLine([span(" ".repeat(Math.max(0, width - text.length))), span(text, "note")], width);
}

/** Returns the cell that is copied for a link: its own, or the identifier of its target. */
function cellOfLink(link: Link | undefined): Subject["cell"] {
  const { cell, target } = link ?? {};
  if (cell || target?.kind !== "entity") return cell;
  return { field: target.entity, value: target.id, kind: entityPage(target.entity).kind };
}
