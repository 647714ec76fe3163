/** The state of a detail view and its transitions. Pure: the model provides the visible rows. No React here. */
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { editField, insertText, type TextField, textField } from "../text-field.ts";
import { farthestWithin, itemAfter, type Movement, type ScrollItems, scrollTop } from "../viewport.ts";
import type { DrawOptions, LiveOptions } from "./format.ts";
import {
  ancestors,
  type FoldState,
  findNode,
  INITIAL_FOLDS,
  isOpen,
  type ValueNode,
  type ValueTree,
  withFolds,
} from "./value-tree.ts";

/** The state of a detail view; stored with the history entry. */
export interface DetailState {
  readonly mode: "fields" | "raw";
  readonly wraps: boolean;
  /** Columns of JSON scrolled off to the left, while lines are cut. */
  readonly scrollLeft: number;
  readonly folds: FoldState;
  /** The id of the node at the cursor. */
  readonly cursor: string;
  /** The index of the first visible row. */
  readonly top: number;
  /** The search text; empty for none. */
  readonly query: string;
  /** The search that is being typed, and the state to restore when it is cancelled. */
  readonly searchInput: SearchInput | undefined;
}

interface SearchInput {
  readonly field: TextField;
  readonly before: Pick<DetailState, "folds" | "cursor" | "query" | "top">;
}

/** The initial state. */
export const INITIAL_DETAIL_STATE: DetailState = {
  mode: "fields",
  wraps: true,
  scrollLeft: 0,
  folds: INITIAL_FOLDS,
  cursor: "",
  top: 0,
  query: "",
  searchInput: undefined,
};

/** Nodes or lines of JSON below each other. */
export interface DetailRows extends ScrollItems {
  heightAt(index: number): number;
  idAt(index: number): string;
  /** Returns -1 when the id is not visible. */
  indexOf(id: string): number;
  /** Returns the lines of the rows in a half-open range. */
  lines(from: number, to: number, live: LiveOptions): readonly (readonly TextLine[])[];
}

/** The rows of a state. */
export interface DetailModel {
  readonly tree: ValueTree;
  options(state: DetailState): DrawOptions;
  rows(state: DetailState): DetailRows;
  /** Returns the number of lines for rows. */
  height(state: DetailState): number;
  /** Returns the ids of all matches, in order. */
  matches(state: DetailState): readonly string[];
  /** Returns the position of an id among all searchable items; -1 for unknown ids. */
  position(state: DetailState, id: string): number;
  /** Returns the node at the cursor; for a closing bracket the node that it closes. */
  nodeAt(id: string): ValueNode | undefined;
}

/** A transition. */
export type DetailAction =
  | ({ readonly type: "move" } & Movement)
  | { readonly type: "pick"; readonly index: number }
  | { readonly type: "toggle" | "all" | "into" | "out" }
  | { readonly type: "view" | "wrap" }
  | { readonly type: "search" | "accept" | "cancel" | "clear" }
  | { readonly type: "type"; readonly text: string }
  | { readonly type: "edit"; readonly key: string }
  | { readonly type: "match"; readonly by: 1 | -1 };

/** Returns the state after an action. */
export function reduce(state: DetailState, action: DetailAction, model: DetailModel): DetailState {
  return normalizeState(applyAction(normalizeState(state, model), action, model), model);
}

/** Returns the state with the cursor on an existing row, and that row visible. */
export function normalizeState(state: DetailState, model: DetailModel): DetailState {
  const rows = model.rows(state);
  const index = visibleIndex(rows, state.cursor);
  const cursor = rows.count === 0 ? "" : rows.idAt(index);
  const top = scrollTop(rows, model.height(state), state.top, index);
  return cursor === state.cursor && top === state.top ? state : { ...state, cursor, top };
}

/** Returns the index of the row of an id or of its nearest visible ancestor; the first row when there is none. */
export function visibleIndex(rows: DetailRows, id: string): number {
  for (let one = id; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) {
    const index = rows.indexOf(one);
    if (index >= 0) return index;
  }
  return Math.max(0, rows.indexOf(""));
}

function applyAction(state: DetailState, action: DetailAction, model: DetailModel): DetailState {
  switch (action.type) {
    case "move":
      return move(state, action, model);
    case "pick":
      return moveToIndex(state, model, action.index);
    case "toggle":
      return state.mode === "raw" ? state : fold(state, action.type, model);
    case "into":
    case "out":
      return state.mode === "raw" ? scrollSideways(state, action.type) : fold(state, action.type, model);
    case "all":
      return { ...state, folds: { all: state.folds.all !== true || state.folds.chosen.size > 0, chosen: new Map() } };
    case "view":
      return revealCursor({ ...state, mode: state.mode === "raw" ? "fields" : "raw", top: 0 }, model);
    case "wrap":
      return { ...state, wraps: !state.wraps, scrollLeft: 0 };
    default:
      return applySearch(state, action, model);
  }
}

function moveToIndex(state: DetailState, model: DetailModel, index: number): DetailState {
  const rows = model.rows(state);
  return index >= 0 && index < rows.count ? { ...state, cursor: rows.idAt(index) } : state;
}

function move(state: DetailState, movement: Movement, model: DetailModel): DetailState {
  const rows = model.rows(state);
  return moveToIndex(state, model, itemAfter(rows, model.height(state), visibleIndex(rows, state.cursor), movement));
}

const SIDE_STEP = 16;
/** No line is longer on the screen. */
const MAX_SCROLL = 4000;

function scrollSideways(state: DetailState, type: "into" | "out"): DetailState {
  if (state.wraps) return state;
  return {
    ...state,
    scrollLeft: Math.min(MAX_SCROLL, Math.max(0, state.scrollLeft + (type === "into" ? SIDE_STEP : -SIDE_STEP))),
  };
}

function fold(state: DetailState, type: "toggle" | "into" | "out", model: DetailModel): DetailState {
  const node = findNode(model.tree, state.cursor);
  if (!node) return state;
  const open = isOpen(state.folds, node);
  const parent = ancestors(node)[0];
  const set = (one: ValueNode, open: boolean) => ({
    ...state,
    cursor: one.id,
    folds: withFolds(state.folds, [one], open),
  });
  if (type === "into") {
    if (open) return { ...state, cursor: model.tree.children(node)[0]?.id ?? state.cursor };
    return node.form === "leaf" ? state : set(node, true);
  }
  if (type === "out") {
    if (open) return set(node, false);
    return parent ? { ...state, cursor: parent.id } : state;
  }
  if (node.form !== "leaf") return set(node, !open);
  return parent ? set(parent, false) : state;
}

type SearchAction = Extract<
  DetailAction,
  { type: "search" | "accept" | "cancel" | "clear" | "type" | "edit" | "match" }
>;

function applySearch(state: DetailState, action: SearchAction, model: DetailModel): DetailState {
  const { searchInput } = state;
  switch (action.type) {
    case "search": {
      const { folds, cursor, query, top } = state;
      return { ...state, query: "", searchInput: { field: textField(), before: { folds, cursor, query, top } } };
    }
    case "accept":
      return { ...state, searchInput: undefined };
    case "cancel":
      return searchInput ? { ...state, ...searchInput.before, searchInput: undefined } : state;
    case "clear":
      return { ...state, query: "" };
    case "type":
      return searchInput ? updateQuery(state, searchInput, insertText(searchInput.field, action.text), model) : state;
    case "edit":
      return searchInput ? updateQuery(state, searchInput, editField(searchInput.field, action.key), model) : state;
    case "match":
      return showMatch(state, model, model.position(state, state.cursor), action.by);
    default:
      return action satisfies never;
  }
}

/** Moves to the first match from where the search started; what an earlier text unfolded is folded again. */
function updateQuery(state: DetailState, searchInput: SearchInput, field: TextField, model: DetailModel): DetailState {
  const { folds, cursor, top } = searchInput.before;
  const next = { ...state, folds, cursor, top, query: field.text, searchInput: { ...searchInput, field } };
  return showMatch(next, model, model.position(next, cursor) - 1, 1);
}

function showMatch(state: DetailState, model: DetailModel, from: number, by: 1 | -1): DetailState {
  const id = nextMatch(model.matches(state), from, (one) => model.position(state, one), by);
  if (id === undefined) return state;
  const node = state.mode === "fields" ? findNode(model.tree, id) : undefined;
  const folds = node ? withFolds(state.folds, ancestors(node), true) : state.folds;
  return revealCursor({ ...state, cursor: id, folds }, model);
}

/** Returns the next or previous match; wraps around at the ends. */
function nextMatch(
  matches: readonly string[],
  from: number,
  positionOf: (id: string) => number,
  by: 1 | -1,
): string | undefined {
  if (by > 0) return matches.find((id) => positionOf(id) > from) ?? matches[0];
  return matches.findLast((id) => positionOf(id) < from) ?? matches.at(-1);
}

/** Centres the window on the cursor when the cursor is outside of it. */
function revealCursor(state: DetailState, model: DetailModel): DetailState {
  const rows = model.rows(state);
  const height = model.height(state);
  const index = visibleIndex(rows, state.cursor);
  if (rows.count === 0 || scrollTop(rows, height, state.top, index) === state.top) return state;
  return { ...state, top: farthestWithin(rows, Math.ceil(height / 2), index, -1) };
}
