/** The form of a rule. */
import { useMemo, useRef } from "react";
import { text } from "../../catalogue/index.ts";
import { errorText } from "../data/query.ts";
import { Form } from "../form/form.tsx";
import type { FormField } from "../form/form-fields.ts";
import type { FormProblems } from "../form/form-problems.ts";
import { type FormState, inputParams } from "../form/form-state.ts";
import { useExplorer } from "../navigation/context.ts";
import type { PopupOf } from "../navigation/popups.ts";
import type { RuleWatch } from "../navigation/rule-watch.ts";
import { textLine } from "../navigation/theme/text-line.ts";

const NAME = "name";

/** Adds a rule to the file, or changes one; it stays open until the rule is valid. */
export function RuleForm({ watch, rule }: PopupOf<"rule">) {
  const { closePopup, toast } = useExplorer();
  const isSaving = useRef(false);
  const fields = useMemo(() => {
    const name = { name: NAME, description: "The name of the rule: letters, digits, - and _" };
    const all: RuleWatch["fields"] = rule ? watch.fields : [name, ...watch.fields];
    return all.map(({ name: field, description, default: value = "none" }): FormField => {
      const isNeeded = field === NAME || field === "what";
      const param = text(description, isNeeded ? { required: true } : { default: value });
      return { name: field, label: field, param, options: [] };
    });
  }, [watch, rule]);
  const save = async (state: FormState) => {
    if (isSaving.current) return;
    isSaving.current = true;
    const { [NAME]: typed, ...texts } = inputParams(state) as Readonly<Record<string, string>>;
    const name = rule?.name ?? typed ?? "";
    try {
      await watch.saveRule(name, texts);
      closePopup();
      toast(`Saved rule ${name}`, "good");
    } catch (error) {
      toast(errorText(error), "bad");
    } finally {
      isSaving.current = false;
    }
  };
  return (
    <Form
      title={rule ? `Rule ${rule.name}` : "New rule"}
      fields={fields}
      params={rule?.texts ?? {}}
      check={(state) => checkRule(state, watch, rule !== undefined)}
      label="save"
      onApply={(state) => void save(state)}
      notes={() => [textLine(`Writes ${watch.file}; what else it contains stays.`, "note")]}
    />
  );
}

function checkRule(state: FormState, watch: PopupOf<"rule">["watch"], isKnown: boolean): FormProblems {
  const { [NAME]: name, what } = inputParams(state);
  const problems = new Map<string, { readonly message: string; readonly hint: undefined }>();
  const isTaken = watch.state().rules.some((one) => one.name === name);
  const refuse = (field: string, message: string) => problems.set(field, { message, hint: undefined });
  if (!isKnown && name === undefined) refuse(NAME, "A rule has a name, such as whales.");
  else if (!isKnown && isTaken) refuse(NAME, `There is a rule ${name}: change it instead.`);
  if (what === undefined) refuse("what", "What is watched is a command line, such as: account transfer <address>");
  return problems;
}
