/**
 * Reads the rows of an export through the corresponding paged endpoint, such as `/account/transfer` for
 * `/account/transfer/export`. The rows are converted to those of the export: the same columns, with text in every cell.
 * A column that pages do not have is empty.
 */
import {
  fieldAt,
  isArray,
  isMissing,
  isNumeric,
  type Json,
  type JsonObject,
  numericText,
  stringifyJson,
  UsageError,
} from "../../base/index.ts";
import { type CellSource, type Endpoint, loadEntities, loadFields, pagedSourceOf } from "../../catalogue/index.ts";
import type { Page } from "../paging/page.ts";

/**
 * Returns the paged endpoint of an export.
 * @throws UsageError when there is none, or it does not have a parameter
 */
export function requirePagedSibling(endpoint: Endpoint, params: Readonly<Record<string, unknown>> = {}): Endpoint {
  const sibling = pagedSourceOf(endpoint);
  if (!sibling) {
    throw new UsageError(`No paged endpoint has the rows of ${endpoint.command}.`, {
      hint: "Omit via.",
    });
  }
  const unknown = Object.keys(params).find((name) => params[name] !== undefined && !Object.hasOwn(sibling.query, name));
  if (unknown === undefined) return sibling;
  throw new UsageError(`${sibling.command} does not take ${unknown}: with it, the rows can only be exported.`, {
    hint: "Omit via.",
  });
}

/** Returns the columns of an export that the paged endpoint does not have. */
export async function findMissingColumns(endpoint: Endpoint): Promise<readonly string[]> {
  const [entities, { listFields }] = await Promise.all([loadEntities(), loadFields()]);
  const known = new Set(listFields(entities[requirePagedSibling(endpoint).returns.entity]).map(({ path }) => path));
  const columns = Object.entries(endpoint.pagedSource?.columns ?? {});
  return columns.filter(([, { path }]) => !path.split("|").some((one) => known.has(one))).map(([name]) => name);
}

/** Converts the pages of the paged endpoint to pages of the export. */
export async function* toExportPages(
  { pagedSource }: Endpoint,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void> {
  const columns = Object.entries(pagedSource?.columns ?? {});
  const written = (row: Json) => Object.fromEntries(columns.map(([name, origin]) => [name, cellOf(row, origin)]));
  for await (const page of pages) {
    const rows: readonly JsonObject[] = page.rows.map(written);
    const answer = { ...page.answer, envelope: undefined, data: rows, rows, at: undefined };
    yield page.answer.rows === undefined ? page : { ...page, rows, answer, next: undefined };
  }
}

function cellOf(row: Json, { path, withoutPrefix = "", spaced }: CellSource): string {
  const values = path.split("|").map((one) => fieldAt(row, one.split(".")));
  const text = cellText(values.find((value) => !isMissing(value)) ?? null).replace(withoutPrefix, "");
  return spaced ? text.replaceAll("_", " ") : text;
}

function cellText(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (isNumeric(value)) return numericText(value);
  return isArray(value) ? value.map(cellText).join("|") : stringifyJson(value);
}
