/** The fields of a row as lines: full values, nested ones indented below their names. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
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

interface Field {
  readonly name: string;
  readonly cell?: Cell;
  readonly target?: Route | undefined;
  readonly fields?: readonly Field[];
}

/** Returns the fields of a row that are not empty, one per line, without those that are shown elsewhere. */
export function fieldLines(
  row: Json,
  format: FieldFormat,
  width: number,
  omitted: ReadonlySet<string>,
): readonly TextLine[] {
  return linesOf(fieldsOf(row, format, omitted), format, width, 0).slice(0, MAX_LINES);
}

function linesOf(fields: readonly Field[], format: FieldFormat, width: number, depth: number): readonly TextLine[] {
  const nameWidth = Math.min(MAX_NAME, Math.max(0, ...fields.map(({ name }) => textWidth(name))));
  const margin = " ".repeat(depth * INDENT);
  const space = Math.max(1, width - margin.length - nameWidth - 2);
  return fields.flatMap(({ name, cell, target, fields: inner = [] }): readonly TextLine[] => {
    const label = span(`${margin}${pad(clip(name, nameWidth), nameWidth)}  `, "key");
    if (cell) return [[label, ...cellSpans(cell, space, format).map((one): Span => ({ ...one, target }))]];
    return [[label], ...linesOf(inner, format, width, depth + 1)];
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
  if (!isObject(row)) return [{ name: "value", cell: formatValue(row, shape.meta, undefined, clock) }];
  const names = omitRedundant(orderFields(fieldNames(shape, [row]), shape), shape, [row], clock);
  const symbolOf = (mint: string) => {
    const name = nameOf?.(mint);
    return name === undefined ? undefined : { name };
  };
  const style: ValueStyle = { ...clock, symbolOf };
  return names.filter((name) => !omitted.has(name)).flatMap((name) => fieldOf(name, row, shape, style, 1));
}

function fieldOf(field: string, holder: JsonObject, shape: Shape, clock: ValueStyle, depth: number): readonly Field[] {
  const value = Object.hasOwn(holder, field) ? (holder[field] ?? null) : null;
  const inner = shape.field(field);
  const name = safeText(headingOf(field, inner.meta));
  if (isNested(value)) {
    const size = isArray(value) ? value.length : Object.keys(value).length;
    const fields = depth < MAX_DEPTH ? nestedFields(value, inner, clock, depth + 1) : moreFields(size);
    return fields.length === 0 ? [] : [{ name, fields }];
  }
  const cell = valueCell(value, holder, inner, clock);
  return cell.text === MISSING.text ? [] : [{ name, cell, target: routeForValue(value, inner.meta?.kind, field) }];
}

const isNested = (value: Json): value is JsonObject | readonly Json[] =>
  isObject(value) || (isArray(value) && value.some((item) => isObject(item) || isArray(item)));

/** Returns the fields of an object, or the first items of a list. */
function nestedFields(
  value: JsonObject | readonly Json[],
  shape: Shape,
  clock: ValueStyle,
  depth: number,
): readonly Field[] {
  if (!isArray(value)) return Object.keys(value).flatMap((name) => fieldOf(name, value, shape, clock, depth));
  const items = value.slice(0, MAX_ITEMS).flatMap((item, at): readonly Field[] => {
    const name = `${at + 1}`;
    if (!isNested(item)) return [{ name, cell: formatValue(item, shape.meta, undefined, clock) }];
    const fields = nestedFields(item, shape, clock, depth + 1);
    return fields.length > 0 ? [{ name, fields }] : [];
  });
  return [...items, ...moreFields(value.length - MAX_ITEMS)];
}

const moreFields = (count: number): readonly Field[] =>
  count > 0 ? [{ name: "…", cell: { text: `${count} more`, role: "note" } }] : [];

/** Ages, as opposed to dates. */
const RELATIVE = / ago$|^in |^now$/;

/** Times are formatted as a date, and as an age where they are recent. */
function valueCell(value: Json, holder: Json, { meta }: Shape, clock: ValueStyle): Cell {
  const cell = formatValue(value, meta, holder, clock);
  if (meta?.kind !== "unixTime" && meta?.kind !== "isoTime") return cell;
  const { text } = formatValue(value, meta, holder, { ...clock, style: "iso" });
  return RELATIVE.test(cell.text) ? { ...cell, text: `${text} · ${cell.text}` } : { ...cell, text };
}
