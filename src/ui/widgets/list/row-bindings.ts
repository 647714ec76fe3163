/** The keys of rows: those that lists and short tables share. */
import type { Json } from "../../../base/index.ts";
import type { Shape } from "../../../catalogue/index.ts";
import { useExplorer } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { type FieldLink, MAX_COMPARED } from "../../navigation/popups.ts";
import type { Route } from "../../navigation/route.ts";
import { rememberPreview } from "./preview.ts";
import { moveByColumns, type SetRows, toggleMark, type Viewport } from "./rows.ts";

interface RowsView {
  readonly set: SetRows;
  readonly viewport: Viewport;
  /** The row at the cursor, and its links. */
  readonly row: Json | undefined;
  readonly links: readonly FieldLink[];
  readonly shape: Shape;
  readonly marked: readonly Json[];
  readonly routeOf: (row: Json) => Route | undefined;
  readonly hasPreview: boolean;
  readonly isFiltered: boolean;
}

/** What lists and short tables do in their own way. */
interface RowsActions {
  readonly sort: () => void;
  /** Filters by the value of the cell at the cursor: only the rows with it, or only those without. */
  readonly filterByCell: (isExcluded: boolean) => void;
  readonly removeLastFilter: () => void;
  readonly removeFilters: () => void;
}

/** When the keys are active, and where two of them are among the hints. */
interface RowKeys {
  /** Whether keys are for these rows, and whether there are some. */
  readonly active: boolean;
  readonly hasRows: boolean;
  readonly hints: { readonly sort: number; readonly preview: number };
}

/** Returns the bindings of rows. */
export function useRowBindings(view: RowsView, actions: RowsActions, keys: RowKeys): readonly Binding[] {
  const { openPopup, toast, data } = useExplorer();
  const { set, viewport, row, links, marked, hasPreview } = view;
  const active = keys.active && keys.hasRows;
  const isFiltered = keys.active && view.isFiltered;
  const moveColumn = (by: number) => () => set((before) => moveByColumns(before, by, viewport));
  const hasColumns = active && viewport.minWidths.length > 1;
  const compare = () => {
    const compared = marked.slice(0, MAX_COMPARED).map((one) => ({ row: one, route: view.routeOf(one) }));
    openPopup({ kind: "compare", marked: compared, shape: view.shape });
    if (marked.length > MAX_COMPARED)
      toast(`${marked.length} rows are marked: the first ${MAX_COMPARED} are compared.`, "warning");
  };
  const togglePreview = () => {
    rememberPreview(data, !hasPreview);
    set((before) => ({ ...before, hasPreview: !hasPreview }));
  };
  const mark = () => row !== undefined && set((before) => toggleMark(before, row, viewport));
  return [
    bindAction("move.right", "next column", moveColumn(1), { active: hasColumns }),
    bindAction("move.left", "previous column", moveColumn(-1), { active: hasColumns }),
    bindAction("go.links", "links", () => openPopup({ kind: "links", links }), {
      hint: 46,
      active: keys.active && links.length > 1,
    }),
    bindAction("list.sort", "sort", actions.sort, { hint: keys.hints.sort, active }),
    bindAction("list.preview", hasPreview ? "close preview" : "preview", togglePreview, {
      hint: keys.hints.preview,
      active: active || (keys.active && hasPreview),
    }),
    bindAction("list.mark", "mark", mark, { hint: 44, active }),
    bindAction("list.compare", "compare", compare, { hint: 12, active: keys.active && marked.length > 1 }),
    bindAction("list.only", "only this value", () => actions.filterByCell(false), { hint: 32, active }),
    bindAction("list.without", "without it", () => actions.filterByCell(true), { hint: 33, active }),
    bindAction("list.unfilter", "remove last filter", actions.removeLastFilter, { active: isFiltered }),
    bindAction("list.unfilter-all", "remove filters", actions.removeFilters, { hint: 16, active: isFiltered }),
  ];
}
