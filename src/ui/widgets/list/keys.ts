/** The keys of a list. */
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { type Movement, moveBindings } from "../viewport.ts";

/** The actions that keys trigger. */
export interface ListActions {
  readonly moveRows: (movement: Movement) => void;
  readonly moveColumns: (chooseColumns: number) => void;
  /** Opens what the row is about, or the link of the cell. */
  readonly openLink: () => void;
  readonly chooseLink: () => void;
  readonly nextPage: () => void;
  readonly previousPage: () => void;
  readonly jumpToPage: () => void;
  readonly load: () => void;
  readonly sort: () => void;
  /** Moves the cursor to a column and sorts by it. */
  readonly sortColumn: (index: number) => void;
  readonly onlyValue: () => void;
  readonly withoutValue: () => void;
  readonly toggleFailed: () => void;
  /** Removes a filter by its index (default: the last one). */
  readonly removeFilter: (index?: number) => void;
  readonly removeFilters: () => void;
  readonly filter: () => void;
  readonly toggleMark: () => void;
  readonly compare: () => void;
  readonly togglePreview: () => void;
  readonly chooseColumns: () => void;
  /** Makes the column at the cursor wider (1) or narrower (-1). */
  readonly resizeColumn: (direction: 1 | -1) => void;
  readonly openForm: () => void;
  readonly refresh: () => void;
  readonly toggleAutoRefresh: () => void;
  /** Esc: stops loading, or clears the filter. */
  readonly cancel: () => void;
}

/** Which actions are available. */
export interface ListFlags {
  readonly hasRows: boolean;
  readonly columnCount: number;
  /** What Enter does; undefined where the row has no link. */
  readonly openLabel: string | undefined;
  readonly linkCount: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly canJump: boolean;
  readonly canLoad: boolean;
  /** Whether rows of several pages are loaded. */
  readonly isLoaded: boolean;
  readonly hasForm: boolean;
  readonly hasPreview: boolean;
  /** Whether not all columns fit; the preview shows them. */
  readonly hasHiddenColumns: boolean;
  /** Whether a page after the first one is shown. */
  readonly isLaterPage: boolean;
  /** Whether new rows appear at the top. */
  readonly isGrowing: boolean;
  readonly markedCount: number;
  /** Whether only failed transactions are shown; undefined where rows have no status. */
  readonly failedOnly: boolean | undefined;
  readonly filterCount: number;
  readonly canAutoRefresh: boolean;
  readonly isAutoRefreshing: boolean;
  /** What Esc does first; undefined when it leaves the list. */
  readonly cancelLabel: "stop loading" | "clear filter" | undefined;
}

/** Returns the bindings of a list. */
export function listBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  return [
    ...cursorBindings(actions, flags),
    ...viewBindings(actions, flags),
    ...filterBindings(actions, flags),
    ...requestBindings(actions, flags),
  ];
}

function cursorBindings(actions: ListActions, { hasRows, columnCount, isLoaded }: ListFlags): readonly Binding[] {
  const movements = moveBindings(actions.moveRows, hasRows);
  return [
    ...movements.map((one) => (isLoaded && one.name === "move.last" ? { ...one, hint: 14 } : one)),
    bindAction("move.right", "next column", () => actions.moveColumns(1), { active: columnCount > 1 }),
    bindAction("move.left", "previous column", () => actions.moveColumns(-1), { active: columnCount > 1 }),
  ];
}

function viewBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  const { hasRows, cancelLabel } = flags;
  return [
    bindAction("go.open", flags.openLabel ?? "open", actions.openLink, {
      hint: 10,
      active: flags.openLabel !== undefined,
    }),
    bindAction("go.links", "links", actions.chooseLink, { hint: 46, active: flags.linkCount > 1 }),
    bindAction("list.filter", "filter", actions.filter, { hint: 20, active: hasRows }),
    bindAction("list.sort", "sort", actions.sort, { hint: 22, active: hasRows }),
    bindAction("list.preview", flags.hasPreview ? "close preview" : "preview", actions.togglePreview, {
      hint: flags.hasHiddenColumns ? 23 : 40,
      active: hasRows || flags.hasPreview,
    }),
    bindAction("list.columns", "columns", actions.chooseColumns, { hint: 42, active: hasRows }),
    bindAction("list.wider", "wider column", () => actions.resizeColumn(1), { active: hasRows }),
    bindAction("list.narrower", "narrower column", () => actions.resizeColumn(-1), { active: hasRows }),
    bindAction("list.mark", "mark", actions.toggleMark, { hint: 44, active: hasRows }),
    bindAction("list.compare", "compare", actions.compare, { hint: 12, active: flags.markedCount > 1 }),
    bindAction("view.cancel", cancelLabel ?? "back", actions.cancel, { hint: 15, active: cancelLabel !== undefined }),
  ];
}

function filterBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  const { hasRows, failedOnly, filterCount } = flags;
  const isFiltered = filterCount > 0;
  return [
    bindAction("list.only", "only this value", actions.onlyValue, { hint: 32, active: hasRows }),
    bindAction("list.without", "without it", actions.withoutValue, { hint: 33, active: hasRows }),
    bindAction("list.failed", failedOnly ? "all transactions" : "failed only", actions.toggleFailed, {
      hint: 26,
      active: failedOnly !== undefined && (hasRows || failedOnly),
    }),
    bindAction("list.unfilter", "remove last filter", () => actions.removeFilter(), { active: isFiltered }),
    bindAction("list.unfilter-all", "remove filters", actions.removeFilters, { hint: 16, active: isFiltered }),
  ];
}

function requestBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  return [
    bindAction("list.form", "filter form", actions.openForm, { hint: 24, active: flags.hasForm }),
    bindAction("list.load", "load more", actions.load, { hint: 25, active: flags.canLoad }),
    bindAction("list.next-page", "next page", actions.nextPage, { hint: 30, active: flags.hasNext }),
    bindAction("list.previous-page", "previous page", actions.previousPage, { hint: 31, active: flags.hasPrevious }),
    bindAction("list.jump", "jump to page", actions.jumpToPage, {
      hint: flags.isLaterPage ? 29 : 60,
      active: flags.canJump,
    }),
    bindAction("view.refresh", "refresh", actions.refresh, { hint: 50 }),
    bindAction("list.auto", flags.isAutoRefreshing ? "stop auto refresh" : "auto refresh", actions.toggleAutoRefresh, {
      hint: flags.isGrowing || flags.isAutoRefreshing ? 24 : 62,
      active: flags.canAutoRefresh,
    }),
  ];
}
