/** The keys of a detail. No React here. */
import { type ActionName, actionBinding } from "../../app/keys/actions.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import type { Route } from "../../app/route.ts";
import { EDIT_KEYS } from "../../form/text-field.ts";
import { moveBindings } from "../viewport.ts";
import type { Action, DetailState } from "./reducer.ts";
import { isOpen, type TreeNode } from "./value-tree.ts";

/** What the keys work on. */
export interface Hands {
  readonly state: DetailState;
  /** What the cursor is on. */
  readonly node: TreeNode | undefined;
  readonly target: Route | undefined;
  /** Things on view. */
  readonly count: number;
  /** Whether anything folds. */
  readonly hasParts: boolean;
  readonly act: (action: Action) => void;
  readonly open: (place: Route) => void;
  readonly refresh: (() => void) | undefined;
}

/** The keys of the view. */
export function viewBindings(hands: Hands): readonly Binding[] {
  return [...enterBindings(hands), ...cursorBindings(hands), ...viewKeys(hands), ...searchKeys(hands)];
}

/** Enter does what is most of use: it follows, else it folds. */
function enterBindings({ state, node, target, act, open }: Hands): readonly Binding[] {
  const folds = state.view === "fields" && node !== undefined && node.form !== "leaf";
  const word = node && isOpen(state.folds, node) ? "fold" : "unfold";
  const follow = target?.kind === "entity" ? `open ${target.entity}` : "open";
  return [
    {
      ...actionBinding("go.open"),
      label: target ? follow : word,
      group: "data",
      hint: 1,
      active: target !== undefined || folds,
      run: () => (target ? open(target) : act({ type: "toggle" })),
    },
  ];
}

function cursorBindings({ state, count, hasParts, act }: Hands): readonly Binding[] {
  const isRaw = state.view === "raw";
  const level = (name: ActionName, label: string, type: "into" | "out"): Binding => ({
    ...actionBinding(name),
    label,
    group: "move",
    active: isRaw ? !state.wraps : hasParts,
    run: () => act({ type }),
  });
  return [
    ...moveBindings((movement) => act({ type: "move", ...movement }), count > 1),
    level("move.right", isRaw ? "right" : "unfold, or go in", "into"),
    level("move.left", isRaw ? "left" : "fold, or go out", "out"),
  ];
}

function viewKeys({ state, hasParts, act, refresh }: Hands): readonly Binding[] {
  const isFields = state.view === "fields";
  return [
    {
      ...actionBinding("detail.fold"),
      label: "fold",
      group: "view",
      hint: 12,
      active: isFields && hasParts,
      run: () => act({ type: "toggle" }),
    },
    {
      ...actionBinding("detail.fold-all"),
      label: state.folds.all === true && state.folds.chosen.size === 0 ? "fold all" : "unfold all",
      group: "view",
      hint: 13,
      active: isFields && hasParts,
      run: () => act({ type: "all" }),
    },
    {
      ...actionBinding("detail.json"),
      label: isFields ? "JSON" : "fields",
      group: "view",
      hint: 11,
      run: () => act({ type: "view" }),
    },
    {
      ...actionBinding("detail.wrap"),
      label: state.wraps ? "cut lines" : "wrap lines",
      group: "view",
      hint: 40,
      run: () => act({ type: "wrap" }),
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

function searchKeys({ state, act }: Hands): readonly Binding[] {
  const active = state.query !== "";
  return [
    { ...actionBinding("detail.search"), label: "search", group: "view", hint: 10, run: () => act({ type: "search" }) },
    {
      ...actionBinding("detail.next-match"),
      label: "next match",
      group: "move",
      hint: 2,
      active,
      run: () => act({ type: "match", by: 1 }),
    },
    {
      ...actionBinding("detail.previous-match"),
      label: "previous match",
      group: "move",
      active,
      run: () => act({ type: "match", by: -1 }),
    },
    {
      ...actionBinding("view.cancel"),
      label: "clear search",
      group: "view",
      hint: 3,
      active,
      run: () => act({ type: "clear" }),
    },
  ];
}

/** The keys while a search is typed. */
export function typingBindings(act: (action: Action) => void): readonly Binding[] {
  return [
    { keys: ["enter"], label: "keep", group: "view", hint: 1, run: () => act({ type: "accept" }) },
    { keys: ["esc", "ctrl+c"], label: "give up", group: "view", hint: 2, run: () => act({ type: "cancel" }) },
    { keys: ["down", "ctrl+n"], label: "next match", group: "move", run: () => act({ type: "match", by: 1 }) },
    { keys: ["up", "ctrl+p"], label: "previous match", group: "move", run: () => act({ type: "match", by: -1 }) },
    { keys: EDIT_KEYS, label: "edit", group: "view", run: (key) => act({ type: "edit", key }) },
  ];
}
