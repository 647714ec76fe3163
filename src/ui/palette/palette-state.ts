/** What the palette is at: searching, or asking for what a command needs. Pure. */

import { editField, insertText, type TextField, textField } from "../form/text-field.ts";
import { defaultAnswer, type EntityRef, type Prompt } from "./prompt.ts";

/** The state of the palette. */
export interface PaletteState {
  readonly field: TextField;
  /** Whether the text was put there by the palette: what is typed or pasted takes its place, what edits it keeps it. */
  readonly filledIn: boolean;
  /** The line that is chosen, from 0. */
  readonly selected: number;
  /** What is asked for; undefined while searching. */
  readonly prompt: Prompt | undefined;
  /** The name that tokens are looked for by; undefined otherwise. */
  readonly tokenQuery: string | undefined;
  /** What was typed before something was asked for, to come back to. */
  readonly searchField: TextField | undefined;
}

/** What happens to it. */
export type PaletteAction =
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  /** Moves the choice; `count` is the number of lines that there are. */
  | { readonly type: "move"; readonly by: number; readonly count: number }
  | { readonly type: "complete"; readonly text: string }
  | { readonly type: "fill"; readonly text: string }
  | { readonly type: "ask"; readonly prompt: Prompt; readonly known: readonly EntityRef[] }
  | { readonly type: "tokens"; readonly query: string }
  /** Back to the search. */
  | { readonly type: "leave" };

/** A palette with a text in its line. */
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

/** The state after a step; the same one where nothing changes. */
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
      return { ...state, selected: wrapIndex(state.selected + action.by, action.count) };
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

/** Other text finds other things, so the choice begins anew; the search for a token ends with its text. */
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

/** Beyond an end the choice goes on at the other one. */
function wrapIndex(index: number, count: number): number {
  return count === 0 ? 0 : ((index % count) + count) % count;
}
