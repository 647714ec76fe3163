/** Waits for new slots: the websocket of a node reports them where it has one, otherwise time passes. */
import { sleep } from "../../base/index.ts";
import { keepSubscribed, type OpenDispatcher } from "./subscriptions.ts";

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

/** The subscription to slots of a commitment. */
type SubscriptionMethod = "rootSubscribe" | "slotSubscribe";

const DEFAULT_POLL_INTERVAL = 800;
/** How many times longer to wait for a poll while notifications arrive. */
const POLL_FACTOR = 10;

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
      ? keepSubscribed({
          ...{ urls: webSocketUrls, openDispatcher, requests: [{ method, params: [] }], notify },
          closing: closing.signal,
        })
      : undefined;
  return {
    /** Ends a wait: there is a new slot. */
    notify,
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
