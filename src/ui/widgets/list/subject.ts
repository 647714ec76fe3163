/** What of a list is looked at: for copying, exporting and the command line. */
import type { Json } from "../../../base/json.ts";
import type { Subject } from "../../app/context.ts";
import type { Stand } from "./model.ts";
import { valueIn } from "./table.ts";
import type { List } from "./use-list.ts";

/** The row of the cursor. */
export function rowAt({ chosen }: Pick<List, "chosen">, { selected }: Stand): Json | undefined {
  return chosen.rows[selected];
}

/** What is looked at. */
export function subjectOf(list: List, stand: Stand): Subject {
  const { shown, chosen, state, table } = list;
  const row = rowAt(list, stand);
  const found = row === undefined || !stand.column ? undefined : valueIn(row, stand.column);
  return {
    request: shown.request,
    rows: chosen.rows,
    marked: [...state.marks.values()],
    columns: table.columns.map(({ head, sources: places }) => ({ head, path: places[0]?.path.join(".") ?? "" })),
    row,
    cell: found && { field: found.path.join("."), value: found.value ?? null, kind: found.meta?.kind },
    local: localWords(list),
  };
}

/** What is done here and cannot be asked of the API. */
function localWords({ state, table }: List): readonly string[] {
  const { filter, sort } = state;
  const column = sort && sort.api === undefined ? table.columns.find(({ key }) => key === sort.column) : undefined;
  return [
    ...(filter === "" ? [] : [`filter ${filter}`]),
    ...(sort && column
      ? [`sorted by ${column.head.toLowerCase()} on this page, ${sort.isDescending ? "greatest" : "least"} first`]
      : []),
  ];
}
