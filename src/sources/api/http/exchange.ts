/** One HTTP request and its response, over a connection of the pool, and the decompression of its body. */
import type { Transform } from "node:stream";
import type { Dispatcher } from "undici";
import {
  InterruptedError,
  memoryBudget,
  type ReceivedBytes,
  ServerError,
  type SolxError,
  tellAll,
  throwIfAborted,
  toInterruptedError,
} from "../../../base/index.ts";
import { type HttpResponse, truncatedError } from "../../../client/index.ts";
import { decodeBody, encodingError } from "./body.ts";
import type { HttpRequest } from "./message.ts";
import { type Timeouts, toNetworkError, totalTimeoutError } from "./network-errors.ts";

/** How the requests to a host are sent. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  /** The proxy, as messages display it. */
  readonly proxy: string | undefined;
}

interface ExchangeLimits {
  readonly timeouts: Timeouts;
  /** The maximum size of a body in bytes, after decompression. */
  readonly maxBody: number;
}

/** Bytes that are read of the body of an error; more of a long page would not help. */
const MAX_ERROR_BODY = 65_536;

/**
 * Sends a request and reads the complete response.
 * @throws NetworkError, ServerError (incomplete, too large) or InterruptedError
 */
export async function exchange(
  upstream: Upstream,
  request: HttpRequest,
  limits: ExchangeLimits,
): Promise<HttpResponse> {
  throwIfAborted(request.signal);
  const handler = new ExchangeHandler(upstream, request, limits);
  handler.start();
  return handler.response;
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #route: Upstream;
  readonly #request: HttpRequest;
  readonly #limits: ExchangeLimits;
  readonly #outcome = Promise.withResolvers<HttpResponse>();
  #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  #size = 0;
  #settled = false;
  readonly #memory = memoryBudget.open();

  constructor(upstream: Upstream, request: HttpRequest, limits: ExchangeLimits) {
    this.#route = upstream;
    this.#request = request;
    this.#limits = limits;
  }

  get response(): Promise<HttpResponse> {
    return this.#outcome.promise;
  }

  start(): void {
    const { url, method = "GET", headers, body, signal } = this.#request;
    const { timeouts } = this.#limits;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#startTimer();
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      ...(body !== undefined && { body }),
      headers: { ...headers, "accept-encoding": ACCEPTED_ENCODINGS },
      headersTimeout: timeouts.firstByte * 1000,
      bodyTimeout: timeouts.idle * 1000,
    };
    try {
      this.#route.dispatcher.dispatch(options, this);
    } catch (cause) {
      this.#failWithCause(cause);
    }
  }

  #startTimer(): void {
    const { total } = this.#limits.timeouts;
    const onTimeout = () => this.#handleFailure(totalTimeoutError(this.#request.url, total, this.#status !== 0));
    this.#timer = setTimeout(onTimeout, total * 1000);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) this.#closeConnection();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const received: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers))
      received[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : (value ?? "");
    this.#headers = received;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const room = this.#memory.add(chunk.length);
    if (this.#status >= 400 && this.#size >= MAX_ERROR_BODY) this.#finish(true);
    else if (this.#size > this.#limits.maxBody) this.#fail(tooLargeError(this.#request.url, this.#limits.maxBody));
    else if (room) this.#pauseUntil(room, controller);
  }

  /** Reads on when other calls have made room. The server is not responsible for that time. */
  #pauseUntil(room: Promise<void>, controller: Dispatcher.DispatchController): void {
    controller.pause();
    clearTimeout(this.#timer);
    void room.then(() => {
      if (this.#settled) return;
      this.#startTimer();
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#failWithCause(cause);
  }

  readonly #onAbort = () => this.#fail(toInterruptedError(this.#request.signal));

  #finish(isCut: boolean): void {
    if (!this.#settle()) return;
    if (isCut) this.#closeConnection();
    const { url } = this.#request;
    const [status, headers] = [this.#status, this.#headers];
    const framing = endsWithConnection(headers) ? { endsWithConnection: true } : {};
    const body = this.#body(isCut).finally(() => this.#memory.release());
    this.#outcome.resolve(body.then((content) => ({ url, status, headers, ...framing, ...content })));
  }

  async #body(isCut: boolean): Promise<Pick<HttpResponse, "body" | "bytes">> {
    const { url } = this.#request;
    const chunks = this.#chunks;
    // undici may find out much later that this exchange is over, so its body is released now.
    this.#chunks = [];
    const options: DecompressOptions = {
      url,
      maxBytes: this.#limits.maxBody,
      isPartial: isCut,
      memory: this.#memory,
    };
    try {
      const bytes = await readBody(chunks, this.#headers["content-encoding"], options);
      return decodeBody(bytes, { url, status: this.#status }, this.#request.raw);
    } catch (error) {
      // The status of an error is sufficient; of a body that cannot be decoded nothing is quoted.
      if (this.#status >= 400) return { body: "" };
      throw error;
    }
  }

  #failWithCause(cause: unknown): void {
    const { url } = this.#request;
    const state = { url, timeouts: this.#limits.timeouts, answered: this.#status > 0, proxy: this.#route.proxy };
    this.#handleFailure(toNetworkError(cause, state));
  }

  /** Fails, unless the body of an error response broke off: then the response is complete with what arrived. */
  #handleFailure(error: SolxError): void {
    if (this.#status >= 400 && !(error instanceof InterruptedError)) this.#finish(true);
    else this.#fail(error);
  }

  #fail(error: unknown): void {
    if (!this.#settle()) return;
    this.#memory.release();
    this.#outcome.reject(error);
    this.#closeConnection();
  }

  /** Releases timer and listener. Returns whether this is the first outcome. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
    return true;
  }

  /** Closes the connection, because the rest of the response is not needed. */
  #closeConnection(): void {
    if (this.#controller && !this.#controller.aborted) this.#controller.abort(new Error("The exchange is over."));
  }
}

/** Whether a body has neither a length nor chunks nor a compression that would show where it ends. */
function endsWithConnection(headers: HttpResponse["headers"]): boolean {
  const isFramed = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return !isFramed && !isCompressed(headers["content-encoding"]);
}

interface DecompressOptions {
  readonly url: URL;
  readonly maxBytes: number;
  /** Whether the body was cut off on purpose, so that its beginning is enough. */
  readonly isPartial: boolean;
  readonly memory: ReceivedBytes;
}

const ACCEPTED_ENCODINGS = "gzip, br, deflate";

/** Decompresses a body. @throws ServerError when it is incomplete, too large, or not what its header says */
async function readBody(
  chunks: readonly Buffer[],
  encoding: string | undefined,
  options: DecompressOptions,
): Promise<Buffer> {
  let parts: readonly Buffer[] | AsyncIterable<Buffer> = chunks;
  const encodings = (encoding ?? "").split(",").map((name) => name.trim().toLowerCase());
  for (const name of encodings.filter((each) => !PLAIN.has(each)).toReversed())
    parts = decompress(await concatenate(parts), name, options);
  return concatenate(parts);
}

async function concatenate(parts: readonly Buffer[] | AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  const [first] = all;
  // A copy outside the heap makes V8 collect new objects twice as often.
  return first !== undefined && all.length === 1 ? first : Buffer.concat(all);
}

function isCompressed(encoding = ""): boolean {
  return encoding.split(",").some((name) => !PLAIN.has(name.trim().toLowerCase()));
}

const PLAIN: ReadonlySet<string> = new Set(["", "identity"]);
/** Decompressed bytes that are passed on at a time. */
const PART_BYTES = 65_536;

async function* decompress(bytes: Buffer, encoding: string, options: DecompressOptions): AsyncGenerator<Buffer, void> {
  if (bytes.length === 0) return;
  const zlib = await import("node:zlib");
  const finishFlush = options.isPartial ? zlib.constants.Z_SYNC_FLUSH : zlib.constants.Z_FINISH;
  const limits = { chunkSize: PART_BYTES, finishFlush };
  // Some servers send "deflate" without its zlib header.
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8;
  const decoders: Readonly<Record<string, () => Transform>> = {
    gzip: () => zlib.createGunzip(limits),
    "x-gzip": () => zlib.createGunzip(limits),
    deflate: () => (isZlib ? zlib.createInflate(limits) : zlib.createInflateRaw(limits)),
    br: () => zlib.createBrotliDecompress({ chunkSize: PART_BYTES }),
  };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (!decoder) throw encodingError(options.url, `its encoding "${encoding}" was not requested`);
  try {
    let size = 0;
    for await (const part of decoder.end(bytes)) {
      size += part.length;
      if (size > options.maxBytes) throw tooLargeError(options.url, options.maxBytes);
      await options.memory.add(part.length);
      yield part;
    }
  } catch (cause) {
    throw cause instanceof ServerError ? cause : decodeError(cause, encoding, options);
  }
}

function decodeError(cause: unknown, encoding: string, { url }: DecompressOptions): ServerError {
  const { code } = cause as { readonly code?: string };
  if (code === "Z_BUF_ERROR") return truncatedError(url, cause);
  return encodingError(url, `it is not ${encoding}, although its header says so`, cause);
}

function tooLargeError(url: URL, max: number): ServerError {
  return new ServerError(`The response of ${url.host} is larger than ${Math.round(max / 1_048_576)} MiB.`, {
    code: "TOO_LARGE",
    hint: tellAll(MORE_BYTES, (way) => `Request less at once, or allow more: ${way}`),
  });
}

/** How each reader allows larger answers. */
const MORE_BYTES = {
  command: "solx config set max-answer <MiB>",
  program: "the option maxBody of createClient.",
  tool: "the user sets it in a terminal: solx config set max-answer <MiB>",
} as const;
