/** Describes endpoints to models: what a call takes and returns, in a bounded size. */
import { type JsonObject, omitUndefined } from "../../base/index.ts";
import {
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  type Field,
  KINDS,
  type Kind,
  MAX_EXPORT_ROWS,
  MAX_LISTED_VALUES,
  METRIC_WINDOWS,
  nodeSupportOf,
  type Param,
  shortValue,
} from "../../catalogue/index.ts";

/** The characters of a description without selected fields. */
export const MAX_DESCRIPTION = 4000;

/**
 * Returns an endpoint with its parameters and the fields of its answer. Where that is long, names that differ in the
 * time window only are one, and fields inside others are only named.
 * @param selected paths of fields that are described in full, in place of all
 */
export function describeEndpoint(
  endpoint: Endpoint,
  fields: readonly Field[],
  selected: readonly string[] = [],
): JsonObject {
  if (selected.length > 0) {
    const isInside = ({ path }: Field) => selected.some((one) => path === one || path.startsWith(`${one}.`));
    const chosen = fields.filter((field) => isInside({ ...field, path: field.path.replaceAll("[]", "") }));
    return { endpoint: endpoint.command, fields: fieldTexts(chosen), ...unitsOf(chosen) };
  }
  const { all, windows } = foldFields(fields);
  const describe = (shown: readonly Field[], texts: JsonObject) =>
    formatDescription(endpoint, fields, { ...unitsOf(shown), fields: { ...texts, ...windows } });
  const outer = all.filter(({ path }) => !path.includes("."));
  const inner = all.find(({ path }) => path.includes(".")) ?? outer.at(-1);
  const more = `Describe a field, and what is inside it, with "fields": ["${inner?.path.split(/[.[]/)[0]}"].`;
  const forms = [
    () => describe(all, fieldTexts(all)),
    () => ({ ...describe(outer, outerTexts(all)), more }),
    () => ({ ...describe(outer, Object.fromEntries(outer.map((field) => [fieldName(field), field.kind]))), more }),
  ];
  let description: JsonObject = {};
  for (const form of forms) {
    description = form();
    if (JSON.stringify(description).length <= MAX_DESCRIPTION) break;
  }
  return description;
}

function formatDescription(endpoint: Endpoint, fields: readonly Field[], answer: JsonObject): JsonObject {
  const { command, summary, description: about, query, notes = [] } = endpoint;
  const params = Object.entries(query)
    .filter(([, param]) => isNeeded(param))
    .map(([name, { pattern, ...param }]) => [
      pattern?.name ?? name,
      paramText(pattern ? { ...param, description: pattern.description } : param, fields),
    ]);
  return omitUndefined({
    endpoint: command,
    about: summary,
    description: about,
    params: Object.fromEntries(params),
    example: exampleOf(endpoint),
    gives: resultText(endpoint),
    ...answer,
    cost: costText(endpoint),
    from_solana_node: nodeText(endpoint),
    notes: notes.length === 0 ? undefined : notes.map(adaptNote),
  });
}

/** Whether a call needs a parameter: `rows` and `cursor` are in place of those for pages. */
const isNeeded = ({ role = "from", deprecated }: Param) =>
  deprecated === undefined && !["page", "size", "offset", "cursor"].includes(role);

/** Returns the parameters of a call as an example. */
export function exampleOf({ examples, query }: Endpoint): JsonObject {
  const params = Object.entries(examples[0]?.params ?? {});
  const needed = params.filter(([name]) => query[name] === undefined || isNeeded(query[name]));
  return Object.fromEntries(needed) as JsonObject;
}

function unitsOf(fields: readonly Field[]): JsonObject {
  const kinds = [...new Set(fields.map(({ kind }) => kind))].filter((kind) => !SELF_EXPLANATORY_KINDS.has(kind));
  return { units_of_kinds: Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]])) };
}

const fieldTexts = (fields: readonly Field[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [fieldName(field), fieldText(field)]));

/** Returns the fields that are inside none, with the names of those inside them. */
function outerTexts(fields: readonly Field[]): JsonObject {
  const inside = Map.groupBy(
    fields.filter(({ path }) => path.includes(".")),
    ({ path }) => path.replace(/(\[\])?\..*$/, ""),
  );
  return Object.fromEntries(
    fields
      .filter(({ path }) => !path.includes("."))
      .map((field) => {
        const names = inside.get(field.path)?.map(({ path }) => path.replace(/^[^.]*\./, ""));
        const text = fieldText(field);
        return [fieldName(field), names ? `${text}: ${names.filter((name) => !name.includes(".")).join(", ")}` : text];
      }),
  );
}

const WINDOW = new RegExp(`(?<=_)(?:${Object.keys(METRIC_WINDOWS).join("|")})(?=_|$)`);
const WINDOW_TEXT = new RegExp(` in (?:${Object.values(METRIC_WINDOWS).join("|")})`);
const FOLDED = "<window>";

/** Returns the fields in place of those that differ in the time window only, and the text about these windows. */
function foldFields(fields: readonly Field[]): { readonly all: readonly Field[]; readonly windows: JsonObject } {
  const groups = Map.groupBy(fields, ({ path }) => path.replace(WINDOW, FOLDED));
  const all = [...groups].flatMap(([path, members]) => {
    const [first, ...others] = members;
    if (!first || others.length === 0) return members;
    return { ...first, path, description: first.description.replace(WINDOW_TEXT, "") };
  });
  const windows = new Set(fields.flatMap(({ path }) => WINDOW.exec(path)?.[0] ?? []));
  return { all, windows: all.length < fields.length ? { [FOLDED]: [...windows].join(", ") } : {} };
}

const SELF_EXPLANATORY_KINDS: ReadonlySet<Kind> = new Set([
  "count",
  "number",
  "boolean",
  "json",
  "slot",
  "address",
  "signature",
  "enum",
]);

function paramText(param: Param, fields: readonly Field[]): string {
  const parts = [
    param.required && param.default === undefined ? "required" : "",
    typeText(param),
    param.accepts ? "or a token symbol" : "",
    param.amountOf === undefined ? "" : "or whole units with a symbol: 1.5usdc",
    fieldNamesText(param, fields) ?? allowedValuesText(param),
    param.maxItems ? `at most ${param.maxItems}` : "",
    param.max === undefined ? "" : `${param.min ?? 0} to ${param.max}`,
    param.needs ? `only with ${param.needs}` : "",
    param.default === undefined ? "" : `default ${param.default}`,
  ].filter(Boolean);
  return [`${param.description} (${parts.join("; ")})`, param.note].filter(Boolean).join(". ");
}

/** Returns the allowed values of a parameter that takes the names of most fields: those that it does not take. */
function fieldNamesText({ values = [] }: Param, fields: readonly Field[]): string | undefined {
  const names = fields.map(({ path }) => path);
  if (values.length <= MAX_LISTED_VALUES || !values.every((value) => names.includes(String(value)))) return undefined;
  return `one of the fields except ${names.filter((name) => !values.includes(name)).join(", ")}`;
}

/** Formats the allowed values of a parameter; empty if it has none. */
export function allowedValuesText({ values = [], newer = [] }: Pick<Param, "values" | "newer">): string {
  const format = (list: readonly (string | number)[]) => list.map(shortValue).join(", ");
  const parts = [
    values.length === 0 ? "" : `one of ${format(values)}`,
    newer.length === 0 ? "" : `newer servers also accept ${format(newer)}`,
  ];
  return parts.filter(Boolean).join("; ");
}

const TYPES: Readonly<Record<Param["type"], string>> = {
  address: "address",
  signature: "signature",
  slot: "slot number",
  integer: "whole number",
  decimal: "number",
  boolean: "true or false",
  enum: "",
  time: "Unix seconds, ISO 8601 or a duration such as 7d",
  date: "YYYYMMDD, YYYY-MM-DD or a duration such as 7d",
  text: "text",
};

function typeText({ type, arity }: Param): string {
  const one = TYPES[type];
  if (arity === "one") return one;
  return arity === "list" ? `${one} list`.trim() : `range [min, max]: ${one}`;
}

function resultText({ returns: { shape } }: Endpoint): string {
  if (shape === "object" || shape === "number") return `one ${shape}`;
  return shape === "rows"
    ? "rows"
    : `rows, at most ${MAX_EXPORT_ROWS}; one call per ${EXPORT_INTERVAL_SECONDS} seconds`;
}

const fieldName = ({ path, list, optional }: Field) => `${path}${list ? "[]" : ""}${optional ? "?" : ""}`;

function fieldText({ kind, description, decimals, values }: Field): string {
  const unit = decimals === undefined ? kind : `${kind}, decimals: ${decimals}`;
  return `${description} (${values ? values.join(", ") : unit})`;
}

function costText({ cost: { units, per } }: Endpoint): string {
  return units === 0 ? "no compute units" : `${units} compute units per ${per === "item" ? "item" : "request"}`;
}

function nodeText(endpoint: Endpoint): string {
  const { level, missing = [] } = nodeSupportOf(endpoint);
  return missing.length === 0 ? level : `${level}, without ${missing.join(", ")}`;
}

/** Removes the parts of a note that apply to the command line only. */
function adaptNote(note: string): string {
  return note.replace(
    /; (--all fetches|--envelope prints)[^.;]*| \(--envelope prints them\)|with --limit or --all, /,
    "",
  );
}
