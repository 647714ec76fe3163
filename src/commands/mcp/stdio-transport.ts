/** Messages as lines on stdin and stdout. Requests that are pending at the end of the input are answered. */
import { Buffer } from "node:buffer";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** Maximum length of a line in bytes. Longer lines are dropped, which bounds memory. */
const MAX_LINE_BYTES = 10_000_000;

const NEWLINE = 0x0a;

/** A line of input; undefined if it was too long. */
type InputLine = string | undefined;

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
      lines.push(...this.rest(true));
      at = end + 1;
    }
    this.#append(piece.subarray(at));
    return lines;
  }

  /** Returns the line that has been read so far; none if that is empty, unless a line break followed. */
  rest(isComplete = false): readonly InputLine[] {
    if (this.#size === 0 && !isComplete) return [];
    const line = this.#size > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    return [line];
  }

  #append(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MAX_LINE_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }
}

/** An error response to an invalid line. */
interface ErrorResponse {
  readonly jsonrpc: "2.0";
  /** Null if unknown. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A parsed line: a message, an error response to send, a problem to log, or nothing. */
type ParsedLine =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: ErrorResponse }
  | { readonly problem: string }
  | undefined;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
/** The code for requests without a response. */
const NO_ANSWER = -32000;

const errorResponse = (code: number, message: string, id: ErrorResponse["id"] = null): ErrorResponse => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** The required parameters of methods, and what was expected if they are invalid. */
const PARAMS: Readonly<Record<string, readonly [schema: z.ZodType, expected: string]>> = {
  initialize: [
    z.object({
      protocolVersion: z.string(),
      capabilities: z.object({}),
      clientInfo: z.object({ name: z.string(), version: z.string() }),
    }),
    "protocolVersion (string), capabilities (object) and clientInfo (object with name and version)",
  ],
  "tools/call": [
    z.object({ name: z.string(), arguments: z.object({}).optional() }),
    "name (string) and, optionally, arguments (object)",
  ],
};

/** Parses a line. */
export function parseLine(line: InputLine): ParsedLine {
  const refuse = (code: number, message: string, id?: ErrorResponse["id"]) => ({
    refusal: errorResponse(code, message, id),
  });
  if (line === undefined) return refuse(INVALID_REQUEST, `message exceeds ${MAX_LINE_BYTES} bytes`);
  const text = line.replace(/^\ufeff/, "").trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(PARSE_ERROR, "invalid JSON: each line must be one JSON-RPC 2.0 message");
  }
  if (Array.isArray(value)) {
    return refuse(INVALID_REQUEST, "batches are not supported: send each message on a separate line");
  }
  const { id, method, params, ...rest } = (typeof value === "object" && value !== null ? value : {}) as Partial<
    Record<string, unknown>
  >;
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  const [schema, expected] = (known !== null && Object.hasOwn(PARAMS, String(method)) && PARAMS[String(method)]) || [];
  if (schema && !schema.safeParse(params ?? {}).success) {
    return refuse(INVALID_PARAMS, `invalid params of ${method}: expected ${expected}`, known);
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    // A response to an invalid response could cause a loop.
    if ("result" in rest || "error" in rest) return { problem: "invalid response ignored" };
    const message = 'not a JSON-RPC 2.0 message: "jsonrpc": "2.0" and "method" are required';
    return refuse(INVALID_REQUEST, message, known);
  }
}

/** Streams and time limit of a connection. */
interface TransportStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Maximum wait for pending responses after the end of the input in milliseconds; longer than a call takes. */
  readonly maxWaitMs: number;
}

/** A protocol connection over two streams. */
export class StdioTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves at the end of the connection to the reason why messages could not be written, if any. */
  readonly closed: Promise<Error | undefined>;
  readonly #input: NodeJS.ReadableStream;
  readonly #output: NodeJS.WritableStream;
  readonly #maxWaitMs: number;
  readonly #reader = new LineReader();
  /** Ids of requests. */
  readonly #pending = new Set<string | number>();
  readonly #resolveClosed: (failure: Error | undefined) => void;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #isClosed = false;

  constructor({ input, output, maxWaitMs }: TransportStreams) {
    [this.#input, this.#output, this.#maxWaitMs] = [input, output, maxWaitMs];
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    [this.closed, this.#resolveClosed] = [promise, resolve];
  }

  /** Starts reading the input. */
  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#readLines(this.#reader.read(chunk)));
    for (const event of ["end", "close", "error"]) this.#input.on(event, () => this.#end());
    this.#output.on("error", (error) => {
      this.#resolveClosed(error);
      void this.close();
    });
  }

  /** Sends a message; does nothing if the connection is closed. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#output.write(serializeMessage(message))) await this.#waitForDrain();
    if (!("method" in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#input.pause();
    this.onclose?.();
    this.#resolveClosed(undefined);
  }

  #waitForDrain(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        for (const event of ["drain", "error", "close"]) this.#output.off(event, done);
        resolve();
      };
      for (const event of ["drain", "error", "close"]) this.#output.on(event, done);
    });
  }

  #readLines(lines: readonly InputLine[]): void {
    for (const line of lines) {
      const parsed = this.#isClosed ? undefined : parseLine(line);
      if (parsed === undefined) continue;
      if ("message" in parsed) this.#receive(parsed.message);
      else this.onerror?.(new Error("refusal" in parsed ? parsed.refusal.error.message : parsed.problem));
      if ("refusal" in parsed) this.#sendError(parsed.refusal);
    }
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#pending.add(message.id);
    // A cancelled request gets no response.
    else if ("method" in message && message.method === "notifications/cancelled")
      this.#settle(message.params?.requestId);
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #sendError(response: ErrorResponse): void {
    if (!this.#isClosed) this.#output.write(`${JSON.stringify(response)}\n`);
  }

  #settle(id: unknown): void {
    this.#pending.delete(id as string | number);
    if (this.#hasEnded && this.#pending.size === 0) void this.close();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#readLines(this.#reader.rest());
    this.#hasEnded = true;
    this.#timer = setTimeout(() => this.#failPending(), this.#maxWaitMs);
    if (this.#pending.size === 0) void this.close();
  }

  #failPending(): void {
    const message = "no response in time after the end of the input";
    for (const id of this.#pending) this.#sendError(errorResponse(NO_ANSWER, message, id));
    void this.close();
  }
}
