/**
 * The last step of the pipeline: a response becomes data or a SolxError. Tolerates any form (envelope or bare, CSV or
 * a JSON string with CSV, unexpected content types, byte order marks), but no failure.
 */
import {
  fieldAt,
  findRepeatedMember,
  type Hints,
  isArray,
  isMissing,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  rememberText,
  ServerError,
  type SolxError,
  tryParseJson,
} from "../../base/index.ts";
import { parseCoverage, positionalOf, requestValues, wrapSol } from "../../catalogue/index.ts";
import type { PreparedRequest } from "../request/prepare.ts";
import { excerpt } from "../text.ts";
import {
  type Answer,
  type HttpResponse,
  isCutJson,
  retryAfterSeconds,
  tooManyValuesError,
  truncatedError,
} from "./answer.ts";
import { type ErrorResponse, noDataError, parseErrorBody, statusForCode, toApiError } from "./api-errors.ts";

const PARTIAL_CONTENT = 206;

const isSuccess = ({ status }: HttpResponse) => status >= 200 && status <= 299;

/**
 * Decodes a response.
 * @param now milliseconds since the epoch, for `Retry-After` dates
 * @throws the SolxError of an error response, or of a body that cannot be decoded; NotFoundError when one thing was
 * requested and the answer is empty
 */
export async function decode(response: HttpResponse, request: PreparedRequest, now: number): Promise<Answer> {
  const content = response.body.replace(/^\uFEFF/, "");
  const text = content.trim();
  // No request is for a part of an answer, and rows of CSV do not show that others are missing.
  if (response.status === PARTIAL_CONTENT) throw truncatedError(response.url);
  if (!isSuccess(response)) throw statusError(response, request, text, now);
  const { endpoint } = request;
  if (endpoint?.returns.shape === "csv" && !text.startsWith("{")) return decodeCsv(response, request, content, now);
  const value = parseBody(text, response, { mayBeCsv: endpoint === undefined });
  if (value === undefined) return decodeCsv(response, request, content, now);
  requireSingleMembers(response, request, value, text);
  const envelope = findEnvelope(value, request);
  if (isObject(value) && isErrorBody(value, { isEnvelope: envelope !== undefined, isKnown: endpoint !== undefined })) {
    throw refusalError(value, response, request, now);
  }
  const data = dataOf(value, envelope, response, request);
  if (endpoint?.returns.shape === "csv" && typeof data === "string") {
    return { ...(await decodeCsv(response, request, data, now)), envelope };
  }
  if (request.subject !== undefined && isNothing(data)) throw missingError(request, request.subject, response);
  const list = findRows(data, endpoint?.returns.at, endpoint?.returns.shape === "rows");
  requireForm(response, request, { data, rows: list?.rows });
  requireSubject(response, request, list?.rows ?? [data]);
  if (list) rememberText(list.rows, text);
  const { status, headers, body, source } = response;
  const facts = { ...(source && { source }), ...parseCoverage(headers) };
  return { request, status, headers, body, ...facts, envelope, data, rows: list?.rows, at: list?.at };
}

/** Returns the data of a parsed answer. @throws ServerError when it has none */
function dataOf(
  value: Json,
  envelope: JsonObject | undefined,
  response: HttpResponse,
  { endpoint, subject }: PreparedRequest,
): Json {
  const { status, body } = response;
  if (envelope) {
    // Null says that there is nothing; without the member, nothing is said, but of one thing: a server may leave it out.
    if (envelope.data === undefined && endpoint && subject === undefined)
      throw malformedError("a member data", status, body.trim());
    return envelope.data ?? null;
  }
  if (value === null) throw emptyError(response, "null");
  if (endpoint && !isObject(value) && !isArray(value))
    throw malformedError("an object or a list, got a plain value", status, body.trim());
  return value;
}

/** @throws ServerError when an object has a member twice that says what the answer is */
function requireSingleMembers(
  { status }: HttpResponse,
  { endpoint }: PreparedRequest,
  value: Json,
  text: string,
): void {
  const { at, total } = endpoint?.returns ?? {};
  const names = ["success", "data", at, total].filter((name) => name !== undefined);
  const name = findRepeatedMember(text, [value, fieldAt(value, ["data"])], names);
  if (name !== undefined) throw malformedError(`each member once, got "${name}" twice`, status, text);
}

/** @throws ServerError when data cannot be what the endpoint returns; fields are not checked */
function requireForm(
  { body, status }: HttpResponse,
  { endpoint }: PreparedRequest,
  { data, rows }: { readonly data: Json; readonly rows: readonly Json[] | undefined },
): void {
  if (!endpoint) return;
  const { shape } = endpoint.returns;
  const odd = rows?.findIndex((row) => !isObject(row)) ?? -1;
  if (odd >= 0) throw malformedError(`objects as rows, got ${kindOfValue(rows?.[odd])}`, status, body.trim());
  const isText = typeof data === "string" && shape === "number";
  const isNumber = shape === "number" && isNumeric(data);
  // A list in place of one thing would be printed as no rows.
  const isList = isArray(data) && data.length > 0 && (shape === "object" || shape === "number");
  if (isList || (!rows && !isObject(data) && !isNumber && !isText))
    throw malformedError(`${DUE[shape]}, got ${kindOfValue(data)}`, status, body.trim());
}

/**
 * @throws ServerError when an answer says that it is about something else than was requested. A text, such as that of a
 * collection, has other forms.
 */
function requireSubject({ status, body }: HttpResponse, request: PreparedRequest, things: readonly Json[]): void {
  const { endpoint } = request;
  const [name = "", param] = (endpoint && positionalOf(endpoint)) ?? [];
  if (endpoint?.echo === undefined || param?.type === "text") return;
  const path = endpoint.echo.split(".");
  const asked = requestValues(endpoint, request.path, request.query).values.get(name)?.map(wrapSol);
  const named = things.map((thing) => String(fieldAt(thing, path) ?? ""));
  const other = named.find((id) => id !== "" && asked?.includes(wrapSol(id)) === false);
  if (other !== undefined)
    throw malformedError(`what was requested, got an answer about ${other}`, status, body.trim());
}

const DUE = { object: "an object", rows: "a list", csv: "CSV", number: "a number" } as const;

function kindOfValue(value: Json | undefined): string {
  if (value === null) return "null";
  return isArray(value) ? "a list" : "a plain value";
}

/**
 * Returns the error for a thing that does not exist, the same as for servers that answer 404. An address may exist as
 * something else, such as a wallet where a mint was expected.
 */
function missingError({ endpoint }: PreparedRequest, subject: string, { source, lacks }: HttpResponse): SolxError {
  const type = endpoint && positionalOf(endpoint)?.[1].type;
  const hint = type === "address" ? showHints(subject) : type && lacks?.[type];
  return noDataError(subject, { code: 404, status: 404, hint }, source);
}

/** Returns how each reader finds out what an address is. */
const showHints = (address: string): Hints => ({
  command: `Check what this address is: solx show ${address}`,
  program: "Check what this address is: client.account.metadata({ address }).",
  tool: `Check what this address is with the tool show: ${JSON.stringify({ what: address })}`,
});

/** Returns a successful response without decoding it. */
export function rawAnswer({ status, headers, body, bytes }: HttpResponse, request: PreparedRequest): Answer {
  const nothing = { envelope: undefined, data: null, rows: undefined, at: undefined };
  return { request, status, headers, body, ...(bytes && { bytes }), ...nothing, ...parseCoverage(headers) };
}

/**
 * Parses a body as JSON. Returns undefined for CSV, which only a path outside the catalogue may return unexpectedly.
 */
function parseBody(
  text: string,
  response: HttpResponse,
  { mayBeCsv }: { readonly mayBeCsv: boolean },
): Json | undefined {
  if (text === "") throw emptyError(response, "nothing");
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooManyValuesError(error);
    // The parser's message is omitted, because it quotes the body.
    if (isHtml(text)) throw htmlError(response, text);
    if (mayBeCsv && /csv/i.test(response.headers["content-type"] ?? "")) return undefined;
    if (isCutJson(text)) throw truncatedError(response.url);
    throw malformedError("JSON, got other text", response.status, text);
  }
}

function emptyError({ status }: HttpResponse, what: string): ServerError {
  return new ServerError(`Expected data, got ${what} (status ${status}).`, {
    code: "EMPTY",
    status,
    hint: "Try again later.",
  });
}

/** Returns the object around `data`: recognised by `success`, or in the newer families by `data` alone. */
function findEnvelope(value: Json, { family }: PreparedRequest): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  if (value.success !== undefined) return value;
  return family !== "legacy" && value.data !== undefined ? value : undefined;
}

function refusalError(
  value: JsonObject,
  { headers }: HttpResponse,
  { endpoint }: PreparedRequest,
  now: number,
): SolxError {
  const refusal = parseErrorBody(value) ?? {};
  const message = refusal.message ?? "The API reports a failure without a reason.";
  const retryAfter = retryAfterSeconds(headers, now);
  return toApiError({ ...refusal, message, status: statusForCode(refusal.code), retryAfter }, endpoint);
}

function malformedError(what: string, status: number, text: string): ServerError {
  return new ServerError(`Expected ${what} (status ${status}): ${excerpt(text)}`, {
    code: "MALFORMED",
    status,
    hint: "Check the base URL; if it is right, try again later.",
  });
}

function statusError(response: HttpResponse, { endpoint }: PreparedRequest, text: string, now: number): SolxError {
  const { status, headers } = response;
  const retryAfter = retryAfterSeconds(headers, now);
  const incomplete = parseCoverage(headers).coverage?.incomplete;
  const refusal = (rest: Omit<ErrorResponse, "status">) =>
    toApiError({ status, retryAfter, incomplete, ...rest }, endpoint);
  const isBlocked = isBlockPage(response, text);
  if (isBlocked || isHtml(text)) return refusal({ isPage: true, isBlocked, message: htmlMessage(response, text) });
  return refusal(parseRefusal(text));
}

/** What pages say that let only browsers through; they have the status of an overload or of too many requests. */
const CHALLENGE =
  /<title>\s*(just a moment|attention required|ddos-guard|access denied|human verification)|challenge-platform|_cf_chl_opt|checking your browser|captcha/i;

/** Whether a response is that of a firewall or a proxy, such as Cloudflare, which refuses the request. */
function isBlockPage({ status, headers }: HttpResponse, text: string): boolean {
  if (headers["cf-mitigated"] !== undefined) return true;
  if (status === 403) return isHtml(text) || /^error code: 1\d{3}$/.test(text);
  return (status === 429 || status === 503) && isHtml(text) && CHALLENGE.test(text);
}

function parseRefusal(text: string): Omit<ErrorResponse, "status"> {
  const value = tryParseJson(text);
  // The status already says what happened; a body that is not JSON is its message.
  if (value === undefined) return text === "" ? {} : { message: excerpt(text) };
  return parseErrorBody(value) ?? (typeof value === "string" ? { message: excerpt(value) } : {});
}

/** Whether a body is an HTML page. */
export function isHtml(text: string): boolean {
  return /^<(!doctype|html|head|body|\?xml|!--|center|title|h1|p\b)/i.test(text);
}

function htmlError(response: HttpResponse, text: string): ServerError {
  return new ServerError(htmlMessage(response, text), {
    code: "HTML",
    status: response.status,
    hint: "A sign-in page or a proxy of this network may be answering instead of the API; check the base URL.",
  });
}

/** Returns what a page says that is no answer of the API, as a message. */
export function htmlMessage({ status, headers }: HttpResponse, text: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  const words = excerpt(title || text.replace(/<(script|style)[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*>/g, " "));
  const ray = headers["cf-ray"] ?? /Ray ID:(?:\s|<[^>]*>)*([0-9a-f]{16})/i.exec(text)?.[1];
  const from = ray === undefined ? "" : `, Cloudflare ray ${excerpt(ray)}`;
  return `Expected JSON, got ${isHtml(text) ? "HTML" : "text"} (status ${status}${from}): ${words}`;
}

async function decodeCsv(response: HttpResponse, request: PreparedRequest, text: string, now: number): Promise<Answer> {
  if (isHtml(text.trimStart())) throw htmlError(response, text);
  const { endsWithLineBreak, parseCsv } = await import("./csv.ts");
  const { status, headers, body } = response;
  const { endpoint } = request;
  const plain = unwrapCsv(text);
  if (plain.trim() === "") throw emptyError(response, "nothing");
  const known = (endpoint?.columns ?? []).map((column) => (typeof column === "string" ? column : column.path));
  const result = parseCsv(plain, { knownColumns: known, isDeclared: /csv/i.test(headers["content-type"] ?? "") });
  if (result) {
    const isUncertain = response.endsWithConnection && plain === text && !endsWithLineBreak(text);
    if ("isCut" in result || isUncertain) throw truncatedError(response.url);
    const { rows } = result;
    const content = { envelope: undefined, data: rows, rows, at: undefined };
    return { request, status, headers, body, ...content, ...parseCoverage(headers) };
  }
  if (/too many requests|rate.?limit/i.test(plain)) {
    const retryAfter = retryAfterSeconds(headers, now);
    throw toApiError({ status: 429, message: excerpt(plain), retryAfter }, endpoint);
  }
  throw malformedError("CSV, got other text", status, plain);
}

function unwrapCsv(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"')) return text;
  // CSV with a quoted first name and a quoted last cell looks like a JSON string.
  const value = tryParseJson(trimmed);
  return typeof value === "string" ? value : text;
}

/** Returns the rows: from the field that the catalogue names, else from the only list that can contain them. */
export function findRows(
  data: Json,
  at: string | undefined,
  isList: boolean,
): { readonly rows: readonly Json[]; readonly at: string | undefined } | undefined {
  if (isArray(data)) return { rows: data, at: undefined };
  if (!isList) return undefined;
  if (isNothing(data)) return { rows: [], at: undefined };
  if (!isObject(data)) return undefined;
  if (at !== undefined && data[at] === null) return { rows: [], at };
  const lists = Object.entries(data).filter((entry): entry is [string, readonly Json[]] => isArray(entry[1]));
  const named = lists.find(([name]) => name === at) ?? lists.find(([name]) => name === "data");
  const ofObjects = lists.filter(([, list]) => list.every((item) => isObject(item)));
  const [name, rows] = named ?? (ofObjects.length === 1 ? ofObjects[0] : undefined) ?? [];
  return rows === undefined ? undefined : { rows, at: name };
}

/** Whether the data of an answer is nothing: null, or an empty object or list. */
export function isNothing(data: Json): boolean {
  return data === null || (isArray(data) ? data.length === 0 : isObject(data) && Object.keys(data).length === 0);
}

/** The field names that error bodies consist of. */
const ERROR_NAMES: ReadonlySet<string> = new Set([
  ...["success", "status", "statusCode", "code", "error", "errors", "message", "error_message"],
  ...["request_id", "requestId", "timestamp", "path", "details"],
]);

/**
 * Whether a body with status 200 is an error: by `success`, by errors in place of `data`, or, without `success`,
 * because it has one of the error shapes and nothing else.
 * @param isKnown whether the catalogue has the endpoint, so that data of a known form was expected
 */
function isErrorBody(
  value: JsonObject,
  { isEnvelope, isKnown }: { readonly isEnvelope: boolean; readonly isKnown: boolean },
): boolean {
  const { success, data } = value;
  if (success === false || success === "false" || success === 0) return true;
  if (!isMissing(data)) return false;
  if (success === null) return true;
  const isError = ["error", "errors", "error_message"].some((name) => !isMissing(value[name]));
  if (isEnvelope) return isError;
  if (typeof value.error_message === "string" || typeof value.error === "string" || isObject(value.errors)) return true;
  const names = Object.keys(value);
  const isMessageOnly = names.length === 1 && typeof value.message === "string";
  const hasErrorNamesOnly = names.every((name) => ERROR_NAMES.has(name));
  return isMessageOnly || (hasErrorNamesOnly && (isError || (isKnown && !isMissing(value.message))));
}
