/**
 * The time of the next attempt: from `Retry-After`, or by exponential backoff. Clock and random numbers are parameters.
 */

/** The minimum wait before the second attempt. A server that requests 0 seconds means "soon", not "immediately". */
const FLOOR_MS = 1000;
/** The first wait of the backoff. */
const BASE_MS = 1000;
/** The maximum wait of the backoff. */
const CAP_MS = 30_000;

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

/**
 * Returns the milliseconds to wait before the next attempt. The server's wait is respected without jitter, but not
 * below a minimum that doubles with each attempt; without it the wait doubles from one second, with jitter, up to 30
 * seconds.
 * @param failed number of failed attempts, from 1
 * @param random between 0 and 1
 */
export function retryDelay(failed: number, retryAfter: number | undefined, random: number): number {
  const doubled = 2 ** (failed - 1);
  if (retryAfter !== undefined) return Math.max(Math.ceil(retryAfter * 1000), Math.min(CAP_MS, FLOOR_MS * doubled));
  return Math.round(Math.min(CAP_MS, BASE_MS * doubled) * (0.5 + random / 2));
}
