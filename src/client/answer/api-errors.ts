/** Error responses: the API's error shapes, error pages of gateways, and the SolxError that each one means. */
import {
  AuthError,
  type ErrorDetails,
  type Hints,
  IncompleteError,
  isArray,
  isObject,
  type Json,
  NetworkError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  type SolxError,
  stringifyJson,
  toNumber,
  UsageError,
  waitHints,
} from "../../base/index.ts";
import { type Endpoint, PASS_KEY, STATUSES } from "../../catalogue/index.ts";
import { displayText, excerpt } from "../text.ts";

/** What an error response says. */
export interface ErrorResponse {
  /** The HTTP status; for an error with status 200, the status that the API's code stands for. */
  readonly status: number;
  readonly code?: number | string | undefined;
  readonly message?: string | undefined;
  /** Seconds to wait before a retry, as the server requests. */
  readonly retryAfter?: number | undefined;
  readonly isPage?: boolean;
  /** Why the source cannot answer in full, where that is not the fault of the request. */
  readonly incomplete?: string | undefined;
  /** Whether the page is that of a firewall, which refuses the request or asks for a browser. */
  readonly isBlocked?: boolean;
}

type ErrorClass = new (message: string, details?: ErrorDetails) => SolxError;

interface ErrorKind {
  readonly class: ErrorClass;
  readonly hint?: string | Hints;
  /** Precedes the server's message. */
  readonly lead?: string;
}

const USAGE: ErrorKind = { class: UsageError };
const INCOMPLETE: ErrorKind = { class: IncompleteError };
const AUTH: ErrorKind = {
  class: AuthError,
  lead: "Authentication failed",
  hint: { command: "Save a valid API key: solx auth login. Or set SOLX_API_KEY.", ...PASS_KEY },
};
const PERMISSION: ErrorKind = {
  class: PermissionError,
  lead: "The API key does not permit this",
  hint: "The plan of the key does not include it: compare the plans of the API, or use a key with another plan.",
};
const NOT_FOUND: ErrorKind = { class: NotFoundError };
const RATE: ErrorKind = { class: RateLimitError };
const QUOTA: ErrorKind = {
  class: QuotaError,
  hint: "Compute units are renewed with the next billing period; another key has its own.",
};
const SERVER: ErrorKind = { class: ServerError, lead: "The API failed", hint: "Try again later." };
const PROXY: ErrorKind = {
  class: NetworkError,
  lead: "The proxy requires a user name and a password",
  hint: "Add them to the variable: HTTPS_PROXY=http://user:password@host:port",
};

/** What each status means. Other 4xx statuses are usage errors, everything else is a server error. */
const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: AUTH,
  402: QUOTA,
  403: PERMISSION,
  404: NOT_FOUND,
  407: PROXY,
  408: SERVER,
  410: NOT_FOUND,
  425: SERVER,
  429: RATE,
  451: PERMISSION,
};

/** Messages that say that units are spent, as opposed to too many requests or a plan that is too small. */
const UNITS = /compute units?|\bcus?\b|quota|credits?/i;
const SPENT =
  /exceed|exhaust|used up|\bspent\b|(run|ran) out|insufficient|not enough|no more|limit reached|reached .*limit|\bno\b.*\b(left|remain)|\b0 (left|remain)/i;
const RATE_LIMIT = /per[ -](second|minute)|rate.?limit/i;

function areUnitsSpent(message: string): boolean {
  return UNITS.test(message) && SPENT.test(message) && !RATE_LIMIT.test(message);
}

/** Returns the SolxError of an error response. */
export function toApiError(response: ErrorResponse, endpoint?: Endpoint): SolxError {
  const kind = kindOf(response, endpoint);
  const { status, retryAfter, isPage = false } = response;
  const hint = hintOf(kind, response);
  return new kind.class(messageOf(kind, response), {
    code: response.code ?? (isPage ? "HTML" : status),
    status,
    ...(status >= 500 && kind !== PERMISSION ? { retryable: true } : {}),
    retryAfter,
    hint,
  });
}

function kindOf({ status, message = "", isBlocked, incomplete }: ErrorResponse, endpoint?: Endpoint): ErrorKind {
  if (incomplete !== undefined) return INCOMPLETE;
  // Whatever its status means for the endpoint, a firewall refuses the next attempt as well.
  if (isBlocked) return PERMISSION;
  if ([402, 403, 429].includes(status) && areUnitsSpent(message)) return QUOTA;
  if (endpoint?.statuses?.[status] === "rateLimited") return RATE;
  // The usage endpoint answers an invalid key with 400 (specification §8).
  if (status === 400 && /^invalid token\.?$/i.test(message)) return AUTH;
  const known = KINDS[status];
  if (known) return known;
  return status >= 400 && status < 500 ? USAGE : SERVER;
}

function messageOf({ lead }: ErrorKind, { status, message, isPage }: ErrorResponse): string {
  const standard = (STATUSES as Readonly<Record<number, string>>)[status];
  const text = message === undefined || message === "" ? (standard ?? `HTTP status ${status}`) : message;
  if (lead === undefined || isPage || text.toLowerCase() === lead.toLowerCase()) return text;
  return status >= 500 ? `${lead} (${status}): ${text}` : `${lead}: ${text}`;
}

function hintOf(kind: ErrorKind, { isPage, retryAfter }: ErrorResponse): string | Hints | undefined {
  if (isPage && kind === PERMISSION) return "A firewall refused the request: try later or from another network.";
  if (isPage && kind === NOT_FOUND) return "Check the base URL: this is not an answer of the API.";
  if (kind !== RATE) return kind.hint;
  const text =
    retryAfter === undefined
      ? "Wait a minute. If this happens often, set the plan of the key: solx config set plan <name>"
      : `Try again in ${Math.ceil(retryAfter)} s.`;
  return waitHints(retryAfter, text);
}

/**
 * Returns the error for a requested thing that the API has no data for: it answers with an empty object, or omits the
 * thing from a list, and says neither why nor with an error status.
 * @param source what answered
 */
export function noDataError(id: string, details: ErrorDetails, source = "The API"): NotFoundError {
  // A signature is longer than displayed values, but can be copied whole.
  const name = /^\w{1,88}$/.test(id) ? id : displayText(id);
  return new NotFoundError(`${source} has no data for ${name}.`, details);
}

/** Parses a JSON body in any error shape of the API or of a gateway; returns undefined for other values. */
export function parseErrorBody(value: Json): Pick<ErrorResponse, "code" | "message"> | undefined {
  if (!isObject(value)) return undefined;
  const { errors, error } = value;
  const inner = [errors, isArray(errors) ? errors[0] : undefined, error].find((part) => isObject(part));
  const texts = [inner?.message, value.error_message, value.message, errors, error];
  const message = texts.find((text) => text !== undefined && text !== null && !isObject(text));
  const code = parseCode(inner?.code ?? value.code) ?? statusCode(value.statusCode) ?? statusCode(value.status);
  if (message === undefined && code === undefined) return undefined;
  return { code, message: message === undefined ? undefined : excerpt(messageText(message)) };
}

function statusCode(value: Json | undefined): number | undefined {
  return typeof value === "number" && value >= 400 && value <= 599 ? value : undefined;
}

function parseCode(code: Json | undefined): number | string | undefined {
  if (typeof code === "string" && code !== "") return /^\d{1,9}$/.test(code) ? Number(code) : excerpt(code);
  const number = toNumber(code);
  return Number.isFinite(number) ? number : undefined;
}

function messageText(message: Json): string {
  return typeof message === "string" ? message : stringifyJson(message);
}

/** Returns the status that a code of the API is or stands for; other codes are server errors. */
export function statusForCode(code: number | string | undefined): number {
  if (typeof code !== "number") return 500;
  if (code >= 400 && code <= 599) return code;
  return code >= 1000 && code < 2000 ? 400 : 500;
}
