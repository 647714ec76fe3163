/** State of a form and its reducer. */

import type { ParameterValues } from "../../catalogue/index.ts";
import { editField, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { clampIndex, wrapIndex } from "../widgets/viewport.ts";
import { type FormField, matchingOptions, type Suggest } from "./form-fields.ts";

interface TextInput {
  readonly control: "text";
  readonly field: TextField;
}

/** Options by their indices: the chosen ones, the one at the cursor, and the text that is searched for among them. */
export interface OptionsInput {
  readonly control: "options";
  readonly chosen: readonly number[];
  /** -1 where no option is the choice. */
  readonly at: number;
  readonly query: string;
}

/** The input of a field. */
export type FieldInput = TextInput | OptionsInput;

/** A form: its fields, the input of each, and the index of the focused one. */
export interface FormState {
  readonly fields: readonly FormField[];
  readonly inputs: readonly FieldInput[];
  readonly at: number;
}

/** An action of {@link formReducer}. */
export type FormAction =
  /** An editing key: moves in a text, selects another option, clears. */
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "goto"; readonly name: string }
  /** Selects an option of the focused field by its index, -1 for none; where several may be chosen, marks it or not. */
  | { readonly type: "choose"; readonly index: number }
  | { readonly type: "clear" };

/** Creates a form filled with the parameters of a request. */
export function createFormState(fields: readonly FormField[], params: ParameterValues): FormState {
  return { fields, inputs: fields.map((field) => createInput(field, params)), at: 0 };
}

const itemsOf = (value: unknown): readonly unknown[] => (value === undefined || value === null ? [] : [value].flat());

function createInput({ name, end, options, param }: FormField, params: ParameterValues): FieldInput {
  const items = itemsOf(params[name]);
  if (options.length === 0) {
    const to = end === undefined ? [] : itemsOf(params[end]);
    const text = [...items.map(String), ...(to.length > 0 && items.length === 0 ? [""] : []), ...to.map(String)];
    return { control: "text", field: textField(text.join(param.arity === "range" ? ".." : ",")) };
  }
  const words = items.flatMap((item) => (typeof item === "string" ? item.split(",") : [String(item)]));
  const chosen = words.map((word) => options.findIndex(({ value }) => String(value) === word)).filter((at) => at >= 0);
  return { control: "options", chosen, at: chosen[0] ?? (isSeveral(param) ? 0 : -1), query: "" };
}

const isSeveral = ({ arity }: FormField["param"]) => arity === "list";

/** Returns the entered parameters; times stay as typed. */
export function inputParams({ fields, inputs }: FormState): ParameterValues {
  const pairs = fields.flatMap((field, index) => valuesIn(field, inputs[index]));
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

type ParamValue = readonly [name: string, value: unknown];

function valuesIn({ name, end, options, param }: FormField, input: FieldInput | undefined): readonly ParamValue[] {
  if (input?.control === "options") {
    const values = input.chosen.map((index) => options[index]?.value);
    return [[name, isSeveral(param) && values.length > 0 ? values : values[0]]];
  }
  const text = input?.field.text.trim() ?? "";
  if (text === "") return [];
  if (isSeveral(param)) return [[name, text.split(",").map((part) => part.trim())]];
  if (end === undefined) return [[name, text]];
  const [from = "", ...rest] = text.split(/\.\.|,/).map((part) => part.trim());
  return [
    [name, from || undefined],
    [end, rest.join("..") || undefined],
  ];
}

/** Returns the form after an action; the same object when nothing changes. */
export function formReducer(state: FormState, action: FormAction): FormState {
  const count = state.fields.length;
  switch (action.type) {
    case "move":
      return count === 0 ? state : focusField(state, wrapIndex(state.at, action.by, count));
    case "goto": {
      const at = state.fields.findIndex(({ name }) => name === action.name);
      return at < 0 ? state : focusField(state, at);
    }
    case "choose":
      return updateInput(state, (input, field) => chooseOption(input, field, action.index));
    case "clear":
      return { ...createFormState(state.fields, {}), at: state.at };
    case "key":
      return updateInput(state, (input, field) => applyKey(input, field, action.key));
    case "text":
      return updateInput(state, (input, field) => applyText(input, field, action.text));
    case "paste":
      return updateInput(state, (input, field) => applyPaste(input, field, action.text));
    default:
      return action satisfies never;
  }
}

function focusField(state: FormState, at: number): FormState {
  const left = updateInput(state, (input) => (input.control === "text" ? input : { ...input, query: "" }));
  return { ...left, at };
}

function updateInput(state: FormState, change: (input: FieldInput, field: FormField) => FieldInput): FormState {
  const [input, field] = [state.inputs[state.at], state.fields[state.at]];
  if (!input || !field) return state;
  const next = change(input, field);
  return next === input ? state : { ...state, inputs: state.inputs.with(state.at, next) };
}

function applyKey(input: FieldInput, field: FormField, key: string): FieldInput {
  if (input.control === "text") return withField(input, editField(input.field, key));
  if (key === "left" || key === "right") return moveChoice(input, field, key === "left" ? -1 : 1);
  if (key === "home" || key === "end")
    return chooseAt(input, field, matchesOf(input, field).at(key === "end" ? -1 : 0));
  if (key !== "backspace" && key !== "delete" && key !== "ctrl+u") return input;
  if (key === "backspace" && input.query !== "") return { ...input, query: input.query.slice(0, -1) };
  return { ...input, chosen: [], query: "", at: isSeveral(field.param) ? input.at : -1 };
}

const withField = (input: TextInput, field: TextField): TextInput =>
  field === input.field ? input : { ...input, field };

const matchesOf = ({ query }: OptionsInput, field: FormField) => matchingOptions(field, query);

/** Moves to another option that matches; a single choice wraps and includes none, unless options are searched. */
function moveChoice(input: OptionsInput, field: FormField, by: number): OptionsInput {
  const matches = matchesOf(input, field);
  if (isSeveral(field.param))
    return { ...input, at: matches[clampIndex(matches.indexOf(input.at) + by, matches.length)] ?? 0 };
  const order = input.query === "" && !field.param.required ? [-1, ...matches] : matches;
  return chooseAt(input, field, order[wrapIndex(order.indexOf(input.at), by, order.length)]);
}

/** Moves the cursor to an option, which is the choice where there is one only. */
function chooseAt(input: OptionsInput, { param }: FormField, at = input.at): OptionsInput {
  return isSeveral(param) ? { ...input, at } : { ...input, at, chosen: at < 0 ? [] : [at] };
}

/** Inserts text; among options, a space chooses, and other text is searched for unless no option has it. */
function applyText(input: FieldInput, field: FormField, text: string): FieldInput {
  if (input.control === "text") return withField(input, insertText(input.field, text));
  if (text === " " && isSeveral(field.param)) return toggleOption(input);
  if (text === " " && input.query === "") return moveChoice(input, field, 1);
  const query = input.query + text;
  const matches = matchingOptions(field, query);
  return matches.length === 0 ? input : chooseAt({ ...input, query }, field, matches[0]);
}

function chooseOption(input: FieldInput, field: FormField, index: number): FieldInput {
  if (input.control === "text") return input;
  const moved = chooseAt(input, field, index);
  return isSeveral(field.param) ? toggleOption(moved) : moved;
}

function toggleOption(input: OptionsInput): OptionsInput {
  const { chosen, at } = input;
  const without = chosen.filter((index) => index !== at);
  return { ...input, chosen: without.length < chosen.length ? without : [...chosen, at].sort((a, b) => a - b) };
}

function applyPaste(input: FieldInput, field: FormField, text: string): FieldInput {
  if (input.control !== "text") return applyText(input, field, text.trim());
  const lines = isSeveral(field.param) ? text.trim().replace(/\s*[\r\n]+\s*/g, ",") : text.trim();
  return withField(input, insertText(input.field, lines));
}

/**
 * Returns what completes the last item of a text, if the cursor is at its end; undefined without a match, and for a whole
 * value, which is not extended to another one.
 */
export function findCompletion(
  field: FormField | undefined,
  input: FieldInput | undefined,
  suggest: Suggest,
): string | undefined {
  if (!field || input?.control !== "text" || input.field.at < input.field.text.length) return undefined;
  const { arity } = field.param;
  const separator = arity === "list" ? /,\s*/ : arity === "range" ? /\.\./ : undefined;
  const typed = (separator ? input.field.text.split(separator).at(-1) : input.field.text)?.toLowerCase() ?? "";
  if (typed === "") return undefined;
  const matches = suggest(field.param).filter((one) => one.toLowerCase().startsWith(typed));
  if (matches.some((one) => one.length === typed.length)) return undefined;
  return matches[0]?.slice(typed.length);
}
