/** What keys do to a detail. Pure: the scene tells what is on view. No React here. */
import { editField, insertText, type TextField, textField } from "../../form/text-field.ts";
import { farthestWithin, itemAfter, type Movement, type ScrollItems, scrollTop } from "../viewport.ts";
import { nextMatch } from "./search.ts";
import {
  ancestors,
  FIRST_FOLDS,
  type Folds,
  findNode,
  isOpen,
  type Tree,
  type TreeNode,
  withFolds,
} from "./value-tree.ts";

/** What a detail looks like; kept with the visit. */
export interface DetailState {
  readonly view: "fields" | "raw";
  /** Whether long values are broken into lines. */
  readonly wraps: boolean;
  /** Cells of JSON that are to the left of the window, while lines are cut. */
  readonly left: number;
  readonly folds: Folds;
  /** The id of what is looked at. */
  readonly cursor: string;
  /** The index of the first item on view. */
  readonly top: number;
  /** What is searched for; empty for nothing. */
  readonly query: string;
  /** What is typed, and what to go back to when it is given up. */
  readonly typing: Typing | undefined;
}

interface Typing {
  readonly field: TextField;
  readonly before: Pick<DetailState, "folds" | "cursor" | "query" | "top">;
}

/** As it is when one comes. */
export const FIRST_STATE: DetailState = {
  view: "fields",
  wraps: true,
  left: 0,
  folds: FIRST_FOLDS,
  cursor: "",
  top: 0,
  query: "",
  typing: undefined,
};

/** Nodes or lines of JSON below each other. */
export interface View extends ScrollItems {
  heightAt(index: number): number;
  idAt(index: number): string;
  /** -1 where it is not on view. */
  indexOf(id: string): number;
}

/** What is on view in a state. */
export interface Scene {
  readonly tree: Tree;
  view(state: DetailState): View;
  /** Lines for the view. */
  height(state: DetailState): number;
  /** Ids of what matches a query, in order. */
  matches(state: DetailState): readonly string[];
  /** Where an id stands among everything that can be found; -1 for unknown ones. */
  order(state: DetailState, id: string): number;
}

/** What a key does. */
export type Action =
  | ({ readonly type: "move" } & Movement)
  | { readonly type: "pick"; readonly index: number }
  | { readonly type: "toggle" | "all" | "into" | "out" }
  | { readonly type: "view" | "wrap" }
  | { readonly type: "search" | "accept" | "cancel" | "clear" }
  | { readonly type: "type"; readonly text: string }
  | { readonly type: "edit"; readonly key: string }
  | { readonly type: "match"; readonly by: 1 | -1 };

/** The state after a key. */
export function reduce(state: DetailState, action: Action, scene: Scene): DetailState {
  return settled(changed(settled(state, scene), action, scene), scene);
}

/** The state with its cursor on something that is there, and that on the screen. */
export function settled(state: DetailState, scene: Scene): DetailState {
  const view = scene.view(state);
  const index = indexIn(view, state.cursor);
  const cursor = view.count === 0 ? "" : view.idAt(index);
  const top = scrollTop(view, scene.height(state), state.top, index);
  return cursor === state.cursor && top === state.top ? state : { ...state, cursor, top };
}

/** Where an id is on view, or the nearest that it is in; the first item where none is. */
export function indexIn(view: View, id: string): number {
  for (let one = id; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) {
    const index = view.indexOf(one);
    if (index >= 0) return index;
  }
  return Math.max(0, view.indexOf(""));
}

function changed(state: DetailState, action: Action, scene: Scene): DetailState {
  switch (action.type) {
    case "move":
      return move(state, action, scene);
    case "pick":
      return at(state, scene, action.index);
    case "toggle":
      return state.view === "raw" ? state : fold(state, action.type, scene);
    case "into":
    case "out":
      return state.view === "raw" ? aside(state, action.type) : fold(state, action.type, scene);
    case "all":
      return { ...state, folds: { all: state.folds.all !== true || state.folds.chosen.size > 0, chosen: new Map() } };
    case "view":
      return inSight({ ...state, view: state.view === "raw" ? "fields" : "raw", top: 0 }, scene);
    case "wrap":
      return { ...state, wraps: !state.wraps, left: 0 };
    default:
      return searched(state, action, scene);
  }
}

function at(state: DetailState, scene: Scene, index: number): DetailState {
  const view = scene.view(state);
  return index >= 0 && index < view.count ? { ...state, cursor: view.idAt(index) } : state;
}

function move(state: DetailState, movement: Movement, scene: Scene): DetailState {
  const view = scene.view(state);
  return at(state, scene, itemAfter(view, scene.height(state), indexIn(view, state.cursor), movement));
}

const ASIDE = 16;
/** No line is longer on the screen. */
const FARTHEST = 4000;

/** Moves the window over lines of JSON that are cut. */
function aside(state: DetailState, type: "into" | "out"): DetailState {
  if (state.wraps) return state;
  return { ...state, left: Math.min(FARTHEST, Math.max(0, state.left + (type === "into" ? ASIDE : -ASIDE))) };
}

function fold(state: DetailState, type: "toggle" | "into" | "out", scene: Scene): DetailState {
  const node = findNode(scene.tree, state.cursor);
  if (!node) return state;
  const open = isOpen(state.folds, node);
  const parent = ancestors(node)[0];
  const set = (one: TreeNode, wanted: boolean) => ({
    ...state,
    cursor: one.id,
    folds: withFolds(state.folds, [one], wanted),
  });
  if (type === "into") {
    if (open) return { ...state, cursor: scene.tree.children(node)[0]?.id ?? state.cursor };
    return node.form === "leaf" ? state : set(node, true);
  }
  if (type === "out") {
    if (open) return set(node, false);
    return parent ? { ...state, cursor: parent.id } : state;
  }
  if (node.form !== "leaf") return set(node, !open);
  return parent ? set(parent, false) : state;
}

type Searching = Extract<Action, { type: "search" | "accept" | "cancel" | "clear" | "type" | "edit" | "match" }>;

function searched(state: DetailState, action: Searching, scene: Scene): DetailState {
  const { typing } = state;
  switch (action.type) {
    case "search": {
      const { folds, cursor, query, top } = state;
      return { ...state, query: "", typing: { field: textField(), before: { folds, cursor, query, top } } };
    }
    case "accept":
      return { ...state, typing: undefined };
    case "cancel":
      return typing ? { ...state, ...typing.before, typing: undefined } : state;
    case "clear":
      return { ...state, query: "" };
    case "type":
      return typing ? typed(state, typing, insertText(typing.field, action.text), scene) : state;
    case "edit":
      return typing ? typed(state, typing, editField(typing.field, action.key), scene) : state;
    case "match":
      return found(state, scene, scene.order(state, state.cursor), action.by);
    default:
      return action satisfies never;
  }
}

/** Shows the first match from where the search began; what it unfolded for an earlier text folds again. */
function typed(state: DetailState, typing: Typing, field: TextField, scene: Scene): DetailState {
  const { folds, cursor, top } = typing.before;
  const next = { ...state, folds, cursor, top, query: field.text, typing: { ...typing, field } };
  return found(next, scene, scene.order(next, cursor) - 1, 1);
}

function found(state: DetailState, scene: Scene, from: number, by: 1 | -1): DetailState {
  const id = nextMatch(scene.matches(state), from, (one) => scene.order(state, one), by);
  if (id === undefined) return state;
  const node = state.view === "fields" ? findNode(scene.tree, id) : undefined;
  const folds = node ? withFolds(state.folds, ancestors(node), true) : state.folds;
  return inSight({ ...state, cursor: id, folds }, scene);
}

/** Where the cursor would be out of sight, the window is put around it. */
function inSight(state: DetailState, scene: Scene): DetailState {
  const view = scene.view(state);
  const height = scene.height(state);
  const index = indexIn(view, state.cursor);
  if (view.count === 0 || scrollTop(view, height, state.top, index) === state.top) return state;
  return { ...state, top: farthestWithin(view, Math.ceil(height / 2), index, -1) };
}
