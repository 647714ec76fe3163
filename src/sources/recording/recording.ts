/**
 * The format of recordings: a JSON file for each exchange. Bodies that are compact or evenly indented JSON are stored as
 * JSON, from which the same bytes can be written again; other text is stored as text, and bytes that are no text as
 * Base64.
 */
import { Buffer } from "node:buffer";
import {
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  stringifyJson,
  tryParseJson,
  UsageError,
} from "../../base/index.ts";
import { endpointOfPath, type RecordedQuery, type RecordedRequest, sortQuery } from "./request.ts";

/** The version of the format. */
const FORMAT = 1;

/** A response; names of headers are in lower case. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. */
  readonly body: Buffer;
}

/** Why there was no response. */
export interface RecordedFailure {
  /** The name of the exit code. */
  readonly exit: string;
  readonly code: string | number;
  readonly message: string;
  readonly retryable: boolean;
}

/** An exchange: a request with its response, or with the failure of the connection. */
export interface Recording {
  /** When it ended, in milliseconds since the epoch. */
  readonly time: number;
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly failure?: RecordedFailure;
}

/** Returns the text of a recording's file. */
export function formatRecording({ time, request, response, failure }: Recording): string {
  const { method, path, query, body } = request;
  const route = endpointOfPath(path)?.route;
  const file: JsonObject = {
    format: FORMAT,
    time: new Date(time).toISOString(),
    request: { method, ...(route && { route }), path, query, ...(body !== undefined && { body }) },
    ...(response && {
      response: { status: response.status, headers: response.headers, ...formatBody(response.body) },
    }),
    ...(failure && { failure: { ...failure } }),
  };
  return `${stringifyJson(file, 2)}\n`;
}

/**
 * Parses the text of a recording's file.
 * @param name the file, for messages
 * @throws UsageError when it is not a recording
 */
export function parseRecording(text: string, name: string): Recording {
  try {
    const file = parseJson(text);
    if (!isObject(file) || !isObject(file.request)) throw new Error("it has no request");
    if (file.format !== FORMAT) throw new Error(`its format is not ${FORMAT}`);
    const { response, failure } = file;
    if (!isObject(response) && !isObject(failure)) throw new Error("it has neither a response nor a failure");
    const time = Date.parse(requireText(file.time, "time"));
    if (Number.isNaN(time)) throw new Error("its time is not in the form of ISO 8601");
    return {
      time,
      request: parseRequest(file.request),
      ...(isObject(response) && { response: parseResponse(response) }),
      ...(isObject(failure) && { failure: failure as unknown as RecordedFailure }),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${name} is not a recording: ${reason}`, { code: "BAD_RECORDING", cause });
  }
}

function parseRequest({ method, path, query = {}, body }: JsonObject): RecordedRequest {
  const isQuery = isObject(query) && Object.values(query).every((value) => [value].flat().every(isText));
  if (!isQuery) throw new Error("its query is not an object of texts and lists of texts");
  const request = {
    method: requireText(method, "method"),
    path: requireText(path, "path"),
    query: sortQuery(query as RecordedQuery),
  };
  return body === undefined ? request : { ...request, body };
}

const isText = (value: unknown) => typeof value === "string";

function parseResponse({ status, headers, ...body }: JsonObject): RecordedResponse {
  if (typeof status !== "number") throw new Error("its response has no status");
  const texts = Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return { status, headers: Object.fromEntries(texts), body: parseBody(body) };
}

function requireText(value: Json | undefined, name: string): string {
  if (typeof value === "string") return value;
  throw new Error(`its ${name} is not text`);
}

/** Indentations of JSON that a body is recognised in. */
const INDENTS = [undefined, 2, 4, 1] as const;

function formatBody(bytes: Buffer): JsonObject {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) return { base64: bytes.toString("base64") };
  const value = /^\s*[{["]/.test(text) ? tryParseJson(text) : undefined;
  if (value === undefined) return { text };
  const indent = INDENTS.find((spaces) => stringifyJson(value, spaces) === text);
  if (indent === undefined) return stringifyJson(value) === text ? { json: value } : { text };
  return { indent, json: value };
}

function parseBody({ json, text, base64, indent }: JsonObject): Buffer {
  if (json !== undefined) return Buffer.from(stringifyJson(json, typeof indent === "number" ? indent : undefined));
  if (typeof text === "string") return Buffer.from(text);
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  throw new Error("its response has no body: expected json, text or base64");
}
