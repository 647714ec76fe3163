/** One request: how it is sent, and which failures are repeated. */
import { errorMessage, NotFoundError, SolxError } from "../../base/index.ts";
import { type Endpoint, type ParameterValues, positionalOf, returnsList } from "../../catalogue/index.ts";
import type { Answer, ClientCore, SendOptions } from "../../client/index.ts";
import { safeText } from "../../output/index.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";

/** An answer and, for lists, the parameters of the next page. */
export interface QueryResult {
  readonly answer: Answer;
  readonly next: ParameterValues | undefined;
  readonly hasMore: boolean | undefined;
}

/**
 * Sends one request.
 * @throws SolxError
 */
export async function runQuery(
  client: ClientCore,
  { endpoint, params }: EndpointRequest,
  options: SendOptions,
): Promise<QueryResult> {
  if (!returnsList(endpoint) || asksForOne(endpoint, params)) {
    const answer = await client.fetch(endpoint, params, options);
    // Without data a page would describe an entity without properties and activity.
    if (answer.data === null) throw new NotFoundError("The API returned no data for it.");
    return { answer, next: undefined, hasMore: undefined };
  }
  const pages = client.pages(endpoint, params, options);
  try {
    const { value: page } = await pages.next();
    if (!page) throw new SolxError("server", "The API returned no page.");
    return { answer: page.answer, next: page.next && { ...params, ...page.next }, hasMore: page.hasMore };
  } finally {
    await pages.return();
  }
}

/** Returns whether a list is about one identifier: if it is empty, it says by itself that it lacks it. */
function asksForOne(endpoint: Endpoint, params: ParameterValues): boolean {
  const asked = endpoint.isMulti ? params[positionalOf(endpoint)?.[0] ?? ""] : undefined;
  return Array.isArray(asked) && asked.length === 1;
}

const PAGING: readonly (string | undefined)[] = ["page", "size", "offset", "cursor"];

/** Returns a request without its paging parameters. */
export function withoutPage(request: EndpointRequest): EndpointRequest {
  const { query } = request.endpoint;
  const params = Object.entries(request.params).filter(
    ([name, value]) => value !== undefined && !PAGING.includes(query[name]?.role),
  );
  return { ...request, params: Object.fromEntries(params) };
}

/** Converts an error into a SolxError; other errors are bugs. */
export function toSolxError(error: unknown): SolxError {
  if (error instanceof SolxError) return error;
  const message = errorMessage(error);
  return new SolxError("unexpected", `unexpected error: ${message}`, { cause: error });
}

/** Returns the message and hint of an error as safe text. */
export function errorText(error: unknown): string {
  if (error instanceof SolxError) return safeText([error.message, error.hint].filter(Boolean).join(" "));
  return safeText(errorMessage(error));
}

const MAX_RETRIES = 6;
/** First, maximum and minimum delay in milliseconds when the server sends no Retry-After. */
const FIRST_DELAY = 15_000;
const MAX_DELAY = 600_000;
const MIN_DELAY = 1000;

/**
 * Returns the milliseconds until a failed request is retried automatically, with exponential backoff; undefined when it is
 * not: only rate limits and failures with Retry-After are retried.
 * @param failures failures in a row, this one included
 */
export function retryDelay(error: SolxError, failures: number): number | undefined {
  const requested = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
  const isRateLimited = error.exit === "rateLimited" || (requested !== undefined && error.retryable);
  if (!isRateLimited || failures > MAX_RETRIES) return undefined;
  const longer = (requested ?? FIRST_DELAY) * 2 ** (failures - 1);
  return Math.max(MIN_DELAY, requested ?? 0, Math.min(longer, MAX_DELAY));
}

/** Failures that the same request meets again. */
const PERMANENT: ReadonlySet<string> = new Set(["usage", "auth", "permission", "notFound", "quota", "unexpected"]);

/** Returns whether a failed request is sent again only on request. */
export function isPermanent({ exit }: SolxError): boolean {
  return PERMANENT.has(exit);
}
