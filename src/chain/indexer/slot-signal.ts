/** Waits for new slots: the websocket of a node reports them where it has one, otherwise time passes. */
import type { Socket } from "node:net";
import type { Agent, Dispatcher } from "undici";
import { isObject, type Json, sleep, stringifyJson, tryParseJson } from "../../base/index.ts";

/** How new slots are noticed. */
export interface SlotSignalOptions {
  /** Addresses of the nodes' websockets, tried in turn; without any the node is polled. */
  readonly webSocketUrls?: readonly string[] | undefined;
  /** Opens the connections to one of them; without it the node is polled. */
  readonly openDispatcher?: OpenDispatcher | undefined;
  /** Milliseconds between polls. */
  readonly pollInterval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The limits of messages, and what is called with each socket. */
interface DispatcherOptions extends Pick<Agent.Options, "webSocket"> {
  readonly onSocket: (socket: Socket) => void;
}

type OpenDispatcher = (url: URL, options: DispatcherOptions) => Promise<Dispatcher>;

/** The subscription to slots of a commitment. */
type SubscriptionMethod = "rootSubscribe" | "slotSubscribe";

const DEFAULT_POLL_INTERVAL = 800;
/** How many times longer to wait for a poll while notifications arrive. */
const POLL_FACTOR = 10;
/** Milliseconds before a lost websocket is opened again; they double with each failure. */
const RECONNECT_DELAY = 2000;
const MAX_RECONNECT_DELAY = 60_000;
/** Bytes of a message of a node's websocket, and between two messages; notifications have some hundred. */
const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_FRAGMENTS = 64;

/**
 * Creates what waits for new slots. Failures of a websocket are no errors: the node is polled then, and the next
 * websocket is tried. One that falls silent is replaced too.
 */
export function createSlotSignal(method: SubscriptionMethod, options: SlotSignalOptions) {
  const { webSocketUrls = [], openDispatcher, pollInterval = DEFAULT_POLL_INTERVAL, signal } = options;
  const closing = new AbortController();
  let isSubscribed = false;
  let hasNews = false;
  let wake = () => {};
  const notify = () => {
    [isSubscribed, hasNews] = [true, true];
    wake();
  };
  const subscription =
    webSocketUrls.length > 0 && openDispatcher
      ? keepSubscribed({ urls: webSocketUrls, openDispatcher, method, notify, closing: closing.signal })
      : undefined;
  return {
    /** Waits for a new slot, at most for the polling interval. @throws InterruptedError when the signal fires */
    async wait() {
      const waiting = new AbortController();
      wake = () => waiting.abort();
      const limit = signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal;
      if (!hasNews) {
        const isOver = await sleep(isSubscribed ? pollInterval * POLL_FACTOR : pollInterval, limit).then(
          () => true,
          (error) => {
            if (signal?.aborted) throw error;
            return false;
          },
        );
        if (isOver && isSubscribed) {
          isSubscribed = false;
          subscription?.replace();
        }
      }
      hasNews = false;
    },
    close: () => closing.abort(),
  };
}

/**
 * Keeps a subscription to slots. A peer that does not answer cannot keep the socket open: it is destroyed, and so is one
 * that sends megabytes without a message, such as pings, whose answers would fill the memory.
 */
function keepSubscribed(options: {
  readonly urls: readonly string[];
  readonly openDispatcher: OpenDispatcher;
  readonly method: SubscriptionMethod;
  readonly notify: () => void;
  readonly closing: AbortSignal;
}): { readonly replace: () => void } {
  const { urls, openDispatcher, method, notify, closing } = options;
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
      const isNews = createNewsCheck();
      const count = ({ length }: Buffer) => {
        bytes += length;
        if (bytes > MAX_MESSAGE_BYTES) replace();
      };
      socket.onopen = () => {
        for (const each of sockets) each.on("data", count);
        socket.send(JSON.stringify({ jsonrpc: "2.0", id: REQUEST_ID, method, params: [] }));
      };
      socket.onmessage = ({ data }) => {
        bytes = 0;
        if (!isNews(data)) return;
        failures = 0;
        notify();
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

const REQUEST_ID = 1;

/** Creates what says whether a message is the answer to the request of a subscription, or one of its notifications. */
function createNewsCheck(): (data: unknown) => boolean {
  let subscription: string | undefined;
  return (data) => {
    const message = typeof data === "string" ? tryParseJson(data) : undefined;
    if (!isObject(message)) return false;
    const { id, result, params } = message;
    const subject = textOfId(id === REQUEST_ID ? result : isObject(params) ? params.subscription : undefined);
    // There may have been new slots before the subscription.
    if (id === REQUEST_ID) subscription ??= subject;
    return subject !== undefined && subject === subscription;
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
