/** The keys of a detail view. No React here. */

import { type ActionName, actionBinding } from "../../navigation/keys/actions.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import type { Route } from "../../navigation/route.ts";
import { EDIT_KEYS } from "../text-field.ts";
import { moveBindings } from "../viewport.ts";
import type { DetailAction, DetailState } from "./reducer.ts";
import { isOpen, type ValueNode } from "./value-tree.ts";

/** The context of the bindings. */
export interface DetailContext {
  readonly state: DetailState;
  /** The node at the cursor. */
  readonly node: ValueNode | undefined;
  readonly target: Route | undefined;
  /** Number of visible rows. */
  readonly rowCount: number;
  /** Whether anything can be folded. */
  readonly hasFolds: boolean;
  readonly dispatch: (action: DetailAction) => void;
  readonly open: (route: Route) => void;
  readonly refresh: (() => void) | undefined;
}

/** Returns the bindings of the view. */
export function detailBindings(context: DetailContext): readonly Binding[] {
  return [...enterBindings(context), ...cursorBindings(context), ...viewBindings(context), ...searchBindings(context)];
}

/** Enter follows a link, or else folds and unfolds. */
function enterBindings({ state, node, target, dispatch, open }: DetailContext): readonly Binding[] {
  const folds = state.mode === "fields" && node !== undefined && node.form !== "leaf";
  const foldLabel = node && isOpen(state.folds, node) ? "fold" : "unfold";
  const openLabel = target?.kind === "entity" ? `open ${target.entity}` : "open";
  return [
    {
      ...actionBinding("go.open"),
      label: target ? openLabel : foldLabel,
      group: "data",
      hint: 1,
      active: target !== undefined || folds,
      run: () => (target ? open(target) : dispatch({ type: "toggle" })),
    },
  ];
}

function cursorBindings({ state, rowCount, hasFolds, dispatch }: DetailContext): readonly Binding[] {
  const isRaw = state.mode === "raw";
  const level = (name: ActionName, label: string, type: "into" | "out"): Binding => ({
    ...actionBinding(name),
    label,
    group: "move",
    active: isRaw ? !state.wraps : hasFolds,
    run: () => dispatch({ type }),
  });
  return [
    ...moveBindings((movement) => dispatch({ type: "move", ...movement }), rowCount > 1),
    level("move.right", isRaw ? "right" : "unfold or enter", "into"),
    level("move.left", isRaw ? "left" : "fold or leave", "out"),
  ];
}

function viewBindings({ state, hasFolds, dispatch, refresh }: DetailContext): readonly Binding[] {
  const isFields = state.mode === "fields";
  return [
    {
      ...actionBinding("detail.fold"),
      label: "fold",
      group: "view",
      hint: 12,
      active: isFields && hasFolds,
      run: () => dispatch({ type: "toggle" }),
    },
    {
      ...actionBinding("detail.fold-all"),
      label: state.folds.all === true && state.folds.chosen.size === 0 ? "fold all" : "unfold all",
      group: "view",
      hint: 13,
      active: isFields && hasFolds,
      run: () => dispatch({ type: "all" }),
    },
    {
      ...actionBinding("detail.json"),
      label: isFields ? "JSON" : "fields",
      group: "view",
      hint: 11,
      run: () => dispatch({ type: "view" }),
    },
    {
      ...actionBinding("detail.wrap"),
      label: state.wraps ? "truncate lines" : "wrap lines",
      group: "view",
      hint: 40,
      run: () => dispatch({ type: "wrap" }),
    },
    {
      ...actionBinding("view.refresh"),
      label: "refresh",
      group: "data",
      hint: 30,
      active: refresh !== undefined,
      run: () => refresh?.(),
    },
  ];
}

function searchBindings({ state, dispatch }: DetailContext): readonly Binding[] {
  const active = state.query !== "";
  return [
    {
      ...actionBinding("detail.search"),
      label: "search",
      group: "view",
      hint: 10,
      run: () => dispatch({ type: "search" }),
    },
    {
      ...actionBinding("detail.next-match"),
      label: "next match",
      group: "move",
      hint: 2,
      active,
      run: () => dispatch({ type: "match", by: 1 }),
    },
    {
      ...actionBinding("detail.previous-match"),
      label: "previous match",
      group: "move",
      active,
      run: () => dispatch({ type: "match", by: -1 }),
    },
    {
      ...actionBinding("view.cancel"),
      label: "clear search",
      group: "view",
      hint: 3,
      active,
      run: () => dispatch({ type: "clear" }),
    },
  ];
}

/** Returns the bindings while a search is typed. */
export function searchInputBindings(dispatch: (action: DetailAction) => void): readonly Binding[] {
  return [
    { keys: ["enter"], label: "accept", group: "view", hint: 1, run: () => dispatch({ type: "accept" }) },
    { keys: ["esc", "ctrl+c"], label: "cancel", group: "view", hint: 2, run: () => dispatch({ type: "cancel" }) },
    { keys: ["down", "ctrl+n"], label: "next match", group: "move", run: () => dispatch({ type: "match", by: 1 }) },
    { keys: ["up", "ctrl+p"], label: "previous match", group: "move", run: () => dispatch({ type: "match", by: -1 }) },
    { keys: EDIT_KEYS, label: "edit", group: "view", run: (key) => dispatch({ type: "edit", key }) },
  ];
}
