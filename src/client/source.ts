/** The interface between a client and whatever answers its requests. */
import type { Hints, SolxError } from "../base/index.ts";
import type { Endpoint, Rate } from "../catalogue/index.ts";
import type { Answer } from "./answer/answer.ts";
import type { Page, ReadOptions } from "./paging/page.ts";
import type { PreparedRequest } from "./request/prepare.ts";
import type { BaseUrls } from "./request/url.ts";

/** Answers the requests of a client. It connects, or opens its files, when it is first asked. */
export interface Source {
  readonly facts: SourceFacts;
  /** Returns how far the source answers an endpoint. */
  supports(endpoint: Endpoint): Support;
  /** @throws a SolxError for everything that is not an answer */
  answer(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  /**
   * Returns the pages of a list that the source reads better by itself; undefined for lists that are read page by page.
   * The pages of such a list are not cached.
   */
  pages?(request: PreparedRequest, options: SendOptions & ReadOptions): AsyncGenerator<Page, void> | undefined;
  /** Masks the secrets of the source in a text that may repeat them. */
  mask(text: string): string;
  /** Returns the rate limiter; undefined before the first request. */
  limiter(): RateLimiter | undefined;
  /** Closes connections and ends waits; requests in flight fail with an InterruptedError. */
  close(): Promise<void>;
}

/** Sends a request and returns its answer. @throws a SolxError for everything that is not an answer */
export type Send = Source["answer"];

/** What holds for the data of a source, known before it is opened. */
export interface DataFacts {
  /** Whose data it is: names, bookmarks and the like of equal scopes belong together. */
  readonly scope: string;
  /** The data in a heading. */
  readonly title: string;
  /** The source in a sentence: `the API`. */
  readonly noun: string;
  /** The cluster that the data is of: a name, or the host of a node; undefined where it may be any or none. */
  readonly cluster: string | undefined;
  /** Whether answers depend on an API key: one that the user has to have, one that is built in, or none. */
  readonly key: "required" | "built-in" | "none";
  /** Whether requests cost compute units. */
  readonly chargesUnits: boolean;
  /** Whether this process answers by itself, without a network. */
  readonly isInProcess: boolean;
  /** Whether it knows prices, and so the values of amounts: fields in US dollars. */
  readonly hasPrices: boolean;
  /** Whether the data is generated: it has a clock of its own. */
  readonly isSimulated: boolean;
  /** Whether fields that the source does not know are absent from its answers. */
  readonly omitsUnknown: boolean;
}

/** What holds for the requests to a source. */
export interface SourceFacts extends DataFacts {
  /** Identifies who is answered, for caches: the account of the key, or the node. Contains no secret. */
  readonly owner: string;
  /** The servers of the families, for URLs. */
  readonly baseUrls: BaseUrls;
  /** Requests that may start in a time; undefined for no limit. */
  readonly rate: Rate | undefined;
}

/** How far a source answers an endpoint. */
export interface Support {
  /** `full` is without prices where the source has none, and without what an answer's coverage names as missing. */
  readonly level: "full" | "partial" | "none";
  /** Paths of fields that the source does not know: they are absent. */
  readonly missing: readonly string[];
  /** Whether each row takes a request to what is behind the source, so that long lists are expensive. */
  readonly isWalk: boolean;
  /** Why it is not answered, and what to use instead. */
  readonly refusal?: {
    readonly code: string;
    readonly reason: string;
    readonly instead: string | Hints;
    /** Whether another choice of the source is missing, rather than something that this source refuses. */
    readonly isUsage: boolean;
  };
}

/** An endpoint that is answered with all of its fields. */
export const FULL_SUPPORT: Support = { level: "full", missing: [], isWalk: false };

/** How one request is sent. */
export interface SendOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds for one exchange, instead of the client's setting. */
  readonly timeout?: number | undefined;
  /** Interactive requests are sent before background ones. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Milliseconds that the request may wait for its permit; without it, an export waits for the client's `maxWait`. */
  readonly maxWaitMs?: number | undefined;
  /** Whether the cache is bypassed; the new answer is cached. */
  readonly fresh?: boolean | undefined;
  /** Whether a successful response is returned as bytes, without decoding. */
  readonly raw?: boolean | undefined;
  /** Called when an attempt failed and is repeated after some seconds. */
  readonly onRetry?: ((error: SolxError, seconds: number) => void) | undefined;
  /** Called when the request has to wait for the rate limit, with the expected seconds, where they are known. */
  readonly onWait?: ((seconds: number | undefined) => void) | undefined;
  /**
   * For answers that a Solana node takes from all transactions of an account: called with the cost, and awaited, before
   * these are read. Its error ends the request.
   */
  readonly beforeWalk?: ((walk: WalkCost) => Promise<void> | void) | undefined;
}

/** What it costs to read the transactions of an account from a node. */
export interface WalkCost {
  /** Transactions that are known so far. */
  readonly signatures: number;
  /** Whether these are all. */
  readonly complete: boolean;
  /** Calls that reading them takes, without those that have no rows. */
  readonly calls: number;
  /** Whether the walk may find token accounts that were closed, with more transactions. */
  readonly mayGrow?: boolean;
}

/** How a request acquires its permit. */
export interface AcquireOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Interactive requests (default) go before background ones, and have a reserved share. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Exports start at least a minute apart. */
  readonly kind?: "export" | undefined;
  /** Milliseconds that the request may wait; without it there is no limit. */
  readonly maxWaitMs?: number | undefined;
  /** Called once when there is a wait, with its milliseconds as far as they are known. */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
}

/** The right to start one request. */
export interface Permit {
  /**
   * To be called when the answer came, or when none will.
   * @param isFree whether the answer says that the request cost nothing; its compute units are given back
   */
  release(isFree?: boolean): void;
}

/** The requests remaining, as last seen. */
export interface RateLimitStatus {
  /** Requests that may start now. */
  readonly requests: number;
  /** Requests allowed in the window. */
  readonly of: number;
  /** Length of the window in seconds. */
  readonly seconds: number;
  /** Compute units spent today (UTC). */
  readonly units?: number;
}

/** Decides when requests may start. */
export interface RateLimiter {
  /**
   * Waits until a request may start.
   * @param cost compute units: they count from now on, whatever becomes of the request
   * @throws InterruptedError when the signal fires or the limiter is closed, RateLimitError when the wait would exceed
   * `maxWait`, QuotaError (code `UNITS_PER_DAY`) when too few units remain today
   */
  acquire(cost: number, options?: AcquireOptions): Promise<Permit>;
  /** Starts no request for a while: the server answered that there were too many. */
  pause(milliseconds: number): void;
  /** Returns what remains; undefined before the first request and without a limit. */
  remaining(): RateLimitStatus | undefined;
  /**
   * Returns whether the server that machines share is lost: each uses an estimate of its share, so an answer that there
   * were too many requests is no reason to give up.
   */
  isEstimated?(): boolean;
  /** Ends all waits, records what is not yet recorded, and closes files, connections and timers. */
  close(): Promise<void>;
}
