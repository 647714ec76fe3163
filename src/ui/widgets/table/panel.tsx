/** A short table with a cursor: rows of a single answer, as in the sections of the home page. */

import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { type Region, type Subject, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import type { Binding, MouseEvent } from "../../app/keys/keymap.ts";
import { Lines } from "../../app/lines.tsx";
import type { Route } from "../../app/route.ts";
import { type TextLine, textLine } from "../../app/theme/text-line.ts";
import type { Resource } from "../../data/hooks.ts";
import {
  centredTop,
  clampIndex,
  itemAfter,
  itemAtLine,
  type Movement,
  moveBindings,
  wheelMovement,
} from "../viewport.ts";
import { cursorLine, layOutTable, type ShortTableColumn } from "./layout.ts";
import type { RowIdentity } from "./tools.ts";
import { useRowTools, useTableFilter, useToolBindings, useToolLayout } from "./use-tools.tsx";

interface TablePanelProps {
  /** The query that the rows came from. */
  readonly resource: Resource;
  /** Must be the same array until something changes, since it is memoized. */
  readonly rows: readonly JsonObject[];
  readonly columns: readonly ShortTableColumn[];
  readonly region: Region;
  readonly part: string;
  readonly active: boolean;
  /** Cells to the left of the region (default: none), for the mouse. */
  readonly left?: number | undefined;
  /** Called when the rows are refreshed. */
  readonly onRefresh?: (() => void) | undefined;
  /** Called for a click outside of the region. */
  readonly onClickOutside?: ((event: MouseEvent) => void) | undefined;
  /** Returns the lines above the table, for the selected row and the number of visible rows. */
  readonly top: (selected: number, visible: number) => readonly TextLine[];
  /** The message for an answer without rows. */
  readonly empty: string;
  readonly target: (row: JsonObject | undefined) => Route | undefined;
  readonly cell: (row: JsonObject | undefined) => Subject["cell"];
  /** With the identity of rows, they can be sorted, marked, compared and previewed. */
  readonly tools?: RowIdentity | undefined;
}

/** Shows a short table. */
export function TablePanel(props: TablePanelProps) {
  const { resource, region, part, active, target, cell } = props;
  const { navigation } = useExplorer();
  const [storedRow, setRow] = useViewState(`${part} row`, 0);
  const tools = useRowTools(part, props.rows, props.columns, props.tools);
  const { columns } = tools;
  const filter = useTableFilter(part, tools.rows, columns, active);
  const { rows } = filter;
  const selected = clampIndex(storedRow, rows.length);
  const { width } = region;
  const top = [...props.top(selected, rows.length), ...(filter.line ? [filter.line] : [])];
  const layout = useToolLayout(tools, { width, height: region.height - top.length });
  const height = Math.max(0, layout.size.height - 1);
  const table = useMemo(() => layOutTable(rows, columns, layout.width), [rows, columns, layout.width]);
  const firstRow = centredTop({ count: rows.length }, height, selected);
  const row = rows[selected];
  const route = target(row);

  const refresh = () => {
    resource.refresh();
    props.onRefresh?.();
  };
  const open = () => route && navigation.open(route);
  const after = (now: number, movement: Movement) => itemAfter({ count: rows.length }, height, now, movement);
  const down = () => setRow((now) => clampIndex(now + 1, rows.length));
  const toolBindings = useToolBindings(tools, { row, active, columnCount: table.columnCount, moveDown: down, target });
  const bindings: readonly Binding[] = [
    ...moveBindings((movement) => setRow((now) => after(now, movement)), active && rows.length > 1),
    {
      ...actionBinding("go.open"),
      label: "open",
      group: "data",
      hint: 10,
      active: active && route !== undefined,
      run: open,
    },
    ...toolBindings,
    ...filter.bindings,
    { ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 40, active, run: refresh },
  ];
  const onMouse = (event: MouseEvent) => {
    if (event.type !== "click") {
      const movement = wheelMovement(event.type);
      return setRow((now) => after(now, movement));
    }
    const [x, y] = [event.x - (props.left ?? 0), event.y - region.top];
    if (x < 0 || x >= width || y < 0 || y >= region.height) return props.onClickOutside?.(event);
    const clicked = itemAtLine({ count: rows.length }, { top: firstRow, height }, y - top.length - 1);
    if (clicked === selected && active) open();
    else if (clicked !== undefined) setRow(() => clicked);
  };
  useBindings("panel", bindings, active ? { onMouse } : {});
  useSubject(
    active
      ? {
          request: resource.request,
          rows,
          marked: tools.marked,
          columns: props.columns.map(({ head, path }) => ({ head, path })),
          row,
          cell: cell(row),
          local: [...(filter.text === "" ? [] : [`filter /${filter.text}/`]), ...tools.order.descriptions],
          sort: tools.order.sort,
        }
      : undefined,
  );

  const body =
    rows.length > 0
      ? layout.draw(
          [
            table.head,
            ...table.rows
              .slice(firstRow, firstRow + height)
              .map((one, index) => (active && firstRow + index === selected ? cursorLine(one, layout.width) : one)),
          ],
          rows.slice(firstRow, firstRow + height),
          row,
        )
      : [textLine(props.rows.length > 0 ? "No rows match the filter." : resource.answer ? props.empty : "", "note")];
  return <Lines lines={[...top, ...body]} width={width} height={region.height} />;
}
