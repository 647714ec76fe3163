/** The types of writing: content, options and result. */

import type * as z from "zod";
import type { Json, JsonObject } from "../base/index.ts";
import type { Column, Shape } from "../catalogue/index.ts";
import type { Format } from "./formats/formats.ts";
import type { NameOf } from "./names/collect-names.ts";
import type { Link } from "./stream/terminal.ts";
import type { Role } from "./text/roles.ts";
import type { Theme } from "./text/theme.ts";
import type { NumberStyle } from "./values/number.ts";

/** The names of the time styles. */
export const TIME_STYLES = ["relative", "iso", "unix", "local"] as const;

/** A time style: `3m ago`, `2024-07-05T09:27:35Z`, `1720171655`, or local time with its zone. */
export type TimeStyle = (typeof TIME_STYLES)[number];

/** The names of the table styles. */
export const TABLE_STYLES = ["plain", "border", "markdown"] as const;

/** A table style: aligned columns, a box with rounded corners, or a Markdown table. */
export type TableStyle = (typeof TABLE_STYLES)[number];

/** The values of the setting `names`. */
export const NAME_MODES = ["off", "known", "fetch"] as const;

/** Which names tables show for addresses: none, those known without a request, or also requested ones. */
export type NameMode = (typeof NAME_MODES)[number];

/**
 * A destination of bytes. `write` waits for a slow reader and rejects with `PipeClosed` when it closed the pipe. Bytes
 * must not be changed afterwards.
 */
export interface Sink {
  write(chunk: string | Uint8Array, signal?: AbortSignal): Promise<void>;
}

/** What is known of the content: the zod object or the shape of a row (or of the object), and the columns of its table. */
export interface ContentSchema {
  readonly entity?: z.ZodType | Shape;
  readonly columns?: readonly Column[];
  /** The path of the field that identifies a row, where it is not the first one with an identifier. */
  readonly identifier?: string | undefined;
}

/** The content to write: one value, or rows that arrive page by page. */
export type Content =
  | { readonly kind: "object"; readonly value: Json; readonly metadata?: Json | undefined }
  | RowContent;

/** Rows that arrive page by page. */
export interface RowContent {
  readonly kind: "rows";
  readonly pages: AsyncIterable<readonly Json[]>;
  /** The object that is printed around the rows, where the whole answer of the API is wanted. */
  readonly envelope?: Envelope;
  /** What the API sends beside the rows, such as their total: tables show it below them. */
  readonly beside?: JsonObject;
  /** Returns the fields that the outermost object has after the rows, which are known once these are written. */
  readonly closing?: () => JsonObject;
  /** What the API sends about the identifiers in the content, such as the symbols of tokens. */
  readonly metadata?: Json | undefined;
}

/** The object around rows (`{total, items}`), from the first page, and the path that leads to the rows. */
export interface Envelope {
  readonly value: JsonObject;
  readonly path: readonly string[];
}

/** A field of `--sort-by`, and its direction. */
export interface SortField {
  readonly path: string;
  readonly isDescending: boolean;
}

/** A field of `--fields`: its path and, where one was typed, its heading. */
export interface FieldSpec {
  readonly path: string;
  readonly head?: string;
}

/** An identifier that a table shows, and the role of what it identifies according to its field. */
export interface IdentifierUse {
  readonly id: string;
  readonly role: Role | undefined;
}

/** Where tables get names from. */
export interface NameSource {
  readonly of: NameOf;
  /** Prepares the names of identifiers, before they are drawn: collects those in values, looks up or requests others. */
  readonly prepare: (values: readonly Json[], uses: readonly IdentifierUse[]) => Promise<void>;
}

/** The options of writing. */
export interface OutputOptions {
  readonly format: Format;
  /** The fields to write, in this order; `undefined` is all. With a heading, each is a member of its name in JSON. */
  readonly fields?: readonly FieldSpec[] | undefined;
  /** The order of rows: by the first field, then by the next one where rows are equal. */
  readonly sortBy?: readonly SortField[] | undefined;
  /** Whether tables, CSV and TSV start with a line of headings (default: true). */
  readonly headers?: boolean | undefined;
  /** A jq program to run on what `json` would print. */
  readonly jq?: string | undefined;
  /** Seconds that the program may run (default: without end). */
  readonly jqTimeout?: number | undefined;
  /** Whether results of jq that may be rounded are an error instead of a note. */
  readonly isExact?: boolean | undefined;
  /** The time style of tables (default: relative on a terminal, else iso) and, only when set, of csv and tsv. */
  readonly time?: TimeStyle | undefined;
  /** The table style (default: plain); `auto` is a border where it costs nothing that people need. */
  readonly tableStyle?: TableStyle | "auto" | undefined;
  /** How numbers in the rows of tables are printed (default: brief on a terminal, else in full). */
  readonly numbers?: NumberStyle | undefined;
  /** Whether CSV, TSV and identifiers have text as it is: control characters, and what a spreadsheet calculates. */
  readonly rawText?: boolean | undefined;
  /** Whether numbers that can exceed 2^53 are text, and CSV quotes them and identifiers. */
  readonly textNumbers?: boolean | undefined;
  /** For Parquet: how many types of a column, by its name, are skipped because they do not fit all values. */
  readonly columnFallbacks?: ReadonlyMap<string, number> | undefined;
  /** Opens the names that tables show for identifiers (default: none). */
  readonly names?: (() => Promise<NameSource>) | undefined;
  /** The width of a line in terminal cells; tables never exceed it, except wide ones. */
  readonly width: number;
  readonly theme?: Theme | undefined;
  /** Adds links to identifiers in tables (default: none). */
  readonly link?: Link | undefined;
  /** Whether the output goes to a terminal: in every format, control characters are then removed from text. */
  readonly isTerminal: boolean;
  /** Whether the terminal draws more than ASCII (default: true). */
  readonly unicode?: boolean | undefined;
  /** The current time in milliseconds. */
  readonly now: number;
  /** An IANA time zone for the style `local` (default: the system's). */
  readonly timeZone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A state from `onRows` of an earlier call: the output of this one continues it, byte for byte. */
  readonly resume?: JsonObject | undefined;
  /**
   * Called after the rows of each page were handed to the sink, with the state from which a later call can continue.
   * Only for rows, and only in formats of `canResume`.
   */
  readonly onRows?: ((state: () => JsonObject) => Promise<void>) | undefined;
}

/** The result of writing: the number of rows, and notes for standard error. */
export interface WriteResult {
  /** With `resume`, the rows of the calls before are included. */
  readonly rows: number;
  readonly notes: readonly string[];
}
