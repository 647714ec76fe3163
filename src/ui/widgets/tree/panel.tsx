/** Rows of text with links: a cursor, a window that scrolls, folds; what is not a table and no tree of fields. */

import { useMemo } from "react";
import type { Kind } from "../../../catalogue/kinds.ts";
import { type Region, type Subject, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { Binding, MouseEvent } from "../../app/keys/keymap.ts";
import { Lines } from "../../app/lines.tsx";
import type { EntityKind } from "../../app/route.ts";
import { fitLine, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { filterLine, useFilterInput } from "../filter-input.ts";
import { itemAtLine, linesOf, type Movement, moveBindings, wheelMovement } from "../viewport.ts";
import {
  AT_START,
  allToggled,
  cursorAfter,
  cursorOf,
  type Link,
  type LinkRow,
  type LinkState,
  lineOf,
  linkRowsLeft,
  litLine,
  type Shown,
  shifted,
  shownRows,
  sideways,
  stopsOf,
  toggled,
  topFor,
} from "./rows.ts";

export type { Link, LinkRow, LinkSpan } from "./rows.ts";

export interface LinkPanelProps {
  /** The same array until something changes: a new one is laid out anew. */
  readonly rows: readonly LinkRow[];
  readonly region: Region;
  /** Tells the panels of a screen apart. */
  readonly part: string;
  /** What the rows came from, for copying and the command line. */
  readonly request?: Subject["request"];
  /** Whether keys are for this panel (default). */
  readonly active?: boolean | undefined;
}

export function LinkPanel({ rows: all, region: whole, part, request, active = true }: LinkPanelProps) {
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { typed, bindings: filterKeys } = useFilterInput(part, all.length > 1, active);
  const left = useMemo(() => linkRowsLeft(typed.text, all), [typed.text, all]);
  const { rows } = left;
  const total = all.filter(({ still }) => still !== true).length;
  const filter = filterLine(typed, left, total, keyLabelsOf(explorer));
  const region = filter ? { ...whole, top: whole.top + 1, height: whole.height - 1 } : whole;
  const [state, setState] = useViewState<LinkState>(part, AT_START);
  const shown = useMemo(() => shownRows(rows, state.folds), [rows, state.folds]);
  const { width } = region;
  const height = Math.max(0, region.height - (shown.length > region.height && region.height > 2 ? 1 : 0));
  const cursor = cursorOf(state, shown);
  const top = topFor({ ...state, cursor }, shown, height);
  const here = shown[cursor];
  const layout = (one: Shown) => lineOf(one, width, services.unicode);
  const line = here ? layout(here) : [];
  const stops = here ? stopsOf(here, line) : [];
  const stop = stops[Math.min(state.stop, stops.length - 1)];
  // A row that neither folds nor leads somewhere as a whole opens the first thing that is in it.
  const main = here?.open === undefined ? stops.find((one) => one.target)?.target : undefined;
  const target = stop?.target ?? main;

  /** Updates build on the newest state: the rows on view may have changed since this frame. */
  const update = (change: (before: LinkState, now: readonly Shown[]) => LinkState) =>
    setState((before) => {
      const now = before.folds === state.folds ? shown : shownRows(rows, before.folds);
      const next = change({ ...before, cursor: cursorOf(before, now) }, now);
      return { ...next, top: topFor(next, next.folds === before.folds ? now : shownRows(rows, next.folds), height) };
    });
  const move = (movement: Movement) => {
    const by = movement.direction * linesOf(movement, height);
    update((before, now) => ({ ...before, cursor: cursorAfter(now, before.cursor, by) }));
  };
  const side = (by: 1 | -1) => () =>
    update((before, now) => {
      const row = now[before.cursor];
      return sideways(before, row, by, row ? layout(row) : [], width);
    });
  const fold = () => update(toggled);
  const enter = () => {
    if (target) navigation.open(target);
    else if (here?.open !== undefined) fold();
  };

  const folds = shown.some(({ open }) => open !== undefined);
  const bindings: readonly Binding[] = [
    ...filterKeys,
    ...moveBindings(move),
    { ...actionBinding("move.left"), label: "previous link", group: "move", run: side(-1) },
    { ...actionBinding("move.right"), label: "next link", group: "move", hint: 44, run: side(1) },
    {
      ...actionBinding("go.open"),
      label: target ? "open" : "fold or unfold",
      group: "data",
      hint: 10,
      active: target !== undefined || here?.open !== undefined,
      run: enter,
    },
    { ...actionBinding("detail.fold"), label: "fold or unfold", group: "view", active: folds, run: fold },
    {
      ...actionBinding("detail.fold-all"),
      label: "fold or unfold all",
      group: "view",
      hint: 45,
      active: folds,
      run: () => update((before) => allToggled(before, rows)),
    },
  ];
  const onMouse = (event: MouseEvent) => {
    if (event.type !== "click") return move(wheelMovement(event.type));
    const clicked = itemAtLine({ count: shown.length }, { top, height }, event.y - region.top);
    if (clicked === undefined || event.x < 0) return;
    if (clicked === cursor) enter();
    else update((before, now) => ({ ...before, cursor: cursorAfter(now, clicked, 0) }));
  };
  useBindings("panel", active ? bindings : [], active ? { onMouse } : {});

  const lines = shown.slice(top, top + height).map((one, index) => {
    const at = top + index;
    if (at !== cursor || !active) return shifted(layout(one), state.shift);
    return litLine(line, stop?.at, width, state.shift);
  });
  const place = height < region.height ? [positionLine(top, height, shown.length, width)] : [];
  const body = shown.length === 0 && filter ? [textLine("No row is left by the filter.", "note")] : lines;
  return (
    <>
      {active ? (
        <Told
          subject={{
            request,
            row: here?.row.row,
            cell: cellOf(stop),
            lines: () => textOf(shown, services.unicode),
            local: typed.text === "" ? undefined : [`filter /${typed.text}/`],
          }}
        />
      ) : null}
      <Lines lines={[...(filter ? [filter] : []), ...body, ...place]} width={width} height={whole.height} />
    </>
  );
}

/** Cells of a line for which there is no window. */
const WIDEST = 1000;

/** The rows as lines of text, none of them cut. */
function textOf(shown: readonly Shown[], unicode: boolean): readonly string[] {
  return shown.map((one) =>
    lineOf(one, WIDEST, unicode)
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

/** Tells what is looked at: a part of its own, so that panels without the cursor tell nothing. */
function Told({ subject }: { readonly subject: Subject }) {
  useSubject(subject);
  return null;
}

/** Which rows of all are on view. */
function positionLine(top: number, height: number, count: number, width: number): TextLine {
  const text = `${top + 1}–${Math.min(count, top + height)} of ${count}`;
  return fitLine([span(" ".repeat(Math.max(0, width - text.length))), span(text, "note")], width);
}

/** What an identifier of a thing is. */
const KINDS: Readonly<Record<EntityKind, Kind>> = {
  account: "address",
  token: "address",
  market: "address",
  program: "program",
  transaction: "signature",
  block: "slot",
  collection: "hash",
};

/** What copying takes of a stop: what it stands for, or what it leads to. */
function cellOf(link: Link | undefined): Subject["cell"] {
  const { cell, target } = link ?? {};
  if (cell || target?.kind !== "entity") return cell;
  return { field: target.entity, value: target.id, kind: KINDS[target.entity] };
}
