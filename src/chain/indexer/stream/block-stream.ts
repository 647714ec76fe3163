/**
 * New blocks by one subscription to a server of Yellowstone gRPC. It is a faster way to blocks that a node has too: what
 * the stream lacks, for whatever reason, is read from the node.
 */
import {
  type ChannelOptions,
  Client,
  credentials,
  logVerbosity,
  Metadata,
  setLogVerbosity,
  status,
} from "@grpc/grpc-js";
import { AuthError, formatSpan, type Json, NetworkError, sleep } from "../../../base/index.ts";
import type { BlockCommitment, BlockStream } from "../block-reader.ts";
import { retryDelay } from "../lasting-connection.ts";
import { toBlockAnswer } from "./convert.ts";
import { BLOCK_HEAD, pongRequest, readMessage, subscribeRequest, UPDATE } from "./messages.ts";

/** A server of Yellowstone gRPC. */
export interface StreamServer {
  /** The host and port, as messages name it. */
  readonly name: string;
  /** Where to connect: the server, or a proxy that {@link channel} describes. */
  readonly target: string;
  readonly isSecure: boolean;
  /** Certificates to trust in PEM form, instead of those of Node. */
  readonly certificates?: string | undefined;
  /** The secret that the server asks for. */
  readonly token?: string | undefined;
  readonly channel?: ChannelOptions | undefined;
  /** What to do when the server does not accept the token, or cannot check it. */
  readonly hint: string;
}

/** Options of {@link openBlockStream}. */
export interface BlockStreamOptions {
  readonly commitment: BlockCommitment;
  /** Called once when the stream is lost, and when it is back. */
  readonly onNote: (text: string) => void;
  /** Milliseconds without a message after which a connection is given up; servers send a ping every ten seconds. */
  readonly silence?: number | undefined;
  /** Milliseconds before the first new connection; they double up to 30 seconds. */
  readonly firstDelay?: number | undefined;
  /** Bytes of blocks that are held for a slow reader. */
  readonly maxBytes?: number | undefined;
}

const METHOD = "/geyser.Geyser/Subscribe";
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** Of a message, and of the blocks that are held: some blocks of mainnet. */
const MAX_BYTES = 64 * 1_048_576;
/** What may be under way: with Node's 64 KiB, a distant server could send no more than some hundred KiB a second. */
const WINDOW_BYTES = 8 * 1_048_576;
/** Milliseconds that a block may arrive later than the node lists it, and slots that it may be ahead. */
const MAX_WAIT_MS = 1000;
const MAX_AHEAD = 32;

/**
 * Subscribes to the blocks of a commitment, until it is closed. A lost connection is opened again.
 * @throws AuthError when the server does not accept the token at first
 */
export async function openBlockStream(server: StreamServer, options: BlockStreamOptions): Promise<BlockStream> {
  const stream = new Subscription(server, options);
  await stream.opening.promise;
  return stream;
}

/**
 * Subscribes once, to find out whether a server accepts the token.
 * @throws AuthError when it does not; NetworkError when the subscription fails for another reason
 */
export async function checkStreamToken(server: StreamServer, signal: AbortSignal): Promise<void> {
  const stream = new Subscription(server, { commitment: "confirmed", onNote: () => {} });
  const stop = () => stream.close();
  signal.addEventListener("abort", stop);
  const problem = await stream.opening.promise.finally(() => {
    signal.removeEventListener("abort", stop);
    stop();
  });
  if (problem === undefined) return;
  const { name, hint } = server;
  throw new NetworkError(`The gRPC server ${name} cannot check the token: ${problem}`, { code: "GRPC", hint });
}

class Subscription implements BlockStream {
  readonly #server: StreamServer;
  readonly #options: BlockStreamOptions;
  readonly #closing = new AbortController();
  /** The first answer of the server, or why there is none. */
  readonly opening = Promise.withResolvers<string | undefined>();
  #isOpened = false;
  /** Blocks as bytes by their slots, the one that arrived first in front. */
  readonly #blocks = new Map<number, Uint8Array>();
  #bytes = 0;
  #latest = 0;
  /** Whether blocks arrive in time, so that the next one is worth a wait. */
  #isLive = false;
  #change = Promise.withResolvers<void>();
  #failures = 0;
  /** When the stream was lost, as far as that was said. */
  #lostAt: number | undefined;
  notify = (): void => {};

  constructor(server: StreamServer, options: BlockStreamOptions) {
    this.#server = server;
    this.#options = options;
    // Messages of the library on stderr would be between those of the program.
    setLogVerbosity(logVerbosity.NONE);
    // It ends when it is closed.
    this.#stayConnected().catch(() => undefined);
  }

  close(): void {
    this.#closing.abort();
  }

  async take(slot: number): Promise<Json | undefined> {
    const deadline = setTimeout(() => this.#wake(false), MAX_WAIT_MS);
    const mayArrive = () => this.#isLive && slot > this.#latest && slot <= this.#latest + MAX_AHEAD;
    while (mayArrive()) await this.#change.promise;
    clearTimeout(deadline);
    const bytes = this.#blocks.get(slot);
    for (const each of this.#blocks.keys()) if (each === slot || each < slot - MAX_AHEAD) this.#drop(each);
    return bytes && toBlockAnswer(bytes);
  }

  async #stayConnected(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const reason = await this.#subscribe();
      if (this.#closing.signal.aborted) break;
      this.#wake(false);
      if (this.#lostAt === undefined) {
        this.#lostAt = performance.now();
        this.#options.onNote(
          `No blocks come from the gRPC server ${this.#server.name}: ${reason}. They are read by RPC until it is back.`,
        );
      }
      await sleep(retryDelay(this.#failures++, this.#options.firstDelay), this.#closing.signal);
    }
  }

  /** Subscribes, and returns why that has ended. */
  async #subscribe(): Promise<string> {
    const { target, isSecure, certificates, token, channel } = this.#server;
    const trust = certificates === undefined ? null : Buffer.from(certificates);
    const client = new Client(target, isSecure ? credentials.createSsl(trust) : credentials.createInsecure(), {
      "grpc.max_receive_message_length": MAX_BYTES,
      "grpc-node.flow_control_window": WINDOW_BYTES,
      "grpc.use_local_subchannel_pool": 1,
      // The proxy is selected as for all other connections.
      "grpc.enable_http_proxy": 0,
      ...channel,
    });
    const metadata = new Metadata();
    if (token !== undefined) metadata.set("x-token", token);
    const asIs = (bytes: Uint8Array) => Buffer.from(bytes);
    const call = client.makeBidiStreamRequest(METHOD, asIs, (bytes) => bytes, metadata);
    const ended = Promise.withResolvers<string>();
    const close = () => ended.resolve("");
    this.#closing.signal.addEventListener("abort", close);
    const { silence = SILENCE_MS } = this.#options;
    const silent = () => ended.resolve(`nothing arrived for ${formatSpan(Math.round(silence / 1000))}`);
    let timer = setTimeout(() => ended.resolve("it does not answer"), CONNECT_MS);
    const heard = () => {
      this.#open();
      clearTimeout(timer);
      timer = setTimeout(silent, silence);
    };
    call.on("metadata", heard);
    call.on("data", (bytes: Uint8Array) => {
      heard();
      if (this.#receive(bytes)) call.write(pongRequest());
    });
    call.on("end", () => ended.resolve("the server has ended it"));
    call.on("error", ({ code, details }: { readonly code: number; readonly details: string }) => {
      const isRefusal = code === status.UNAUTHENTICATED || code === status.PERMISSION_DENIED;
      if (isRefusal && !this.#isOpened) this.#refuse(details);
      ended.resolve(`${details} (${status[code]})`);
    });
    call.write(subscribeRequest(this.#options.commitment));
    const reason = await ended.promise;
    this.#open(reason);
    clearTimeout(timer);
    this.#closing.signal.removeEventListener("abort", close);
    call.cancel();
    client.close();
    return reason;
  }

  #open(problem?: string): void {
    this.#isOpened = true;
    this.opening.resolve(problem);
  }

  /** Gives up: a server that has never accepted a token will not do so later. */
  #refuse(details: string): void {
    const { name, token, hint } = this.#server;
    const problem = token === undefined ? "asks for a token" : "does not accept the token";
    this.opening.reject(new AuthError(`The gRPC server ${name} ${problem}: ${details}`, { code: "GRPC_TOKEN", hint }));
    this.close();
  }

  /** Holds the block of a message. Returns whether the server asks for an answer. */
  #receive(message: Uint8Array): boolean {
    try {
      const { block, ping } = readMessage(UPDATE, message);
      if (block) this.#hold(Number(readMessage(BLOCK_HEAD, block).slot), block);
      return ping !== undefined;
    } catch {
      // What cannot be read is no block.
      return false;
    }
  }

  #hold(slot: number, block: Uint8Array): void {
    this.#drop(slot);
    this.#blocks.set(slot, block);
    this.#bytes += block.length;
    const { maxBytes = MAX_BYTES } = this.#options;
    for (const oldest of this.#blocks.keys()) if (this.#bytes > maxBytes) this.#drop(oldest);
    this.#latest = slot;
    if (this.#lostAt !== undefined) {
      const seconds = Math.round((performance.now() - this.#lostAt) / 1000);
      this.#options.onNote(
        `Blocks come from the gRPC server ${this.#server.name} again, after ${formatSpan(seconds)}.`,
      );
    }
    [this.#failures, this.#lostAt] = [0, undefined];
    this.#wake(true);
    this.notify();
  }

  #drop(slot: number): void {
    this.#bytes -= this.#blocks.get(slot)?.length ?? 0;
    this.#blocks.delete(slot);
  }

  #wake(isLive: boolean): void {
    this.#isLive = isLive;
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
