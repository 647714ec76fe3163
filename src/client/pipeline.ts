/** Budget → send, with retries → decode: everything between a checked request and its answer. */
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
  /** Seconds for one exchange, instead of the client's own. */
  readonly timeout?: number | undefined;
  /** Interactive requests go before those that wait in the background. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Milliseconds that the request waits for its turn at most; without it an export waits for the client's `maxWait`. */
  readonly maxWait?: number | undefined;
  /** Whether an answer that was kept is passed over; what comes is kept in its place. */
  readonly fresh?: boolean | undefined;
  /** Whether a success is handed on as bytes, whatever is in it. */
  readonly raw?: boolean | undefined;
}

/** Sends checked requests. */
export interface Pipeline {
  readonly limiter: RateLimiter;
  /** @throws a typed error for everything that is no answer */
  send(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

interface Parts {
  readonly settings: ClientSettings;
  readonly limiter: RateLimiter;
  readonly transport: Transport;
}

/** Makes a pipeline; connections and a budget of its own are only loaded where none are given. */
export async function createPipeline(settings: ClientSettings): Promise<Pipeline> {
  const [{ budget, isLocal }, transport] = await Promise.all([
    openRateLimiter(settings),
    settings.transport ?? import("./http/transport.ts").then(({ createTransport }) => createTransport(settings)),
  ]);
  const parts = { settings, limiter: budget, transport };
  return {
    limiter: budget,
    send: (request, options) => send(parts, request, options),
    async close() {
      if (isLocal) await budget.close();
      await transport.close();
    },
  };
}

/** The budget, and whether it ends with the client: one that was given as it is may have other users. */
async function openRateLimiter({
  limiter: budget,
  rate,
  unitsPerDay,
}: ClientSettings): Promise<{ budget: RateLimiter; isLocal: boolean }> {
  if (typeof budget === "function") return { budget: await budget(), isLocal: true };
  if (budget !== undefined) return { budget, isLocal: false };
  const { createRateLimiter: createBudget } = await import("./rate-limit/limiter.ts");
  return { budget: createBudget({ rate, unitsPerDay }), isLocal: true };
}

async function send(parts: Parts, request: PreparedRequest, options: SendOptions): Promise<Answer> {
  const { settings, limiter: budget } = parts;
  const { key, maxWait, onEvent } = settings;
  try {
    const answer = await withRetries(
      {
        signal: options.signal,
        attempt: async (number, remainingWait) => {
          const response = await sendAttempt(parts, request, options, number, remainingWait);
          return decodeResponse(response, request, settings, options).catch((error) => {
            // All who share the budget wait as long as the server says, even where this request is given up.
            const seconds = error instanceof RateLimitError ? error.retryAfter : undefined;
            if (seconds !== undefined) budget.pause(Math.min(seconds * 1000, maxWait));
            throw error;
          });
        },
        onRetry: ({ error, attempt: sendAttempt, delay }) => {
          maskError(error, key);
          if (error instanceof RateLimitError && error.retryAfter === undefined) {
            budget.pause(Math.min(delay, maxWait));
          }
          onEvent({ type: "retry", error, attempt: sendAttempt, seconds: delay / 1000 });
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

/** One try: takes its turn, then sends. */
async function sendAttempt(
  { settings, limiter: budget, transport }: Parts,
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
  const ends = settings.wait ? (options.maxWait ?? (kind && remainingWait)) : 0;
  const permit = await budget.acquire(request.cost, { signal, priority, kind, maxWait: ends, onWait });
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
      // The API charges successes only; where no answer came, nobody knows whether there was one.
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

/** Reads a reply that was kept from earlier, as if it had just come. */
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

/** Reads an answer; where bytes are asked for, a success is not looked into. */
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
 * Decodes an answer; its data is what came. What is told of a failure quotes a body in which the key was hidden first:
 * in a quotation that was already shortened, a part of it would no longer be found.
 */
async function decodeMasked(
  response: HttpResponse,
  request: PreparedRequest,
  { key, now }: ClientSettings,
): Promise<Answer> {
  const moment = now();
  try {
    return await decode(response, request, moment);
  } catch (error) {
    const body = maskKey(response.body, key);
    if (body !== response.body) await decode({ ...response, body }, request, moment);
    throw error;
  }
}

async function checkSchemaDrift(answer: Answer, { drift, key, onEvent }: ClientSettings): Promise<void> {
  const { endpoint } = answer.request;
  if (drift === "ignore" || !endpoint) return;
  const { findSchemaDrift: driftOf } = await import("./http/schema-drift.ts");
  const problems = (await driftOf(answer)).map((problem) => maskKey(problem, key));
  if (problems.length === 0) return;
  if (drift === "tell") return onEvent({ type: "drift", endpoint: endpoint.route, problems });
  throw new ServerError(`The answer does not look as documented: ${problems.join("; ")}.`, {
    code: "DRIFT",
    status: answer.status,
    hint: `Without --strict it is shown as it is. What is documented: solx docs ${endpoint.route}`,
  });
}

/** Hides the key where a server or a library repeated it: in messages, stacks, what else an error carries, and causes. */
function maskError(error: unknown, key: string | undefined): void {
  for (let at = error; at instanceof Error; at = at.cause) {
    for (const name of new Set(["message", "stack", ...Object.keys(at)])) {
      const text: unknown = Reflect.get(at, name);
      const hidden = typeof text === "string" ? maskKey(text, key) : text;
      if (hidden !== text) Object.defineProperty(at, name, { value: hidden, configurable: true, writable: true });
    }
  }
}
