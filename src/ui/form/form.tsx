/** Popups with a form: of the filters of an endpoint, and any other. */

import { useMemo } from "react";
import type { ParameterValues } from "../../catalogue/index.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { useExplorer, useLatestReducer, usePopupBindings } from "../navigation/context.ts";
import { menuMouse } from "../navigation/pointer/pointer.ts";
import type { PopupOf } from "../navigation/popups.ts";
import type { TextLine } from "../navigation/theme/text-line.ts";
import { EDIT_KEYS } from "../widgets/text-field.ts";
import { type FormField, listFormFields, suggestionsOf } from "./form-fields.ts";
import { DETAIL_LINES, formLines } from "./form-lines.ts";
import { checkForm, type FormProblems, resolveNames } from "./form-problems.ts";
import { createFormState, type FormState, findCompletion, formReducer, inputParams } from "./form-state.ts";

const MAX_WIDTH = 96;
/** Fields with more options get more lines for them. */
const FEW_OPTIONS = 6;
const NO_PROBLEMS: FormProblems = new Map();
const NO_LINES: readonly TextLine[] = [];

interface FormProps {
  readonly title: string;
  readonly fields: readonly FormField[];
  /** The values of the fields at first. */
  readonly params: ParameterValues;
  readonly check?: (state: FormState) => FormProblems;
  /** What Enter does, as its hint says. */
  readonly label: string;
  readonly onApply: (state: FormState) => void;
  /** Returns the lines below the fields. */
  readonly notes?: (params: ParameterValues) => readonly TextLine[];
}

/** A form: Enter applies it unless a field has a problem. */
export function Form({ title, fields, params, check = () => NO_PROBLEMS, label, onApply, notes }: FormProps) {
  const { services, data, closePopup, toast } = useExplorer();
  const { addressesOf } = data.names;
  const [state, dispatch, read] = useLatestReducer(formReducer, () => createFormState(fields, params));
  const space = popupSpace(useBody());
  const problems = check(state);

  const apply = () => {
    const form = read();
    const [bad, problem] = [...check(form)][0] ?? [];
    if (bad === undefined) return onApply(form);
    dispatch({ type: "goto", name: bad });
    toast(problem?.message ?? "", "bad");
  };
  const move = (by: number) => dispatch({ type: "move", by });
  const suggest = suggestionsOf(data);
  const edit = (key: string) => {
    const { fields: all, inputs, at } = read();
    const completion = COMPLETE_KEYS.includes(key) ? findCompletion(all[at], inputs[at], suggest) : undefined;
    dispatch(completion === undefined ? { type: "key", key } : { type: "text", text: completion });
  };
  const [field, input] = [state.fields[state.at], state.inputs[state.at]];
  const canComplete = findCompletion(field, input, suggest) !== undefined;
  const hasOptions = input?.control === "options";
  usePopupBindings(
    [
      { keys: ["enter"], label, hint: 1, run: apply },
      { keys: ["esc", "ctrl+c"], label: "cancel", hint: 2, run: closePopup },
      { keys: ["ctrl+r"], label: "clear all", hint: 5, run: () => dispatch({ type: "clear" }) },
      { keys: COMPLETE_KEYS, label: "complete", hint: 3, active: canComplete, run: edit },
      { keys: ["left", "right"], label: "choose", hint: 3, active: hasOptions, run: edit },
      {
        keys: ["space"],
        label: field?.param.arity === "list" ? "mark" : "next",
        hint: 4,
        active: hasOptions,
        run: () => dispatch({ type: "text", text: " " }),
      },
      { keys: ["down", "tab", "ctrl+n"], label: "next field", hint: 6, run: () => move(1) },
      { keys: ["up", "shift+tab", "ctrl+p"], label: "previous field", hint: 7, run: () => move(-1) },
      { keys: EDIT_KEYS, label: "edit the field", run: edit },
    ],
    {
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "paste", text }),
    },
  );

  const below = notes?.(inputParams(state)) ?? NO_LINES;
  const details = fields.some(({ options }) => options.length > FEW_OPTIONS) ? DETAIL_LINES.most : DETAIL_LINES.least;
  const size = {
    width: Math.min(space.width, MAX_WIDTH),
    height: Math.min(space.height - below.length, Math.max(fields.length, 1) + 1 + details),
  };
  const lines = formLines(state, problems, size, {
    unicode: services.unicode,
    now: services.now(),
    findAddresses: addressesOf,
    suggest,
  });
  const onMouse = menuMouse<string | number>(move, (hit) =>
    dispatch(typeof hit === "number" ? { type: "choose", index: hit } : { type: "goto", name: hit }),
  );
  const footer = problems.size === 0 ? undefined : `${problems.size} invalid`;
  return <Popup title={title} lines={[...lines, ...below]} width={size.width} footer={footer} onMouse={onMouse} />;
}

const COMPLETE_KEYS = ["right", "end", "ctrl+e", "ctrl+f"];

/** The filter form of an endpoint. */
export function FilterForm({ endpoint, params, fixed, label, onDone }: PopupOf<"filter-form">) {
  const { services, data, closePopup } = useExplorer();
  const { addressesOf } = data.names;
  const fields = useMemo(() => listFormFields(endpoint, fixed, params), [endpoint, fixed, params]);
  const fixedParams = useMemo(
    () => Object.fromEntries(Object.entries(params).filter(([name]) => fixed.includes(name))),
    [params, fixed],
  );
  return (
    <Form
      title={`${label ?? "filter"} ${endpoint.command}`}
      fields={fields}
      params={params}
      check={(form) => checkForm(endpoint, form, fixedParams, services.now(), addressesOf)}
      label={label ?? "apply"}
      onApply={(form) => {
        closePopup();
        onDone(resolveNames(form.fields, inputParams(form), addressesOf));
      }}
    />
  );
}
