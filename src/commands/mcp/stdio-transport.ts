/**
 * Messages as lines on stdin and stdout. The transport of the SDK drops the requests that are pending at the end of the
 * input, and lines that are no messages; here both are answered.
 */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
} from "@modelcontextprotocol/server";

/** Maximum length of a line in characters, which bounds memory: what follows is read as another line. */
const MAX_LINE = 10_000_000;

/** The errors of lines that are no messages. */
const PARSE_ERROR = [-32700, "invalid JSON: each line must be one JSON-RPC 2.0 message"] as const;
const INVALID_REQUEST = [-32600, 'not a JSON-RPC 2.0 message: "jsonrpc": "2.0" and "method" are required'] as const;

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
  readonly #resolveClosed: (failure: Error | undefined) => void;
  /** Ids of requests. */
  readonly #pending = new Set<unknown>();
  /** The beginning of a line. */
  #rest = "";
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ input, output, maxWaitMs }: TransportStreams) {
    [this.#input, this.#output, this.#maxWaitMs] = [input, output, maxWaitMs];
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    [this.closed, this.#resolveClosed] = [promise, resolve];
  }

  /** Starts reading the input. */
  async start(): Promise<void> {
    this.#input.setEncoding("utf8");
    this.#input.on("data", (text: string) => this.#read(text));
    for (const event of ["end", "close", "error"]) this.#input.on(event, () => this.#end());
    this.#output.on("error", (error) => {
      this.#resolveClosed(error);
      void this.close();
    });
  }

  /** Sends a message, and waits until it is written; does nothing if the connection is closed. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => this.#output.write(serializeMessage(message), () => resolve()));
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

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE) {
      lines.push(this.#rest);
      this.#rest = "";
    }
    for (const line of lines) if (line.trim() !== "" && !this.#isClosed) this.#receive(line.trim());
  }

  #receive(line: string): void {
    let value: unknown;
    let message: JSONRPCMessage;
    try {
      value = JSON.parse(line);
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(value);
      return;
    }
    if (isJSONRPCRequest(message)) this.#pending.add(message.id);
    // A cancelled request gets no response.
    else if ("method" in message && message.method === "notifications/cancelled") {
      this.#settle(message.params?.requestId);
    }
    this.onmessage?.(message);
  }

  /** Answers a line that is no message, with the id that it has; undefined where it is not even JSON. */
  #refuse(value: unknown): void {
    const { id, ...members }: Readonly<Record<string, unknown>> =
      typeof value === "object" && value !== null ? { ...value } : {};
    const [code, message] = value === undefined ? PARSE_ERROR : INVALID_REQUEST;
    this.onerror?.(new Error(message));
    // A response to an invalid response could cause a loop.
    if ("result" in members || "error" in members) return;
    const known = typeof id === "string" || typeof id === "number" ? id : null;
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", id: known, error: { code, message } })}\n`);
  }

  #settle(id: unknown): void {
    this.#pending.delete(id);
    if (this.#timer !== undefined && this.#pending.size === 0) void this.close();
  }

  #end(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.close(), this.#maxWaitMs);
    this.#read("\n");
    if (this.#pending.size === 0) void this.close();
  }
}
