/** The header `Retry-After` of a response. */

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
