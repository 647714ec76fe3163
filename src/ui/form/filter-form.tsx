/** The filter form of any endpoint, as a box over the screen. */

import { useMemo } from "react";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { useBindings, useExplorer } from "../app/context.ts";
import { useBody } from "../app/layout.ts";

import { Popup, popupSpace } from "../app/popup.tsx";
import { useLatestReducer } from "../app/use-latest-reducer.ts";
import { listFormFields } from "./form-fields.ts";
import { DETAIL_LINES, formLines } from "./form-lines.ts";
import { checkForm, type FormProblems } from "./form-problems.ts";
import { createFormState, type FormState, formReducer, inputParams } from "./form-state.ts";
import { resolveNames } from "./named-addresses.ts";
import { EDIT_KEYS } from "./text-field.ts";

export interface FilterFormProps {
  readonly endpoint: Endpoint;
  /** What is asked now. */
  readonly params: ParameterValues;
  /** Names that are not offered, such as the identifier of the thing whose rows are filtered. */
  readonly fixed: readonly string[];
  /**
   * Gets what was entered when it is applied: the whole filter, without what is fixed and without a page; times in the
   * words in which they were typed, addresses for the names of some. Gets undefined when the form is left. The form has taken itself away before.
   */
  readonly onDone: (params: ParameterValues | undefined) => void;
}

/** The form at its widest. */
const MAX_WIDTH = 96;

export function FilterForm({ endpoint, params, fixed, onDone }: FilterFormProps) {
  const { services, data, setOverlay, toast } = useExplorer();
  const { addressesOf } = data;
  const [state, dispatch, read] = useLatestReducer(formReducer, () =>
    createFormState(listFormFields(endpoint, fixed), params),
  );
  const space = popupSpace(useBody());
  const fixedParams = useMemo(
    () => Object.fromEntries(Object.entries(params).filter(([name]) => fixed.includes(name))),
    [params, fixed],
  );
  const check = (form: FormState): FormProblems => checkForm(endpoint, form, fixedParams, services.now(), addressesOf);
  const problems = check(state);

  const close = (entered: ParameterValues | undefined) => {
    setOverlay(undefined);
    onDone(entered);
  };
  const apply = () => {
    const form = read();
    const [bad, problem] = [...check(form)][0] ?? [];
    if (bad === undefined) return close(resolveNames(form.fields, inputParams(form), addressesOf));
    dispatch({ type: "goto", name: bad });
    toast(problem?.message ?? "", "bad");
  };
  const move = (by: number) => dispatch({ type: "move", by });

  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "apply", group: "data", hint: 1, run: apply },
      { keys: ["down", "tab", "ctrl+n"], label: "next field", group: "move", hint: 2, run: () => move(1) },
      { keys: ["up", "shift+tab", "ctrl+p"], label: "previous field", group: "move", hint: 3, run: () => move(-1) },
      { keys: ["ctrl+r"], label: "clear all", group: "data", hint: 4, run: () => dispatch({ type: "clear" }) },
      { keys: ["esc", "ctrl+c"], label: "leave", group: "go", hint: 5, run: () => close(undefined) },
      { keys: EDIT_KEYS, label: "edit the field", group: "view", run: (key) => dispatch({ type: "key", key }) },
    ],
    {
      modal: true,
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "paste", text }),
    },
  );

  const size = {
    width: Math.min(space.width, MAX_WIDTH),
    height: Math.min(space.height, Math.max(state.fields.length, 1) + DETAIL_LINES + 1),
  };
  const lines = formLines(state, problems, size, {
    unicode: services.unicode,
    now: services.now(),
    findAddresses: addressesOf,
  });
  return (
    <Popup title={`filter ${endpoint.command}`} lines={lines} width={size.width} footer={footer(state, problems)} />
  );
}

/** The keys of the field that is edited: they differ from field to field. */
function footer({ fields, at }: FormState, problems: FormProblems): string {
  const control = fields[at]?.control;
  const keys = control === "choice" ? "Space or arrows choose, " : control === "choices" ? "Space marks, " : "";
  const bad = problems.size === 0 ? "" : `, ${problems.size} wrong`;
  return `${keys}Enter applies, Esc leaves, Ctrl-R clears${bad}`;
}
