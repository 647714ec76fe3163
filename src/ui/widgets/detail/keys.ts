/** The keys of a detail view. No React here. */

import type { ActionName } from "../../navigation/keys/actions.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
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
    bindAction(
      "go.open",
      target ? openLabel : foldLabel,
      () => (target ? open(target) : dispatch({ type: "toggle" })),
      { hint: 1, active: target !== undefined || folds },
    ),
  ];
}

function cursorBindings({ state, rowCount, hasFolds, dispatch }: DetailContext): readonly Binding[] {
  const isRaw = state.mode === "raw";
  const level = (name: ActionName, label: string, type: "into" | "out"): Binding =>
    bindAction(name, label, () => dispatch({ type }), { active: isRaw ? !state.wraps : hasFolds });
  return [
    ...moveBindings((movement) => dispatch({ type: "move", ...movement }), rowCount > 1),
    level("move.right", isRaw ? "right" : "unfold or enter", "into"),
    level("move.left", isRaw ? "left" : "fold or leave", "out"),
  ];
}

function viewBindings({ state, hasFolds, dispatch, refresh }: DetailContext): readonly Binding[] {
  const isFields = state.mode === "fields";
  return [
    bindAction("detail.fold", "fold", () => dispatch({ type: "toggle" }), { hint: 12, active: isFields && hasFolds }),
    bindAction(
      "detail.fold-all",
      state.folds.all === true && state.folds.chosen.size === 0 ? "fold all" : "unfold all",
      () => dispatch({ type: "all" }),
      { hint: 13, active: isFields && hasFolds },
    ),
    bindAction("detail.json", isFields ? "JSON" : "fields", () => dispatch({ type: "view" }), { hint: 11 }),
    bindAction("detail.wrap", state.wraps ? "truncate lines" : "wrap lines", () => dispatch({ type: "wrap" }), {
      hint: 40,
    }),
    bindAction("view.refresh", "refresh", () => refresh?.(), { hint: 30, active: refresh !== undefined }),
  ];
}

function searchBindings({ state, dispatch }: DetailContext): readonly Binding[] {
  const active = state.query !== "";
  return [
    bindAction("detail.search", "search", () => dispatch({ type: "search" }), { hint: 10 }),
    bindAction("detail.next-match", "next match", () => dispatch({ type: "match", by: 1 }), { hint: 2, active }),
    bindAction("detail.previous-match", "previous match", () => dispatch({ type: "match", by: -1 }), { active }),
    bindAction("view.cancel", "clear search", () => dispatch({ type: "clear" }), { hint: 3, active }),
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
