/** Parses incoming lines to protocol messages, and creates error responses for invalid ones. */

import { Buffer } from "node:buffer";
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { isObject } from "../../base/index.ts";

/** Maximum length of a line in bytes. Longer lines are dropped, which bounds memory. */
const MAX_LINE_BYTES = 10_000_000;

const NEWLINE = 0x0a;

/** A line of input; undefined if it was too long. */
export type InputLine = string | undefined;

/** Splits chunks of input into lines. */
export class LineReader {
  #pieces: Buffer[] = [];
  #size = 0;

  /** Returns the lines that a chunk completes. */
  read(piece: Buffer): readonly InputLine[] {
    const lines: InputLine[] = [];
    let at = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, at)) {
      this.#append(piece.subarray(at, end));
      lines.push(this.#finishLine());
      at = end + 1;
    }
    this.#append(piece.subarray(at));
    return lines;
  }

  /** Returns the last line at the end of the input. */
  rest(): readonly InputLine[] {
    return this.#size === 0 ? [] : [this.#finishLine()];
  }

  #append(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MAX_LINE_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #finishLine(): InputLine {
    const line = this.#size > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    return line;
  }
}

/** An error response to an invalid line. */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  /** The id of the request; null if unknown. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A parsed line: a message, an error response to send, a problem to log, or nothing. */
export type ParsedLine =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: ErrorResponse }
  | { readonly problem: string }
  | undefined;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Parses a line. */
export function parseLine(line: InputLine): ParsedLine {
  if (line === undefined) {
    return createRefusal(INVALID_REQUEST, `message exceeds ${MAX_LINE_BYTES} bytes`);
  }
  const text = line.replace(/^\ufeff/, "").trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return createRefusal(PARSE_ERROR, "invalid JSON: each line must be one JSON-RPC 2.0 message");
  }
  if (Array.isArray(value)) {
    return createRefusal(INVALID_REQUEST, "batches are not supported: send each message on a separate line");
  }
  return parseMessage(value);
}

function parseMessage(value: unknown): ParsedLine {
  const { id, method, params, ...rest } = (typeof value === "object" && value !== null ? value : {}) as MessageFields;
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  const problem = known === null ? undefined : findParamsProblem(method, (params ?? {}) as MessageParams);
  if (problem) return createRefusal(INVALID_PARAMS, problem, known);
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    // A response to an invalid response could cause a loop.
    if ("result" in rest || "error" in rest) return { problem: "invalid response ignored" };
    return createRefusal(
      INVALID_REQUEST,
      'not a JSON-RPC 2.0 message: "jsonrpc": "2.0" and "method" are required',
      known,
    );
  }
}

interface MessageFields {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

type MessageParams = Readonly<Record<string, unknown>>;

/** Returns what is wrong with the parameters of `initialize` and `tools/call`. */
function findParamsProblem(method: unknown, params: MessageParams): string | undefined {
  if (method === "initialize") return findInitializeProblem(params);
  return method === "tools/call" ? findCallProblem(params) : undefined;
}

function findInitializeProblem({ protocolVersion, capabilities, clientInfo }: MessageParams): string | undefined {
  const { name, version } = (clientInfo ?? {}) as MessageParams;
  const isNamed = typeof name === "string" && typeof version === "string";
  if (typeof protocolVersion === "string" && isObject(capabilities) && isNamed) return undefined;
  return (
    "invalid params of initialize: expected protocolVersion (string), capabilities (object) and clientInfo " +
    "(object with name and version)"
  );
}

function findCallProblem({ name, arguments: input = {} }: MessageParams): string | undefined {
  if (typeof name === "string" && isObject(input)) return undefined;
  return "invalid params of tools/call: expected name (string) and, optionally, arguments (object)";
}

function createRefusal(code: number, message: string, id: ErrorResponse["id"] = null): ParsedLine {
  return { refusal: { jsonrpc: "2.0", id, error: { code, message } } };
}
