/** The state of the palette: what was known when it was opened, what is typed, and what it asks for. */

import { pluralize } from "../../base/index.ts";
import type { Explorer } from "../navigation/context.ts";
import { recentRoutes } from "../navigation/history.ts";
import type { PopupOf } from "../navigation/popups.ts";
import type { Route } from "../navigation/route.ts";
import { editField, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { wrapIndex } from "../widgets/viewport.ts";
import { type Candidate, listCandidates } from "./candidates.ts";
import { helpEntries } from "./keys.ts";
import { type EntityRef, entitiesInView } from "./prompt.ts";

/** The state of the palette. */
export interface PaletteState {
  readonly field: TextField;
  readonly selected: number;
  readonly tokenQuery: string | undefined;
  /** The search input before the tokens, to return to. */
  readonly searchField: TextField | undefined;
}

type PaletteAction =
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  /** Moves the selection; `count` is the number of results. */
  | { readonly type: "move"; readonly by: number; readonly count: number }
  | { readonly type: "complete"; readonly text: string }
  | { readonly type: "tokens"; readonly query: string }
  | { readonly type: "leave" };

/** Returns the initial state, with a text in the input. */
export function initialPaletteState(text = ""): PaletteState {
  return {
    field: textField(text),
    selected: 0,
    tokenQuery: undefined,
    searchField: undefined,
  };
}

/** Returns the state after an action; the same object when nothing changes. */
export function paletteReducer(state: PaletteState, action: PaletteAction): PaletteState {
  switch (action.type) {
    case "key":
      return withField(state, editField(state.field, action.key));
    case "text":
      return withField(state, insertText(state.field, action.text));
    case "complete":
      return withField(state, textField(action.text));
    case "move":
      return { ...state, selected: wrapIndex(state.selected, action.by, action.count) };
    case "tokens":
      return { ...state, selected: 0, tokenQuery: action.query, searchField: state.searchField ?? state.field };
    case "leave":
      return { ...initialPaletteState(), field: state.searchField ?? state.field };
    default:
      return action satisfies never;
  }
}

function withField(state: PaletteState, field: TextField): PaletteState {
  if (field === state.field) return state;
  const isSameText = field.text === state.field.text;
  return {
    ...state,
    field,
    selected: isSameText ? state.selected : 0,
    tokenQuery: isSameText ? state.tokenQuery : undefined,
  };
}

/** A session of the palette. */
export interface PaletteSession {
  /** The initial input, and a note about what was left out of it. */
  readonly text: string;
  readonly note: string | undefined;
  readonly candidates: readonly Candidate[];
  /** The keys, where only these are listed. */
  readonly keys: readonly Candidate[] | undefined;
  readonly known: readonly EntityRef[];
  readonly routes: readonly Route[];
}

const LINE_BREAK = /[\r\n]+/;

/** The end of a line that a shell continues on the next one, as long commands are displayed. */
const CONTINUATION = /\\\r?\n[ \t]*/g;

const linesOf = (text: string): readonly string[] => text.replace(CONTINUATION, "").trim().split(LINE_BREAK);

/** Returns the first line of a text that is not empty; a command on several lines is one. */
export function firstLine(text: string): string {
  return linesOf(text)[0] ?? "";
}

/** Starts a session. */
export function startPaletteSession(explorer: Explorer, { text = "", only }: PopupOf<"palette">): PaletteSession {
  const { keys, navigation, services } = explorer;
  const bookmarks = services.memory.bookmarks();
  const recent = recentRoutes(explorer);
  const actions = keys.active().filter(({ name }) => name !== "go.search");
  const { nameOf } = explorer.data;
  const candidates = listCandidates({ ...services, bindings: actions, bookmarks, recent, nameOf });
  const known = entitiesInView(navigation.current().route, explorer.subjects.current());
  const more = linesOf(text).length - 1;
  return {
    text: firstLine(text),
    note: more > 0 ? `${pluralize(more, "more line")} left out` : undefined,
    candidates,
    keys: only === "keys" ? helpEntries(keys.active(), services.unicode) : undefined,
    known,
    routes: [...recent, ...bookmarks.map(({ route }) => route)],
  };
}
