/** What the output room takes and gives. */
import type * as z from "zod";
import type { Json, JsonObject } from "../base/json.ts";
import type { Column } from "../catalogue/endpoint.ts";

/** The output formats. */
export const FORMATS = ["json", "ndjson", "csv", "tsv", "yaml", "table"] as const;

/** An output format. */
export type Format = (typeof FORMATS)[number];

/** The format that the ending of a file's name says. */
export function formatOfFile(name: string): Format | undefined {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return FORMAT_BY_EXTENSION[extension];
}

const FORMAT_BY_EXTENSION: Readonly<Record<string, Format>> = {
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  tsv: "tsv",
  yaml: "yaml",
  yml: "yaml",
};

/** The ways to show a time. */
export const TIME_STYLES = ["relative", "iso", "unix", "local"] as const;

/** A way to show a time: `3m ago`, `2024-07-05T09:27:35Z`, `1720171655`, or in a time zone, which is named. */
export type TimeStyle = (typeof TIME_STYLES)[number];

/** Where bytes go. `write` waits until the reader keeps up and rejects with `ReaderGone` when it closed the pipe. */
export interface Sink {
  write(chunk: string | Uint8Array, signal?: AbortSignal): Promise<void>;
}

/** What is known of the value: the zod object of a row (or of the object), and the columns of its table. */
export interface ContentSchema {
  readonly entity?: z.ZodType;
  readonly columns?: readonly Column[];
}

/**
 * What is written: one value, or rows that arrive page by page. `frame` is the object around the rows, where the API
 * has one (`{total, items}`), with the rows at the path `at`.
 */
export type Content =
  | { readonly kind: "object"; readonly value: Json }
  | { readonly kind: "rows"; readonly pages: AsyncIterable<readonly Json[]>; readonly envelope?: Envelope };

/** The object around rows: as it came with the first page, and the fields that lead to the rows. */
export interface Envelope {
  readonly value: JsonObject;
  readonly path: readonly string[];
}

/** A column that the user asked for: its heading and the path of its value. */
export interface ColumnSpec {
  readonly head: string;
  readonly path: string;
}

/** How it is written. */
export interface OutputOptions {
  readonly format: Format;
  /** Paths of the fields to write, in this order; `undefined` is all. */
  readonly fields?: readonly string[] | undefined;
  /** The same, with headings. */
  readonly columns?: readonly ColumnSpec[] | undefined;
  /** A jq program to run on what `json` would print. */
  readonly jq?: string | undefined;
  /** How times are shown in tables (there: relative on a terminal, else iso) and, only when given, in csv and tsv. */
  readonly time?: TimeStyle | undefined;
  /** Cells of a line; tables never exceed it. */
  readonly width: number;
  readonly color: boolean;
  /** Whether the reader is a terminal: in every format, text then reaches it without control characters. */
  readonly tty: boolean;
  /** Whether the reader draws more than ASCII, which it does unless told otherwise: signs of tables depend on it. */
  readonly unicode?: boolean | undefined;
  /** The present, in milliseconds. */
  readonly now: number;
  /** An IANA time zone for `local`; the system's when not given. */
  readonly timeZone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What `onRows` told after a page of an earlier call: the rows of this one follow it, byte for byte. */
  readonly resume?: JsonObject | undefined;
  /**
   * Called after the rows of each page were handed to the sink, with what a later call needs to go on from there. Only
   * for rows, and only in the formats of `canResume`.
   */
  readonly onRows?: ((state: () => JsonObject) => Promise<void>) | undefined;
}

/** What was written, and remarks for standard error. */
export interface WriteResult {
  /** With `resume`, those of the calls before too. */
  readonly rows: number;
  readonly notes: readonly string[];
}

/** Writes rows in one format; made when the first page is there. */
export interface RowWriter {
  write(page: readonly Json[]): Promise<void>;
  end(): Promise<void>;
  /** What another writer needs to go on after the rows so far; formats without it cannot be gone on with. */
  state?(): JsonObject;
}
