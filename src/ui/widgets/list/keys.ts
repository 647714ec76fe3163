/** The keys of a list. */
import { actionBinding } from "../../navigation/keys/actions.ts";
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
    {
      ...actionBinding("move.right"),
      label: "next column",
      group: "move",
      run: () => actions.moveColumns(1),
      active: columnCount > 1,
    },
    {
      ...actionBinding("move.left"),
      label: "previous column",
      group: "move",
      run: () => actions.moveColumns(-1),
      active: columnCount > 1,
    },
  ];
}

function viewBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  const { hasRows, cancelLabel } = flags;
  return [
    {
      ...actionBinding("go.open"),
      label: flags.openLabel ?? "open",
      group: "go",
      hint: 10,
      run: actions.openLink,
      active: flags.openLabel !== undefined,
    },
    {
      ...actionBinding("go.links"),
      label: "links",
      group: "go",
      hint: 46,
      run: actions.chooseLink,
      active: flags.linkCount > 1,
    },
    { ...actionBinding("list.filter"), label: "filter", group: "view", hint: 20, run: actions.filter, active: hasRows },
    { ...actionBinding("list.sort"), label: "sort", group: "view", hint: 22, run: actions.sort, active: hasRows },
    {
      ...actionBinding("list.preview"),
      label: flags.hasPreview ? "close preview" : "preview",
      group: "view",
      hint: flags.hasHiddenColumns ? 23 : 40,
      run: actions.togglePreview,
      active: hasRows || flags.hasPreview,
    },
    {
      ...actionBinding("list.columns"),
      label: "columns",
      group: "view",
      hint: 42,
      run: actions.chooseColumns,
      active: hasRows,
    },
    {
      ...actionBinding("list.wider"),
      label: "wider column",
      group: "view",
      run: () => actions.resizeColumn(1),
      active: hasRows,
    },
    {
      ...actionBinding("list.narrower"),
      label: "narrower column",
      group: "view",
      run: () => actions.resizeColumn(-1),
      active: hasRows,
    },
    { ...actionBinding("list.mark"), label: "mark", group: "view", hint: 44, run: actions.toggleMark, active: hasRows },
    {
      ...actionBinding("list.compare"),
      label: "compare",
      group: "view",
      hint: 12,
      run: actions.compare,
      active: flags.markedCount > 1,
    },
    {
      ...actionBinding("view.cancel"),
      label: cancelLabel ?? "back",
      group: "view",
      hint: 15,
      run: actions.cancel,
      active: cancelLabel !== undefined,
    },
  ];
}

function filterBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  const { hasRows, failedOnly, filterCount } = flags;
  const isFiltered = filterCount > 0;
  return [
    {
      ...actionBinding("list.only"),
      label: "only this value",
      group: "data",
      hint: 32,
      run: actions.onlyValue,
      active: hasRows,
    },
    {
      ...actionBinding("list.without"),
      label: "without it",
      group: "data",
      hint: 33,
      run: actions.withoutValue,
      active: hasRows,
    },
    {
      ...actionBinding("list.failed"),
      label: failedOnly ? "all transactions" : "failed only",
      group: "data",
      hint: 26,
      run: actions.toggleFailed,
      active: failedOnly !== undefined && (hasRows || failedOnly),
    },
    {
      ...actionBinding("list.unfilter"),
      label: "remove last filter",
      group: "data",
      run: () => actions.removeFilter(),
      active: isFiltered,
    },
    {
      ...actionBinding("list.unfilter-all"),
      label: "remove filters",
      group: "data",
      hint: 16,
      run: actions.removeFilters,
      active: isFiltered,
    },
  ];
}

function requestBindings(actions: ListActions, flags: ListFlags): readonly Binding[] {
  return [
    {
      ...actionBinding("list.form"),
      label: "filter form",
      group: "data",
      hint: 24,
      run: actions.openForm,
      active: flags.hasForm,
    },
    {
      ...actionBinding("list.load"),
      label: "load more",
      group: "data",
      hint: 25,
      run: actions.load,
      active: flags.canLoad,
    },
    {
      ...actionBinding("list.next-page"),
      label: "next page",
      group: "data",
      hint: 30,
      run: actions.nextPage,
      active: flags.hasNext,
    },
    {
      ...actionBinding("list.previous-page"),
      label: "previous page",
      group: "data",
      hint: 31,
      run: actions.previousPage,
      active: flags.hasPrevious,
    },
    {
      ...actionBinding("list.jump"),
      label: "jump to page",
      group: "data",
      hint: flags.isLaterPage ? 29 : 60,
      run: actions.jumpToPage,
      active: flags.canJump,
    },
    { ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 50, run: actions.refresh },
    {
      ...actionBinding("list.auto"),
      label: flags.isAutoRefreshing ? "stop auto refresh" : "auto refresh",
      group: "data",
      hint: flags.isGrowing || flags.isAutoRefreshing ? 24 : 62,
      run: actions.toggleAutoRefresh,
      active: flags.canAutoRefresh,
    },
  ];
}
