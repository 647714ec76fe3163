/** Filters of a list by the value of a cell, which the screen or the API applies, and the chips that show all filters. */

import { DAY_SECONDS, isArray, type Json, scalarText } from "../../../base/index.ts";
import {
  type Endpoint,
  isAddress,
  isSignature,
  type Param,
  type ParameterValues,
  type Shape,
} from "../../../catalogue/index.ts";
import {
  clip,
  createShortener,
  formatCell,
  formatUnix,
  formatValue,
  type Shorten,
  safeText,
  summarizeValue,
} from "../../../output/index.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import { lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { columnByKey, type ListColumn } from "./columns.ts";
import { valueOfColumn } from "./table.ts";

/** A filter: only the rows with a value in a column, or only those without it. */
export interface CellFilter {
  readonly column: ListColumn;
  readonly value: string;
  /** The value as the cell showed it. */
  readonly label: string;
  readonly isExcluded: boolean;
}

/** Only plain values and names of objects are compared. */
const CLOCK = { style: "iso", now: 0 } as const;

/** Returns the values of a cell: the items of a list, otherwise one; none of an empty cell. */
export function cellValues(row: Json, column: ListColumn): readonly string[] {
  const { value } = valueOfColumn(row, column);
  if (value === undefined || value === null || value === "") return [];
  const items = isArray(value) ? value : [value];
  const texts = items.flatMap((item) => (typeof item === "boolean" ? String(item) : (scalarText(item) ?? [])));
  if (texts.length > 0) return texts;
  return summarizeValue(value) ? [formatCell(row, column, { clock: CLOCK }).text] : [];
}

/** Returns whether all filters let a row through. */
export function passesFilters(row: Json, filters: readonly CellFilter[]): boolean {
  return filters.every(({ column, value, isExcluded }) => cellValues(row, column).includes(value) !== isExcluded);
}

/** Returns the filters with another one; it replaces those that it makes pointless. Adding the same again removes it. */
export function toggleCellFilter(filters: readonly CellFilter[], filter: CellFilter): readonly CellFilter[] {
  const hasSameColumn = (one: CellFilter) => one.column.key === filter.column.key;
  const isSame = (one: CellFilter) =>
    hasSameColumn(one) && one.value === filter.value && one.isExcluded === filter.isExcluded;
  if (filters.some(isSame)) return filters.filter((one) => !isSame(one));
  const others = filters.filter((one) => !hasSameColumn(one) || (filter.isExcluded && one.isExcluded));
  return [...others, filter];
}

/** Returns the column of the status of transactions; undefined for rows without one. */
export function statusColumn(columns: readonly ListColumn[], shape: Shape): ListColumn | undefined {
  const visible = columns.find(({ sources }) => sources[0]?.meta?.kind === "status");
  if (visible || shape.field(STATUS).meta?.kind !== "status") return visible;
  return columnByKey(STATUS, shape);
}

const STATUS = "status";

/** The values of a failed transaction, in lists and in details. */
export const FAILED = "Fail";

type CellChoice = Omit<CellFilter, "label">;

/**
 * Returns the parameters with those that filter by the value of a cell; undefined where the API has no such filter.
 * @param params the parameters so far
 */
export function withApiFilter(
  { query }: Endpoint,
  params: ParameterValues,
  choice: CellChoice,
): ParameterValues | undefined {
  const paths = choice.column.sources.map(({ path }) => path.join("."));
  const entry = Object.entries(query).find(
    ([, { field, excludes = false }]) =>
      field !== undefined && excludes === choice.isExcluded && field.split("|").some((path) => paths.includes(path)),
  );
  if (!entry) return withDay(query, params, choice);
  const [name, param] = entry;
  const value = wireValue(param, choice.value);
  if (value === undefined) return undefined;
  if (param.arity !== "list") return { ...params, [name]: value };
  const before = choice.isExcluded ? [params[name] ?? []].flat() : [];
  const all = [...before.filter((one) => one !== value), value];
  return param.maxItems !== undefined && all.length > param.maxItems ? undefined : { ...params, [name]: all };
}

/** Returns the value of a parameter for the value of a cell; undefined where the parameter does not accept it. */
function wireValue({ type, values, newer = [] }: Param, value: string): unknown {
  if (type === "boolean") return value === "true";
  const allowed = values && [...values, ...newer];
  return allowed === undefined || allowed.map(String).includes(value) ? value : undefined;
}

/** The day of a time, for endpoints with a time range. */
function withDay(
  query: Endpoint["query"],
  params: ParameterValues,
  { column, value, isExcluded }: CellChoice,
): ParameterValues | undefined {
  const name = (role: Param["role"]) =>
    Object.entries(query).find(([, param]) => param.role === role && param.type === "time")?.[0];
  const [from, to] = [name("from"), name("to")];
  const isTime = column.sources[0]?.meta?.kind === "unixTime" && /^\d+$/.test(value);
  if (isExcluded || !isTime || from === undefined || to === undefined) return undefined;
  const start = Math.floor(Number(value) / DAY_SECONDS) * DAY_SECONDS;
  return { ...params, [from]: start, [to]: start + DAY_SECONDS - 1 };
}

/** A filter that is shown. */
export interface Chip {
  /** What is filtered, how, and by what: `token`, `=`, `USDC`. */
  readonly subject: string;
  readonly sign: string;
  readonly value: string;
  /** The parameters of the request that make it, or the filter of the rows on the screen. */
  readonly params: readonly string[];
  readonly cell?: CellFilter;
}

const MAX_VALUE = 60;

/** Paging and sorting change what is visible of the rows, not which rows there are. */
function isFilterParam({ query }: Endpoint, name: string): boolean {
  const role = query[name]?.role;
  return role !== "page" && role !== "size" && role !== "offset" && role !== "cursor" && !name.startsWith("sort_");
}

/** Returns the filters of a request: its parameters without paging, sorting and presets. */
export function requestChips(
  { endpoint, params }: EndpointRequest,
  presetParams: readonly string[],
  nameOf: (id: string) => string | undefined = () => undefined,
): readonly Chip[] {
  const names = Object.keys(params).filter(
    (name) => params[name] != null && isFilterParam(endpoint, name) && !presetParams.includes(name),
  );
  const shorten = createShortener();
  const label = (value: unknown) => valueLabel(value, shorten, nameOf);
  const all = () => names.map((name) => paramChip(endpoint, name, params, label));
  // Lookalikes get different short forms once the shortener knows both.
  all();
  return joinDay(all(), endpoint, params);
}

/** Returns the filters of the rows on the screen. */
export function cellChips(filters: readonly CellFilter[]): readonly Chip[] {
  return filters.map((cell) => ({
    subject: cell.column.head.toLowerCase(),
    sign: cell.isExcluded ? "≠" : "=",
    value: cell.label,
    params: [],
    cell,
  }));
}

const EXCLUDING = /^exclude_/;

function paramChip(
  { query }: Endpoint,
  name: string,
  params: ParameterValues,
  label: (value: unknown) => string,
): Chip {
  const { excludes, role, type, arity } = query[name] ?? {};
  const value = params[name];
  const words = (text: string) => text.replaceAll("_", " ");
  const chip = { params: [name], value: label(value) };
  if (role === "from" || role === "to")
    return { ...chip, subject: words(name.replace(/^(from|to)_|_(from|to)$/, "")), sign: role === "from" ? "≥" : "≤" };
  if (excludes) return { ...chip, subject: words(name.replace(EXCLUDING, "")), sign: "≠" };
  if (type === "boolean" && String(value) === "true")
    return { params: [name], subject: words(name), sign: "", value: "" };
  return arity === "range"
    ? { ...chip, subject: words(name), ...rangeLabel(value, label) }
    : { ...chip, subject: words(name), sign: "=" };
}

/** Returns a range as it is read: `≥ 1000` for `1000` and `1000..`, `≤ 5` for `..5`. */
function rangeLabel(value: unknown, label: (value: unknown) => string): Pick<Chip, "sign" | "value"> {
  const ends = Array.isArray(value) ? value : String(value).split(/\.\.|,/);
  const [least, most] = ends.map((end) => (end == null || end === "" ? undefined : label(end)));
  if (least === undefined) return { sign: "≤", value: most ?? "" };
  return most === undefined ? { sign: "≥", value: least } : { sign: "in", value: `${least}..${most}` };
}

/** Joins the two ends of a day, as the filter by the time of a row sets them. */
function joinDay(chips: readonly Chip[], { query }: Endpoint, params: ParameterValues): readonly Chip[] {
  const find = (role: "from" | "to") => chips.find(({ params: [name = ""] }) => query[name]?.role === role);
  const [from, to] = [find("from"), find("to")];
  const [start, end] = [from, to].map((chip) => Number(params[chip?.params[0] ?? ""] ?? Number.NaN));
  if (!from || !to || start === undefined || start % DAY_SECONDS !== 0 || end !== start + DAY_SECONDS - 1) return chips;
  const day = formatUnix(start, { style: "iso", now: 0 })?.slice(0, "2024-07-05".length) ?? "";
  const joined: Chip = { subject: from.subject, sign: "=", value: day, params: [...from.params, ...to.params] };
  return chips.flatMap((chip) => (chip === from ? [joined] : chip === to ? [] : [chip]));
}

const ENUM = { kind: "enum", description: "" } as const;

/** Returns the value of a parameter as text: identifiers by their names or in short form. */
export function valueLabel(
  value: unknown,
  shorten: Shorten = createShortener(),
  nameOf: (id: string) => string | undefined = () => undefined,
): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = items.map(String).map((text) => {
    if (isAddress(text) || isSignature(text)) return nameOf(text) ?? shorten(text);
    return formatValue(safeText(text), ENUM, undefined, { style: "iso", now: 0 }).text.slice(0, MAX_VALUE);
  });
  return texts.join(", ");
}

/** Returns a filter as text: `token = USDC`. */
export function chipText({ subject, sign, value }: Chip): string {
  return [subject, sign, value].filter(Boolean).join(" ");
}

const MAX_CHIP = 40;
const GAP = 1;

interface ChipLineOptions {
  readonly unicode: boolean;
  /** The rows that filters of the screen apply to: `this page`. */
  readonly scope: string;
  readonly hint: string;
}

/** Returns the chips as a line; each has its index as `hit`. Those that do not fit are counted. */
export function chipLine(chips: readonly Chip[], width: number, { unicode, scope, hint }: ChipLineOptions): TextLine {
  const line: Span[] = [];
  for (const [index, chip] of chips.entries()) {
    const where = chip.cell ? ` (${scope})` : "";
    const text = ` ${clip(chipText(chip), MAX_CHIP)}${where} ${unicode ? "✕" : "x"} `;
    const rest = chips.length - index - 1;
    const more = rest > 0 ? ` +${rest}`.length : 0;
    const spans: TextLine = [span(line.length === 0 ? " " : " ".repeat(GAP)), { ...span(text, "chip"), hit: index }];
    if (lineWidth([...line, ...spans]) + more > width) {
      line.push(span(` +${rest + 1}`, "note"));
      return line;
    }
    line.push(...spans);
  }
  const end = span(`  ${hint}`, "note");
  return hint !== "" && lineWidth([...line, end]) <= width ? [...line, end] : line;
}
