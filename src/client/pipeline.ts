/** Everything between a prepared request and its answer: rate limiter, sending with retries, decoding. */
import { RateLimitError, ServerError } from "../base/index.ts";
import { authHeaders, MASK, maskHeaders, maskKey } from "./http/api-key.ts";
import { type Answer, decode, rawAnswer } from "./http/decode.ts";
import type { HttpResponse, Transport } from "./http/message.ts";
import { withRetries } from "./http/retry.ts";
import type { ClientSettings } from "./options.ts";
import type { RateLimiter } from "./rate-limit/limiter.ts";
import type { PreparedRequest } from "./request/prepare.ts";
import { requestUrl } from "./request/url.ts";

/** How one request is sent. */
export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Seconds for one exchange, instead of the client's setting. */
  readonly timeout?: number | undefined;
  /** Interactive requests are sent before background ones. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Milliseconds that the request may wait for its permit; without it, an export waits for the client's `maxWait`. */
  readonly maxWaitMs?: number | undefined;
  /** @deprecated Use `maxWaitMs`. */
  readonly patience?: number | undefined;
  /** Whether the cache is bypassed; the new answer is cached. */
  readonly fresh?: boolean | undefined;
  /** Whether a successful response is returned as bytes, without decoding. */
  readonly raw?: boolean | undefined;
}

/** Sends prepared requests. */
export interface Pipeline {
  readonly limiter: RateLimiter;
  /** @throws a typed error for everything that is not an answer */
  send(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

interface Parts {
  readonly settings: ClientSettings;
  readonly limiter: RateLimiter;
  readonly transport: Transport;
}

/** Creates a pipeline; transport and rate limiter are loaded only where none are given. */
export async function createPipeline(settings: ClientSettings): Promise<Pipeline> {
  const [{ limiter, isOwned }, transport] = await Promise.all([
    openRateLimiter(settings),
    settings.transport ?? import("./http/transport.ts").then(({ createTransport }) => createTransport(settings)),
  ]);
  const parts = { settings, limiter, transport };
  return {
    limiter,
    send: (request, options) => send(parts, request, options),
    async close() {
      if (isOwned) await limiter.close();
      await transport.close();
    },
  };
}

/** Returns the rate limiter, and whether it is closed with the client: a given one may have other users. */
async function openRateLimiter({
  limiter,
  rate,
  unitsPerDay,
}: ClientSettings): Promise<{ limiter: RateLimiter; isOwned: boolean }> {
  if (typeof limiter === "function") return { limiter: await limiter(), isOwned: true };
  if (limiter !== undefined) return { limiter, isOwned: false };
  const { createRateLimiter } = await import("./rate-limit/limiter.ts");
  return { limiter: createRateLimiter({ rate, unitsPerDay }), isOwned: true };
}

async function send(parts: Parts, request: PreparedRequest, options: SendOptions): Promise<Answer> {
  const { settings, limiter } = parts;
  const { key, maxWait, onEvent } = settings;
  try {
    const answer = await withRetries(
      {
        signal: options.signal,
        attempt: async (number, remainingWait) => {
          const response = await sendAttempt(parts, request, options, number, remainingWait);
          return decodeResponse(response, request, settings, options).catch((error) => {
            // Everyone who shares the rate limiter waits as long as the server requests, even if this request is given
            // up.
            const seconds = error instanceof RateLimitError ? error.retryAfter : undefined;
            if (seconds !== undefined) limiter.pause(Math.min(seconds * 1000, maxWait));
            throw error;
          });
        },
        onRetry: ({ error, attempt, delay }) => {
          maskError(error, key);
          if (error instanceof RateLimitError && error.retryAfter === undefined) {
            limiter.pause(Math.min(delay, maxWait));
          }
          onEvent({ type: "retry", error, attempt, seconds: delay / 1000 });
        },
      },
      settings,
    );
    if (!options.raw) await checkSchemaDrift(answer, settings);
    return answer;
  } catch (error) {
    maskError(error, key);
    throw error;
  }
}

/** Runs one attempt: acquires a permit, then sends. */
async function sendAttempt(
  { settings, limiter, transport }: Parts,
  request: PreparedRequest,
  options: SendOptions,
  number: number,
  remainingWait: number,
): Promise<HttpResponse> {
  const { key, keyHeader, baseUrls, userAgent, onEvent, now } = settings;
  const url = requestUrl(request, baseUrls);
  const secret = authHeaders(url, request.family, settings);
  const { signal, priority, timeout, raw } = options;
  const kind = request.endpoint?.returns.shape === "csv" ? "export" : undefined;
  const onWait = (wait: number | undefined) =>
    onEvent({ type: "wait", reason: kind ?? "rate", seconds: wait === undefined ? undefined : wait / 1000 });
  const ends = settings.wait ? (options.maxWaitMs ?? options.patience ?? (kind && remainingWait)) : 0;
  const permit = await limiter.acquire(request.cost, { signal, priority, kind, maxWaitMs: ends, onWait });
  const headers = { accept: "application/json, text/csv;q=0.9, */*;q=0.1", "user-agent": userAgent };
  const hidden = Object.keys(secret).length === 0 ? {} : { [keyHeader]: MASK };
  const address = maskKey(url.href, key);
  onEvent({ type: "request", method: "GET", url: address, headers: { ...headers, ...hidden }, attempt: number });
  const start = now();
  let status: number | undefined;
  const received = await transport
    .send({ url, headers: { ...headers, ...secret }, signal, raw }, timeout)
    .then((answer) => {
      status = answer.status;
      return answer;
    })
    .finally(() => {
      // The API charges successes only. Without a response, it is unknown whether there was one.
      const isFree = status !== undefined && (status < 200 || status >= 300);
      permit.release(isFree);
      settings.onExchange?.({ route: request.endpoint?.route, status, units: isFree ? 0 : request.cost });
    });
  const response = { ...received, headers: maskHeaders(received.headers, key) };
  onEvent({
    type: "response",
    url: address,
    status: response.status,
    headers: response.headers,
    size: response.body.length,
    milliseconds: now() - start,
    attempt: number,
  });
  return response;
}

/** Decodes a cached response as if it had just arrived. */
export async function decodeCached(
  response: HttpResponse,
  request: PreparedRequest,
  settings: ClientSettings,
  options: SendOptions,
): Promise<Answer> {
  const answer = await decodeResponse(response, request, settings, options);
  if (!options.raw) await checkSchemaDrift(answer, settings);
  return answer;
}

/** Decodes a response; a success is left as bytes where those are requested. */
function decodeResponse(
  response: HttpResponse,
  request: PreparedRequest,
  settings: ClientSettings,
  { raw }: SendOptions,
): Promise<Answer> {
  const isSuccess = response.status >= 200 && response.status < 300;
  return raw && isSuccess ? Promise.resolve(rawAnswer(response, request)) : decodeMasked(response, request, settings);
}

/**
 * Decodes a response without changing its data. Errors quote a body in which the key was masked first: in a quotation
 * that is already shortened, a part of the key would not be recognised.
 */
async function decodeMasked(
  response: HttpResponse,
  request: PreparedRequest,
  { key, now }: ClientSettings,
): Promise<Answer> {
  const time = now();
  try {
    return await decode(response, request, time);
  } catch (error) {
    const body = maskKey(response.body, key);
    if (body !== response.body) await decode({ ...response, body }, request, time);
    throw error;
  }
}

async function checkSchemaDrift(answer: Answer, { drift, key, onEvent }: ClientSettings): Promise<void> {
  const { endpoint } = answer.request;
  if (drift === "ignore" || !endpoint) return;
  const { findSchemaDrift } = await import("./http/schema-drift.ts");
  const problems = (await findSchemaDrift(answer)).map((problem) => maskKey(problem, key));
  if (problems.length === 0) return;
  if (drift === "report") return onEvent({ type: "drift", endpoint: endpoint.route, problems });
  throw new ServerError(`The answer does not match the catalogue: ${problems.join("; ")}.`, {
    code: "DRIFT",
    status: answer.status,
    hint: `Without --strict it is printed as it is. To see what is documented: solx docs ${endpoint.route}`,
  });
}

/** Masks the key wherever a server or a library repeated it: in messages, stacks, other properties and causes. */
function maskError(error: unknown, key: string | undefined): void {
  for (let at = error; at instanceof Error; at = at.cause) {
    for (const name of new Set(["message", "stack", ...Object.keys(at)])) {
      const text: unknown = Reflect.get(at, name);
      const hidden = typeof text === "string" ? maskKey(text, key) : text;
      if (hidden !== text) Object.defineProperty(at, name, { value: hidden, configurable: true, writable: true });
    }
  }
}
