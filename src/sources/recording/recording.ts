/**
 * The format of recordings: a JSON file for each exchange. Bodies that are compact or evenly indented JSON are stored as
 * JSON, from which the same bytes can be written again; other text is stored as text, and bytes that are no text as
 * Base64.
 */
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createFolder,
  failureReason,
  fileError,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  readInputFile,
  stringifyJson,
  tryParseJson,
  UsageError,
} from "../../base/index.ts";
import { endpointOfPath, fileStem, type RecordedQuery, type RecordedRequest, sortQuery } from "./request.ts";

const FORMAT = 1;

/** A response; names of headers are in lower case. */
interface RecordedResponse {
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

/** Headers of one connection, which a replay cannot repeat on another. */
const CONNECTION_HEADERS = ["connection", "keep-alive", "trailer", "transfer-encoding", "upgrade"];

function parseResponse({ status, headers: recorded, ...body }: JsonObject): RecordedResponse {
  if (typeof status !== "number") throw new Error("its response has no status");
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new Error(`${status} is not the status of a response`);
  const texts = Object.entries(isObject(recorded) ? recorded : {}).map(([name, value]) => [name, String(value)]);
  const headers = new Headers(texts as [string, string][]);
  for (const name of CONNECTION_HEADERS) headers.delete(name);
  return { status, headers: Object.fromEntries(headers), body: parseBody(body) };
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

/** Opens a folder for recordings, which is created if necessary. @throws UsageError when it cannot be used */
export function openRecordingWriter(folder: string) {
  try {
    createFolder(folder);
  } catch (cause) {
    throw fileError(`cannot record to ${folder}: ${failureReason(cause)}`, cause);
  }
  /** The numbers that are in use, by the beginning of the name. */
  const numbers = new Map<string, number>();
  return {
    /**
     * Writes a recording to a new file and returns the name of the file. Recordings of one request are numbered.
     * @throws the system's error
     */
    async write(recording: Recording): Promise<string> {
      const stem = fileStem(recording.request);
      // A file appears complete, under a number that no other process took.
      const temporary = join(folder, `.${stem}.${randomUUID()}.tmp`);
      try {
        await writeFile(temporary, formatRecording(recording), { mode: 0o600, flag: "wx" });
        for (let number = (numbers.get(stem) ?? 0) + 1; ; number += 1) {
          const name = `${stem}-${number}.json`;
          numbers.set(stem, number);
          if (await publish(temporary, join(folder, name))) return name;
        }
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}

async function publish(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      // Some file systems have no links.
      return copyFile(from, to, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Returns the files of a folder of recordings, in the order in which equal requests were recorded.
 * @throws SolxError for a folder that cannot be read
 */
export async function listRecordings(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder).catch((cause) => {
    throw fileError(`cannot read the recordings in ${folder}: ${failureReason(cause)}`, cause);
  });
  const { compare } = new Intl.Collator("en", { numeric: true });
  return all.filter((name) => name.endsWith(".json") && !name.startsWith(".")).toSorted(compare);
}

/**
 * Reads a recording.
 * @throws UsageError when the file cannot be read or is not a recording; InterruptedError when the signal fires
 */
export async function readRecording(folder: string, name: string, signal?: AbortSignal): Promise<Recording> {
  const path = join(folder, name);
  return parseRecording(await readInputFile(path, { signal, isInFolder: true, code: "BAD_RECORDING" }), path);
}
