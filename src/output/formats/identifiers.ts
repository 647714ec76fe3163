/** `-o name`: the identifier of each row, one per line, as `@-` and xargs read them. */
import {
  isArray,
  isNumeric,
  type Json,
  type JsonObject,
  numericText,
  pluralize,
  toNumber,
  UsageError,
} from "../../base/index.ts";
import type { Kind, Shape } from "../../catalogue/index.ts";
import { fieldNames, type Path, parsePath, valueAt } from "../fields/paths.ts";
import { escapeTsv, safeText, safeTsvCell } from "../text/safe.ts";
import type { ContentSchema } from "../types.ts";
import type { RowWriter, WriteContext } from "./context.ts";

/** Kinds of fields that identify something, most specific first. */
const IDENTIFYING_KINDS = ["address", "program", "signature", "slot", "hash"] as const satisfies readonly Kind[];

/**
 * Returns the path of the field that identifies a row: the known one, else the first field that holds an identifier, in
 * the order of columns and fields; undefined where there is none.
 */
function identifierPath({ identifier, columns = [] }: ContentSchema, shape: Shape): Path | undefined {
  if (identifier !== undefined) return parsePath(identifier);
  const columnNames = columns.map((column) => (typeof column === "string" ? column : column.path));
  const names = [...columnNames, ...shape.fields].filter((name) => shape.fields.includes(name));
  const isIdentifier = (name: string) => IDENTIFYING_KINDS.some((kind) => kind === shape.field(name).meta?.kind);
  const name = names.find(isIdentifier);
  return name === undefined ? undefined : [name];
}

/** @throws UsageError when nothing identifies a row */
export function requireIdentifier(schema: ContentSchema, shape: Shape): void {
  if (identifierPath(schema, shape) !== undefined) return;
  throw new UsageError("-o name prints identifiers, and no field of this answer is one.", {
    hint: "Select a field: --fields <field> -o name",
  });
}

/**
 * Writes identifiers, one per line; rows without one are left out. A selected field is printed in their place; rows of
 * unknown fields are identified by the first of them.
 */
export async function openIdentifiers(
  { schema, shape, selection, options, sink, notes }: WriteContext,
  first: readonly Json[],
  resume?: JsonObject,
): Promise<RowWriter> {
  const path =
    selection?.fields[0]?.path ??
    identifierPath(schema, shape) ??
    (isArray(resume?.path) ? resume.path.map(String) : fieldNames(shape, first).slice(0, 1));
  let missing = toNumber(resume?.missing) ?? 0;
  return {
    async write(page) {
      let lines = "";
      for (const row of page) {
        const text = identifierText(valueAt(row, path));
        if (text === undefined) missing += 1;
        else lines += `${options.isTerminal ? safeText(text) : (options.rawText ? escapeTsv : safeTsvCell)(text)}\n`;
      }
      if (lines !== "") await sink.write(lines);
    },
    async end() {
      if (missing > 0) notes.push(`${pluralize(missing, "row")} without an identifier left out.`);
    },
    state: () => ({ path, missing }),
  };
}

/** Returns an identifier as text: of several, such as the signatures of a transaction, the first. */
function identifierText(value: Json | undefined): string | undefined {
  const one = isArray(value) ? value[0] : value;
  if (isNumeric(one)) return numericText(one);
  return typeof one === "string" && one !== "" ? one : undefined;
}
