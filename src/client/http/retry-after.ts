/** When to try again: from the answer's `Retry-After`, else by backing off. Pure: clock and dice are parameters. */

/** The least wait before a second try, whatever the server says: one that says 0 means "soon", not "hammer me". */
const FLOOR_MS = 1000;
/** The first wait of our own. */
const BASE_MS = 1000;
/** The greatest wait of our own. */
const CAP_MS = 30_000;

/** The obsolete form of a HTTP date without a zone: `Sun Nov  6 08:49:37 1994`. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;
const HTTP_DATE = /^[A-Z][a-z]+, .*GMT$/;

/**
 * Seconds that a `Retry-After` header asks to wait: a number of seconds or a HTTP date (RFC 9110, 10.2.3). A negative
 * number or a date that is past is 0; a malformed header says nothing.
 * @param now milliseconds since the epoch
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text));
  if (!HTTP_DATE.test(text) && !ASCTIME.test(text)) return undefined;
  const date = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/**
 * Milliseconds to wait before the next try. What the server asks for is kept to (without jitter), but not below a
 * floor that doubles with each try; without it the wait doubles from a second, with jitter, up to half a minute.
 * @param failed how many tries have failed, from 1
 * @param random between 0 and 1
 */
export function retryDelay(failed: number, retryAfter: number | undefined, random: number): number {
  const doubled = 2 ** (failed - 1);
  if (retryAfter !== undefined) return Math.max(Math.ceil(retryAfter * 1000), Math.min(CAP_MS, FLOOR_MS * doubled));
  return Math.round(Math.min(CAP_MS, BASE_MS * doubled) * (0.5 + random / 2));
}
