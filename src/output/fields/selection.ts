/** The selected fields: `--fields a,b.c[0],HEADING:path`, the same in every format. */
import { isArray, isObject, type Json, type JsonObject, nearestName, UsageError } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import type { FieldSpec, OutputOptions, SortField } from "../types.ts";
import { headingOf } from "./field-names.ts";
import { leadsTo, type Path, type PathStep, parsePath, shapeAt, valueAt } from "./paths.ts";

/** A selected field. */
export interface SelectedField {
  readonly name: string;
  readonly path: Path;
  readonly head?: string;
}

/** The selected fields of rows. */
export interface Selection {
  readonly fields: readonly SelectedField[];
  /** Returns the selected part of a value as an object. */
  pick(value: Json): Json;
}

/** Splits at commas outside of brackets, and trims the parts. */
function splitList(text: string): string[] {
  const parts = text.match(/(?:\["(?:[^"\\]|\\.)*"\]|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Returns the items of the value of an option, each once. @throws UsageError when there are none */
function splitValue(text: string, option: string, example: string): string[] {
  const items = splitList(text);
  if (items.length === 0) throw new UsageError(`${option} is empty.`, { hint: `Example: ${option} ${example}` });
  return [...new Set(items)];
}

/**
 * Parses a list of paths, the value of an option.
 * @throws UsageError when it is empty or has an invalid path
 */
export function parsePaths(text: string, option: string): string[] {
  const paths = splitValue(text, option, "a,b.c");
  for (const path of paths) parsePath(path);
  return paths;
}

/**
 * Parses the value of `--fields`: `path` or `HEADING:path`, separated by commas. A name with a colon is written `["a:b"]`.
 * @throws UsageError when it is empty, has an invalid field, or has a name twice where there are headings
 */
export function parseFields(text: string): FieldSpec[] {
  const fields = splitValue(text, "--fields", "a,b.c,WHO:owner").map((part): FieldSpec => {
    const [, head, path = part] = /^([^:"[\]]*):(.*)$/s.exec(part) ?? [];
    if (head === undefined) return { path };
    const unquoted = path.replace(/"(?:[^"\\]|\\.)*"/g, '""').trim();
    if (head.trim() === "" || !/^[^:]+$/.test(unquoted))
      throw new UsageError(`invalid value "${part}" for --fields: expected FIELD or HEADING:FIELD`);
    return { head: head.trim(), path: path.trim() };
  });
  for (const { path } of fields) parsePath(path);
  const names = fields.map(fieldName);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw new UsageError(`--fields has the heading ${repeated} twice.`, {
      hint: "Give each field a heading of its own.",
    });
  return fields;
}

/** Returns the name of a selected field: its heading, else its path. */
const fieldName = ({ head, path }: FieldSpec) => head ?? path;

/**
 * Parses the value of `--sort-by`: paths with `:asc` or `:desc`, separated by commas. `-amount` is short for
 * `amount:desc`; no field starts with a hyphen.
 * @throws UsageError when it is empty, or has an invalid path or direction
 */
export function parseSortFields(text: string): readonly SortField[] {
  const fields = splitList(text).map((part): SortField => {
    const [, short, path = part, direction = short ? "desc" : "asc"] = /^(-?)(.*?)(?::([^:"[\]]*))?$/s.exec(part) ?? [];
    if ((direction !== "asc" && direction !== "desc") || (short && part.includes(":"))) {
      throw new UsageError(`invalid value "${part}" for --sort-by: expected FIELD, FIELD:asc, FIELD:desc or -FIELD`);
    }
    parsePath(path);
    return { path, isDescending: direction === "desc" };
  });
  if (fields.length === 0) throw new UsageError("--sort-by is empty.", { hint: "Example: --sort-by amount:desc" });
  return fields;
}

/**
 * Returns the fields that the options select; undefined when all are written. A field is valid when the entity has it, a
 * row of the first page has it, or `isKnown` is set because an earlier run checked it.
 * @throws UsageError for an unknown field, with the valid ones and the nearest
 */
export async function selectFields(
  { fields }: Pick<OutputOptions, "fields">,
  shape: Shape,
  rows: readonly Json[],
  { isKnown: wasKnown = false }: { readonly isKnown?: boolean } = {},
): Promise<Selection | undefined> {
  const chosen = fields?.map(
    (field): SelectedField => ({ ...field, name: fieldName(field), path: parsePath(field.path) }),
  );
  if (chosen === undefined) return undefined;
  if (!wasKnown)
    checkFields(
      chosen.map(({ path }) => path),
      shape,
      rows,
    );
  if (chosen.some(({ head }) => head !== undefined))
    return { fields: chosen, pick: (row) => buildObject(chosen.map((f) => [f.name, valueAt(row, f.path)])) };
  const tree = buildTree(chosen.map((field) => field.path));
  return { fields: chosen, pick: (row) => prune(row, tree) };
}

/** A list inside an object whose items are printed as rows. */
export interface SelectedList {
  readonly rows: readonly Json[];
  readonly shape: Shape;
  /** The selected fields of an item; undefined for all. */
  readonly selection: Selection | undefined;
}

/** Returns the list of objects that all selected fields of an object are in; undefined where there is none. */
export function selectedList(value: Json, { fields }: Selection, shape: Shape): SelectedList | undefined {
  const [{ path, head } = { path: [] }] = fields;
  const depth = 1 + path.findIndex((_step, at) => isArray(valueAt(value, path.slice(0, at + 1))));
  const to = path.slice(0, depth);
  const rows = valueAt(value, to);
  const isInside = (field: SelectedField) =>
    to.every((step, at) => step === field.path[at]) && typeof field.path[depth] !== "number";
  const inner = shapeAt(to, shape);
  if (depth === 0 || !isArray(rows) || !fields.every(isInside)) return undefined;
  if (inner.fields.length === 0 && !rows.some(isObject)) return undefined;
  if (fields.length === 1 && path.length === depth && head === undefined)
    return { rows, shape: inner, selection: undefined };
  const ofItem = fields.map((field) => ({ ...field, path: field.path.slice(depth) }));
  const pick = (row: Json) => buildObject(ofItem.map((field) => [field.name, valueAt(row, field.path)]));
  return { rows, shape: inner, selection: { fields: ofItem, pick } };
}

/** @throws UsageError for a path that neither the entity nor a row has, with the valid fields and the nearest */
export function checkFields(paths: readonly Path[], shape: Shape, rows: readonly Json[]): void {
  const unknown = paths.find((path) => !isKnown(path, shape, rows));
  if (unknown) throw unknownField(unknown, shape, rows);
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

/** More fields than this are not listed in an error. */
const MAX_LISTED = 60;

function unknownField(path: Path, shape: Shape, rows: readonly Json[]): UsageError {
  const depth = path.findIndex((_step, index) => !isKnown(path.slice(0, index + 1), shape, rows));
  const parent = path.slice(0, depth);
  const wrong = String(path[depth]);
  const where = depth === 0 ? "The answer" : `"${parent.join(".")}"`;
  const names = namesAt(parent, shape, rows);
  if (names.length === 0) return new UsageError(`${where} has no field "${wrong}".`, { hint: "It has no fields." });
  const near = fieldWithHeading(wrong, names, shapeAt(parent, shape)) ?? nearestName(wrong, names);
  const all =
    names.length > MAX_LISTED
      ? `It has ${names.length} fields: --fields without a value lists them.`
      : `The fields are ${names.join(", ")}.`;
  return new UsageError(`${where} has no field "${wrong}".`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}${all}`,
  });
}

function fieldWithHeading(typed: string, names: readonly string[], inner: Shape): string | undefined {
  const words = typed.toLowerCase().replaceAll(/[_-]/g, " ");
  return names.find((name) => headingOf(name, inner.field(name).meta).toLowerCase() === words);
}

function namesAt(path: Path, shape: Shape, rows: readonly Json[]): string[] {
  const inner = shapeAt(path, shape);
  const values = rows.flatMap((row) => valueAt(row, path) ?? []);
  return [...new Set([...inner.fields, ...values.flatMap((value) => (isObject(value) ? Object.keys(value) : []))])];
}

/** Selected paths as a tree, in their order; a `null` branch is selected as a whole. */
type PathTree = Map<PathStep, PathTree> | null;

function buildTree(paths: readonly Path[]): PathTree {
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

/** Returns the selected part of a value. Missing fields become null, so that all rows are alike. */
function prune(value: Json | undefined, tree: PathTree): Json {
  if (tree === null) return value ?? null;
  const steps = [...tree];
  if (steps.some(([step]) => typeof step === "number")) {
    return steps.map(([step, branch]) => prune(isArray(value) ? value[Number(step)] : undefined, branch));
  }
  if (isArray(value)) return value.map((item) => prune(item, tree));
  return buildObject(steps.map(([step, branch]) => [String(step), prune(valueAt(value, [step]), branch)]));
}

/** Returns an object of these entries; `__proto__` is a key like any other. */
function buildObject(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? null]));
}
