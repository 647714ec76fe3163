/** Waits for new slots: a websocket reports them where the node has one, otherwise time passes. */
import { isObject, type Json, parseJson, sleep } from "../../../base/index.ts";
import type { BlockCommitment } from "./read.ts";

/** Reports when a node may have new blocks. */
export interface SlotSignal {
  /** Waits for a new slot, at most for the polling interval. @throws InterruptedError when the signal fires */
  wait(): Promise<void>;
  close(): void;
}

/** Options of {@link createSlotSignal}. */
export interface SlotSignalOptions {
  readonly commitment: BlockCommitment;
  /** Address of the node's websocket; without one the node is polled. */
  readonly webSocketUrl?: string | undefined;
  /** Milliseconds between polls. */
  readonly pollInterval: number;
  readonly signal?: AbortSignal | undefined;
}

/** How many times longer to wait for a poll while notifications arrive. */
const POLL_FACTOR = 10;
/** Milliseconds before a lost websocket is opened again. */
const RECONNECT_DELAY = 2000;

/** Creates a signal. Failures of the websocket are no errors: the node is polled then. */
export function createSlotSignal({ commitment, webSocketUrl, pollInterval, signal }: SlotSignalOptions): SlotSignal {
  const closing = new AbortController();
  let isSubscribed = false;
  let hasNews = false;
  let wake = () => {};
  const notify = () => {
    hasNews = true;
    wake();
  };
  const method = commitment === "finalized" ? "rootSubscribe" : "slotSubscribe";
  const connect = () => {
    if (webSocketUrl === undefined || closing.signal.aborted) return;
    const socket = new WebSocket(webSocketUrl);
    socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }));
    socket.onmessage = ({ data }) => {
      const message = messageOf(data);
      if (!isObject(message)) return;
      if ("result" in message) isSubscribed = true;
      // There may have been new slots before the subscription.
      if ("result" in message || "method" in message) notify();
    };
    socket.onclose = () => {
      isSubscribed = false;
      sleep(RECONNECT_DELAY, closing.signal).then(connect, () => undefined);
    };
    closing.signal.addEventListener("abort", () => socket.close(), { once: true });
  };
  connect();
  return {
    async wait() {
      const waiting = new AbortController();
      wake = () => waiting.abort();
      const limit = signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal;
      if (!hasNews) {
        await sleep(isSubscribed ? pollInterval * POLL_FACTOR : pollInterval, limit).catch((error) => {
          if (signal?.aborted) throw error;
        });
      }
      hasNews = false;
    },
    close: () => closing.abort(),
  };
}

function messageOf(data: unknown): Json | undefined {
  try {
    return typeof data === "string" ? parseJson(data) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the address of the websocket of a node: local validators have it on the next port. */
export function webSocketUrlOf(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (isLoopback && url.port === LOCAL_PORT) url.port = String(Number(LOCAL_PORT) + 1);
  return url.href;
}

const LOCAL_PORT = "8899";
