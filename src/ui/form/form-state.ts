/** State of a filter form and its reducer. */

import type { ParameterValues } from "../../catalogue/index.ts";
import { editField, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { wrapIndex } from "../widgets/viewport.ts";
import type { FieldOption, FormField, Suggest } from "./form-fields.ts";

/** The input of a field; options by index. */
export type FieldInput =
  | { readonly control: "choice"; readonly chosen: number | undefined }
  | { readonly control: "choices"; readonly chosen: readonly number[]; readonly at: number }
  | { readonly control: "text"; readonly field: TextField };

/** A form: its fields, the input of each, and the index of the focused one. */
export interface FormState {
  readonly fields: readonly FormField[];
  readonly inputs: readonly FieldInput[];
  readonly at: number;
  readonly isUnfolded: boolean;
}

const MIN_FOLDED = 3;

/** Returns the number of fields that are shown. */
export function shownFields({ fields, at, isUnfolded }: FormState): number {
  const first = fields.filter(({ isFirst }) => isFirst).length;
  return isUnfolded || at >= first || first < 2 || fields.length - first < MIN_FOLDED ? fields.length : first;
}

/** An action of {@link formReducer}. */
export type FormAction =
  /** An editing key: moves in a text, selects another option, clears. */
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "goto"; readonly name: string }
  /** Selects an option of the focused field by its index: -1 for none; in a multiple choice, marks it or not. */
  | { readonly type: "choose"; readonly index: number }
  | { readonly type: "clear" };

/** Creates a form filled with the parameters of a request. */
export function createFormState(fields: readonly FormField[], params: ParameterValues): FormState {
  return { fields, inputs: fields.map((field) => createInput(field, params[field.name])), at: 0, isUnfolded: false };
}

function createInput({ control, options, param }: FormField, value: unknown): FieldInput {
  const items = value === undefined || value === null ? [] : [value].flat();
  if (control === "text")
    return { control, field: textField(items.map(String).join(param.arity === "range" ? ".." : ",")) };
  const words = items.flatMap((item) => (typeof item === "string" ? item.split(",") : [String(item)]));
  const chosen = words.map((word) => options.findIndex(({ value }) => String(value) === word)).filter((at) => at >= 0);
  return control === "choice" ? { control, chosen: chosen[0] } : { control, chosen, at: chosen[0] ?? 0 };
}

/** Returns the entered parameters; times stay as typed. */
export function inputParams({ fields, inputs }: FormState): ParameterValues {
  const pairs = fields.map((field, index) => [field.name, valueIn(field, inputs[index])] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

function valueIn({ options, param }: FormField, input: FieldInput | undefined): unknown {
  const valueAt = (index: number | undefined): FieldOption["value"] | undefined =>
    index === undefined ? undefined : options[index]?.value;
  if (input?.control === "choice") return valueAt(input.chosen);
  if (input?.control === "choices") {
    const values = input.chosen.map(valueAt).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : values;
  }
  const text = input?.field.text.trim() ?? "";
  if (text === "") return undefined;
  if (param.arity === "list") return text.split(",").map((part) => part.trim());
  return text;
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
      return updateInput(state, (input) => chooseOption(input, action.index));
    case "clear":
      return { ...createFormState(state.fields, {}), at: state.at, isUnfolded: state.isUnfolded };
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
  return { ...state, at, isUnfolded: state.isUnfolded || at >= shownFields(state) };
}

function updateInput(state: FormState, change: (input: FieldInput, field: FormField) => FieldInput): FormState {
  const [input, field] = [state.inputs[state.at], state.fields[state.at]];
  if (!input || !field) return state;
  const next = change(input, field);
  return next === input ? state : { ...state, inputs: state.inputs.with(state.at, next) };
}

function applyKey(input: FieldInput, { options }: FormField, key: string): FieldInput {
  if (input.control === "text") return withField(input, editField(input.field, key));
  if (key === "left") return moveChoice(input, -1, options.length);
  if (key === "right") return moveChoice(input, 1, options.length);
  if (key === "home" || key === "end") return setChoice(input, key === "home" ? 0 : options.length - 1);
  if (key !== "backspace" && key !== "delete" && key !== "ctrl+u") return input;
  return input.control === "choice" ? { ...input, chosen: undefined } : { ...input, chosen: [] };
}

type TextInput = Extract<FieldInput, { control: "text" }>;
type ChoiceInput = Exclude<FieldInput, TextInput>;

const withField = (input: TextInput, field: TextField): TextInput =>
  field === input.field ? input : { ...input, field };

/** Moves a choice, which wraps and includes "unset"; the cursor of a multiple choice stops at its ends. */
function moveChoice(input: ChoiceInput, by: number, count: number): ChoiceInput {
  if (input.control === "choices") return setChoice(input, Math.max(0, Math.min(count - 1, input.at + by)));
  const next = ((input.chosen ?? -1) + 1 + by + count + 1) % (count + 1);
  return { ...input, chosen: next === 0 ? undefined : next - 1 };
}

function setChoice(input: ChoiceInput, at: number): ChoiceInput {
  return input.control === "choices" ? { ...input, at } : { ...input, chosen: at };
}

/** Inserts text into a text field; in choices, a space selects and a letter moves to the next option that starts with it. */
function applyText(input: FieldInput, { options }: FormField, text: string): FieldInput {
  if (input.control === "text") return withField(input, insertText(input.field, text));
  if (text === " ") return input.control === "choice" ? moveChoice(input, 1, options.length) : toggleChoice(input);
  const current = (input.control === "choice" ? input.chosen : input.at) ?? -1;
  const order = options.map((_, index) => (current + 1 + index) % options.length);
  const index = order.find((index) => options[index]?.label.toLowerCase().startsWith(text.toLowerCase()));
  return index === undefined ? input : setChoice(input, index);
}

function chooseOption(input: FieldInput, index: number): FieldInput {
  if (input.control === "choice") return { ...input, chosen: index < 0 ? undefined : index };
  return input.control === "choices" ? toggleChoice({ ...input, at: index }) : input;
}

type MultiChoiceInput = Extract<FieldInput, { control: "choices" }>;

function toggleChoice(input: MultiChoiceInput): MultiChoiceInput {
  const { chosen, at } = input;
  const without = chosen.filter((index) => index !== at);
  return { ...input, chosen: without.length < chosen.length ? without : [...chosen, at].sort((a, b) => a - b) };
}

function applyPaste(input: FieldInput, { param }: FormField, text: string): FieldInput {
  if (input.control !== "text") return input;
  const lines = param.arity === "list" ? text.trim().replace(/\s*[\r\n]+\s*/g, ",") : text.trim();
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
