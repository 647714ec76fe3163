/** One object as a table of its fields, with lists of objects as tables below. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import type { FieldMeta, Shape } from "../../catalogue/index.ts";
import { entityRole } from "../fields/field-names.ts";
import { omitRedundant, orderFields } from "../fields/field-order.ts";
import { fieldNames, shapeAt, valueAt } from "../fields/paths.ts";
import type { WriteContext } from "../formats/context.ts";
import { nameCells } from "../names/cell-names.ts";
import { safeText } from "../text/safe.ts";
import { clip, pad, textWidth, truncateMiddle, wrap } from "../text/width.ts";
import { type Cell, formatValue, MISSING, sizeMark, withRole } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import { buildColumns, COLUMN_GAP, type TableField, withCapitals } from "./columns.ts";
import { createDrawer, createGrid, MIN_RULED_WIDTH, paintCell, RULED_EDGES, RULED_GAP } from "./grid.ts";
import { describeHidden } from "./list.ts";
import { createTableContext, joinLines, prepareNames, type TableContext, warningNotes } from "./table-context.ts";

/** The depth to which objects inside objects are spread out; deeper ones are JSON. */
const MAX_DEPTH = 4;
/** Rows of a list inside a record. */
const MAX_ROWS = 20;
/** Lines of one value. */
const MAX_LINES = 8;
/** The share of the width that keys may take. */
const KEY_SHARE = 0.45;

interface RecordEntry {
  readonly key: string;
  readonly value: Json | undefined;
  readonly meta: FieldMeta | undefined;
  readonly parent: Json;
}

interface RecordSection {
  readonly title: string;
  readonly rows: readonly Json[];
  readonly shape: Shape;
}

interface RecordParts {
  readonly clock: Clock;
  readonly entries: RecordEntry[];
  readonly sections: RecordSection[];
}

/** Writes one value as a record. */
export async function writeRecord(context: WriteContext, value: Json): Promise<void> {
  const table = await createTableContext(context.options);
  const parts = collectParts(context, value, table.clock);
  await prepareNames(table, [value, context.metadata ?? null], () =>
    parts.entries.map((entry) => formatCell(entry, entry.value, table)),
  );
  const blocks = [await entryLines(parts.entries, table)];
  for (const section of parts.sections) blocks.push(await sectionLines(section, table));
  const text = blocks.filter((block) => block.length > 0).map(joinLines);
  await context.sink.write(text.join("\n") || joinLines([table.paint("missing", MISSING.text)]));
  context.notes.push(...warningNotes(table));
}

function collectParts({ shape, selection }: WriteContext, value: Json, clock: Clock): RecordParts {
  const parts: RecordParts = { clock, entries: [], sections: [] };
  if (selection) {
    for (const { name, path } of selection.fields) {
      const field = shapeAt(path, shape);
      const parent = valueAt(value, path.slice(0, -1)) ?? null;
      const key = name === path.at(-1) ? (field.meta?.label ?? name) : name;
      addEntry({ key, value: valueAt(value, path), meta: field.meta, parent }, field, parts);
    }
  } else if (isObject(value)) addFields(value, shape, "", parts);
  else parts.entries.push({ key: "", value, meta: shape.meta, parent: null });
  return parts;
}

/** Adds the fields of an object. Required fields that are absent are shown as missing. */
function addFields(value: JsonObject, shape: Shape, prefix: string, parts: RecordParts): void {
  const allNames = fieldNames(shape, [value]);
  const exactTexts = new Set(allNames.map((name) => `${name}_str`));
  const names = allNames
    .filter((name) => !exactTexts.has(name))
    .filter((name) => Object.hasOwn(value, name) || shape.required.includes(name));
  for (const name of omitRedundant(names, shape, [value], parts.clock)) {
    const field = shape.field(name);
    addEntry(
      { key: prefix + (field.meta?.label ?? name), value: valueAt(value, [name]), meta: field.meta, parent: value },
      field,
      parts,
    );
  }
}

function addEntry(entry: RecordEntry, shape: Shape, parts: RecordParts): void {
  const { key, value } = entry;
  if (isArray(value) && value.length > 0 && value.every(isObject))
    parts.sections.push({ title: key, rows: value, shape });
  else if (isObject(value) && key.split(".").length < MAX_DEPTH) addFields(value, shape, `${key}.`, parts);
  else parts.entries.push(entry);
}

/** The fields as two columns, in plain style unless another one was chosen: a border would only take width. */
async function entryLines(entries: readonly RecordEntry[], table: TableContext): Promise<string[]> {
  const isPlain = table.style === "plain" || table.style === "auto" || table.width < MIN_RULED_WIDTH;
  const keys = entries.map(({ key }) => table.escape(safeText(key)));
  const widest = keys.reduce((most, key) => Math.max(most, textWidth(key)), 0);
  const keyWidth = Math.min(widest, Math.floor(table.width * KEY_SHARE));
  const indent = keyWidth === 0 ? 0 : Math.min(keyWidth + COLUMN_GAP, table.width - 1);
  const width = table.width - (isPlain ? indent : keyWidth + RULED_GAP + RULED_EDGES);
  const rows = entries.flatMap((entry, index) =>
    valueLines(entry, Math.max(1, width), table).map(
      (line, at) => [at === 0 ? clip(keys[index] ?? "", keyWidth) : "", line] as const,
    ),
  );
  if (isPlain) return rows.map(([key, line]) => `${table.paint("key", pad(key, indent))}${line}`.trimEnd());
  if (rows.length === 0) return [];
  const lines = rows.map(([key, line]) => [table.paint("key", key), line]);
  const heads = ["FIELD", "VALUE"];
  const drawer = await createDrawer(table.style as "border" | "markdown", table, {
    heads,
    widths: heads.map((head, column) =>
      lines.reduce((most, line) => Math.max(most, textWidth(line[column] ?? "")), head.length),
    ),
    alignments: ["left", "left"],
  });
  return [...drawer.header(), ...drawer.lines(lines), ...drawer.footer()];
}

function valueLines(entry: RecordEntry, width: number, table: TableContext): string[] {
  const { value } = entry;
  const cell = namedCell(formatCell(entry, value, table), entry, table);
  if (cell.warning) table.warnings.add(cell.warning);
  const [id, ...otherIds] = cell.ids ?? [];
  const paint = (line: string) => {
    const text = table.paint(cell.warning ? "warning" : cell.role, line);
    return id !== undefined && otherIds.length === 0 ? (table.link?.(id, cell.role, text) ?? text) : text;
  };
  if (isArray(value) && value.length > 1 && !value.some((item) => isObject(item) || isArray(item))) {
    if (textWidth(cell.text) > width || value.length > MAX_ROWS) return listLines(value, entry, width, table);
  }
  return cell.names ? [paintCell(cell, width, { ...table, isWide: true })] : wrapCell(cell, width).map(paint);
}

function formatCell({ key, meta, parent }: RecordEntry, value: Json | undefined, table: TableContext): Cell {
  const cell = formatValue(value, meta, parent, table.clock);
  return withRole({ ...cell, text: table.escape(cell.text) }, entityRole(key.split(".").at(-1) ?? "", meta));
}

/** Adds names to the identifiers of a field, unless a field beside it is the name. */
function namedCell(cell: Cell, { parent }: RecordEntry, { names, escape: escapeText }: TableContext): Cell {
  if (!names || !cell.ids) return cell;
  const beside = isObject(parent) ? Object.values(parent).filter((value) => typeof value === "string") : [];
  return nameCells([cell, ...beside.map((text) => ({ text: escapeText(safeText(text)) }))], names.of)[0] ?? cell;
}

/** A long list of plain values, one per line. */
function listLines(values: readonly Json[], entry: RecordEntry, width: number, table: TableContext): string[] {
  const lines = values.slice(0, MAX_ROWS).map((item) => {
    const cell = namedCell(formatCell(entry, item, table), entry, table);
    return cell.names
      ? paintCell(cell, width, { ...table, isWide: true })
      : table.paint(cell.role, formatLine(cell, width));
  });
  const more = values.length - MAX_ROWS;
  return more > 0 ? [...lines, table.paint("note", clip(`… ${more} more`, width))] : lines;
}

/** A value on one line, of which a long one shows as much as fits. */
function formatLine(cell: Cell, width: number): string {
  if (cell.ids?.length === 1) return truncateMiddle(cell.text, width);
  if (cell.size === undefined) return clip(cell.text, width);
  const mark = sizeMark(cell.size);
  return clip(cell.text, Math.max(0, width - textWidth(mark)), "") + clip(mark, width);
}

/** A value on as many lines as it needs, up to a limit; identifiers are shortened, never broken. */
function wrapCell(cell: Cell, width: number): string[] {
  if (cell.ids?.length === 1) return [truncateMiddle(cell.text, width)];
  const lines = wrap(cell.text, width);
  if (lines.length <= MAX_LINES && cell.size === undefined) return lines;
  const visible = lines.slice(0, MAX_LINES);
  const mark = sizeMark(cell.size ?? Buffer.byteLength(cell.text), "use -o json");
  const last = visible.pop() ?? "";
  const markWidth = textWidth(mark);
  return [...visible, markWidth < width ? clip(last, width - markWidth, "").trimEnd() + mark : clip(last, width)];
}

async function sectionLines({ title, rows, shape }: RecordSection, table: TableContext): Promise<string[]> {
  const displayRows = rows.slice(0, MAX_ROWS);
  const names = orderFields(fieldNames(shape, displayRows), shape).filter((name) =>
    displayRows.some((row) => valueAt(row, [name]) !== undefined),
  );
  const heads = new Map(Object.entries(shape.meta?.first ?? {}));
  const fields = omitRedundant(names, shape, displayRows, table.clock).map(
    (name): TableField => ({ paths: [[name]], head: heads.get(name) }),
  );
  // Numbers inside a record are in full, as its own are.
  const grid = await createGrid(withCapitals(buildColumns(fields, shape), fields), displayRows, {
    ...table,
    cellStyle: table.clock,
  });
  const below = [
    ...(rows.length > displayRows.length ? [`… ${rows.length - displayRows.length} more rows; use -o json`] : []),
    ...describeHidden(grid.hiddenColumns, "use a wider terminal or -o wide"),
  ];
  const heading = clip(`${safeText(title)} (${rows.length})`, table.width);
  const notes = below.flatMap((text) => wrap(text, table.width)).map((line) => table.paint("note", line));
  // Markdown needs blank lines between a table and the text around it.
  const gap = grid.style === "markdown" ? [""] : [];
  const body = [...grid.header(), ...grid.lines(displayRows), ...grid.footer()];
  return [table.paint("title", heading), ...gap, ...body, ...(notes.length > 0 ? gap : []), ...notes];
}
