/** Checks whether an answer still matches the catalogue. Loads the entities, so it is optional. */
import { isArray, isObject, isRawNumber, type Json } from "../../base/index.ts";
import { loadEntities, recordOf, returnsList } from "../../catalogue/index.ts";
import type { Answer } from "./decode.ts";

/** Maximum number of deviations reported for one answer. */
const MAX_PROBLEMS = 20;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Schema {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined };
}

/** Returns the deviations of an answer from its entity, each once: `amount: expected number, received string`. */
export async function findSchemaDrift({ request: { endpoint }, data, rows }: Answer): Promise<readonly string[]> {
  if (!endpoint) return [];
  const entities: Readonly<Record<string, unknown>> = await loadEntities();
  const schema = entities[endpoint.returns.entity] as Schema;
  if (returnsList(endpoint) && rows === undefined) return ["no rows where rows were expected"];
  const values = returnsList(endpoint) ? (rows ?? []) : [recordOf(endpoint, data)];
  const problems = new Set<string>();
  for (const value of values) {
    for (const { path, message } of schema.safeParse(withDoubles(value)).error?.issues ?? []) {
      problems.add(`${pathText(path)}: ${message.replace(/^Invalid input: /, "")}`);
    }
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return [...problems].slice(0, MAX_PROBLEMS);
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
