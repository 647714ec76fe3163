/** One object for people: keys and values, with lists of objects as tables below. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { FieldMeta } from "../../catalogue/kinds.ts";
import { valueAt } from "../fields/path.ts";
import { withoutEchoes } from "../fields/redundant.ts";
import { formAt, type Shape } from "../fields/shape.ts";
import { type Job, listed, namesOf, readingOrder } from "../formats/context.ts";
import { safeText } from "../text/safe.ts";
import { cells, clip, middle, pad, wrap } from "../text/width.ts";
import { type Cell, formatValue, MISSING, sizeMark } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import { GAP } from "./column-widths.ts";
import { columnsOf, createGrid, createSheet, type Sheet } from "./grid.ts";
import { text, warningNotes } from "./list.ts";

/** Objects inside objects are spread out to this depth; deeper ones are shown as JSON. */
const DEEPEST = 4;
/** Rows of a list inside a detail. */
const MOST_ROWS = 20;
/** Lines of one value. */
const MOST_LINES = 8;
/** The share of the width that keys may take. */
const KEY_SHARE = 0.45;

/** A key with its value, on its own lines. */
interface Entry {
  readonly key: string;
  readonly value: Json | undefined;
  readonly meta: FieldMeta | undefined;
  readonly parent: Json;
}

/** A list of objects, as a table of its own. */
interface Section {
  readonly title: string;
  readonly rows: readonly Json[];
  readonly shape: Shape;
}

/** The parts of a detail, in order. */
interface Parts {
  readonly clock: Clock;
  readonly entries: Entry[];
  readonly sections: Section[];
}

/** Writes one value as a detail. */
export async function writeRecord(job: Job, value: Json): Promise<void> {
  const sheet = createSheet(job.options);
  const parts = partsOf(job, value, sheet.clock);
  const lines = [entryLines(parts.entries, sheet), ...parts.sections.map((section) => sectionLines(section, sheet))];
  const blocks = lines.filter((block) => block.length > 0);
  await job.sink.write(blocks.map(text).join("\n") || text([sheet.paint("missing", MISSING.text)]));
  job.notes.push(...warningNotes(sheet));
}

function partsOf({ shape, selection }: Job, value: Json, clock: Clock): Parts {
  const parts: Parts = { clock, entries: [], sections: [] };
  if (selection) {
    for (const { name, path } of selection.fields) {
      const form = formAt(path, shape);
      const parent = valueAt(value, path.slice(0, -1)) ?? null;
      place({ key: name, value: valueAt(value, path), meta: form.meta, parent }, form, parts);
    }
  } else if (isObject(value)) spread(value, shape, "", parts);
  else parts.entries.push({ key: "", value, meta: shape.meta, parent: null });
  return parts;
}

/** Puts the fields of an object where they belong. Fields that should be there and are not are shown as missing. */
function spread(value: JsonObject, shape: Shape, prefix: string, parts: Parts): void {
  const known = namesOf(shape, [value]);
  const twins = new Set(known.map((name) => `${name}_str`));
  const names = known
    .filter((name) => !twins.has(name))
    .filter((name) => Object.hasOwn(value, name) || shape.required.includes(name));
  for (const name of withoutEchoes(names, shape, [value], parts.clock)) {
    const form = shape.field(name);
    place({ key: prefix + name, value: valueAt(value, [name]), meta: form.meta, parent: value }, form, parts);
  }
}

function place(entry: Entry, shape: Shape, parts: Parts): void {
  const { key, value } = entry;
  if (isArray(value) && value.length > 0 && value.every(isObject))
    parts.sections.push({ title: key, rows: value, shape });
  else if (isObject(value) && key.split(".").length < DEEPEST) spread(value, shape, `${key}.`, parts);
  else parts.entries.push(entry);
}

function entryLines(entries: readonly Entry[], sheet: Sheet): string[] {
  const keys = entries.map(({ key }) => safeText(key));
  const longest = keys.reduce((most, key) => Math.max(most, cells(key)), 0);
  const keyWidth = Math.min(longest, Math.floor(sheet.width * KEY_SHARE));
  const indent = keyWidth === 0 ? 0 : Math.min(keyWidth + GAP, sheet.width - 1);
  return entries.flatMap((entry, index) =>
    valueLines(entry, sheet.width - indent, sheet).map((line, at) => {
      const label = at === 0 ? pad(clip(keys[index] ?? "", keyWidth), indent) : " ".repeat(indent);
      return `${sheet.paint("key", label)}${line}`.trimEnd();
    }),
  );
}

function valueLines(entry: Entry, width: number, sheet: Sheet): string[] {
  const { value, meta, parent } = entry;
  const cell = formatValue(value, meta, parent, sheet.clock);
  if (cell.warning) sheet.warnings.add(cell.warning);
  const paint = (line: string) => sheet.paint(cell.warning ? "warning" : cell.role, line);
  if (isArray(value) && value.length > 1 && !value.some((item) => isObject(item) || isArray(item))) {
    if (cells(cell.text) > width || value.length > MOST_ROWS) return listLines(value, entry, width, sheet);
  }
  return wrapCell(cell, width).map(paint);
}

/** A long list of plain values, one on each line. */
function listLines(values: readonly Json[], { meta, parent }: Entry, width: number, sheet: Sheet): string[] {
  const lines = values.slice(0, MOST_ROWS).map((item) => {
    const cell = formatValue(item, meta, parent, sheet.clock);
    return sheet.paint(cell.role, wrapCell(cell, width, 1)[0] ?? "");
  });
  const more = values.length - MOST_ROWS;
  return more > 0 ? [...lines, sheet.paint("note", clip(`… ${more} more`, width))] : lines;
}

/** A value on as many lines as it needs, up to a limit; identifiers are never broken, but shortened. */
function wrapCell(cell: Cell, width: number, most = MOST_LINES): string[] {
  if (cell.ids?.length === 1) return [middle(cell.text, width)];
  const lines = wrap(cell.text, width);
  if (lines.length <= most && cell.size === undefined) return lines;
  const kept = lines.slice(0, most);
  const mark = sizeMark(cell.size ?? Buffer.byteLength(cell.text));
  const last = kept.pop() ?? "";
  return [...kept, cells(mark) < width ? clip(last, width - cells(mark), "").trimEnd() + mark : clip(last, width)];
}

function sectionLines({ title, rows, shape }: Section, sheet: Sheet): string[] {
  const shown = rows.slice(0, MOST_ROWS);
  const names = readingOrder(namesOf(shape, shown), shape).filter((name) =>
    shown.some((row) => valueAt(row, [name]) !== undefined),
  );
  const heads = new Map(Object.entries(shape.meta?.first ?? {}));
  const columns = columnsOf(
    withoutEchoes(names, shape, shown, sheet.clock).map((name) => ({
      paths: [[name]],
      head: heads.get(name)?.toUpperCase(),
    })),
    shape,
  );
  const grid = createGrid(columns, shown, sheet);
  const remarks = [
    ...(rows.length > shown.length ? [`… ${rows.length - shown.length} more rows; use -o json`] : []),
    ...(grid.hidden.length > 0 ? [`hidden for lack of width: ${listed(grid.hidden)}`] : []),
  ];
  const heading = clip(`${safeText(title)} (${rows.length})`, sheet.width);
  const notes = remarks.flatMap((remark) => wrap(remark, sheet.width)).map((line) => sheet.paint("note", line));
  return [sheet.paint("title", heading), grid.header, ...grid.lines(shown), ...notes];
}
