/** Checks whether an answer still matches the catalogue. Loads the entities, so it is optional. */
import { isArray, isObject, isRawNumber, type Json } from "../../base/index.ts";
import {
  type Endpoint,
  isMissingField,
  loadEntities,
  loadFields,
  recordOf,
  returnsList,
} from "../../catalogue/index.ts";
import type { Answer } from "./answer.ts";
import { isNothing } from "./decode.ts";

const MAX_PROBLEMS = 20;

type Schema = Parameters<Awaited<ReturnType<typeof loadFields>>["isUnchecked"]>[0];

/** A field in which an answer deviates from its entity. */
export interface FieldDrift {
  /** `missing` from a row, of `changed` type, or `unknown` to the catalogue. */
  readonly kind: "missing" | "changed" | "unknown";
  /** The path of the field in a row; `[]` stands for the items of a list. */
  readonly field: string;
  /** What was expected, as far as the kind does not say it. */
  readonly detail: string;
}

/**
 * Returns the deviations of an answer from its entity, each once: `amount: expected number, received string`. An empty
 * answer has none, and null in an optional field means that it is missing.
 */
export async function findSchemaDrift(answer: Answer): Promise<readonly string[]> {
  const drifts = await findFieldDrift(answer, { unknown: false });
  return drifts.map(({ field, detail }) => (field === "" ? detail : `${field}: ${detail}`));
}

/**
 * Returns the fields in which an answer deviates from its entity, like {@link findSchemaDrift}: not those that its source
 * does not know, as its coverage says.
 * @param options whether fields that the catalogue lacks are included (default: yes)
 */
export async function findFieldDrift(
  { request: { endpoint }, data, rows, coverage }: Answer,
  { unknown = true }: { readonly unknown?: boolean } = {},
): Promise<readonly FieldDrift[]> {
  if (!endpoint) return [];
  const [entities, { isUnchecked, unknownFields }] = await Promise.all([loadEntities(), loadFields()]);
  const schema = (entities as Readonly<Record<string, unknown>>)[endpoint.returns.entity] as Schema;
  if (isNothing(data)) return [];
  if (returnsList(endpoint) && rows === undefined) {
    return [{ kind: "changed", field: "", detail: "no rows where rows were expected" }];
  }
  const drifts = new Map<string, FieldDrift>();
  for (const value of valuesOf(endpoint, { data, rows })) {
    const issues = findIssues(schema, value).filter(({ path }) => !isUnchecked(schema, path));
    for (const drift of issues.map(describeIssue)) {
      if (!isMissingField(coverage?.missing ?? [], drift.field)) drifts.set(`${drift.field} ${drift.detail}`, drift);
    }
    for (const field of unknown ? unknownFields(schema, value) : []) {
      drifts.set(field, { kind: "unknown", field, detail: "not in the catalogue" });
    }
    if (drifts.size >= MAX_PROBLEMS) break;
  }
  return [...drifts.values()].slice(0, MAX_PROBLEMS);
}

function describeIssue({ path, message }: ReturnType<typeof findIssues>[number]): FieldDrift {
  const detail = message.replace(/^Invalid input: /, "");
  return { kind: detail.endsWith("received undefined") ? "missing" : "changed", field: pathText(path), detail };
}

const valuesOf = (endpoint: Endpoint, { data, rows = [] }: Pick<Answer, "data" | "rows">): readonly Json[] =>
  returnsList(endpoint) ? rows : [recordOf(endpoint, data)];

/** Returns the issues of a value that it has without its null fields, too. */
function findIssues(schema: Schema, value: Json) {
  const doubles = withDoubles(value);
  const issues = schema.safeParse(doubles).error?.issues ?? [];
  if (issues.length === 0) return issues;
  const remaining = new Set(schema.safeParse(withoutNulls(doubles)).error?.issues.map(({ path }) => pathText(path)));
  return issues.filter(({ path }) => remaining.has(pathText(path)));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? "[]" : `.${String(key)}`)).join("");
  return text.replace(/^\./, "") || "(root)";
}

/** Replaces exact numbers by doubles: schemas accept no others, and the digits do not matter here. */
function withDoubles(value: Json): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON);
  if (isArray(value)) return value.map(withDoubles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDoubles(inner)]));
}
