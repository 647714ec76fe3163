/** Creates answers in the formats of the API: envelope, errors, CSV. */
import { type Json, stringifyJson } from "../../base/index.ts";
import { COVERAGE_HEADER, type QueryResult } from "../../catalogue/index.ts";
import { HINT_HEADER } from "../../sources/ledger/index.ts";
import type { ServiceAnswer } from "./request.ts";

/** Content types of the API's answers. */
export const CONTENT_TYPES = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
} as const;

/** Allows web pages of any origin to read answers. The key is not a cookie, so browsers never send it by themselves. */
export const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": `retry-after, ${HINT_HEADER}, ${COVERAGE_HEADER}`,
} as const;

/** The answer to a CORS preflight request. */
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

/** Creates an answer with the common headers. */
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

/** Creates a JSON answer. */
export const jsonAnswer = (status: number, value: Json, headers?: Readonly<Record<string, string>>): ServiceAnswer =>
  createAnswer(status, CONTENT_TYPES.json, stringifyJson(value), headers);

/** Creates an error in the envelope (specification §1 and §8). */
export const errorAnswer = (
  status: number,
  code: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ServiceAnswer => jsonAnswer(status, { success: false, errors: { code, message } }, headers);

/** Returns the message of an error answer, or undefined for other answers. */
export function errorMessageOf({ status, headers, body }: ServiceAnswer): string | undefined {
  if (status < 400 || headers["content-type"] !== CONTENT_TYPES.json) return undefined;
  const { errors, error_message } = JSON.parse(body) as {
    readonly errors?: { readonly message?: string };
    readonly error_message?: string;
  };
  return errors?.message ?? error_message;
}

/** Returns a hint as a header, restricted to printable ASCII. */
export const hintHeaders = (text: string): Readonly<Record<string, string>> => ({
  [HINT_HEADER]: text.replace(/[^ -~]/g, "?"),
});

/** Creates the answer for the result of a query. */
export function resultAnswer(
  result: QueryResult,
  body: string,
  headers: Readonly<Record<string, string>>,
): ServiceAnswer {
  return createAnswer(200, "csv" in result ? CONTENT_TYPES.csv : CONTENT_TYPES.json, body, headers);
}
