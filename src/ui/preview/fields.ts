/** The fields of a row as lines: full values, nested ones indented below their names. */
import { isArray, isObject, type Json } from "../../base/index.ts";
import {
  type Cell,
  clip,
  fieldNames,
  fitCell,
  formatValue,
  headingOf,
  MISSING,
  omitRedundant,
  orderFields,
  pad,
  type Shape,
  safeText,
  textWidth,
  type ValueStyle,
} from "../../output/index.ts";
import type { Route } from "../navigation/route.ts";
import { routeForValue } from "../navigation/route-for.ts";
import { type Span, span, type TextLine } from "../navigation/theme/text-line.ts";
import type { FieldFormat } from "../widgets/list/preview.ts";

/** Maximum width of a name in cells. */
const MAX_NAME = 24;
/** Levels of nested values, items of a list, and lines of a row that are shown. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 6;
const MAX_LINES = 300;
const INDENT = 2;

/** A name and its value; a nested value has fields below it instead. */
interface Field {
  readonly name: string;
  readonly cell: Cell | undefined;
  /** The page of the value. */
  readonly target?: Route | undefined;
  readonly fields: readonly Field[];
}

/**
 * Returns the fields of a row that are not empty, one per line.
 * @param omitted names of fields that are shown elsewhere
 */
export function fieldLines(
  row: Json,
  format: FieldFormat,
  width: number,
  omitted: ReadonlySet<string> = new Set(),
): readonly TextLine[] {
  return linesOf(fieldsOf(row, format, omitted), format, width, 0).slice(0, MAX_LINES);
}

function linesOf(fields: readonly Field[], format: FieldFormat, width: number, depth: number): readonly TextLine[] {
  const nameWidth = Math.min(MAX_NAME, Math.max(0, ...fields.map(({ name }) => textWidth(name))));
  const margin = " ".repeat(depth * INDENT);
  const space = Math.max(1, width - margin.length - nameWidth - 2);
  return fields.flatMap((field): readonly TextLine[] => {
    const name = span(`${margin}${pad(clip(field.name, nameWidth), nameWidth)}  `, "key");
    const { cell, target } = field;
    if (cell) return [[name, ...cellSpans(cell, space, format).map((one): Span => ({ ...one, target }))]];
    return [[name], ...linesOf(field.fields, format, width, depth + 1)];
  });
}

/** Returns a value, with the name of its identifier before it where both fit; of several identifiers, their names. */
function cellSpans(cell: Cell, space: number, { shorten, nameOf }: FieldFormat): readonly Span[] {
  const role = cell.warning ? "warning" : cell.role;
  const [id, ...others] = cell.ids ?? [];
  const name = id === undefined ? undefined : nameOf?.(id);
  if (id !== undefined && others.length > 0) {
    const names = [id, ...others].map((each) => nameOf?.(each) ?? shorten(each));
    return [span(clip(names.join(", "), space), role)];
  }
  if (id === undefined || name === undefined) return [span(fitCell(cell, space, shorten), role)];
  const short = clip(name, Math.max(1, space - textWidth(shorten(id)) - 2));
  const rest = space - textWidth(short) - 2;
  return [span(short, role), span(`  ${fitCell({ text: id, ids: [id] }, rest, shorten)}`, "note")];
}

function fieldsOf(row: Json, { shape, clock, nameOf }: FieldFormat, omitted: ReadonlySet<string>): readonly Field[] {
  if (!isObject(row)) return [{ name: "value", cell: formatValue(row, shape.meta, undefined, clock), fields: [] }];
  const names = omitRedundant(orderFields(fieldNames(shape, [row]), shape), shape, [row], clock);
  const symbolOf = (mint: string) => {
    const name = nameOf?.(mint);
    return name === undefined ? undefined : { name };
  };
  const style: ValueStyle = { ...clock, symbolOf };
  return names.filter((name) => !omitted.has(name)).flatMap((name) => fieldOf(name, row, shape, style, 1));
}

/** Returns a field; none where it is empty. */
function fieldOf(name: string, holder: Json, shape: Shape, clock: ValueStyle, depth: number): readonly Field[] {
  const value = isObject(holder) && Object.hasOwn(holder, name) ? (holder[name] ?? null) : null;
  const inner = shape.field(name);
  const label = safeText(headingOf(name, inner.meta));
  const fields = depth < MAX_DEPTH ? nestedFields(value, inner, clock, depth + 1) : deepFields(value);
  if (fields) return fields.length === 0 ? [] : [{ name: label, cell: undefined, fields }];
  const cell = valueCell(value, holder, inner, clock);
  const target = routeForValue(value, inner.meta?.kind, name);
  return cell.text === MISSING.text ? [] : [{ name: label, cell, target, fields: [] }];
}

/** Returns the fields of an object, or of each object in a list; undefined for other values. */
function nestedFields(value: Json, shape: Shape, clock: ValueStyle, depth: number): readonly Field[] | undefined {
  if (isObject(value)) return Object.keys(value).flatMap((name) => fieldOf(name, value, shape, clock, depth));
  if (!isArray(value) || !value.some((item) => isObject(item) || isArray(item))) return undefined;
  const items = value.slice(0, MAX_ITEMS).flatMap((item, at): readonly Field[] => {
    const fields = nestedFields(item, shape, clock, depth + 1);
    if (fields && fields.length > 0) return [{ name: `${at + 1}`, cell: undefined, fields }];
    return fields ? [] : [{ name: `${at + 1}`, cell: formatValue(item, shape.meta, undefined, clock), fields: [] }];
  });
  const more = value.length - MAX_ITEMS;
  return more > 0 ? [...items, { name: "…", cell: { text: `${more} more`, role: "note" }, fields: [] }] : items;
}

/** Returns a field in place of a value that is nested too deeply; undefined for values that are not nested. */
function deepFields(value: Json): readonly Field[] | undefined {
  const count = isObject(value) ? Object.keys(value).length : isArray(value) ? value.length : 0;
  if (!isObject(value) && !(isArray(value) && value.some((item) => isObject(item) || isArray(item)))) return undefined;
  return count === 0 ? [] : [{ name: "…", cell: { text: `${count} more`, role: "note" }, fields: [] }];
}

/** Ages, as opposed to dates. */
const RELATIVE = / ago$|^in |^now$/;

/** Times are formatted as a date, and as an age where they are recent. */
function valueCell(value: Json, holder: Json, { meta }: Shape, clock: ValueStyle): Cell {
  const cell = formatValue(value, meta, holder, clock);
  if (meta?.kind !== "unixTime" && meta?.kind !== "isoTime") return cell;
  const { text } = formatValue(value, meta, holder, { ...clock, style: "iso" });
  return RELATIVE.test(cell.text) ? { ...cell, text: `${text} · ${cell.text}` } : { ...cell, text };
}
