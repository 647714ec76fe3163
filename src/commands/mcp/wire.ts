/**
 * The connection: messages as lines of standard input and output. When the input ends, what was asked before is still
 * answered, for as long as that is worth waiting for; then the connection is closed.
 */
import { isJSONRPCRequest, type JSONRPCMessage, ReadBuffer, serializeMessage } from "@modelcontextprotocol/server";

type Id = string | number;

/** The two ends of a connection, and what it is told of. */
export interface Ends {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Milliseconds that answers are waited for after the input ended. */
const PATIENCE_MS = 10_000;

/** A connection of the protocol over two streams. */
export class Wire {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: NodeJS.ReadableStream;
  readonly #output: NodeJS.WritableStream;
  readonly #buffer = new ReadBuffer();
  /** Requests that have no answer yet. */
  readonly #open = new Set<Id>();
  readonly #waiting: (() => void)[] = [];
  #patience: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #isClosed = false;

  constructor({ input, output }: Ends) {
    [this.#input, this.#output] = [input, output];
  }

  /** Begins to listen. */
  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#read(chunk));
    for (const event of ["end", "close", "error"]) this.#input.on(event, () => this.#end());
    // Nobody reads any more: that is a usual end.
    this.#output.on("error", () => void this.close());
  }

  /** Sends a message; a connection that was closed meanwhile takes nothing. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#output.write(serializeMessage(message))) await this.#drained();
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  /** Calls back when the connection is closed, however it ends. */
  whenClosed(tell: () => void): void {
    this.#waiting.push(tell);
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#patience);
    this.#input.pause();
    this.#buffer.clear();
    this.onclose?.();
    for (const tell of this.#waiting) tell();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        for (const event of ["drain", "error", "close"]) this.#output.off(event, done);
        resolve();
      };
      for (const event of ["drain", "error", "close"]) this.#output.on(event, done);
    });
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (let isOver = false; !isOver; ) isOver = this.#readMessage();
  }

  /** Reads one message; true where there is no whole one. What is none is left out. */
  #readMessage(): boolean {
    try {
      const message = this.#buffer.readMessage();
      if (message === null) return true;
      if (isJSONRPCRequest(message)) this.#open.add(message.id);
      else if ("method" in message && message.method === "notifications/cancelled") this.#cancelled(message.params);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
    return false;
  }

  /** What is cancelled has no answer. */
  #cancelled(params: Readonly<Record<string, unknown>> | undefined): void {
    const id = params?.requestId;
    if (typeof id === "string" || typeof id === "number") this.#settle(id);
  }

  #settle(id: Id): void {
    this.#open.delete(id);
    this.#closeWhenDone();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#patience = setTimeout(() => void this.close(), PATIENCE_MS);
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (this.#hasEnded && this.#open.size === 0) void this.close();
  }
}
