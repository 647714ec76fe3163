/** Completion of the text in a form: known names of tokens and accounts, and usual times. */
import type { Param } from "../../catalogue/index.ts";
import type { DataStore } from "../navigation/data-store.ts";
import type { FormField } from "./form-fields.ts";
import type { FieldInput } from "./form-state.ts";

/** Returns the values that a parameter may have, the most likely first. */
export type Suggest = (param: Param) => readonly string[];

const TIMES = ["7d", "24h", "30d", "90d", "1h", "today", "yesterday", "now"];

/** Returns the suggestions of a session: the tokens and accounts with a name. */
export function suggestionsOf({ names }: Pick<DataStore, "names">): Suggest {
  return ({ type, accepts }) => {
    if (type === "time" || type === "date") return TIMES;
    if (type !== "address") return [];
    const tokens = [...names.tokens().values()];
    return accepts === undefined ? [...[...names.learned()].map(({ name }) => name), ...tokens] : tokens;
  };
}

/**
 * Returns what completes the last item of a text, if the cursor is at its end; undefined without a match, and for a whole
 * value, which is not extended to another one.
 */
export function completionOf(
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
