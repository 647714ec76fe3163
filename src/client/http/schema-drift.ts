/** Checks whether an answer still matches the catalogue. Loads the entities, so it is optional. */
import { isArray, isObject, isRawNumber, type Json } from "../../base/index.ts";
import { loadEntities, loadFields, recordOf, returnsList } from "../../catalogue/index.ts";
import { isNothing } from "./api-errors.ts";
import type { Answer } from "./decode.ts";

/** Maximum number of deviations reported for one answer. */
const MAX_PROBLEMS = 20;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Schema = Parameters<Awaited<ReturnType<typeof loadFields>>["isUnchecked"]>[0];

/**
 * Returns the deviations of an answer from its entity, each once: `amount: expected number, received string`. An empty
 * answer has none, and null in an optional field means that it is missing.
 */
export async function findSchemaDrift({ request: { endpoint }, data, rows }: Answer): Promise<readonly string[]> {
  if (!endpoint) return [];
  const [entities, { isUnchecked }] = await Promise.all([loadEntities(), loadFields()]);
  const schema = (entities as Readonly<Record<string, unknown>>)[endpoint.returns.entity] as Schema;
  if (isNothing(data)) return [];
  if (returnsList(endpoint) && rows === undefined) return ["no rows where rows were expected"];
  const values = returnsList(endpoint) ? (rows ?? []) : [recordOf(endpoint, data)];
  const problems = new Set<string>();
  for (const value of values) {
    for (const { path, message } of issuesOf(schema, value)) {
      if (isUnchecked(schema, path)) continue;
      problems.add(`${pathText(path)}: ${message.replace(/^Invalid input: /, "")}`);
    }
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return [...problems].slice(0, MAX_PROBLEMS);
}

/** Returns the issues of a value that it has without its null fields, too. */
function issuesOf(schema: Schema, value: Json): readonly Issue[] {
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
