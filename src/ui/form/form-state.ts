/** What is entered in a form, and what keys do to it. Pure. */

import type { ParameterValues } from "../../catalogue/index.ts";
import type { FormField, Option } from "./form-fields.ts";
import { edited, inserted, type TextField, textField } from "./text-field.ts";

/** What is entered in a field: options by their index in it. */
export type Entered =
  | { readonly control: "choice"; readonly chosen: number | undefined }
  | { readonly control: "choices"; readonly chosen: readonly number[]; readonly at: number }
  | { readonly control: "text"; readonly field: TextField };

/** A form: the fields, what is entered in each, and the one that keys are for. */
export interface FormState {
  readonly fields: readonly FormField[];
  readonly entered: readonly Entered[];
  readonly at: number;
}

/** What happens to a form. */
export type FormStep =
  /** A key that edits: moves in a text, turns to another option, takes away. */
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "goto"; readonly name: string }
  | { readonly type: "clear" };

/** A form with the parameters of a request in it. */
export function formState(fields: readonly FormField[], params: ParameterValues): FormState {
  return { fields, entered: fields.map((field) => enteredOf(field, params[field.name])), at: 0 };
}

function enteredOf({ control, options, param }: FormField, given: unknown): Entered {
  const items = given === undefined || given === null ? [] : [given].flat();
  if (control === "text")
    return { control, field: textField(items.map(String).join(param.arity === "range" ? ".." : ",")) };
  const words = items.flatMap((item) => (typeof item === "string" ? item.split(",") : [String(item)]));
  const chosen = words.map((word) => options.findIndex(({ value }) => String(value) === word)).filter((at) => at >= 0);
  return control === "choice" ? { control, chosen: chosen[0] } : { control, chosen, at: chosen[0] ?? 0 };
}

/** The parameters that are entered, without those that are not. Times stay as they were typed. */
export function enteredParams({ fields, entered }: FormState): ParameterValues {
  const pairs = fields.map((field, index) => [field.name, valueIn(field, entered[index])] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

function valueIn({ options, param }: FormField, entered: Entered | undefined): unknown {
  const valueAt = (index: number | undefined): Option["value"] | undefined =>
    index === undefined ? undefined : options[index]?.value;
  if (entered?.control === "choice") return valueAt(entered.chosen);
  if (entered?.control === "choices") {
    const values = entered.chosen.map(valueAt).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : values;
  }
  const text = entered?.field.text.trim() ?? "";
  if (text === "") return undefined;
  if (param.arity === "list") return text.split(",").map((part) => part.trim());
  return text;
}

/** The form after a step; the same one where nothing changes. */
export function formStep(state: FormState, step: FormStep): FormState {
  const count = state.fields.length;
  switch (step.type) {
    case "move":
      return count === 0 ? state : { ...state, at: (((state.at + step.by) % count) + count) % count };
    case "goto": {
      const at = state.fields.findIndex(({ name }) => name === step.name);
      return at < 0 ? state : { ...state, at };
    }
    case "clear":
      return { ...formState(state.fields, {}), at: state.at };
    case "key":
      return changed(state, (entered, field) => keyed(entered, field, step.key));
    case "text":
      return changed(state, (entered, field) => typed(entered, field, step.text));
    case "paste":
      return changed(state, (entered, field) => pasted(entered, field, step.text));
    default:
      return step satisfies never;
  }
}

function changed(state: FormState, change: (entered: Entered, field: FormField) => Entered): FormState {
  const [entered, field] = [state.entered[state.at], state.fields[state.at]];
  if (!entered || !field) return state;
  const next = change(entered, field);
  return next === entered ? state : { ...state, entered: state.entered.with(state.at, next) };
}

function keyed(entered: Entered, { options }: FormField, key: string): Entered {
  if (entered.control === "text") return withField(entered, edited(entered.field, key));
  if (key === "left") return turned(entered, -1, options.length);
  if (key === "right") return turned(entered, 1, options.length);
  if (key === "home" || key === "end") return turnedTo(entered, key === "home" ? 0 : options.length - 1);
  if (key !== "backspace" && key !== "delete" && key !== "ctrl+u") return entered;
  return entered.control === "choice" ? { ...entered, chosen: undefined } : { ...entered, chosen: [] };
}

type Text = Extract<Entered, { control: "text" }>;
type Chosen = Exclude<Entered, Text>;

const withField = (entered: Text, field: TextField): Text =>
  field === entered.field ? entered : { ...entered, field };

/** A choice goes round over nothing chosen; in a list of several the cursor stops at its ends. */
function turned(entered: Chosen, by: number, count: number): Chosen {
  if (entered.control === "choices") return turnedTo(entered, Math.max(0, Math.min(count - 1, entered.at + by)));
  const next = ((entered.chosen ?? -1) + 1 + by + count + 1) % (count + 1);
  return { ...entered, chosen: next === 0 ? undefined : next - 1 };
}

function turnedTo(entered: Chosen, at: number): Chosen {
  return entered.control === "choices" ? { ...entered, at } : { ...entered, chosen: at };
}

/** Characters go into texts; a space turns or marks; a letter goes to the next option that begins with it. */
function typed(entered: Entered, { options }: FormField, text: string): Entered {
  if (entered.control === "text") return withField(entered, inserted(entered.field, text));
  if (text === " ") return entered.control === "choice" ? turned(entered, 1, options.length) : toggled(entered);
  const current = (entered.control === "choice" ? entered.chosen : entered.at) ?? -1;
  const order = options.map((_, index) => (current + 1 + index) % options.length);
  const found = order.find((index) => options[index]?.label.toLowerCase().startsWith(text.toLowerCase()));
  return found === undefined ? entered : turnedTo(entered, found);
}

type Several = Extract<Entered, { control: "choices" }>;

function toggled(entered: Several): Several {
  const { chosen, at } = entered;
  const without = chosen.filter((index) => index !== at);
  return { ...entered, chosen: without.length < chosen.length ? without : [...chosen, at].sort((a, b) => a - b) };
}

/** Several identifiers may come on a line each. */
function pasted(entered: Entered, { param }: FormField, text: string): Entered {
  if (entered.control !== "text") return entered;
  const lines = param.arity === "list" ? text.trim().replace(/\s*[\r\n]+\s*/g, ",") : text.trim();
  return withField(entered, inserted(entered.field, lines));
}
