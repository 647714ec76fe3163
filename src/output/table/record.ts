/** One object for people: keys and values, with lists of objects as tables below. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { FieldMeta } from "../../catalogue/kinds.ts";
import { valueAt } from "../fields/path.ts";
import { omitRedundant } from "../fields/redundant.ts";
import { type Shape, shapeAt } from "../fields/shape.ts";
import { fieldNames, orderFields, summarizeNames, type WriteContext } from "../formats/context.ts";
import { safeText } from "../text/safe.ts";
import { clip, pad, textWidth, truncateMiddle, wrap } from "../text/width.ts";
import { type Cell, formatValue, MISSING, sizeMark } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import { COLUMN_GAP } from "./column-widths.ts";
import { columnsOf, createGrid, createTableContext, type TableContext } from "./grid.ts";
import { joinLines, warningNotes } from "./list.ts";

/** Objects inside objects are spread out to this depth; deeper ones are shown as JSON. */
const MAX_DEPTH = 4;
/** Rows of a list inside a detail. */
const MAX_ROWS = 20;
/** Lines of one value. */
const MAX_LINES = 8;
/** The share of the width that keys may take. */
const KEY_SHARE = 0.45;

/** A key with its value, on its own lines. */
interface RecordEntry {
  readonly key: string;
  readonly value: Json | undefined;
  readonly meta: FieldMeta | undefined;
  readonly parent: Json;
}

/** A list of objects, as a table of its own. */
interface RecordSection {
  readonly title: string;
  readonly rows: readonly Json[];
  readonly shape: Shape;
}

/** The parts of a detail, in order. */
interface RecordParts {
  readonly clock: Clock;
  readonly entries: RecordEntry[];
  readonly sections: RecordSection[];
}

/** Writes one value as a detail. */
export async function writeRecord(job: WriteContext, value: Json): Promise<void> {
  const sheet = createTableContext(job.options);
  const parts = collectParts(job, value, sheet.clock);
  const lines = [entryLines(parts.entries, sheet), ...parts.sections.map((section) => sectionLines(section, sheet))];
  const blocks = lines.filter((block) => block.length > 0);
  await job.sink.write(blocks.map(joinLines).join("\n") || joinLines([sheet.paint("missing", MISSING.text)]));
  job.notes.push(...warningNotes(sheet));
}

function collectParts({ shape, selection }: WriteContext, value: Json, clock: Clock): RecordParts {
  const parts: RecordParts = { clock, entries: [], sections: [] };
  if (selection) {
    for (const { name, path } of selection.fields) {
      const form = shapeAt(path, shape);
      const parent = valueAt(value, path.slice(0, -1)) ?? null;
      addEntry({ key: name, value: valueAt(value, path), meta: form.meta, parent }, form, parts);
    }
  } else if (isObject(value)) spread(value, shape, "", parts);
  else parts.entries.push({ key: "", value, meta: shape.meta, parent: null });
  return parts;
}

/** Puts the fields of an object where they belong. Fields that should be there and are not are shown as missing. */
function spread(value: JsonObject, shape: Shape, prefix: string, parts: RecordParts): void {
  const allNames = fieldNames(shape, [value]);
  const exactTexts = new Set(allNames.map((name) => `${name}_str`));
  const names = allNames
    .filter((name) => !exactTexts.has(name))
    .filter((name) => Object.hasOwn(value, name) || shape.required.includes(name));
  for (const name of omitRedundant(names, shape, [value], parts.clock)) {
    const form = shape.field(name);
    addEntry({ key: prefix + name, value: valueAt(value, [name]), meta: form.meta, parent: value }, form, parts);
  }
}

function addEntry(entry: RecordEntry, shape: Shape, parts: RecordParts): void {
  const { key, value } = entry;
  if (isArray(value) && value.length > 0 && value.every(isObject))
    parts.sections.push({ title: key, rows: value, shape });
  else if (isObject(value) && key.split(".").length < MAX_DEPTH) spread(value, shape, `${key}.`, parts);
  else parts.entries.push(entry);
}

function entryLines(entries: readonly RecordEntry[], sheet: TableContext): string[] {
  const keys = entries.map(({ key }) => safeText(key));
  const widest = keys.reduce((most, key) => Math.max(most, textWidth(key)), 0);
  const keyWidth = Math.min(widest, Math.floor(sheet.width * KEY_SHARE));
  const indent = keyWidth === 0 ? 0 : Math.min(keyWidth + COLUMN_GAP, sheet.width - 1);
  return entries.flatMap((entry, index) =>
    valueLines(entry, sheet.width - indent, sheet).map((line, at) => {
      const label = at === 0 ? pad(clip(keys[index] ?? "", keyWidth), indent) : " ".repeat(indent);
      return `${sheet.paint("key", label)}${line}`.trimEnd();
    }),
  );
}

function valueLines(entry: RecordEntry, width: number, sheet: TableContext): string[] {
  const { value, meta, parent } = entry;
  const cell = formatValue(value, meta, parent, sheet.clock);
  if (cell.warning) sheet.warnings.add(cell.warning);
  const paint = (line: string) => sheet.paint(cell.warning ? "warning" : cell.role, line);
  if (isArray(value) && value.length > 1 && !value.some((item) => isObject(item) || isArray(item))) {
    if (textWidth(cell.text) > width || value.length > MAX_ROWS) return listLines(value, entry, width, sheet);
  }
  return wrapCell(cell, width).map(paint);
}

/** A long list of plain values, one on each line. */
function listLines(
  values: readonly Json[],
  { meta, parent }: RecordEntry,
  width: number,
  sheet: TableContext,
): string[] {
  const lines = values.slice(0, MAX_ROWS).map((item) => {
    const cell = formatValue(item, meta, parent, sheet.clock);
    return sheet.paint(cell.role, wrapCell(cell, width, 1)[0] ?? "");
  });
  const more = values.length - MAX_ROWS;
  return more > 0 ? [...lines, sheet.paint("note", clip(`… ${more} more`, width))] : lines;
}

/** A value on as many lines as it needs, up to a limit; identifiers are never broken, but shortened. */
function wrapCell(cell: Cell, width: number, most = MAX_LINES): string[] {
  if (cell.ids?.length === 1) return [truncateMiddle(cell.text, width)];
  const lines = wrap(cell.text, width);
  if (lines.length <= most && cell.size === undefined) return lines;
  const visible = lines.slice(0, most);
  const mark = sizeMark(cell.size ?? Buffer.byteLength(cell.text));
  const last = visible.pop() ?? "";
  return [
    ...visible,
    textWidth(mark) < width ? clip(last, width - textWidth(mark), "").trimEnd() + mark : clip(last, width),
  ];
}

function sectionLines({ title, rows, shape }: RecordSection, sheet: TableContext): string[] {
  const displayRows = rows.slice(0, MAX_ROWS);
  const names = orderFields(fieldNames(shape, displayRows), shape).filter((name) =>
    displayRows.some((row) => valueAt(row, [name]) !== undefined),
  );
  const heads = new Map(Object.entries(shape.meta?.first ?? {}));
  const columns = columnsOf(
    omitRedundant(names, shape, displayRows, sheet.clock).map((name) => ({
      paths: [[name]],
      head: heads.get(name)?.toUpperCase(),
    })),
    shape,
  );
  const grid = createGrid(columns, displayRows, sheet);
  const notices = [
    ...(rows.length > displayRows.length ? [`… ${rows.length - displayRows.length} more rows; use -o json`] : []),
    ...(grid.hiddenColumns.length > 0 ? [`hidden for lack of width: ${summarizeNames(grid.hiddenColumns)}`] : []),
  ];
  const heading = clip(`${safeText(title)} (${rows.length})`, sheet.width);
  const notes = notices.flatMap((remark) => wrap(remark, sheet.width)).map((line) => sheet.paint("note", line));
  return [sheet.paint("title", heading), grid.header, ...grid.lines(displayRows), ...notes];
}
