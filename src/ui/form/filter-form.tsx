/** Popup with the filter form of an endpoint. */

import { useMemo } from "react";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { useExplorer, useLatestReducer, usePopupBindings } from "../navigation/context.ts";
import { menuMouse } from "../navigation/pointer/pointer.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { EDIT_KEYS } from "../widgets/text-field.ts";
import { listFormFields, suggestionsOf } from "./form-fields.ts";
import { DETAIL_LINES, formLines } from "./form-lines.ts";
import { checkForm, type FormProblems, resolveNames } from "./form-problems.ts";
import {
  createFormState,
  type FormState,
  findCompletion,
  formReducer,
  inputParams,
  shownFields,
} from "./form-state.ts";

const MAX_WIDTH = 96;

/** The filter form of an endpoint. */
export function FilterForm({ endpoint, params, fixed, onDone }: PopupOf<"filter-form">) {
  const { services, data, closePopup, toast } = useExplorer();
  const { addressesOf } = data.names;
  const [state, dispatch, read] = useLatestReducer(formReducer, () =>
    createFormState(listFormFields(endpoint, fixed, params), params),
  );
  const space = popupSpace(useBody());
  const fixedParams = useMemo(
    () => Object.fromEntries(Object.entries(params).filter(([name]) => fixed.includes(name))),
    [params, fixed],
  );
  const check = (form: FormState): FormProblems => checkForm(endpoint, form, fixedParams, services.now(), addressesOf);
  const problems = check(state);

  const apply = () => {
    const form = read();
    const [bad, problem] = [...check(form)][0] ?? [];
    if (bad !== undefined) {
      dispatch({ type: "goto", name: bad });
      return toast(problem?.message ?? "", "bad");
    }
    closePopup();
    onDone(resolveNames(form.fields, inputParams(form), addressesOf));
  };
  const move = (by: number) => dispatch({ type: "move", by });
  const suggest = suggestionsOf(data);
  const edit = (key: string) => {
    const { fields, inputs, at } = read();
    const completion = COMPLETE_KEYS.includes(key) ? findCompletion(fields[at], inputs[at], suggest) : undefined;
    dispatch(completion === undefined ? { type: "key", key } : { type: "text", text: completion });
  };

  const canComplete = findCompletion(state.fields[state.at], state.inputs[state.at], suggest) !== undefined;
  const control = state.fields[state.at]?.control;
  usePopupBindings(
    [
      { keys: ["enter"], label: "apply", hint: 1, run: apply },
      { keys: ["esc", "ctrl+c"], label: "cancel", hint: 2, run: closePopup },
      { keys: ["ctrl+r"], label: "clear all", hint: 4, run: () => dispatch({ type: "clear" }) },
      { keys: COMPLETE_KEYS, label: "complete", hint: 3, active: canComplete, run: edit },
      {
        keys: ["space"],
        label: control === "choices" ? "mark" : "choose",
        hint: 3,
        active: control !== "text",
        run: () => dispatch({ type: "text", text: " " }),
      },
      { keys: ["down", "tab", "ctrl+n"], label: "next field", hint: 5, run: () => move(1) },
      { keys: ["up", "shift+tab", "ctrl+p"], label: "previous field", hint: 6, run: () => move(-1) },
      { keys: EDIT_KEYS, label: "edit the field", run: edit },
    ],
    {
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "paste", text }),
    },
  );

  const size = {
    width: Math.min(space.width, MAX_WIDTH),
    height: Math.min(space.height, Math.max(shownFields(state), 1) + DETAIL_LINES + 1),
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
  return (
    <Popup title={`filter ${endpoint.command}`} lines={lines} width={size.width} footer={footer} onMouse={onMouse} />
  );
}

const COMPLETE_KEYS = ["right", "end", "ctrl+e", "ctrl+f"];
