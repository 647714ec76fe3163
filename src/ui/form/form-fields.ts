/** Fields of a form, for parameters of a request, and what completes them. */
import type { Endpoint, Param, ParameterValues } from "../../catalogue/index.ts";
import { formatValue } from "../../output/index.ts";
import type { DataStore } from "../navigation/data-store.ts";

/** A value that a field can be set to. */
interface FieldOption {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** A field of a form: text, or some of its options, which are as many as the parameter accepts. */
export interface FormField {
  readonly name: string;
  readonly param: Param;
  readonly label: string;
  readonly options: readonly FieldOption[];
  /** The parameter of the end of a range whose start is `name`: both are one field. */
  readonly end?: string;
}

/** Returns the parameters that a field sets. */
export const paramNames = ({ name, end }: FormField): readonly string[] => (end === undefined ? [name] : [name, end]);

const PAGING: readonly (string | undefined)[] = ["page", "offset", "cursor"];
const RANGED: readonly Param["type"][] = ["time", "date", "decimal", "integer"];

/**
 * Returns the fields: required ones first, then those that people use most according to the catalogue and those that are
 * set, then the others. Deprecated ones are left out unless they are set.
 */
export function listFormFields(
  { query }: Pick<Endpoint, "query">,
  excluded: readonly string[],
  params: ParameterValues = {},
): readonly FormField[] {
  const isSet = (name: string | undefined) => name !== undefined && params[name] !== undefined && params[name] !== null;
  const endOf = (name: string, { type }: Param) => {
    const end = name.replace(/^from_/, "to_");
    return end !== name && RANGED.includes(type) && query[end]?.type === type ? end : undefined;
  };
  const ends = new Set(Object.entries(query).map(([name, param]) => endOf(name, param)));
  const fields = Object.entries(query)
    .filter(([name, { role }]) => !excluded.includes(name) && !PAGING.includes(role) && !ends.has(name))
    .map(([name, param]) => createField(name, param, endOf(name, param)))
    .filter(
      ({ name, end, param: { pattern, deprecated } }) =>
        isSet(name) || isSet(end) || (pattern?.isCommon !== false && !deprecated),
    );
  const rank = ({ name, end, param: { required, use, role } }: FormField): number => {
    if (required) return 0;
    if (use !== undefined) return use;
    if (isSet(name) || isSet(end)) return AFTER_USED;
    return role === "size" ? AFTER_USED + 2 : AFTER_USED + 1;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
}

/** Ranks from here on are of parameters whose use the catalogue does not mention. */
const AFTER_USED = 100;

function createField(name: string, param: Param, end: string | undefined): FormField {
  const field = { name, param, label: labelOf(name), options: optionsOf(param) };
  if (end === undefined) return field;
  const description = param.description.replace(/^(?:Minimum|Start) of (?:the |\w+: )?/, "");
  const about = description.charAt(0).toUpperCase() + description.slice(1);
  return {
    ...field,
    end,
    label: labelOf(name.replace("from_", "")),
    param: { ...param, description: about, arity: "range" },
  };
}

/** Returns `from time` for `from_time` and `fromTime`. */
function labelOf(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll("_", " ")
    .trim();
}

function optionsOf({ type, values = [], newer = [] }: Param): readonly FieldOption[] {
  if (type === "boolean") return [option(true, "yes"), option(false, "no")];
  return type === "enum" ? [...values, ...newer].map((value) => option(value, enumLabel(value))) : [];
}

const option = (value: FieldOption["value"], label: string): FieldOption => ({ value, label });

const ENUM_META = { kind: "enum", description: "" } as const;
const CLOCK = { style: "iso", now: 0 } as const;

function enumLabel(value: string | number): string {
  return typeof value === "number" ? String(value) : formatValue(value, ENUM_META, undefined, CLOCK).text;
}

/** Returns the label of an unset field: `any`, or the API's default; lists choose their page size. */
export function unsetLabel({ param, options }: FormField): string {
  if (param.role === "size") return "default";
  if (param.default === undefined) return "any";
  const label = options.find(({ value }) => value === param.default)?.label ?? String(param.default);
  return `default: ${label}`;
}

/** Returns the indices of the options with all words of a text in their label. */
export function matchingOptions({ options }: Pick<FormField, "options">, text: string): readonly number[] {
  const words = text.toLowerCase().replaceAll("_", " ").split(" ").filter(Boolean);
  return options.flatMap(({ label }, at) => {
    const searched = label.toLowerCase().replaceAll("_", " ");
    return words.every((word) => searched.includes(word)) ? [at] : [];
  });
}

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
