/** The keys of a list. */
import { type ActionName, bound } from "../../app/keys/actions.ts";
import type { Binding } from "../../app/keys/keymap.ts";

/** What the keys of a list do, and what of it would do something now. */
export interface ListOps {
  readonly byRows: (rows: number) => void;
  readonly byColumns: (columns: number) => void;
  readonly toEnd: (end: "first" | "last") => void;
  readonly follow: () => void;
  readonly nextPage: () => void;
  readonly backPage: () => void;
  readonly jump: () => void;
  readonly sort: () => void;
  readonly filter: () => void;
  readonly mark: () => void;
  readonly compare: () => void;
  readonly preview: () => void;
  readonly columns: () => void;
  readonly form: () => void;
  readonly refresh: () => void;
  readonly auto: () => void;
  /** Esc: stops loading, or takes the filter away. */
  readonly cancel: () => void;
}

/** What is the case while keys are pressed. */
export interface ListFacts {
  readonly hasRows: boolean;
  readonly columns: number;
  readonly pageHeight: number;
  readonly canFollow: boolean;
  readonly hasNext: boolean;
  readonly hasBack: boolean;
  readonly canJump: boolean;
  readonly hasForm: boolean;
  readonly hasPreview: boolean;
  readonly marked: number;
  readonly canAuto: boolean;
  readonly isAuto: boolean;
  /** What Esc would do first; undefined where it leaves the list. */
  readonly cancels: "stop loading" | "clear filter" | undefined;
}

/** The bindings of a list. */
export function listBindings(ops: ListOps, facts: ListFacts): readonly Binding[] {
  return [...moves(ops, facts), ...views(ops, facts), ...asks(ops, facts)];
}

function moves(ops: ListOps, { hasRows, columns, pageHeight }: ListFacts): readonly Binding[] {
  const move = (name: ActionName, label: string, run: () => void, active = hasRows): Binding => ({
    ...bound(name),
    label,
    run,
    active,
    group: "move",
  });
  const half = Math.max(1, Math.floor(pageHeight / 2));
  const page = Math.max(1, pageHeight - 1);
  return [
    move("move.down", "next row", () => ops.byRows(1)),
    move("move.up", "row before", () => ops.byRows(-1)),
    move("move.right", "next column", () => ops.byColumns(1), columns > 1),
    move("move.left", "column before", () => ops.byColumns(-1), columns > 1),
    move("move.first", "first row", () => ops.toEnd("first")),
    move("move.last", "last row", () => ops.toEnd("last")),
    move("move.half-down", "half a screen down", () => ops.byRows(half)),
    move("move.half-up", "half a screen up", () => ops.byRows(-half)),
    move("move.page-down", "a screen down", () => ops.byRows(page)),
    move("move.page-up", "a screen up", () => ops.byRows(-page)),
  ];
}

function views(ops: ListOps, facts: ListFacts): readonly Binding[] {
  const { hasRows, cancels } = facts;
  return [
    { ...bound("go.open"), label: "open", group: "go", hint: 10, run: ops.follow, active: facts.canFollow },
    { ...bound("list.filter"), label: "filter", group: "view", hint: 20, run: ops.filter, active: hasRows },
    { ...bound("list.sort"), label: "sort", group: "view", hint: 22, run: ops.sort, active: hasRows },
    {
      ...bound("list.preview"),
      label: facts.hasPreview ? "close preview" : "preview",
      group: "view",
      hint: 40,
      run: ops.preview,
      active: hasRows || facts.hasPreview,
    },
    { ...bound("list.columns"), label: "columns", group: "view", hint: 42, run: ops.columns, active: hasRows },
    { ...bound("list.mark"), label: "mark", group: "view", hint: 44, run: ops.mark, active: hasRows },
    {
      ...bound("list.compare"),
      label: "compare",
      group: "view",
      hint: 12,
      run: ops.compare,
      active: facts.marked > 1,
    },
    {
      ...bound("view.cancel"),
      label: cancels ?? "back",
      group: "view",
      hint: 15,
      run: ops.cancel,
      active: cancels !== undefined,
    },
  ];
}

function asks(ops: ListOps, facts: ListFacts): readonly Binding[] {
  return [
    { ...bound("list.form"), label: "filter form", group: "data", hint: 24, run: ops.form, active: facts.hasForm },
    {
      ...bound("list.next-page"),
      label: "next page",
      group: "data",
      hint: 30,
      run: ops.nextPage,
      active: facts.hasNext,
    },
    {
      ...bound("list.previous-page"),
      label: "page before",
      group: "data",
      hint: 31,
      run: ops.backPage,
      active: facts.hasBack,
    },
    { ...bound("list.jump"), label: "jump to page", group: "data", hint: 60, run: ops.jump, active: facts.canJump },
    { ...bound("view.refresh"), label: "refresh", group: "data", hint: 50, run: ops.refresh },
    {
      ...bound("list.auto"),
      label: facts.isAuto ? "stop auto refresh" : "auto refresh",
      group: "data",
      hint: 62,
      run: ops.auto,
      active: facts.canAuto,
    },
  ];
}
