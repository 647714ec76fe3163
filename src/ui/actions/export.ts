/** Exports of a view: what can be exported, and its text. */

import { parse } from "node:path";
import { groupThousands, type Json, pluralize } from "../../base/index.ts";
import { loadEntityShape, mayContinue, returnsList, type Shape } from "../../catalogue/index.ts";
import type { Answer } from "../../client/index.ts";
import {
  type Content,
  type ContentSchema,
  createUnitConverter,
  type Format,
  formatJson,
  type OutputOptions,
  safeText,
  type WriteResult,
  write,
} from "../../output/index.ts";
import { errorText } from "../data/query.ts";
import type { Explorer, Subject } from "../navigation/context.ts";
import type { Route } from "../navigation/route.ts";
import type { ActionResult } from "../navigation/services.ts";
import { fieldPaths, fileBaseName } from "./current-view.ts";

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
  "view" | "marked" | "loaded" | "answer" | "object" | "all";

/** The units of amounts and times: whole units and ISO times, or those of the API. */
export type ExportUnits = "whole" | "base";

/** An available scope. */
export interface ScopeChoice {
  readonly scope: ExportScope;
  readonly label: string;
}

/** Returns the available scopes, the most likely first. */
export function exportScopes(subject: Subject | undefined, answer: Answer | undefined): readonly ScopeChoice[] {
  const { rows, marked = [], row, request, loaded, total } = subject ?? {};
  const isAsAnswered = !isRearranged(subject);
  const isHere = loaded ? loaded.isComplete : total !== undefined && total === answer?.rows?.length;
  const count = (number: number | undefined) => (number === undefined ? "" : ` (${groupThousands(number)})`);
  const hasAll = rows && (rows.length > 0 || answer) && request && mayContinue(request.endpoint);
  const note = isAsAnswered ? "" : ", unfiltered and unsorted";
  const choices: (ScopeChoice | undefined)[] = [
    marked.length > 0 ? { scope: "marked", label: `marked rows${count(marked.length)}` } : undefined,
    rows && rows.length > 0 ? { scope: "view", label: `these rows${count(rows.length)}` } : undefined,
    loaded && !(loaded.isComplete && isAsAnswered)
      ? { scope: "loaded", label: `loaded rows${count(loaded.rows.length)}${note}` }
      : undefined,
    rows === undefined && row !== undefined ? { scope: "object", label: "the object" } : undefined,
    answer && !loaded
      ? { scope: "answer", label: answer.rows ? `whole response${count(answer.rows.length)}` : "whole response" }
      : undefined,
    hasAll && !isHere ? { scope: "all", label: `all rows of the list${count(total)}${note}` } : undefined,
  ];
  return choices.filter((choice) => choice !== undefined);
}

/** Returns whether the screen filtered or sorted the rows. */
const isRearranged = ({ local = [], sort }: Subject = {}) => local.length > 0 || sort !== undefined;

/** What an export is created from. */
export interface ExportRequest {
  readonly subject: Subject;
  readonly answer: Answer | undefined;
  readonly scope: ExportScope;
  readonly format: Format;
  readonly units: ExportUnits;
  readonly visibleColumnsOnly: boolean;
  readonly now: number;
  readonly pages?: (() => AsyncIterable<readonly Json[]>) | undefined;
}

/** The text of a file as a stream, and its result. */
export interface ExportStream {
  readonly chunks: AsyncIterable<string>;
  /** What was written; rejects when the export fails. */
  readonly done: Promise<WriteResult>;
}

/** Starts an export; its text is produced as it is consumed. A reader of pages that fails ends it with its error. */
export function startExport(request: ExportRequest): ExportStream {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const sink = { write: async (chunk: string | Uint8Array) => writer.write(String(chunk)) };
  const run = async () => {
    try {
      const schema = await exportSchema(request);
      const content = exportContent(request, unitConverter(request, schema));
      const written = await write(content, schema, exportOptions(request), sink);
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

type ExportSchema = Pick<ContentSchema, "columns"> & { readonly entity?: Shape };

function unitConverter({ units }: ExportRequest, { entity }: ExportSchema): (value: Json) => Json {
  return units === "whole" && entity ? createUnitConverter(entity) : (value) => value;
}

function exportContent(request: ExportRequest, convert: (value: Json) => Json): Content {
  const { subject, answer, scope, pages } = request;
  if (scope === "object") return { kind: "object", value: convert(subject.row ?? null) };
  if (scope === "all" && pages) return { kind: "rows", pages: convertPages(pages(), convert) };
  if (scope !== "answer") {
    const rows = scope === "marked" ? subject.marked : scope === "loaded" ? subject.loaded?.rows : subject.rows;
    return rowsContent(rows ?? [], convert);
  }
  const { data, rows } = answer ?? { data: null, rows: undefined };
  return rows === undefined ? { kind: "object", value: convert(data) } : rowsContent(rows, convert);
}

const PAGE_ROWS = 500;

function rowsContent(rows: readonly Json[], convert: (value: Json) => Json): Extract<Content, { kind: "rows" }> {
  const pages = async function* () {
    for (let at = 0; at === 0 || at < rows.length; at += PAGE_ROWS) yield rows.slice(at, at + PAGE_ROWS);
  };
  return { kind: "rows", pages: convertPages(pages(), convert) };
}

async function* convertPages(
  pages: AsyncIterable<readonly Json[]>,
  convert: (value: Json) => Json,
): AsyncGenerator<readonly Json[]> {
  for await (const page of pages) yield page.map(convert);
}

/** Returns the schema and columns of the exported value; none for rows and values that a page derived from an object. */
async function exportSchema({ subject, answer, scope }: ExportRequest): Promise<ExportSchema> {
  const { request, row } = subject;
  if (!request) return {};
  const { returns, columns } = request.endpoint;
  const isPart = scope === "object" ? row !== answer?.data : scope !== "answer" && !returnsList(request.endpoint);
  if (isPart) return {};
  return { entity: await loadEntityShape(returns.entity), columns };
}

function exportOptions(request: ExportRequest): OutputOptions {
  const { subject, scope, format, units, visibleColumnsOnly, now } = request;
  const isRows = scope !== "answer" && scope !== "object";
  const fields =
    visibleColumnsOnly && isRows && subject.columns
      ? fieldPaths(subject.columns, subject.rows ?? [], subject.request?.endpoint)
      : [];
  return {
    format,
    width: 0,
    isTerminal: false,
    now,
    ...(units === "whole" && (format === "csv" || format === "tsv") ? { time: "iso" } : {}),
    ...(fields.length > 0 ? { fields: fields.map((path) => ({ path })) } : {}),
  };
}

/** Returns a file name without extension, from the route and the time in UTC. */
export function suggestBaseName(route: Route, subject: Subject | undefined, now: number): string {
  const moment = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${fileBaseName(route, subject) || "solx"}-${moment}`;
}

/** Saves an export in a new file. */
export async function saveExport(
  { services }: Pick<Explorer, "services">,
  one: ExportRequest,
  name: string,
): Promise<ActionResult> {
  try {
    const { chunks, done } = startExport(one);
    const path = await services.save(name, chunks);
    const { rows, notes } = await done;
    const what = one.scope === "object" ? "the object" : pluralize(rows, "row");
    const { base, dir } = parse(path);
    return { ok: true, message: safeText([`Saved ${what}: ${base} in ${dir}`, ...notes].join("  ")) };
  } catch (error) {
    return { ok: false, message: errorText(error) };
  }
}
