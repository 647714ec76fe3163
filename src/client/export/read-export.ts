/** Reads an export: window by window, or through the pages of the corresponding paged endpoint. */
import {
  fieldAt,
  isArray,
  isMissing,
  isNumeric,
  type Json,
  type JsonObject,
  numericText,
  stringifyJson,
  toNumber,
  UsageError,
} from "../../base/index.ts";
import {
  type CellSource,
  type Endpoint,
  loadEntities,
  loadFields,
  MAX_EXPORT_ROWS,
  type ParameterValues,
  pagedSourceOf,
} from "../../catalogue/index.ts";
import type { ClientSettings } from "../options.ts";
import type { Page, ReadOptions } from "../paging/page.ts";
import { prepare } from "../request/prepare.ts";
import type { Send, SendOptions, SourceFacts } from "../source.ts";
import { readExportWindows } from "./read-windows.ts";

type Options = SendOptions & ReadOptions;

interface ExportCall {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly settings: ClientSettings;
  readonly rate: SourceFacts["rate"];
  readonly send: Send;
  readonly pages: (endpoint: Endpoint, params: ParameterValues, options: Options) => AsyncGenerator<Page, void>;
}

/** Whether more rows are requested than one export contains. */
export function isLongExport({ returns }: Endpoint, { all, limit = 0, via }: ReadOptions): boolean {
  return returns.shape === "csv" && (all === true || limit > MAX_EXPORT_ROWS || via === "pages");
}

/** Reads an export. @throws UsageError when pages are requested and there are none */
export async function* readExport(call: ExportCall, options: Options): AsyncGenerator<Page, void> {
  const { endpoint, params, settings, rate } = call;
  const { via, limit, all, resume, onEstimate, ...sending } = options;
  if (via === "pages") {
    const paged = call.pages(requirePagedSibling(endpoint, params), params, { ...sending, limit, all, resume });
    return yield* toExportPages(endpoint, paged);
  }
  const start = toNumber(resume?.start) ?? settings.now();
  // A long export waits for its next minute however long that takes.
  const waitOptions = settings.wait ? { maxWaitMs: Number.POSITIVE_INFINITY } : {};
  const { signal } = sending;
  yield* readExportWindows(
    {
      endpoint,
      params,
      now: start,
      rate,
      onEvent: settings.onEvent,
      sleep: settings.wait ? (milliseconds) => settings.sleep(milliseconds, signal) : undefined,
      fetch: (requested, pageParams) =>
        call.send(prepare(requested, pageParams, { now: () => start }), {
          priority: "background",
          ...waitOptions,
          ...sending,
        }),
    },
    { limit, resume, onEstimate },
  );
}

/** Returns the paged endpoint of an export. @throws UsageError when there is none, or it does not have a parameter */
function requirePagedSibling(endpoint: Endpoint, params: Readonly<Record<string, unknown>> = {}): Endpoint {
  const sibling = pagedSourceOf(endpoint);
  if (!sibling) {
    throw new UsageError(`No paged endpoint has the rows of ${endpoint.command}.`, {
      hint: "Omit via.",
    });
  }
  const unknown = Object.keys(params).find((name) => params[name] !== undefined && !Object.hasOwn(sibling.query, name));
  if (unknown === undefined) return sibling;
  throw new UsageError(`${sibling.command} does not take ${unknown}: with it, the rows can only be exported.`, {
    hint: "Omit via.",
  });
}

/** Returns the columns of an export that the paged endpoint does not have. */
export async function findMissingColumns(endpoint: Endpoint): Promise<readonly string[]> {
  const [entities, { listFields }] = await Promise.all([loadEntities(), loadFields()]);
  const known = new Set(listFields(entities[requirePagedSibling(endpoint).returns.entity]).map(({ path }) => path));
  const columns = Object.entries(endpoint.pagedSource?.columns ?? {});
  return columns.filter(([, { path }]) => !path.split("|").some((one) => known.has(one))).map(([name]) => name);
}

/**
 * Converts the pages of the paged endpoint to pages of the export: the same columns, with text in every cell. A column that
 * pages do not have is empty.
 */
async function* toExportPages({ pagedSource }: Endpoint, pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
  const columns = Object.entries(pagedSource?.columns ?? {});
  const written = (row: Json) => Object.fromEntries(columns.map(([name, origin]) => [name, readCell(row, origin)]));
  for await (const page of pages) {
    const rows: readonly JsonObject[] = page.rows.map(written);
    const answer = { ...page.answer, envelope: undefined, data: rows, rows, at: undefined };
    yield page.answer.rows === undefined ? page : { ...page, rows, answer, next: undefined };
  }
}

function readCell(row: Json, { path, withoutPrefix = "", spaced }: CellSource): string {
  const values = path.split("|").map((one) => fieldAt(row, one.split(".")));
  const text = cellText(values.find((value) => !isMissing(value)) ?? null).replace(withoutPrefix, "");
  return spaced ? text.replaceAll("_", " ") : text;
}

function cellText(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (isNumeric(value)) return numericText(value);
  return isArray(value) ? value.map(cellText).join("|") : stringifyJson(value);
}
