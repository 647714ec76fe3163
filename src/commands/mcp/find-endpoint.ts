/** Finds endpoints by name and by search terms. */
import { type Json, type JsonObject, omitUndefined, UsageError } from "../../base/index.ts";
import {
  allEndpoints,
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  type Field,
  KINDS,
  type Kind,
  MAX_EXPORT_ROWS,
  nodeSupportOf,
  type Param,
  positionalOf,
  shortValue,
} from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import { endpointOfHit } from "../docs/search/search-command.ts";
import type { ManualSearch } from "../docs/search/search-index.ts";
import { GROUPS } from "../endpoint/groups.ts";

/** Normalizes a name: `account/defi-activities`, `account.defiActivities` and URLs are equivalent. */
function normalizeName(name: string): string {
  return name
    .trim()
    .replace(/^get\s+/i, "")
    .replace(/^https?:\/\/[^/]+/i, "")
    .replace(/[?#].*$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .replace(/^ ?(solx )?/, "")
    .trim();
}

function namesOf({ command, name, route, path, family, group, aliases = [] }: Endpoint): readonly string[] {
  const start = command.slice(0, command.length - name.length);
  const starts = [start, ...(GROUPS[group]?.aliases ?? []).map((alias) => start.replace(group, alias))];
  const commands = starts.flatMap((words) => [name, ...aliases].map((last) => words + last));
  const wire = family === "v2" ? [path, `v2 ${path}`, `v2.0${path}`] : [`${family}${path}`];
  return [...commands, route, ...wire].map(normalizeName);
}

const MAX_NAME_LENGTH = 200;

const isV2 = ({ family }: Endpoint) => family === "v2";

/** Returns the endpoint with a command, route or path; undefined for an unknown name. */
export function findEndpoint(name: string): Endpoint | undefined {
  const normalized = normalizeName(name.slice(0, MAX_NAME_LENGTH));
  // Routes of the legacy families equal commands of v2, which takes precedence.
  return (
    allEndpoints.find(({ command }) => normalizeName(command) === normalized) ??
    [...allEndpoints.filter(isV2), ...allEndpoints].find((endpoint) => namesOf(endpoint).includes(normalized))
  );
}

const MAX_SUGGESTIONS = 3;

/** Returns the error about an unknown endpoint, with those that the name may mean. */
export function unknownEndpointError(name: string, search: ManualSearch): UsageError {
  const normalized = normalizeName(name.slice(0, MAX_NAME_LENGTH));
  const suggestions = rankEndpoints(search, normalized)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ command }) => command);
  return new UsageError(`unknown endpoint "${displayText(name)}"`, {
    code: "UNKNOWN_ENDPOINT",
    hint: `${suggestions.length > 0 ? `Did you mean ${suggestions.join(" or ")}? ` : ""}List endpoints with the tool search_endpoints.`,
  });
}

/** Returns endpoints by relevance for a query. Legacy endpoints come last, unless the query contains "legacy". */
export function rankEndpoints(search: ManualSearch, words: string): readonly Endpoint[] {
  const matches = search(words.slice(0, MAX_NAME_LENGTH)).flatMap((hit) => endpointOfHit(hit) ?? []);
  const isLast = ({ family }: Endpoint) => family === "legacy" && !/\blegacy\b/i.test(words);
  return [...matches.filter((endpoint) => !isLast(endpoint)), ...matches.filter(isLast)];
}

/** Returns an endpoint as an entry of a list. */
export function summarizeEndpoint(endpoint: Endpoint): JsonObject {
  const { command, summary } = endpoint;
  return omitUndefined({ endpoint: command, about: summary, needs: positionalOf(endpoint)?.[0] });
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
