/** A short list with a cursor: rows that one answer holds, as in the sections of the home screen. */
import { useMemo } from "react";
import type { JsonObject } from "../../../base/json.ts";
import type { Resource } from "../../data/hooks.ts";
import { type Region, type Subject, useBindings, useExplorer, useMemory, useSubject } from "../../frame/context.ts";
import { type Line, line } from "../../frame/line.ts";
import { Lines } from "../../frame/lines.tsx";
import type { Place } from "../../frame/place.ts";
import { firstShown, moves, within } from "./cursor.ts";
import { type TableColumn, tableOf, underCursor } from "./table.ts";

export interface ShortListProps {
  /** What the rows came from. */
  readonly resource: Resource;
  /** The same array until something changes: another one is laid out anew. */
  readonly rows: readonly JsonObject[];
  readonly columns: readonly TableColumn[];
  readonly region: Region;
  readonly part: string;
  readonly active: boolean;
  /** Lines above the list, told where the cursor is. */
  readonly top: (at: number) => readonly Line[];
  /** What is said of an answer without rows. */
  readonly empty: string;
  readonly target: (row: JsonObject | undefined) => Place | undefined;
  readonly cell: (row: JsonObject | undefined) => Subject["cell"];
}

export function ShortList(props: ShortListProps) {
  const { resource, rows, columns, region, part, active, target, cell } = props;
  const { navigation } = useExplorer();
  const [kept, setAt] = useMemory(`${part} row`, 0);
  const at = within(kept, rows.length);
  const { width } = region;
  const top = props.top(at);
  const height = Math.max(0, region.height - top.length - 1);
  const table = useMemo(() => tableOf(rows, columns, width), [rows, columns, width]);
  const from = firstShown(at, rows.length, height);
  const row = rows[at];
  const place = target(row);

  useBindings("panel", [
    ...moves(rows.length, height, setAt, active),
    {
      keys: ["enter"],
      label: "open",
      group: "data",
      hint: 10,
      active: active && place !== undefined,
      run: () => place && navigation.open(place),
    },
    { keys: ["r"], label: "refresh", group: "data", hint: 40, active, run: resource.refresh },
  ]);
  useSubject(
    active
      ? {
          request: resource.request,
          rows,
          columns: columns.map(({ head, path }) => ({ head, path })),
          row,
          cell: cell(row),
        }
      : undefined,
  );

  const body =
    rows.length > 0
      ? [
          table.head,
          ...table.rows
            .slice(from, from + height)
            .map((one, index) => (active && from + index === at ? underCursor(one, width) : one)),
        ]
      : [line(resource.answer ? props.empty : "", "note")];
  return <Lines lines={[...top, ...body]} width={width} height={region.height} />;
}
