/** Which fields are written: `--fields a,b.c[0]` and `--columns NAME:path,…`, alike in every format. */
import { UsageError } from "../../base/errors.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ColumnSpec, OutputOptions } from "../types.ts";
import { leadsTo, type Path, type PathStep, parsePath, valueAt } from "./path.ts";
import { type Shape, shapeAt } from "./shape.ts";

/** A field to write. */
export interface SelectedField {
  /** Its heading, or its path as typed. */
  readonly name: string;
  readonly path: Path;
  /** The heading, when the user gave one. */
  readonly head?: string;
}

/** The fields that the user chose. */
export interface Selection {
  readonly fields: readonly SelectedField[];
  /** The chosen part of a value, as an object. */
  pick(value: Json): Json;
}

/** Splits at commas outside of brackets, and drops spaces around the parts. */
function splitList(text: string): string[] {
  const parts = text.match(/(?:\["(?:[^"\\]|\\.)*"\]|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/**
 * Reads the value of `--fields`.
 * @throws UsageError when it names nothing, or something that is no path.
 */
export function parseFields(text: string): string[] {
  const fields = splitList(text);
  if (fields.length === 0) throw new UsageError("--fields names no field.", { hint: "For example: --fields a,b.c" });
  for (const field of fields) parsePath(field);
  return [...new Set(fields)];
}

/**
 * Reads the value of `--columns`: `NAME:path,…`; a path alone is its own heading.
 * @throws UsageError when it names nothing, or the same heading twice.
 */
export function parseColumns(text: string): ColumnSpec[] {
  const columns = splitList(text).map((part): ColumnSpec => {
    const [, head, path] = /^([^:"[\]]*):(.*)$/.exec(part) ?? [];
    return head === undefined || path === undefined
      ? { head: part, path: part }
      : { head: head.trim(), path: path.trim() };
  });
  const hint = "For example: --columns WHEN:block_time,FROM:from_address";
  if (columns.length === 0) throw new UsageError("--columns names no column.", { hint });
  for (const [index, { head, path }] of columns.entries()) {
    parsePath(path);
    if (head === "") throw new UsageError(`--columns gives no heading for ${path}.`, { hint });
    if (columns.findIndex((other) => other.head === head) !== index) {
      throw new UsageError(`--columns gives the heading ${head} twice.`, { hint });
    }
  }
  return columns;
}

/**
 * The fields chosen by the options; undefined when everything is to be written. A field is valid when the entity
 * knows it or a row of the first page has it, or when `isKnown` says that this was found before.
 * @throws UsageError for a field that is neither, with the valid ones and the nearest.
 */
export async function selectFields(
  { fields, columns }: Pick<OutputOptions, "fields" | "columns">,
  shape: Shape,
  rows: readonly Json[],
  { isKnown: wasKnown = false }: { readonly isKnown?: boolean } = {},
): Promise<Selection | undefined> {
  const chosen: readonly SelectedField[] | undefined =
    columns?.map(({ head, path }) => ({ name: head, head, path: parsePath(path) })) ??
    fields?.map((field) => ({ name: field, path: parsePath(field) }));
  if (chosen === undefined) return undefined;
  for (const field of wasKnown ? [] : chosen)
    if (!isKnown(field.path, shape, rows)) throw await unknownField(field, shape, rows);
  if (columns) return { fields: chosen, pick: (row) => objectOf(chosen.map((f) => [f.name, valueAt(row, f.path)])) };
  const tree = treeOf(chosen.map((field) => field.path));
  return { fields: chosen, pick: (row) => prune(row, tree) };
}

function isKnown(path: Path, shape: Shape, rows: readonly Json[]): boolean {
  return inShape(path, shape, rows.length === 0) || rows.some((row) => leadsTo(row, path));
}

function inShape([step, ...rest]: Path, shape: Shape, lenient: boolean): boolean {
  if (step === undefined) return true;
  if (shape.open) return lenient || shape.meta !== undefined;
  if (typeof step === "number") return inShape(rest, shape, lenient);
  return shape.fields.includes(step) && inShape(rest, shape.field(step), lenient);
}

async function unknownField({ path }: SelectedField, shape: Shape, rows: readonly Json[]): Promise<UsageError> {
  const depth = path.findIndex((_step, index) => !isKnown(path.slice(0, index + 1), shape, rows));
  const parent = path.slice(0, depth);
  const wrong = String(path[depth]);
  const where = depth === 0 ? "The answer" : `"${parent.join(".")}"`;
  const names = namesAt(parent, shape, rows);
  if (names.length === 0) return new UsageError(`${where} has no field "${wrong}".`, { hint: "It has no fields." });
  const { nearestName: nearest } = await import("../../base/nearest-name.ts");
  const near = nearest(wrong, names);
  return new UsageError(`${where} has no field "${wrong}".`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}The fields are ${names.join(", ")}.`,
  });
}

function namesAt(path: Path, shape: Shape, rows: readonly Json[]): string[] {
  const inner = shapeAt(path, shape);
  const values = rows.flatMap((row) => valueAt(row, path) ?? []);
  return [...new Set([...inner.fields, ...values.flatMap((value) => (isObject(value) ? Object.keys(value) : []))])];
}

/** Chosen paths as a tree, in the order given; a `null` branch is chosen as a whole. */
type PathTree = Map<PathStep, PathTree> | null;

function treeOf(paths: readonly Path[]): PathTree {
  const root: PathTree = new Map();
  for (const path of paths) {
    let branch: Map<PathStep, PathTree> = root;
    for (const [index, step] of path.entries()) {
      const next = branch.get(step);
      if (next === null) break;
      if (index === path.length - 1) branch.set(step, null);
      else if (next) branch = next;
      else {
        const fresh: Map<PathStep, PathTree> = new Map();
        branch.set(step, fresh);
        branch = fresh;
      }
    }
  }
  return root;
}

/** The part of a value that a tree names. Fields that are missing become null, so that all rows are alike. */
function prune(value: Json | undefined, tree: PathTree): Json {
  if (tree === null) return value ?? null;
  const steps = [...tree];
  if (steps.some(([step]) => typeof step === "number")) {
    return steps.map(([step, branch]) => prune(isArray(value) ? value[Number(step)] : undefined, branch));
  }
  if (isArray(value)) return value.map((item) => prune(item, tree));
  return objectOf(steps.map(([step, branch]) => [String(step), prune(valueAt(value, [step]), branch)]));
}

/** An object of these entries; a key such as `__proto__` is a key like any other. */
function objectOf(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? null]));
}
