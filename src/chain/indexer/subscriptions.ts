/** Subscriptions over the websocket of a node: they tell that something happened, and never what. */
import type { Socket } from "node:net";
import type { Agent, Dispatcher } from "undici";
import { isObject, type Json, sleep, stringifyJson, tryParseJson } from "../../base/index.ts";
import type { RpcCall } from "../solana/index.ts";

/** The limits of messages, and what is called with each socket. */
interface DispatcherOptions extends Pick<Agent.Options, "webSocket"> {
  readonly onSocket: (socket: Socket) => void;
}

/** Opens the connections to a websocket. */
export type OpenDispatcher = (url: URL, options: DispatcherOptions) => Promise<Dispatcher>;

/** Milliseconds before a lost websocket is opened again; they double with each failure. */
const RECONNECT_DELAY = 2000;
const MAX_RECONNECT_DELAY = 60_000;
/** Bytes of a message of a node's websocket, and between two messages; notifications have some hundred. */
const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_FRAGMENTS = 64;
/** Milliseconds of silence after which the system asks whether the peer still exists. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Keeps subscriptions. A peer that does not answer cannot keep the socket open: it is destroyed, and so is one that sends
 * megabytes without a message, such as pings, whose answers would fill the memory.
 */
export function keepSubscribed(options: {
  /** Addresses of websockets, tried in turn. */
  readonly urls: readonly string[];
  readonly openDispatcher: OpenDispatcher;
  readonly requests: readonly RpcCall[];
  /** Called when a request was accepted, since something may have happened before, and for each of its notifications. */
  readonly notify: (at: number) => void;
  readonly closing: AbortSignal;
}): { readonly replace: () => void } {
  const { urls, openDispatcher, requests, notify, closing } = options;
  let replace = () => {};
  let failures = 0;
  const stayConnected = async (): Promise<void> => {
    const { WebSocket } = await import("undici/lib/web/websocket/websocket.js");
    for (let attempt = 0; !closing.aborted; attempt++) {
      const sockets = new Set<Socket>();
      const url = new URL(String(urls[attempt % urls.length]));
      const dispatcher = await openDispatcher(url, {
        webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES, maxFragments: MAX_FRAGMENTS },
        onSocket: (each) => sockets.add(each),
      });
      const closed = Promise.withResolvers<void>();
      const socket = new WebSocket(url, { dispatcher });
      let bytes = 0;
      const findRequest = createFinder(requests.length);
      const count = ({ length }: Buffer) => {
        bytes += length;
        if (bytes > MAX_MESSAGE_BYTES) replace();
      };
      socket.onopen = () => {
        for (const each of sockets) each.on("data", count).setKeepAlive(true, KEEP_ALIVE_MS);
        for (const [at, request] of requests.entries())
          socket.send(stringifyJson({ jsonrpc: "2.0", id: at + 1, ...request }));
      };
      socket.onmessage = ({ data }) => {
        bytes = 0;
        const at = findRequest(data);
        if (at === undefined) return;
        failures = 0;
        notify(at);
      };
      socket.onclose = () => closed.resolve();
      replace = () => closed.resolve();
      closing.addEventListener("abort", replace, { once: true });
      await closed.promise;
      closing.removeEventListener("abort", replace);
      socket.onclose = null;
      for (const each of sockets) each.destroy();
      await dispatcher.destroy();
      await sleep(Math.min(MAX_RECONNECT_DELAY, RECONNECT_DELAY * 2 ** Math.min(failures++, 8)), closing);
    }
  };
  // It ends when it is closed.
  stayConnected().catch(() => undefined);
  return { replace: () => replace() };
}

/** Creates what finds the request that a message answers first, or is a notification of. */
function createFinder(requests: number): (data: unknown) => number | undefined {
  const found = new Map<string, number>();
  const answered = new Set<number>();
  return (data) => {
    const message = typeof data === "string" ? tryParseJson(data) : undefined;
    if (!isObject(message)) return undefined;
    const { id, result, params } = message;
    const isAnswer = typeof id === "number" && id >= 1 && id <= requests;
    const subscription = textOfId(isAnswer ? result : isObject(params) ? params.subscription : undefined);
    if (subscription === undefined) return undefined;
    if (isAnswer && !answered.has(id)) found.set(subscription, id - 1);
    if (isAnswer) answered.add(id);
    return found.get(subscription);
  };
}

/** Returns the number of a subscription as text: it may have 64 bits. */
const textOfId = (id: Json | undefined): string | undefined => (id == null ? undefined : stringifyJson(id));

/** Returns the address of the websocket of a node: local validators have it on the next port. */
export function webSocketUrlOf(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (isLoopback && url.port === LOCAL_PORT) url.port = String(Number(LOCAL_PORT) + 1);
  return url.href;
}

const LOCAL_PORT = "8899";
