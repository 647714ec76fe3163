/** Everything between a prepared request and its answer: rate limiter, sending with retries, decoding. */
import { isObject, RateLimitError, ServerError, type SolxError } from "../../base/index.ts";
import { positionalOf } from "../../catalogue/index.ts";
import type { NodeConnection } from "../../chain/solana/index.ts";
import { type Answer, type DecodeOptions, decode, rawAnswer } from "../../client/answer/decode.ts";
import type { ClientSettings } from "../../client/options.ts";
import type { PreparedRequest } from "../../client/request/prepare.ts";
import { requestUrl } from "../../client/request/url.ts";
import type { AnswerContext } from "../node/index.ts";
import { authHeaders, MASK, maskError, maskHeaders, maskKey } from "./http/api-key.ts";
import type { HttpResponse, Transport } from "./http/message.ts";
import { withRetries } from "./http/retry.ts";
import type { RateLimiter } from "./rate-limit/limiter.ts";

/** How one request is sent. */
export interface SendOptions {
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
  /**
   * Whether the rows of a list are printed as they were received, where that is possible: those of a whole page then have
   * doubles in place of exact numbers.
   */
  readonly verbatim?: boolean | undefined;
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
}

/** Sends prepared requests. */
export interface Pipeline {
  readonly limiter: RateLimiter;
  /** @throws a typed error for everything that is not an answer */
  send(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** Answers requests from a Solana node. */
export interface NodePipeline extends Pipeline {
  readonly node: NodeConnection;
  /**
   * Returns what the answer to a request depends on, for answers that are read in parts.
   * @throws UsageError or PermissionError for a request that a node cannot answer
   */
  context(request: PreparedRequest, options: SendOptions): AnswerContext;
}

interface Parts {
  readonly settings: ClientSettings;
  readonly limiter: RateLimiter;
  readonly transport: Transport;
}

/** Creates a pipeline; transport and rate limiter are loaded only where none are given. */
export async function createPipeline(settings: ClientSettings): Promise<Pipeline> {
  const [{ limiter, isOwned }, transport] = await Promise.all([openRateLimiter(settings), openTransport(settings)]);
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

/** Returns the transport: recordings, the given one, or the network; its exchanges are recorded if requested. */
export async function openTransport(settings: ClientSettings): Promise<Transport> {
  const transport = await openPlainTransport(settings);
  if (!settings.record) return transport;
  const { createRecordingTransport } = await import("../recording/record.ts");
  return createRecordingTransport(transport, settings, settings.record);
}

async function openPlainTransport(settings: ClientSettings): Promise<Transport> {
  if (settings.replay !== undefined) {
    const { createReplayTransport } = await import("../recording/replay.ts");
    return createReplayTransport(settings.replay, settings);
  }
  if (settings.transport) return settings.transport;
  const { createTransport } = await import("./http/transport.ts");
  return createTransport(settings);
}

/** Returns the rate limiter, and whether it is closed with the client: a given one may have other users. */
export async function openRateLimiter({
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
  const mask = (text: string) => maskKey(text, key);
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
    if (!options.raw) await checkSchemaDrift(answer, settings);
    return answer;
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
  // Recordings need no key.
  const secret = settings.replay === undefined ? authHeaders(url, request.family, settings) : {};
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
  { raw, verbatim }: SendOptions,
): Promise<Answer> {
  const isSuccess = response.status >= 200 && response.status < 300;
  return raw && isSuccess
    ? Promise.resolve(rawAnswer(response, request))
    : decodeMasked(response, request, settings, { verbatim });
}

/**
 * Decodes a response without changing its data. Errors quote a body in which the key was masked first: in a quotation
 * that is already shortened, a part of the key would not be recognised.
 */
async function decodeMasked(
  response: HttpResponse,
  request: PreparedRequest,
  { key, now }: ClientSettings,
  options: DecodeOptions,
): Promise<Answer> {
  const time = now();
  try {
    return await decode(response, request, time, options);
  } catch (error) {
    const body = maskKey(response.body, key);
    if (body !== response.body) await decode({ ...response, body }, request, time);
    throw error;
  }
}

/** Returns the address that an answer about one address is about, where that is not the requested one. */
function findOtherAddress({ data, request: { endpoint, subject } }: Answer): string | undefined {
  if (!isObject(data)) return undefined;
  const [name, param] = (endpoint && positionalOf(endpoint)) ?? [];
  if (name === undefined || param?.type !== "address") return undefined;
  const address = data[name];
  return typeof address === "string" && subject !== undefined && address !== subject ? address : undefined;
}

/**
 * Reports an answer that does not match the catalogue.
 * @throws ServerError (code `DRIFT`) where that is an error
 */
export async function checkSchemaDrift(answer: Answer, { drift, key, node, onEvent }: ClientSettings): Promise<void> {
  const { endpoint } = answer.request;
  const other = findOtherAddress(answer);
  if (other !== undefined) {
    const text = `The answer is about another address than the requested one: ${maskKey(other, key)}`;
    if (drift === "error") throw new ServerError(`${text}.`, { code: "OTHER_ADDRESS", status: answer.status });
    onEvent({ type: "warning", text });
  }
  if (drift === "ignore" || !endpoint) return;
  const { findSchemaDrift } = await import("../../client/answer/schema-drift.ts");
  const all = (await findSchemaDrift(answer)).map((problem) => maskKey(problem, key));
  // What a node does not know is absent.
  const problems = node ? all.filter((problem) => !problem.endsWith("received undefined")) : all;
  if (problems.length === 0) return;
  if (drift === "report") return onEvent({ type: "drift", endpoint: endpoint.route, problems });
  throw new ServerError(`The answer does not match the catalogue: ${problems.join("; ")}.`, {
    code: "DRIFT",
    status: answer.status,
    hint: `Without --strict it is printed as it is. To see what is documented: solx docs ${endpoint.route}`,
  });
}
