/** Paths into values, as typed: `a.b`, `c[0]`, `list[].name`, `["odd.key"]`. */

import { isArray, isObject, type Json, UsageError } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import { safeText } from "../text/safe.ts";

/** Returns the shape at a path; indices are skipped, since the shape of a list is that of its items. */
export function shapeAt(path: Path, shape: Shape): Shape {
  return path.reduce<Shape>((inner, step) => (typeof step === "string" ? inner.field(step) : inner), shape);
}

/** Returns the names of the fields of rows: those of the entity, then those that only the rows have. */
export function fieldNames(shape: Shape, rows: readonly Json[]): string[] {
  return [...new Set([...shape.fields, ...rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))])];
}

/** A step of a path: a field, or an index. A field of a list is that field of each item. */
export type PathStep = string | number;

/** A path: the steps from a row to a value. */
export type Path = readonly PathStep[];

const STEP_PATTERN = /\.?([^.[\]"]+)|\[(\d+)\]|\[\](?!\[)|\.?\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Parses a path. `a[].b` is the same as `a.b`.
 * @throws UsageError when it is invalid
 */
export function parsePath(text: string): Path {
  const steps: PathStep[] = [];
  let end = text.startsWith(".") ? -1 : 0;
  STEP_PATTERN.lastIndex = 0;
  for (let match = end === 0 ? STEP_PATTERN.exec(text) : null; match; match = STEP_PATTERN.exec(text)) {
    const [, name, index, quoted] = match;
    if (index !== undefined) steps.push(Number(index));
    else if (name !== undefined) steps.push(name);
    else if (quoted !== undefined) steps.push(quoted.replace(/\\(.)/g, "$1"));
    end = STEP_PATTERN.lastIndex;
  }
  if (end !== text.length || steps.length === 0) {
    throw new UsageError(`invalid path "${text}": expected a path such as a, a.b, a.b[0] or a[].b`);
  }
  return steps;
}

/** Formats a path as `--fields`, `--sort-by` and jq accept it: `a.b[0]["odd name"]`. */
export function formatPath(path: Path): string {
  const text = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return safeText(text.join("").replace(/^\./, ""));
}

/** Returns the value at a path, starting with the step `from`; undefined where there is none. */
export function valueAt(value: Json | undefined, path: Path, from = 0): Json | undefined {
  const step = path[from];
  if (step === undefined || value === undefined) return value;
  if (isArray(value)) {
    if (typeof step === "number") return valueAt(value[step], path, from + 1);
    return value.map((item) => valueAt(item, path, from) ?? null);
  }
  return isObject(value) && Object.hasOwn(value, step) ? valueAt(value[step], path, from + 1) : undefined;
}

/** Returns whether a path leads to a value, also to null. */
export function leadsTo(value: Json | undefined, path: Path): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return value !== undefined;
  if (isArray(value)) {
    if (typeof step === "number") return leadsTo(value[step], rest);
    return value.length === 0 || value.some((item) => leadsTo(item, path));
  }
  return isObject(value) && Object.hasOwn(value, step) && leadsTo(value[step], rest);
}
