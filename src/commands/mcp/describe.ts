/** Describes endpoints briefly: parameters, result, cost. */

import { type Json, type JsonObject, omitUndefined } from "../../base/index.ts";
import {
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  type Field,
  KINDS,
  type Kind,
  MAX_EXPORT_ROWS,
  nodeSupportOf,
  type Param,
  shortValue,
} from "../../catalogue/index.ts";
import { identifierName } from "./find-endpoint.ts";

/** Returns an endpoint as an entry of a list. */
export function summarizeEndpoint(endpoint: Endpoint): JsonObject {
  const { command, summary } = endpoint;
  return omitUndefined({ endpoint: command, about: summary, needs: identifierName(endpoint) });
}

/** Returns an endpoint with its parameters and the fields of its answer. */
export function endpointDescription(endpoint: Endpoint, fields: readonly Field[]): JsonObject {
  const { command, summary, description, query, notes = [], examples } = endpoint;
  const params = Object.entries(query).map(
    ([name, { pattern, ...param }]) =>
      [pattern?.name ?? name, paramText(pattern ? { ...param, description: pattern.description } : param)] as const,
  );
  const kinds = [...new Set(fields.map(({ kind }) => kind))].filter((kind) => !SELF_EXPLANATORY_KINDS.has(kind));
  return omitUndefined({
    endpoint: command,
    about: summary,
    description,
    params: Object.fromEntries(params),
    example: examples[0]?.params as Json | undefined,
    gives: resultText(endpoint),
    fields: Object.fromEntries(fields.map((field) => [fieldName(field), fieldText(field)])),
    units_of_kinds: Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]])),
    cost: costText(endpoint),
    from_solana_node: nodeText(endpoint),
    notes: notes.length === 0 ? undefined : notes.map(adaptNote),
  });
}

/** Kinds that need no explanation. */
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

/** The note on paging parameters, which the tools set. */
const PAGING_NOTE = "not needed: use rows and cursor";

function paramText({ role, ...param }: Param): string {
  const parts = [
    param.required && param.default === undefined ? "required" : "",
    typeText(param),
    param.accepts ? "or a token symbol" : "",
    param.amountOf === undefined ? "" : "or whole units with a symbol: 1.5usdc",
    allowedValuesText(param),
    param.maxItems ? `at most ${param.maxItems}` : "",
    param.max === undefined ? "" : `${param.min ?? 0} to ${param.max}`,
    param.needs ? `only with ${param.needs}` : "",
    param.default === undefined ? "" : `default ${param.default}`,
    role === "page" || role === "size" || role === "offset" || role === "cursor" ? PAGING_NOTE : "",
    param.deprecated ? `deprecated: ${param.deprecated}` : "",
  ].filter(Boolean);
  return [`${param.description} (${parts.join("; ")})`, param.note].filter(Boolean).join(". ");
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
