/** What comes over the connection: lines, each one message, and what is to be said of a line that is none. */
import { Buffer } from "node:buffer";
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** Bytes of the longest line; what is longer is left out, so that nobody fills the memory. */
const MAX_LINE_BYTES = 10_000_000;

const NEWLINE = 0x0a;

/** A line as it came; undefined where it was too long. */
export type InputLine = string | undefined;

/** Takes lines out of what comes in pieces. */
export class LineReader {
  #pieces: Buffer[] = [];
  #size = 0;

  /** The lines that a piece ends. */
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

  /** What is left when nothing more comes. */
  rest(): readonly InputLine[] {
    return this.#size === 0 ? [] : [this.#finishLine()];
  }

  #append(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MAX_LINE_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #finishLine(): InputLine {
    const finishLine = this.#size > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    return finishLine;
  }
}

/** What is answered to a line that is no message. */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  /** Null where nobody knows what was asked. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** What a line holds: a message, a refusal of it, or nothing. */
export type ParsedLine =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: ErrorResponse }
  | { readonly problem: string }
  | undefined;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Reads a line. */
export function parseLine(finishLine: InputLine): ParsedLine {
  if (finishLine === undefined) {
    return createRefusal(INVALID_REQUEST, `A message is longer than ${MAX_LINE_BYTES} bytes, and was not read.`);
  }
  const text = finishLine.replace(/^\ufeff/, "").trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return createRefusal(PARSE_ERROR, "A line is not JSON: each line is one message (JSON-RPC 2.0).");
  }
  if (Array.isArray(value)) {
    return createRefusal(
      INVALID_REQUEST,
      "Batches are not part of this protocol: send each message in a line of its own.",
    );
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
    // An answer to a bad answer would be answered in turn.
    if ("result" in rest || "error" in rest) return { problem: "An answer that is none was left out." };
    return createRefusal(
      INVALID_REQUEST,
      'This is no message of JSON-RPC 2.0: it needs "jsonrpc": "2.0" and "method".',
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

/** What is wrong with the parameters of the messages that matter. */
function findParamsProblem(method: unknown, params: MessageParams): string | undefined {
  if (method === "initialize") return findInitializeProblem(params);
  return method === "tools/call" ? findCallProblem(params) : undefined;
}

function findInitializeProblem({ protocolVersion, capabilities, clientInfo }: MessageParams): string | undefined {
  const { name, version } = (clientInfo ?? {}) as MessageParams;
  const isNamed = typeof name === "string" && typeof version === "string";
  if (typeof protocolVersion === "string" && isObject(capabilities) && isNamed) return undefined;
  return (
    "initialize needs params: protocolVersion (a text), capabilities (an object) and clientInfo " +
    "(an object with name and version)."
  );
}

function findCallProblem({ name, arguments: input = {} }: MessageParams): string | undefined {
  if (typeof name === "string" && isObject(input)) return undefined;
  return "tools/call needs params: name (a text), and arguments, if any, as an object.";
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function createRefusal(code: number, message: string, id: ErrorResponse["id"] = null): ParsedLine {
  return { refusal: { jsonrpc: "2.0", id, error: { code, message } } };
}
