/** Answers in the API's forms: envelope, errors, CSV. */
import { type Json, stringifyJson } from "../../base/index.ts";
import type { QueryResult } from "../queries/query.ts";
import { HINT_HEADER, type ServiceAnswer } from "./request.ts";

/** Content types of the API's answers. */
export const CONTENT_TYPES = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
} as const;

/** Lets web pages of any origin read answers; the key is no cookie, so nothing is sent on its own. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": `retry-after, ${HINT_HEADER}`,
} as const;

/** What a browser is told before it asks. */
export const PREFLIGHT: ServiceAnswer = {
  status: 204,
  headers: {
    ...CORS,
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400",
  },
  body: "",
};

/** An answer with the headers that all have. */
export function createAnswer(
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  return {
    status,
    headers: { "content-type": type, "content-length": String(Buffer.byteLength(body)), ...CORS, ...headers },
    body,
  };
}

/** A JSON answer. */
export const jsonAnswer = (status: number, value: Json, headers?: Readonly<Record<string, string>>): ServiceAnswer =>
  createAnswer(status, CONTENT_TYPES.json, stringifyJson(value), headers);

/** A refusal in the envelope (specification §1 and §8). */
export const errorAnswer = (
  status: number,
  code: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ServiceAnswer => jsonAnswer(status, { success: false, errors: { code, message } }, headers);

/** The message of a refusal; undefined for other answers. */
export function errorMessageOf({ status, headers, body }: ServiceAnswer): string | undefined {
  if (status < 400 || headers["content-type"] !== CONTENT_TYPES.json) return undefined;
  const { errors } = JSON.parse(body) as { readonly errors?: { readonly message?: string } };
  return errors?.message;
}

/** A hint as a header; headers hold plain ASCII alone. */
export const hintHeaders = (text: string): Readonly<Record<string, string>> => ({
  [HINT_HEADER]: text.replace(/[^ -~]/g, "?"),
});

/** What a query answers, in the envelope, as CSV, or bare as the legacy service did. */
export function resultAnswer(result: QueryResult, { bare }: { readonly bare: boolean }): ServiceAnswer {
  if ("csv" in result) return createAnswer(200, CONTENT_TYPES.csv, csvText(result.csv));
  if (bare) return jsonAnswer(200, result.data);
  const { data, metadata } = result;
  return jsonAnswer(200, metadata === undefined ? { success: true, data } : { success: true, data, metadata });
}

/** Records as CSV (RFC 4180, but for line ends and a last one, which the API writes as here). */
export function csvText(records: readonly (readonly (string | number)[])[]): string {
  return records.map((record) => record.map(csvCell).join(",")).join("\n");
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
