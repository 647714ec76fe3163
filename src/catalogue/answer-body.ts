/** The body of an answer in the formats of the API: envelope, bare data, CSV. */
import { type Json, stringifyJson } from "../base/index.ts";
import type { Endpoint } from "./endpoint.ts";

/** The result of a query: data and metadata for the envelope, or the records of a CSV text. */
export type AnswerResult =
  | { readonly data: Json; readonly metadata?: Json }
  | { readonly csv: readonly (readonly (string | number)[])[] };

/** Endpoints whose envelopes have `metadata`, empty unless the query has some: groups of v2, and single paths. */
const GROUPS_WITH_METADATA: ReadonlySet<string> = new Set(["token", "nft", "program"]);
const PATHS_WITH_METADATA: ReadonlySet<string> = new Set([
  ...["/account/portfolio", "/account/stake", "/account/transfer/total"],
  ...["/transaction/detail", "/transaction/detail/multi", "/transaction/actions", "/transaction/actions/multi"],
]);
const PATHS_WITHOUT_METADATA: ReadonlySet<string> = new Set(["/program/popular/platforms"]);

/** Whether the envelope of an endpoint has metadata, by the recorded answers. */
function hasMetadata({ family, group, path }: Endpoint): boolean {
  if (family !== "v2") return family === "public" || family === "node";
  return PATHS_WITH_METADATA.has(path) || (GROUPS_WITH_METADATA.has(group) && !PATHS_WITHOUT_METADATA.has(path));
}

/**
 * Returns the body for a result: in the envelope, as CSV, or bare as in the legacy family. With `bareLegacy`, the public
 * family has no envelope, as in the older service.
 */
export function answerBody(
  result: AnswerResult,
  endpoint: Endpoint,
  { bareLegacy }: { readonly bareLegacy: boolean },
): string {
  if ("csv" in result) return csvText(result.csv);
  const isBare = endpoint.family === "legacy" || (bareLegacy && endpoint.family === "public");
  if (isBare) return stringifyJson(result.data);
  const { data, metadata = hasMetadata(endpoint) ? {} : undefined } = result;
  return stringifyJson(metadata === undefined ? { success: true, data } : { success: true, data, metadata });
}

/** Returns records as CSV (RFC 4180 except that lines end with LF and the last one has no line end, as in the API). */
function csvText(records: readonly (readonly (string | number)[])[]): string {
  return records.map((record) => record.map(csvCell).join(",")).join("\n");
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
