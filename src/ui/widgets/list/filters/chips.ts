/** The filters of a list as chips above its rows, each of which can be removed. */
import { DAY_SECONDS } from "../../../../base/index.ts";
import { type Endpoint, isAddress, isSignature, type ParameterValues } from "../../../../catalogue/index.ts";
import { clip, createShortener, formatUnix, formatValue, type Shorten, safeText } from "../../../../output/index.ts";
import type { EndpointRequest } from "../../../navigation/data-store.ts";
import { lineWidth, type Span, span, type TextLine } from "../../../navigation/theme/text-line.ts";
import type { CellFilter } from "./cell-filter.ts";

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

/** The words before the names of parameters that leave rows out. */
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
  return { ...chip, subject: words(name), sign: arity === "range" ? "in" : "=" };
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

function valueLabel(value: unknown, shorten: Shorten, nameOf: (id: string) => string | undefined): string {
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

/** Maximum width of a chip. */
const MAX_CHIP = 40;
const GAP = 1;

/** What the line of chips depends on besides them. */
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
