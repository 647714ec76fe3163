/** The keys of a list. */
import { actionBinding } from "../../app/keys/actions.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import { type Movement, moveBindings } from "../viewport.ts";

/** What the keys of a list do, and what of it would do something now. */
export interface ListOps {
  readonly moveRows: (movement: Movement) => void;
  readonly moveColumns: (columns: number) => void;
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
  return [...cursorBindings(ops, facts), ...views(ops, facts), ...asks(ops, facts)];
}

function cursorBindings(ops: ListOps, { hasRows, columns }: ListFacts): readonly Binding[] {
  return [
    ...moveBindings(ops.moveRows, hasRows),
    {
      ...actionBinding("move.right"),
      label: "next column",
      group: "move",
      run: () => ops.moveColumns(1),
      active: columns > 1,
    },
    {
      ...actionBinding("move.left"),
      label: "previous column",
      group: "move",
      run: () => ops.moveColumns(-1),
      active: columns > 1,
    },
  ];
}

function views(ops: ListOps, facts: ListFacts): readonly Binding[] {
  const { hasRows, cancels } = facts;
  return [
    { ...actionBinding("go.open"), label: "open", group: "go", hint: 10, run: ops.follow, active: facts.canFollow },
    { ...actionBinding("list.filter"), label: "filter", group: "view", hint: 20, run: ops.filter, active: hasRows },
    { ...actionBinding("list.sort"), label: "sort", group: "view", hint: 22, run: ops.sort, active: hasRows },
    {
      ...actionBinding("list.preview"),
      label: facts.hasPreview ? "close preview" : "preview",
      group: "view",
      hint: 40,
      run: ops.preview,
      active: hasRows || facts.hasPreview,
    },
    { ...actionBinding("list.columns"), label: "columns", group: "view", hint: 42, run: ops.columns, active: hasRows },
    { ...actionBinding("list.mark"), label: "mark", group: "view", hint: 44, run: ops.mark, active: hasRows },
    {
      ...actionBinding("list.compare"),
      label: "compare",
      group: "view",
      hint: 12,
      run: ops.compare,
      active: facts.marked > 1,
    },
    {
      ...actionBinding("view.cancel"),
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
    {
      ...actionBinding("list.form"),
      label: "filter form",
      group: "data",
      hint: 24,
      run: ops.form,
      active: facts.hasForm,
    },
    {
      ...actionBinding("list.next-page"),
      label: "next page",
      group: "data",
      hint: 30,
      run: ops.nextPage,
      active: facts.hasNext,
    },
    {
      ...actionBinding("list.previous-page"),
      label: "previous page",
      group: "data",
      hint: 31,
      run: ops.backPage,
      active: facts.hasBack,
    },
    {
      ...actionBinding("list.jump"),
      label: "jump to page",
      group: "data",
      hint: 60,
      run: ops.jump,
      active: facts.canJump,
    },
    { ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 50, run: ops.refresh },
    {
      ...actionBinding("list.auto"),
      label: facts.isAuto ? "stop auto refresh" : "auto refresh",
      group: "data",
      hint: 62,
      run: ops.auto,
      active: facts.canAuto,
    },
  ];
}
