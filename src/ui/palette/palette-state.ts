/** What the palette is at: searching, or asking for what a command needs. Pure. */

import { edited, inserted, type TextField, textField } from "../form/text-field.ts";
import { type AtHand, prefill, type Question } from "./prompt.ts";

/** The state of the palette. */
export interface PaletteState {
  readonly field: TextField;
  /** Whether the text was put there by the palette: what is typed or pasted takes its place, what edits it keeps it. */
  readonly filledIn: boolean;
  /** The line that is chosen, from 0. */
  readonly selected: number;
  /** What is asked for; undefined while searching. */
  readonly question: Question | undefined;
  /** The name that tokens are looked for by; undefined otherwise. */
  readonly tokens: string | undefined;
  /** What was typed before something was asked for, to come back to. */
  readonly before: TextField | undefined;
}

/** What happens to it. */
export type PaletteStep =
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  /** Moves the choice; `count` is the number of lines that there are. */
  | { readonly type: "move"; readonly by: number; readonly count: number }
  | { readonly type: "complete"; readonly text: string }
  | { readonly type: "fill"; readonly text: string }
  | { readonly type: "ask"; readonly question: Question; readonly atHand: readonly AtHand[] }
  | { readonly type: "tokens"; readonly wanted: string }
  /** Back to the search. */
  | { readonly type: "leave" };

/** A palette with a text in its line. */
export function paletteState(text = ""): PaletteState {
  return {
    field: textField(text),
    filledIn: false,
    selected: 0,
    question: undefined,
    tokens: undefined,
    before: undefined,
  };
}

/** The state after a step; the same one where nothing changes. */
export function paletteStep(state: PaletteState, step: PaletteStep): PaletteState {
  switch (step.type) {
    case "key":
      return typed({ ...state, filledIn: false }, edited(state.field, step.key));
    case "text":
      return typed({ ...state, filledIn: false }, inserted(state.filledIn ? textField() : state.field, step.text));
    case "complete":
      return typed(state, textField(step.text));
    case "fill":
      return { ...typed(state, textField(step.text)), filledIn: true };
    case "move":
      return { ...state, selected: wrapped(state.selected + step.by, step.count) };
    case "ask": {
      const field = textField(prefill(step.question, step.atHand));
      return {
        ...state,
        field,
        filledIn: true,
        selected: 0,
        question: step.question,
        before: state.before ?? state.field,
      };
    }
    case "tokens":
      return { ...state, selected: 0, tokens: step.wanted, before: state.before ?? state.field };
    case "leave":
      return { ...paletteState(), field: state.before ?? state.field };
    default:
      return step satisfies never;
  }
}

/** Other text finds other things, so the choice begins anew; the search for a token ends with its text. */
function typed(state: PaletteState, field: TextField): PaletteState {
  if (field === state.field) return state;
  const kept = field.text === state.field.text;
  return { ...state, field, selected: kept ? state.selected : 0, tokens: kept ? state.tokens : undefined };
}

/** Beyond an end the choice goes on at the other one. */
function wrapped(index: number, count: number): number {
  return count === 0 ? 0 : ((index % count) + count) % count;
}
