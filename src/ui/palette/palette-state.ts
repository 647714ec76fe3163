/** State of the palette: searching, or prompting for a value. */

import { editField, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { wrapIndex } from "../widgets/viewport.ts";
import { defaultAnswer, type EntityRef, type Prompt } from "./prompt.ts";

/** The state of the palette. */
export interface PaletteState {
  readonly field: TextField;
  /** Whether the text was filled in by the palette: typing and pasting replace it, editing keys change it. */
  readonly filledIn: boolean;
  /** Index of the selected result. */
  readonly selected: number;
  /** The active prompt; undefined while searching. */
  readonly prompt: Prompt | undefined;
  /** The query of a token search; undefined otherwise. */
  readonly tokenQuery: string | undefined;
  /** The search input before the prompt, to return to. */
  readonly searchField: TextField | undefined;
}

/** An action of {@link paletteReducer}. */
export type PaletteAction =
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  /** Moves the selection; `count` is the number of results. */
  | { readonly type: "move"; readonly by: number; readonly count: number }
  | { readonly type: "complete"; readonly text: string }
  | { readonly type: "fill"; readonly text: string }
  | { readonly type: "ask"; readonly prompt: Prompt; readonly known: readonly EntityRef[] }
  | { readonly type: "tokens"; readonly query: string }
  /** Returns to the search. */
  | { readonly type: "leave" };

/** Returns the initial state, with a text in the input. */
export function initialPaletteState(text = ""): PaletteState {
  return {
    field: textField(text),
    filledIn: false,
    selected: 0,
    prompt: undefined,
    tokenQuery: undefined,
    searchField: undefined,
  };
}

/** Returns the state after an action; the same object when nothing changes. */
export function paletteReducer(state: PaletteState, action: PaletteAction): PaletteState {
  switch (action.type) {
    case "key":
      return withField({ ...state, filledIn: false }, editField(state.field, action.key));
    case "text":
      return withField(
        { ...state, filledIn: false },
        insertText(state.filledIn ? textField() : state.field, action.text),
      );
    case "complete":
      return withField(state, textField(action.text));
    case "fill":
      return { ...withField(state, textField(action.text)), filledIn: true };
    case "move":
      return { ...state, selected: wrapIndex(state.selected, action.by, action.count) };
    case "ask": {
      const field = textField(defaultAnswer(action.prompt, action.known));
      return {
        ...state,
        field,
        filledIn: true,
        selected: 0,
        prompt: action.prompt,
        searchField: state.searchField ?? state.field,
      };
    }
    case "tokens":
      return { ...state, selected: 0, tokenQuery: action.query, searchField: state.searchField ?? state.field };
    case "leave":
      return { ...initialPaletteState(), field: state.searchField ?? state.field };
    default:
      return action satisfies never;
  }
}

/** Changes the input; another text resets the selection and ends a token search. */
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
