/** The API over HTTP: permit, sending with retries, decoding. */
import { RateLimitError } from "../../base/index.ts";
import {
  type Answer,
  type BaseUrls,
  decode,
  type Exchange,
  type HttpResponse,
  type PreparedRequest,
  type RateLimiter,
  rawAnswer,
  requestUrl,
  type SendOptions,
  type SharedSettings,
} from "../../client/index.ts";
import { authHeaders, MASK, maskError, maskHeaders, maskKey } from "./http/api-key.ts";
import type { Transport } from "./http/message.ts";
import { withRetries } from "./http/retry.ts";

/** What sends and limits the requests of a source. */
export interface Connection {
  readonly limiter: RateLimiter;
  readonly transport: Transport;
  close(): Promise<void>;
}

interface Parts extends Connection {
  readonly settings: ApiSettings;
}

/** Returns a function that answers requests over a connection. */
export const createApiAnswers =
  (settings: ApiSettings, connection: Connection) =>
  (request: PreparedRequest, options: SendOptions): Promise<Answer> =>
    send({ settings, ...connection }, request, options);

async function send(parts: Parts, request: PreparedRequest, options: SendOptions): Promise<Answer> {
  const { settings, limiter } = parts;
  const { key, maxWait, onEvent } = settings;
  const mask = (text: string) => maskKey(text, key);
  try {
    return await withRetries(
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
        // Machines that cannot reach each other share the limit by estimate, until the API corrects them.
        isUncounted: (error) => error instanceof RateLimitError && limiter.isEstimated?.() === true,
        onRetry: ({ error, attempt, delay }) => {
          maskError(error, mask);
          if (error instanceof RateLimitError && error.retryAfter === undefined) {
            limiter.pause(Math.min(delay, maxWait));
          }
          onEvent({ type: "retry", error, attempt, seconds: delay / 1000 });
          options.onRetry?.(error, delay / 1000);
        },
      },
      settings,
    );
  } catch (error) {
    maskError(error, mask);
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
  const secret = settings.sendsKey ? authHeaders(url, request.family, settings) : {};
  const { signal, priority, timeout, raw } = options;
  const kind = request.endpoint?.returns.shape === "csv" ? "export" : undefined;
  const onWait = (wait: number | undefined) => {
    const seconds = wait === undefined ? undefined : wait / 1000;
    onEvent({ type: "wait", reason: kind ?? "rate", seconds });
    options.onWait?.(seconds);
  };
  const ends = settings.wait ? (options.maxWaitMs ?? (kind && remainingWait)) : 0;
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

/**
 * Decodes a response without changing its data; a success is left as bytes where those are requested. Errors quote a body
 * in which the key was masked first: in a quotation that is already shortened, a part of the key would not be recognised.
 */
async function decodeResponse(
  response: HttpResponse,
  request: PreparedRequest,
  { key, now }: ApiSettings,
  { raw }: SendOptions,
): Promise<Answer> {
  if (raw && response.status >= 200 && response.status < 300) return rawAnswer(response, request);
  const time = now();
  try {
    return await decode(response, request, time);
  } catch (error) {
    const body = maskKey(response.body, key);
    if (body !== response.body) await decode({ ...response, body }, request, time);
    throw error;
  }
}

/** How requests are sent and sent again. */
export interface SendSettings extends SharedSettings {
  /** Attempts after a transient failure. */
  readonly retries: number;
  /** Milliseconds that one request may wait in total. */
  readonly maxWait: number;
  /** Returns a random number between 0 and 1, for the jitter of retries. */
  readonly random: () => number;
  readonly userAgent: string;
  /** Called after every attempt, also after failed ones. */
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/** The settings of the API. */
export interface ApiSettings extends SendSettings {
  readonly key: string | undefined;
  readonly keyHeader: string;
  readonly baseUrls: BaseUrls;
  /** Whether the key is sent; recordings need none. */
  readonly sendsKey: boolean;
}
