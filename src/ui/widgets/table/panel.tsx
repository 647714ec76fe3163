/** A short table with a cursor: rows of a single answer, as in the sections of the home page. */

import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { type Resource, useNameOf } from "../../data/hooks.ts";
import { Lines } from "../../frame/lines.tsx";
import { insidePane, PANE_BORDER, type PaneFrame, paneLines } from "../../frame/pane.tsx";
import { type Region, type Subject, useBindings, useExplorer, useSubject } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { formatKeyHints, keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import type { Route } from "../../navigation/route.ts";
import { type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { NO_MATCHES } from "../filter.ts";
import { chipLine, chipText } from "../list/filters/chips.ts";
import { centredTop, itemAfter, itemAtLine, type Movement, moveBindings, wheelMovement } from "../viewport.ts";
import { cursorLine, layOutTable, type ShortTableColumn } from "./layout.ts";
import type { RowIdentity } from "./tools.ts";
import { useRowTools, useSelectedRow, useTableFilter, useToolBindings, useToolLayout } from "./use-tools.tsx";

interface TablePanelProps {
  /** The query that the rows came from. */
  readonly resource: Resource;
  /** Must be the same array until something changes, since it is memoized. */
  readonly rows: readonly JsonObject[];
  readonly columns: readonly ShortTableColumn[];
  readonly region: Region;
  readonly part: string;
  readonly active: boolean;
  /** Called when the rows are refreshed. */
  readonly onRefresh?: (() => void) | undefined;
  /** Called for a click while the table is not active. */
  readonly onActivate?: (() => void) | undefined;
  /** Returns the lines above the table, for the selected row and the number of visible rows. */
  readonly top: (selected: number, visible: number) => readonly TextLine[];
  /** The message for an answer without rows. */
  readonly empty: string;
  readonly target: (row: JsonObject | undefined) => Route | undefined;
  readonly cell: (row: JsonObject | undefined) => Subject["cell"];
  /** With the identity of rows, they can be sorted, marked, compared and previewed. */
  readonly tools?: RowIdentity | undefined;
  /** The field that identifies a row: the cursor stays on its row when rows arrive above it. */
  readonly idField?: string | undefined;
  /** The border around the table, for the selected row and the number of visible rows. */
  readonly frame?: ((selected: number, visible: number) => PaneFrame) | undefined;
}

/** Shows a short table. */
export function TablePanel(props: TablePanelProps) {
  const { resource, part, active, target, cell } = props;
  const explorer = useExplorer();
  const { navigation, services } = explorer;
  const region = props.frame ? insidePane(props.region) : props.region;
  const tools = useRowTools(part, props.rows, props.columns, props.tools);
  const { columns } = tools;
  const filter = useTableFilter(part, tools.rows, columns, active);
  const { rows } = filter;
  const [selected, setRow] = useSelectedRow(part, rows, props.idField);
  const width = region.width - (props.frame ? 2 * PADDING : 0);
  const { unicode } = services;
  const hint = formatKeyHints(keyLabelsOf(explorer), [["list.unfilter-all", "remove all"]]);
  const chips = tools.chips.length > 0 ? [chipLine(tools.chips, width, { unicode, scope: "these rows", hint })] : [];
  const above = props.top(selected, rows.length);
  const top = [...above, ...chips, ...(filter.line ? [filter.line] : [])];
  const layout = useToolLayout(tools, { width, height: region.height - top.length }, target);
  const height = Math.max(0, layout.size.height - 1);
  const nameOf = useNameOf();
  const table = useMemo(() => layOutTable(rows, columns, layout.width, nameOf), [rows, columns, layout.width, nameOf]);
  const firstRow = centredTop({ count: rows.length }, height, selected);
  const row = rows[selected];
  const route = target(row);

  const refresh = () => {
    resource.refresh();
    props.onRefresh?.();
  };
  const open = () => route && navigation.open(route);
  const after = (now: number, movement: Movement) => itemAfter({ count: rows.length }, height, now, movement);
  const down = () => setRow((now) => now + 1);
  const toolBindings = useToolBindings(tools, {
    row,
    active,
    columnCount: table.columnCount,
    moveDown: down,
    target,
    width,
  });
  const bindings: readonly Binding[] = [
    ...moveBindings((movement) => setRow((now) => after(now, movement)), active && rows.length > 1),
    bindAction("go.open", route?.kind === "entity" ? `open ${route.entity}` : "open", open, {
      hint: 10,
      active: active && route !== undefined,
    }),
    ...toolBindings,
    ...filter.bindings,
    bindAction("view.refresh", "refresh", refresh, { hint: 40, active }),
  ];
  const click = ({ x, y, hit }: MouseEvent) => {
    if (!active) props.onActivate?.();
    // The preview may be to the right of the rows.
    if (x >= layout.size.width) return;
    const line = y - (props.frame ? PANE_BORDER : 0) - top.length;
    if (line <= 0 && typeof hit === "number") return line < 0 ? tools.removeFilter(hit) : tools.sortBy(hit);
    const clicked = itemAtLine({ count: rows.length }, { top: firstRow, height }, line - 1);
    if (clicked === selected && active) open();
    else if (clicked !== undefined) setRow(() => clicked);
  };
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) setRow((now) => after(now, wheel));
    else if (event.type === "click") click(event);
  };
  useBindings("panel", bindings);
  useSubject(
    active
      ? {
          request: resource.request,
          rows,
          marked: tools.marked,
          columns: props.columns.map(({ head, path }) => ({ head, path })),
          row,
          cell: cell(row),
          local: [
            ...(filter.text === "" ? [] : [`filter /${filter.text}/`]),
            ...tools.chips.map((chip) => `filter ${chipText(chip)}`),
            ...tools.order.descriptions,
          ],
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
      : [textLine(props.rows.length > 0 ? `${NO_MATCHES}.` : resource.answer ? props.empty : "", "note")];
  const content = [...top, ...body];
  const { frame } = props;
  const lines = frame
    ? paneLines(content.map(withPadding), frame(selected, rows.length), props.region, services.unicode)
    : content;
  return <Lines lines={lines} width={props.region.width} height={props.region.height} onMouse={onMouse} />;
}

/** Cells between the border and a line. The cursor reaches the border. */
const PADDING = 1;

function withPadding(line: TextLine): TextLine {
  const [first] = line;
  const space = { text: " ".repeat(PADDING), cursor: first?.cursor === undefined ? undefined : ("row" as const) };
  return [space, ...line, space];
}
