/** What can be exported of a view, and how it becomes the text of a file. */
import { isObject, type Json } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { Answer } from "../../client/index.ts";
import { formatJson } from "../../output/formats/json.ts";
import {
  type Content,
  type ContentSchema,
  type Format,
  type OutputOptions,
  type WriteResult,
  write,
} from "../../output/index.ts";
import type { Subject } from "../app/context.ts";
import type { Route } from "../app/route.ts";
import { fileBaseName } from "./copy-choices.ts";
import { fieldPaths } from "./view-command.ts";

/** A text with the name of its file. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/**
 * What is on view as a text: lines where it is lines, else JSON as it came, of a list the marked rows or all on view.
 * Undefined where there is nothing.
 */
export function viewAsTextFile(route: Route, subject: Subject | undefined): TextFile | undefined {
  const baseName = fileBaseName(route, subject) || "solx";
  const lines = subject?.lines?.();
  if (lines && lines.length > 0) return { name: `${baseName}.txt`, text: `${lines.join("\n")}\n` };
  const { rows, marked = [], row } = subject ?? {};
  const value = rows === undefined ? row : marked.length > 0 ? marked : rows;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return { name: `${baseName}.json`, text: `${formatJson(value as Json, 2)}\n` };
}

/** What goes into the file. */
export type ExportScope =
  /** The rows as they are on view, filtered and sorted. */
  | "view"
  | "marked"
  /** The answer as it came: nothing filtered, with what is around the rows. */
  | "answer"
  /** The object of a detail. */
  | "object"
  /** Every row of the list: that is work for the shell. */
  | "all";

/** A scope that there is now. */
export interface ScopeChoice {
  readonly scope: ExportScope;
  readonly label: string;
}

/** What can be exported now, the most likely first. */
export function exportScopes(subject: Subject | undefined, answer: Answer | undefined): readonly ScopeChoice[] {
  const { rows, marked = [], row, request } = subject ?? {};
  const choices: (ScopeChoice | undefined)[] = [
    marked.length > 0 ? { scope: "marked", label: `marked rows (${marked.length})` } : undefined,
    rows && rows.length > 0 ? { scope: "view", label: `rows on view (${rows.length})` } : undefined,
    rows === undefined && row !== undefined ? { scope: "object", label: "the object" } : undefined,
    answer && { scope: "answer", label: answer.rows ? `whole answer (${answer.rows.length} rows)` : "whole answer" },
    rows && (rows.length > 0 || answer) && request && hasMorePages(request.endpoint)
      ? { scope: "all", label: "every row of the list" }
      : undefined,
  ];
  return choices.filter((choice) => choice !== undefined);
}

/** Whether a list may have more rows than an answer brings. */
function hasMorePages({ paging, returns }: Endpoint): boolean {
  return returns.shape === "csv" || paging === "page" || paging === "offset" || paging === "cursor";
}

/** What an export is made of. */
export interface ExportRequest {
  readonly subject: Subject;
  readonly answer: Answer | undefined;
  readonly scope: ExportScope;
  readonly format: Format;
  /** Whether only the columns on view go into the file. */
  readonly visibleColumnsOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The text of the file as it is made, and how it ended. */
export interface ExportStream {
  readonly chunks: AsyncIterable<string>;
  /** What was written; rejects when it could not be made. */
  readonly done: Promise<WriteResult>;
}

/** Makes the text of a file, piece by piece as it is taken. */
export function startExport(request: ExportRequest): ExportStream {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const sink = { write: async (chunk: string | Uint8Array) => writer.write(String(chunk)) };
  const run = async () => {
    try {
      const written = await write(exportContent(request), await exportView(request), exportOptions(request), sink);
      await writer.close();
      return written;
    } catch (error) {
      await writer.abort(error).catch(() => {});
      throw error;
    }
  };
  const done = run();
  // Who takes the text hears of a failure too, and may be the only one who listens.
  done.catch(() => {});
  return { chunks: readable, done };
}

function exportContent({ subject, answer, scope }: ExportRequest): Content {
  if (scope === "object") return { kind: "object", value: subject.row ?? null };
  if (scope !== "answer") return rowsContent((scope === "marked" ? subject.marked : subject.rows) ?? []);
  const { data, rows, at } = answer ?? { data: null, rows: undefined, at: undefined };
  if (rows === undefined) return { kind: "object", value: data };
  return {
    ...rowsContent(rows),
    ...(at !== undefined && isObject(data) ? { envelope: { value: data, path: [at] } } : {}),
  };
}

function rowsContent(rows: readonly Json[]): Extract<Content, { kind: "rows" }> {
  return {
    kind: "rows",
    pages: (async function* () {
      yield rows;
    })(),
  };
}

/** What the catalogue knows of what is written: nothing of rows and values that a screen took out of an object. */
async function exportView({ subject, answer, scope }: ExportRequest): Promise<ContentSchema> {
  const { request, row } = subject;
  if (!request) return {};
  const { returns, columns } = request.endpoint;
  const isPart = scope === "object" ? row !== answer?.data : scope !== "answer" && returns.shape === "object";
  if (isPart) return {};
  const entities = await import("../../catalogue/entities/index.ts");
  return { entity: entities[returns.entity], columns };
}

function exportOptions({ subject, scope, format, visibleColumnsOnly, now }: ExportRequest): OutputOptions {
  const isRows = scope === "view" || scope === "marked";
  const fields =
    visibleColumnsOnly && isRows && subject.columns
      ? fieldPaths(subject.columns, subject.rows ?? [], subject.request?.endpoint)
      : [];
  return {
    format,
    width: 0,
    color: false,
    tty: false,
    now,
    ...(fields.length > 0 ? { fields } : {}),
  };
}

/** A name for the file, without its ending: of the place and the moment, in UTC. */
export function suggestBaseName(route: Route, subject: Subject | undefined, now: number): string {
  const moment = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${fileBaseName(route, subject) || "solx"}-${moment}`;
}
