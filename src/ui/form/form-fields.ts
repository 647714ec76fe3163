/** Fields of a filter form, one for each parameter of an endpoint that is not for paging, and what completes them. */
import type { Endpoint, Param, ParameterValues } from "../../catalogue/index.ts";
import { formatValue } from "../../output/index.ts";
import type { DataStore } from "../navigation/data-store.ts";

/** A value that a field can be set to. */
export interface FieldOption {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly param: Param;
  readonly label: string;
  /** One option, any number of options, or text. */
  readonly control: "choice" | "choices" | "text";
  readonly options: readonly FieldOption[];
  readonly isFirst?: boolean;
}

const PAGING: readonly (string | undefined)[] = ["page", "offset", "cursor"];

/** What most people filter by, and what the rest is. */
const RANKS = { required: 0, token: 1, flow: 2, from: 3, to: 4, set: 5, other: 6, size: 7 } as const;

/**
 * Returns the fields: required ones first, then token, flow and time and those that are set, then the others.
 * Deprecated ones are left out unless they are set.
 */
export function listFormFields(
  endpoint: Endpoint,
  excluded: readonly string[],
  params: ParameterValues = {},
): readonly FormField[] {
  const isSet = (name: string) => params[name] !== undefined && params[name] !== null;
  const fields = Object.entries(endpoint.query)
    .filter(([name, { role }]) => !excluded.includes(name) && !PAGING.includes(role))
    .filter(([name, { pattern, deprecated }]) => isSet(name) || (pattern?.isCommon !== false && !deprecated))
    .map(([name, param]) => createField(name, param));
  const rank = ({ name, param }: FormField): number => {
    const { required, role, accepts, field, arity } = param;
    if (required) return RANKS.required;
    if (accepts !== undefined && field !== undefined && arity === "list") return RANKS.token;
    if (accepts !== undefined && name === "token_address") return RANKS.token;
    if (field === "flow" || name === "flow") return RANKS.flow;
    if (role === "from" || role === "to") return RANKS[role];
    if (isSet(name)) return RANKS.set;
    return role === "size" ? RANKS.size : RANKS.other;
  };
  return fields
    .map((field) => ({ field, at: rank(field) }))
    .sort((one, other) => one.at - other.at)
    .map(({ field, at }) => ({ ...field, isFirst: at <= RANKS.set }));
}

function createField(name: string, param: Param): FormField {
  const options = optionsOf(param);
  const selectControl = param.arity === "list" ? "choices" : "choice";
  return { name, param, label: labelOf(name), control: options.length === 0 ? "text" : selectControl, options };
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
