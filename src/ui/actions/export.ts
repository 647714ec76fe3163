/** Exports of a view: what can be exported, and its text. */
import { isObject, type Json } from "../../base/index.ts";
import { type Endpoint, loadEntities, returnsList } from "../../catalogue/index.ts";
import type { Answer } from "../../client/index.ts";
import {
  type Content,
  type ContentSchema,
  type Format,
  formatJson,
  type OutputOptions,
  type WriteResult,
  write,
} from "../../output/index.ts";
import type { Subject } from "../app/context.ts";
import type { Route } from "../app/route.ts";
import { fileBaseName } from "./copy-choices.ts";
import { fieldPaths } from "./view-command.ts";

/** A text file. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns a view as a text file: its lines, or else JSON, of a list the marked or all visible rows. Undefined when there
 * is nothing.
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

/** What is exported. */
export type ExportScope =
  /** The visible rows, filtered and sorted. */
  | "view"
  | "marked"
  /** The whole answer, unfiltered, with the fields around its rows. */
  | "answer"
  /** The object of a detail view. */
  | "object"
  /** All pages of the list, by a command in the shell. */
  | "all";

/** An available scope. */
export interface ScopeChoice {
  readonly scope: ExportScope;
  readonly label: string;
}

/** Returns the available scopes, the most likely first. */
export function exportScopes(subject: Subject | undefined, answer: Answer | undefined): readonly ScopeChoice[] {
  const { rows, marked = [], row, request } = subject ?? {};
  const choices: (ScopeChoice | undefined)[] = [
    marked.length > 0 ? { scope: "marked", label: `marked rows (${marked.length})` } : undefined,
    rows && rows.length > 0 ? { scope: "view", label: `visible rows (${rows.length})` } : undefined,
    rows === undefined && row !== undefined ? { scope: "object", label: "the object" } : undefined,
    answer && { scope: "answer", label: answer.rows ? `whole answer (${answer.rows.length} rows)` : "whole answer" },
    rows && (rows.length > 0 || answer) && request && hasMorePages(request.endpoint)
      ? { scope: "all", label: "all rows of the list" }
      : undefined,
  ];
  return choices.filter((choice) => choice !== undefined);
}

/** Returns whether a list may have more than one page. */
function hasMorePages({ paging, returns }: Endpoint): boolean {
  return returns.shape === "csv" || paging === "page" || paging === "offset" || paging === "cursor";
}

/** What an export is created from. */
export interface ExportRequest {
  readonly subject: Subject;
  readonly answer: Answer | undefined;
  readonly scope: ExportScope;
  readonly format: Format;
  /** Whether only the visible columns are exported. */
  readonly visibleColumnsOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The text of a file as a stream, and its result. */
export interface ExportStream {
  readonly chunks: AsyncIterable<string>;
  /** What was written; rejects when the export fails. */
  readonly done: Promise<WriteResult>;
}

/** Starts an export; its text is produced as it is consumed. */
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
  // The consumer of the stream gets the error too and may be the only one that handles it.
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

/** Returns the schema and columns of the exported value; none for rows and values that a page derived from an object. */
async function exportView({ subject, answer, scope }: ExportRequest): Promise<ContentSchema> {
  const { request, row } = subject;
  if (!request) return {};
  const { returns, columns } = request.endpoint;
  const isPart = scope === "object" ? row !== answer?.data : scope !== "answer" && !returnsList(request.endpoint);
  if (isPart) return {};
  const entities = await loadEntities();
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

/** Returns a file name without extension, from the route and the time in UTC. */
export function suggestBaseName(route: Route, subject: Subject | undefined, now: number): string {
  const moment = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${fileBaseName(route, subject) || "solx"}-${moment}`;
}
