/** Faults of nodes and of what stands in front of them. */
import type { Wire } from "./wire.ts";

/** What a node answers instead of the result. */
export interface FaultAnswer {
  /** A JSON-RPC error. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Wire };
  /** The status of the HTTP answer: 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is sent instead of JSON-RPC. */
  readonly body?: string;
}

/** When a fault occurs. */
export interface FaultRule extends FaultAnswer {
  /** The method, or several; all methods by default. */
  readonly method?: string | readonly string[];
  /** How often it occurs: always by default. */
  readonly times?: number;
  /** How many calls succeed first. */
  readonly after?: number;
  /** Milliseconds that an answer takes. Alone, the answer is correct but late. */
  readonly latency?: number;
  /** Changes the result of a call. */
  readonly change?: (result: Wire) => Wire;
  /** Whether the parameters of a call are concerned: all by default. */
  readonly when?: (params: readonly Wire[]) => boolean;
}

const slotError = (code: number, message: string): FaultAnswer => ({ error: { code, message } });

/** The faults that nodes are known for. */
export const FAULTS = {
  /** Rate limit of the public endpoints: status and code 429. */
  rateLimited: (retryAfter = 0): FaultAnswer => ({
    status: 429,
    headers: { "retry-after": String(retryAfter) },
    error: { code: 429, message: "Too many requests for a specific RPC call" },
  }),
  /** Rate limit of a proxy: plain text. */
  rateLimitedPlain: (retryAfter?: number): FaultAnswer => ({
    status: 429,
    headers: { "content-type": "text/plain", ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }) },
    body: "Too Many Requests",
  }),
  forbidden: (): FaultAnswer => ({
    status: 403,
    error: { code: 403, message: "Access forbidden, contact your app developer." },
  }),
  gone: (): FaultAnswer => ({
    status: 410,
    error: { code: 410, message: "The RPC call or parameters have been disabled." },
  }),
  tooLarge: (): FaultAnswer => ({
    status: 413,
    headers: { "content-type": "text/plain" },
    body: "Request entity too large",
  }),
  badGateway: (): FaultAnswer => ({
    status: 502,
    headers: { "content-type": "text/html" },
    body: "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
  }),
  unknownMethod: (): FaultAnswer => slotError(-32601, "Method not found"),
  blockNotAvailable: (slot: number): FaultAnswer => slotError(-32004, `Block not available for slot ${slot}`),
  behind: (slots: number): FaultAnswer => ({
    error: { code: -32005, message: `Node is behind by ${slots} slots`, data: { numSlotsBehind: slots } },
  }),
  slotSkipped: (slot: number): FaultAnswer =>
    slotError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`),
  longTermStorageGap: (slot: number): FaultAnswer =>
    slotError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`),
  excluded: (key: string): FaultAnswer =>
    slotError(-32010, `${key} excluded from account secondary indexes; this RPC method unavailable for key`),
  noHistory: (): FaultAnswer => slotError(-32011, "Transaction history is not available from this node"),
} as const;

/** The faults of a node, newest first. */
export class FaultList {
  #rules: { readonly rule: FaultRule; calls: number; hits: number }[] = [];

  /** Adds a fault; returns a function that removes it. */
  add(rule: FaultRule): () => void {
    const entry = { rule, calls: 0, hits: 0 };
    this.#rules.unshift(entry);
    return () => {
      this.#rules = this.#rules.filter((each) => each !== entry);
    };
  }

  clear(): void {
    this.#rules = [];
  }

  /** Returns the faults that occur in a call: delays, and at most one answer. */
  occurring(method: string, params: readonly Wire[]): FaultRule[] {
    const occurring: FaultRule[] = [];
    for (const entry of this.#rules) {
      const { rule } = entry;
      const methods = rule.method === undefined ? undefined : [rule.method].flat();
      if (methods?.includes(method) === false || rule.when?.(params) === false) continue;
      entry.calls += 1;
      if (entry.calls <= (rule.after ?? 0) || entry.hits >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      entry.hits += 1;
      occurring.push(rule);
      if (isAnswer(rule)) break;
    }
    return occurring;
  }
}

/** Whether a fault replaces the answer. */
export const isAnswer = (rule: FaultRule): boolean =>
  rule.error !== undefined || rule.body !== undefined || rule.status !== undefined;

/** Requests that a node accepts in a window of time; more are answered with 429. */
export interface RateLimit {
  readonly requests: number;
  /** Requests of one method. */
  readonly perMethod?: number;
  readonly seconds: number;
}

/** Counts calls in a sliding window. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #times = new Map<string, number[]>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts a call; returns the seconds until it is allowed, or 0 when it is. */
  wait(method: string, now: number): number {
    const { requests, perMethod = requests, seconds } = this.#limit;
    const windows = [
      ["", requests],
      [method, perMethod],
    ] as const;
    const waits = windows.map(([key, allowed]) => {
      const times = (this.#times.get(key) ?? []).filter((time) => now - time < seconds * 1000);
      this.#times.set(key, times);
      return times.length < allowed ? 0 : Math.max(Math.ceil(seconds - (now - (times[0] ?? now)) / 1000), 1);
    });
    const wait = Math.max(...waits);
    if (wait === 0) for (const [key] of windows) this.#times.get(key)?.push(now);
    return wait;
  }
}
