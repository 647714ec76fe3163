/** What the parts of a table share, and what a drawer of rows gets. */
import { createShortener, type Shorten } from "../text/shorten.ts";
import { createPainter, type Paint } from "../text/theme.ts";
import type { OutputOptions, TableStyle } from "../types.ts";
import type { Clock } from "../values/time.ts";
import type { Alignment } from "./columns.ts";

/** What all parts of a table share. */
export interface TableContext {
  readonly width: number;
  /** `auto` is a border where it costs nothing that people need, else plain. */
  readonly style: TableStyle | "auto";
  readonly unicode: boolean;
  readonly clock: Clock;
  readonly paint: Paint;
  readonly shorten: Shorten;
  /** Escapes what the style would obey. */
  readonly escape: (text: string) => string;
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
export function createTableContext(options: OutputOptions): TableContext {
  const { width, now, timeZone, color, tty, unicode = true, tableStyle = "plain" } = options;
  const style = options.time ?? (tty ? "relative" : "iso");
  return {
    width: Math.max(1, width),
    style: tableStyle,
    unicode,
    clock: { style, now, timeZone },
    paint: createPainter(color, unicode),
    shorten: createShortener(),
    escape: tableStyle === "markdown" ? escapeMarkdown : (text) => text,
    warnings: new Set(),
  };
}

/** Characters that Markdown or HTML would obey: texts of the chain must not become links, images or columns. */
const MARKDOWN_SPECIAL = /[\\|<>[\]*_`~]/g;

function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_SPECIAL, "\\$&");
}
