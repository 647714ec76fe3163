/**
 * The connection: messages as lines on stdin and stdout. An invalid message gets an error response. At the end of the
 * input, pending requests are still answered before the connection is closed.
 */
import { isJSONRPCRequest, type JSONRPCMessage, serializeMessage } from "@modelcontextprotocol/server";
import { type ErrorResponse, type InputLine, LineReader, parseLine } from "./messages.ts";

type Id = string | number;

/** Streams and time limit of a connection. */
export interface TransportStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Maximum wait for pending responses after the end of the input in milliseconds; longer than a call takes. */
  readonly maxWaitMs: number;
}

/** JSON-RPC error code for requests without a response. */
const NO_ANSWER_CODE = -32000;

/** A protocol connection over two streams. */
export class StdioTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: NodeJS.ReadableStream;
  readonly #output: NodeJS.WritableStream;
  readonly #reader = new LineReader();
  readonly #maxWaitMs: number;
  /** Ids of pending requests. */
  readonly #pending = new Set<Id>();
  readonly #closeListeners: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #failure: Error | undefined;
  #isClosed = false;

  constructor({ input, output, maxWaitMs }: TransportStreams) {
    [this.#input, this.#output, this.#maxWaitMs] = [input, output, maxWaitMs];
  }

  /** Starts reading the input. */
  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#read(chunk));
    for (const event of ["end", "close", "error"]) this.#input.on(event, () => this.#end());
    this.#output.on("error", (error) => {
      this.#failure ??= error;
      void this.close();
    });
  }

  /** Sends a message; does nothing if the connection is closed. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#output.write(serializeMessage(message))) await this.#waitForDrain();
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  /** Returns why messages could not be written; undefined where they could. */
  failure(): Error | undefined {
    return this.#failure;
  }

  /** Registers a listener for the end of the connection. */
  whenClosed(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#input.pause();
    this.onclose?.();
    for (const listener of this.#closeListeners) listener();
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

  #read(chunk: Buffer): void {
    for (const line of this.#reader.read(chunk)) this.#readLine(line);
  }

  #readLine(line: InputLine): void {
    const parsed = this.#isClosed ? undefined : parseLine(line);
    if (parsed === undefined) return;
    if ("message" in parsed) this.#receive(parsed.message);
    else this.onerror?.(new Error("refusal" in parsed ? parsed.refusal.error.message : parsed.problem));
    if ("refusal" in parsed) this.#sendError(parsed.refusal);
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#pending.add(message.id);
    else if ("method" in message && message.method === "notifications/cancelled") this.#cancelRequest(message.params);
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #sendError(refusal: ErrorResponse): void {
    if (!this.#isClosed) this.#output.write(`${JSON.stringify(refusal)}\n`);
  }

  /** A cancelled request gets no response. */
  #cancelRequest(params: Readonly<Record<string, unknown>> | undefined): void {
    const id = params?.requestId;
    if (typeof id === "string" || typeof id === "number") this.#settle(id);
  }

  #settle(id: Id): void {
    this.#pending.delete(id);
    this.#closeWhenDone();
  }

  #end(): void {
    if (this.#hasEnded) return;
    for (const line of this.#reader.rest()) this.#readLine(line);
    this.#hasEnded = true;
    this.#timer = setTimeout(() => this.#failPending(), this.#maxWaitMs);
    this.#closeWhenDone();
  }

  /** Fails all pending requests. */
  #failPending(): void {
    const message = "no response in time after the end of the input";
    for (const id of this.#pending) this.#sendError({ jsonrpc: "2.0", id, error: { code: NO_ANSWER_CODE, message } });
    void this.close();
  }

  #closeWhenDone(): void {
    if (this.#hasEnded && this.#pending.size === 0) void this.close();
  }
}
