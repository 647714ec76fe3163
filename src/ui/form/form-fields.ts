/** What a form offers for an endpoint: a field for each of its parameters that is no step of paging. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { Param } from "../../catalogue/param.ts";
import { formatValue } from "../../output/values/cell.ts";

/** One of the values that a field can be set to. */
export interface FieldOption {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** A field of the form. */
export interface FormField {
  readonly name: string;
  readonly param: Param;
  /** The name as people read it. */
  readonly label: string;
  /** One of the options, any number of them, or text. */
  readonly control: "choice" | "choices" | "text";
  readonly options: readonly FieldOption[];
}

/** Parts in paging that are no wish of the user's: the list has keys for them. */
const PAGING: readonly (string | undefined)[] = ["page", "offset", "cursor"];

/** The fields: what cannot be done without first, the size of a page towards the end, what is deprecated last. */
export function listFormFields(endpoint: Endpoint, excluded: readonly string[]): readonly FormField[] {
  const fields = Object.entries(endpoint.query)
    .filter(([name, { role }]) => !excluded.includes(name) && !PAGING.includes(role))
    .map(([name, param]) => fieldOf(name, param));
  const rank = ({ param: { required, role, deprecated } }: FormField) => {
    if (deprecated !== undefined) return 3;
    if (role === "size") return 2;
    return required ? 0 : 1;
  };
  return fields.sort((a, b) => rank(a) - rank(b));
}

function fieldOf(name: string, param: Param): FormField {
  const options = optionsOf(param);
  const selectControl = param.arity === "list" ? "choices" : "choice";
  return { name, param, label: labelOf(name), control: options.length === 0 ? "text" : selectControl, options };
}

/** `from_time` is "from time", `fromTime` too. */
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

/** A word of an enumeration as lists show it. */
function enumLabel(value: string | number): string {
  return typeof value === "number" ? String(value) : formatValue(value, ENUM_META, undefined, CLOCK).text;
}

/** What counts where nothing is chosen: `any`, or the API's default. The size of a page is the list's own matter. */
export function unsetLabel({ param, options }: FormField): string {
  if (param.role === "size") return "default";
  if (param.default === undefined) return "any";
  const label = options.find(({ value }) => value === param.default)?.label ?? String(param.default);
  return `default: ${label}`;
}
