/** Responses of a server with what their headers say about time, and the answers that they are decoded to. */
import { formatSpan, type Hints, type Json, ServerError } from "../../base/index.ts";
import type { Coverage, ValueType } from "../../catalogue/index.ts";
import type { PreparedRequest } from "../request/prepare.ts";

/** An answer of the API; its values are exact JSON, or in the number mode of a client. */
export interface Answer<Value = Json> {
  /** The request that it answers. */
  readonly request: PreparedRequest;
  /** The HTTP status. */
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. */
  readonly body: string;
  /** What answered, in messages (default: the API). */
  readonly source?: string;
  /** The body as bytes, where they were requested. */
  readonly bytes?: Uint8Array;
  /** The whole answer with `success` and `metadata`; undefined for legacy and CSV answers. */
  readonly envelope: { readonly [key: string]: Value } | undefined;
  /** The API's `data`, a bare answer as a whole, or the rows of a CSV answer with text in every cell. */
  readonly data: Value;
  /** The list in `data`, if there is one. */
  readonly rows: readonly Value[] | undefined;
  /** The field of `data` that contains the rows, where `data` is an object around them. */
  readonly at: string | undefined;
  /** Age in seconds, for an answer from the cache. */
  readonly age?: number;
  /** What it covers, for sources that do not have everything. */
  readonly coverage?: Coverage;
}

/** A response with its decompressed body. */
export interface HttpResponse {
  /** What answered, in messages (default: the API). */
  readonly source?: string | undefined;
  /** What to do about things of which it has no data, by their types. */
  readonly lacks?: Readonly<Partial<Record<ValueType, Hints>>> | undefined;
  /** Where the request was sent. */
  readonly url: URL;
  /** The HTTP status. */
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** The body as bytes, where requested. */
  readonly bytes?: Uint8Array;
  /** Whether only the end of the connection ended the body, so that nothing shows whether it is complete. */
  readonly endsWithConnection?: boolean;
}

/** Whether a text begins as JSON does and lacks its end. */
export const isCutJson = (text: string): boolean => /^[{[]/.test(text) && !/[}\]]$/.test(text);

/** Returns the error for a response that ended early. */
export function truncatedError(url: URL, cause?: unknown): ServerError {
  return new ServerError(`Incomplete response: ${url.host} closed the connection before its end.`, {
    code: "TRUNCATED",
    retryable: true,
    hint: "Try again, or request less at once.",
    cause,
  });
}

/** Returns the error for a response that is too large for memory once it is parsed. */
export const tooManyValuesError = (cause: RangeError): ServerError =>
  new ServerError(cause.message, { code: "TOO_LARGE", hint: "Request less at once.", cause });

/** The obsolete form of an HTTP date without a time zone: `Sun Nov  6 08:49:37 1994`. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;
const HTTP_DATE = /^[A-Z][a-z]+, .*GMT$/;

/**
 * Parses the `Retry-After` header of a response to seconds: a number of seconds or an HTTP date (RFC 9110, section
 * 10.2.3). A negative number or a past date is 0; a malformed header is ignored. A date is compared with the `Date` of
 * the response, because the clock of this machine may be wrong.
 * @param now milliseconds since the epoch, for a response without `Date`
 */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text));
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, (date - (parseHttpDate(headers.date) ?? now)) / 1000);
}

/** Parses an HTTP date to milliseconds since the epoch; undefined for other text. */
function parseHttpDate(header: string | undefined): number | undefined {
  const text = header?.trim() ?? "";
  if (!HTTP_DATE.test(text) && !ASCTIME.test(text)) return undefined;
  const date = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : date;
}

type Headers = HttpResponse["headers"];

/** A response, and when it was requested and received by the local clock, in milliseconds since the epoch. */
interface TimedResponse {
  readonly headers: Headers | undefined;
  readonly sent: number;
  readonly received: number;
}

/** Clock differences in seconds: smaller ones are tolerable, larger ones make time ranges wrong, severe ones TLS too. */
export const SKEW_SECONDS = { tolerable: 5, severe: 300 } as const;

/**
 * Returns when a response was received, by the clock of its server, in milliseconds since the epoch; undefined without
 * a `Date` header. The header is truncated to seconds; `Age` is the time that the response spent in caches.
 */
export function serverTime(headers: Headers | undefined): number | undefined {
  const date = Date.parse(headers?.date ?? "");
  const age = Number(headers?.age ?? 0) || 0;
  return Number.isNaN(date) ? undefined : date + age * 1000;
}

/** Returns how many seconds the local clock is ahead of the server; undefined without a `Date` header. */
export function measureSkew({ headers, sent, received }: TimedResponse): number | undefined {
  const time = serverTime(headers);
  if (time === undefined) return undefined;
  // The response was created at an unknown time during the exchange: a difference within it counts as none. The header
  // is truncated by half a second on average.
  const [earliest, latest] = [sent - 1000 - time, received - time];
  return earliest > 0 ? earliest / 1000 : latest < 0 ? latest / 1000 : 0;
}

/** Formats a clock difference: `2 h 5 min ahead of`, `40 s behind`. */
export function formatSkew(skew: number): string {
  return `${formatSpan(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"}`;
}
