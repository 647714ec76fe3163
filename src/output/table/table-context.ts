/** What the parts of a table share, and what a drawer of rows gets. */
import type { Json } from "../../base/index.ts";
import { createNamer, type Namer } from "../names/cell-names.ts";
import type { Link } from "../stream/terminal.ts";
import { createPainter, type Paint } from "../text/theme.ts";
import { createShortener, type Shorten } from "../text/width.ts";
import type { NameSource, OutputOptions, TableStyle } from "../types.ts";
import { type Cell, type ValueStyle, WARNING_MARK } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import type { Alignment } from "./columns.ts";

/** What all parts of a table share. */
export interface TableContext {
  readonly width: number;
  /** `auto` is a border where it costs nothing that people need, else plain. */
  readonly style: TableStyle | "auto";
  readonly unicode: boolean;
  readonly clock: Clock;
  readonly cellStyle: ValueStyle;
  readonly paint: Paint;
  /** Adds a link to an identifier; undefined for none. */
  readonly link: Link | undefined;
  readonly shorten: Shorten;
  /** Escapes what the style would obey. */
  readonly escape: (text: string) => string;
  /** The names of identifiers, and where they come from; undefined for addresses alone. */
  readonly names: { readonly of: Namer; readonly prepare: NameSource["prepare"] } | undefined;
  /** Whether identifiers are whole and no column is left out, however long the lines. */
  readonly isWide: boolean;
  /** The reasons for marks at names, each once. */
  readonly warnings: Set<string>;
}

/** Rows of text as lines, in one style. */
export interface GridDrawer {
  header(): string[];
  lines(rows: readonly (readonly string[])[]): string[];
  footer(): string[];
}

/** The columns that a drawer draws. The texts that it gets are not wider than these. */
export interface DrawnColumns {
  readonly heads: readonly string[];
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
}

/** Returns the shared parts of a table. */
export async function createTableContext(options: OutputOptions): Promise<TableContext> {
  const { width, now, timeZone, theme, isTerminal, unicode = true, headers } = options;
  // Lines belong to headings.
  const style = options.format === "markdown" ? "markdown" : options.tableStyle;
  const tableStyle = headers === false ? "plain" : (style ?? "plain");
  const clock: Clock = { style: options.time ?? (isTerminal ? "relative" : "iso"), now, timeZone };
  const isWide = options.format === "wide";
  const escapeText = tableStyle === "markdown" ? escapeMarkdown : (text: string) => text;
  const source = await options.names?.();
  return {
    width: isWide ? Number.POSITIVE_INFINITY : Math.max(1, width),
    style: isWide && tableStyle === "auto" ? "plain" : tableStyle,
    isWide,
    names: source && { of: createNamer(source.of, escapeText), prepare: source.prepare },
    unicode,
    clock,
    cellStyle: {
      ...clock,
      numbers: options.numbers ?? (isTerminal && !isWide ? "brief" : "full"),
      symbolOf: source?.of,
    },
    paint: createPainter(theme, unicode),
    link: options.isTerminal ? options.link : undefined,
    shorten: createShortener(),
    escape: escapeText,
    warnings: new Set(),
  };
}

/** Characters that Markdown or HTML would obey: texts of the chain must not become links, images or columns. */
const MARKDOWN_SPECIAL = /[\\|<>[\]*_`~]/g;

function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_SPECIAL, "\\$&");
}

/** Prepares the names of the identifiers in cells, which are in the values or known otherwise. */
export async function prepareNames(
  { names }: TableContext,
  values: readonly Json[],
  cells: () => readonly Cell[],
): Promise<void> {
  if (!names) return;
  const uses = cells().flatMap(({ ids = [], role }) => ids.map((id) => ({ id, role })));
  await names.prepare(values, uses);
  // Of two identifiers with one name, both are marked as ambiguous.
  for (const { id } of uses) names.of(id);
}

/** Returns lines as one chunk of output. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the notes on names that are marked. */
export function warningNotes({ warnings }: TableContext): string[] {
  return [...warnings].map((warning) => `${WARNING_MARK} The name ${warning}. Trust the address, not the name.`);
}
