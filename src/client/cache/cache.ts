/**
 * The cache of answers. How long an answer is fresh depends on its content, so the cache works on decoded answers, in
 * front of the rate limiter. Failures are never stored.
 */
import { appendHint, FILL_CACHE, isObject, type Json, NetworkError, sha256, throwIfAborted } from "../../base/index.ts";
import { CACHE_KINDS, type CacheKind, type CachePolicy, MAX_CACHE_SECONDS } from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { decode, isNothing, rawAnswer } from "../answer/decode.ts";
import type { CacheOptions, ClientEvent } from "../options.ts";
import type { PreparedRequest } from "../request/prepare.ts";
import { isLoopback, requestUrl } from "../request/url.ts";
import type { Send, SendOptions, Source } from "../source.ts";
import { durationText } from "../text.ts";
import { AnswerStore, type CachedAnswer, packBody, unpackBody } from "./answer-store.ts";

/** What a cache depends on. */
interface CacheParts {
  readonly options: CacheOptions;
  readonly source: Pick<Source, "facts" | "mask">;
  readonly now: () => number;
  readonly onEvent: (event: ClientEvent) => void;
  /** Sends what is not in the cache. */
  readonly send: Send;
  /** Checks an answer from the cache, as new ones are checked. @throws where it is refused */
  readonly check: (answer: Answer, options: SendOptions) => Promise<Answer>;
}

/** Seconds after which a block is final: the chain needs about 13 to finalize one. */
const FINAL_AFTER_SECONDS = 600;

interface CacheHit {
  readonly cached: CachedAnswer;
  /** Seconds. */
  readonly age: number;
}

/** Sends requests, or answers them from the cache. */
export class Cache {
  readonly #store: AnswerStore;
  readonly #parts: CacheParts;
  readonly #now: () => number;

  constructor(parts: CacheParts) {
    const { options, now, onEvent } = parts;
    this.#parts = parts;
    this.#now = options.now ?? now;
    this.#store = new AnswerStore(options.file, onEvent);
  }

  async send(request: PreparedRequest, options: SendOptions): Promise<Answer> {
    throwIfAborted(options.signal);
    const { options: cache, now } = this.#parts;
    const id = this.#idOf(request);
    if (cache.mode === "offline") return await this.#offline(id, request, options);
    const mayFind = cache.mode !== "refresh" && mayBeCached(request, options) && !this.#isLocal(request);
    const hit = mayFind ? this.#find(id()) : undefined;
    const answer = hit && this.#isFresh(hit) ? await this.#open(hit, request, options) : undefined;
    if (answer) return answer;
    const fresh = await this.#sent(id, request, options);
    const kind = options.raw ? "never" : cacheKindOf(fresh, now());
    if (shouldStore(kind, request, options)) {
      await this.#keep(id(), kind, fresh);
    }
    return fresh;
  }

  close(): void {
    this.#store.close();
  }

  #urlOf(request: PreparedRequest): URL {
    return requestUrl(request, this.#parts.source.facts.baseUrls);
  }

  #isLocal(request: PreparedRequest): boolean {
    return this.#parts.options.local !== true && isLoopback(this.#urlOf(request).hostname);
  }

  /** Returns the id under which an answer is stored. It is computed on demand, because a digest is not cheap. */
  #idOf(request: PreparedRequest): () => string {
    let id: string | undefined;
    return () => {
      id ??= sha256(`${this.#parts.source.facts.owner}\nGET ${this.#urlOf(request).href}`);
      return id;
    };
  }

  async #offline(id: () => string, request: PreparedRequest, options: SendOptions): Promise<Answer> {
    const policy = cachePolicyOf(request);
    const hit = policy === "never" ? undefined : this.#find(id());
    const answer = hit && (await this.#open(hit, request, options));
    if (answer) return answer;
    throw offlineError(policy);
  }

  /** Sends a request. When the network fails, the error mentions an answer in the cache. */
  async #sent(id: () => string, request: PreparedRequest, options: SendOptions): Promise<Answer> {
    try {
      return await this.#parts.send(request, options);
    } catch (error) {
      const hit = error instanceof NetworkError && cachePolicyOf(request) !== "never" ? this.#find(id()) : undefined;
      throw hit ? withOfflineHint(error as NetworkError, hit.age) : error;
    }
  }

  #find(id: string): CacheHit | undefined {
    const cached = this.#store.get(id);
    const age = cached ? (this.#now() - cached.at) / 1000 : 0;
    return cached && age <= MAX_CACHE_SECONDS ? { cached, age: Math.max(0, Math.floor(age)) } : undefined;
  }

  #isFresh({ cached }: CacheHit): boolean {
    const age = this.#now() - cached.at;
    // A time in the future means that the clock was set back since. The kind in the file may be that of another
    // version.
    return age >= 0 && age < (CACHE_KINDS[cached.kind]?.seconds ?? 0) * 1000;
  }

  /** Returns the answer of a hit; undefined when it cannot be decoded. */
  async #open({ cached, age }: CacheHit, request: PreparedRequest, options: SendOptions): Promise<Answer | undefined> {
    const { source, onEvent, check, now } = this.#parts;
    const { status, headers } = cached;
    const url = this.#urlOf(request);
    let answer: Answer;
    try {
      const bytes = await unpackBody(cached);
      const response = { url, status, headers, bytes, body: bytes.toString() };
      const decoded = options.raw ? rawAnswer(response, request) : await decode(response, request, now());
      answer = { ...decoded, age };
    } catch {
      return undefined;
    }
    await check(answer, options);
    onEvent({ type: "cached", url: source.mask(url.href), age });
    return answer;
  }

  /** Stores an answer, unless it is large or contains the key, which is never written to a file. Cookies are not stored. */
  async #keep(id: string, kind: CacheKind, { status, body, headers }: Answer): Promise<void> {
    const { "set-cookie": _, ...kept } = headers;
    if (body.length > this.#store.maxBody || this.#parts.source.mask(body) !== body) return;
    const stored = await packBody(body);
    this.#store.set(id, { kind, at: this.#now(), status, headers: kept, ...stored });
  }
}

const cachePolicyOf = ({ endpoint }: PreparedRequest): CachePolicy => endpoint?.cachePolicy ?? "live";

/** Whether a bulk job reads pages of a list that changes: mixing cached pages with new ones would lose rows. */
function isMovingList({ endpoint }: PreparedRequest, { priority }: SendOptions): boolean {
  return (
    priority === "background" &&
    endpoint !== undefined &&
    endpoint.paging !== "none" &&
    endpoint.cachePolicy !== "final"
  );
}

function mayBeCached(request: PreparedRequest, options: SendOptions): boolean {
  const policy = cachePolicyOf(request);
  const isAllowed = options.raw !== true && options.fresh !== true && !isMovingList(request, options);
  return policy !== "never" && policy !== "live" && isAllowed;
}

/** Whether to store an answer. Bulk jobs only store what later runs can use. */
function shouldStore(kind: CachePolicy, request: PreparedRequest, options: SendOptions): kind is CacheKind {
  if (kind === "never" || isMovingList(request, options)) return false;
  return options.priority !== "background" || kind === "final" || kind === "metadata";
}

/**
 * Returns the kind under which an answer is stored; what the chain may still change is live.
 * @param now milliseconds since the epoch, by the clock of the chain
 */
function cacheKindOf({ request, data, rows }: Answer, now: number): CachePolicy {
  const { endpoint, cost } = request;
  const policy = cachePolicyOf(request);
  // What does not exist yet may exist later.
  if (policy !== "never" && rows === undefined && isNothing(data)) return "live";
  if (policy !== "final" || !endpoint) return policy;
  const items = rows ?? [data];
  // Items that do not exist yet may exist later.
  const isWhole = endpoint.cost.per === "request" || items.length >= cost / endpoint.cost.units;
  return isWhole && items.length > 0 && items.every((item) => isFinal(item, now / 1000)) ? "final" : "live";
}

/** Whether the chain cannot change an item anymore: it is marked as finalized, or it is old. */
function isFinal(item: Json, seconds: number): boolean {
  if (!isObject(item)) return false;
  const { tx_status: status, confirmations, result } = item;
  if (status === "finalized" || (status === undefined && confirmations === null)) return true;
  // Legacy answers have the block in a field.
  const block = isObject(result) ? result : item;
  const time = block.block_time ?? block.blockTime;
  return typeof time === "number" && time > 0 && seconds - time > FINAL_AFTER_SECONDS;
}

function withOfflineHint(error: NetworkError, age: number): NetworkError {
  const { message, code, retryable, cause } = error;
  const command = `--cache only prints the answer cached ${durationText(age)} ago.`;
  return new NetworkError(message, { code, retryable, hint: appendHint(error, { command }), cause });
}

function offlineError(policy: CachePolicy): NetworkError {
  const isNever = policy === "never";
  const reason = isNever ? "Answers of this endpoint are never cached" : "The answer is not cached";
  const hint = isNever ? { command: "Omit --cache only." } : FILL_CACHE;
  return new NetworkError(`${reason}, and only the cache is used.`, { code: "OFFLINE", retryable: false, hint });
}
