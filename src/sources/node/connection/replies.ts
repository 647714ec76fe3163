/** The replies of a node, and its errors: what each JSON-RPC code and HTTP status means, and what to do about it. */
import {
  AuthError,
  type ErrorDetails,
  findRepeatedMember,
  IncompleteError,
  isArray,
  isMissing,
  isObject,
  type Json,
  type JsonObject,
  NotFoundError,
  PermissionError,
  parseJson,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  toNumber,
  UsageError,
} from "../../../base/index.ts";
import { CALL_MISSES, STATUSES } from "../../../catalogue/index.ts";
import {
  excerpt,
  type HttpResponse,
  htmlMessage,
  isCutJson,
  isHtml,
  parseErrorBody,
  retryAfterSeconds,
  tooManyValuesError,
  truncatedError,
} from "../../../client/index.ts";
import { isTransient } from "../../api/index.ts";

/** What a failed call says. */
interface NodeFailure {
  readonly method: string;
  readonly status: number;
  /** The JSON-RPC code; undefined for an error that is not JSON-RPC. */
  readonly code?: number | string | undefined;
  readonly message?: string | undefined;
  /** Seconds to wait before a retry, as the node requests. */
  readonly retryAfter?: number | undefined;
}

interface ErrorKind {
  readonly class: new (message: string, details?: ErrorDetails) => SolxError;
  /** Precedes the node's message; `{method}` and `{node}` are replaced. */
  readonly lead: string;
  readonly hint: string;
  readonly retryable?: boolean;
}

const OTHER_NODE = "Use another node: --rpc <url>";
const ARCHIVE = "Use a node with the complete history (an archive node): --rpc <url>";
const NO_RECORDING = "Record it: the same command with --record <folder>";
const LATER = "Try again in a few seconds, or use another node: --rpc <url>";
const INVALID = "Correct the parameters of the call; the node's message names them.";

const kind = (Class: ErrorKind["class"], lead: string, hint: string): ErrorKind => ({ class: Class, lead, hint });

/** A failure after which the same call may succeed soon. */
const passing = (Class: ErrorKind["class"], lead: string, hint: string): ErrorKind => ({
  ...kind(Class, lead, hint),
  retryable: true,
});
const REFUSED_METHOD = kind(PermissionError, "{node} does not serve {method}", OTHER_NODE);
const RATE = kind(RateLimitError, "Too many requests to {node}", "");
const SKIPPED = kind(
  NotFoundError,
  "There is no block in this slot",
  "The slot was skipped, or this node lacks its history: try a neighbouring slot, or an archive node.",
);
const PRUNED = kind(NotFoundError, "{node} does not have history this old", ARCHIVE);
const INVALID_TRANSACTION = kind(UsageError, "{node} rejects the transaction", INVALID);

const WRONG_PATH = kind(
  ServerError,
  "{node} has no JSON-RPC at this URL",
  "Check the path of the node's URL: it must be the HTTP endpoint of a Solana node.",
);

/** Errors by JSON-RPC code or HTTP status. */
const BY_CODE: Readonly<Record<number, ErrorKind>> = {
  [-32001]: PRUNED,
  [-32002]: kind(UsageError, "The transaction fails in simulation", "Correct the transaction; nothing was sent."),
  [-32003]: INVALID_TRANSACTION,
  [-32004]: passing(
    NotFoundError,
    "{node} has no block for this slot yet",
    "The slot is not confirmed yet or does not exist. Try again shortly, or with a lower commitment: SOLX_COMMITMENT=confirmed",
  ),
  [-32005]: passing(ServerError, "{node} is behind the cluster", LATER),
  [-32006]: INVALID_TRANSACTION,
  [-32007]: SKIPPED,
  [-32008]: kind(NotFoundError, "{node} has no snapshot", OTHER_NODE),
  [-32009]: SKIPPED,
  [-32010]: kind(
    PermissionError,
    "{node} does not list the accounts of this program or mint",
    "Use a node that indexes them, or the API: omit --rpc.",
  ),
  [-32011]: kind(NotFoundError, "{node} has no transaction history", ARCHIVE),
  [-32012]: kind(
    ServerError,
    "{node} gave up listing accounts",
    "Restrict the request, or use another node: --rpc <url>",
  ),
  [-32013]: INVALID_TRANSACTION,
  [-32014]: passing(ServerError, "{node} does not know the status of this block yet", LATER),
  [-32015]: kind(
    ServerError,
    "The transaction has a version that was not requested",
    "This version of solx does not decode it: install the latest version of solx.",
  ),
  [-32016]: passing(ServerError, "{node} has not reached the requested slot", LATER),
  [-32017]: passing(ServerError, "{node} is distributing the rewards of the epoch", "Try again in some minutes."),
  [-32018]: kind(UsageError, "The slot is not the first of an epoch", INVALID),
  [-32019]: passing(ServerError, "{node} cannot reach its long-term storage", LATER),
  [-32020]: kind(NotFoundError, "{node} does not know the transaction to start from", ARCHIVE),
  [-32021]: kind(NotFoundError, "{node} has no history for this slot", ARCHIVE),
  [CALL_MISSES.other]: kind(NotFoundError, "{node} has no recording of this call", NO_RECORDING),
  [CALL_MISSES.otherPage]: kind(IncompleteError, "{node} has no recording of this part of a list", NO_RECORDING),
  [-32600]: kind(UsageError, "{node} rejects the request", INVALID),
  [-32601]: REFUSED_METHOD,
  [-32602]: kind(UsageError, "{node} rejects the parameters of {method}", INVALID),
  [-32603]: passing(ServerError, "{node} failed", LATER),
  [-32700]: kind(ServerError, "{node} cannot parse the request", OTHER_NODE),
  401: kind(AuthError, "{node} requires a valid key", "Check the key in the URL of the node: --rpc <url>"),
  402: kind(QuotaError, "The plan at {node} is used up", OTHER_NODE),
  403: kind(
    PermissionError,
    "{node} refuses {method}",
    "It blocks this network or this method, or the key in its URL is invalid. Use another node: --rpc <url>",
  ),
  404: WRONG_PATH,
  405: WRONG_PATH,
  410: REFUSED_METHOD,
  413: kind(UsageError, "The request is too large for {node}", "Request less at once."),
  429: RATE,
};

const SERVER = kind(ServerError, "{node} failed", LATER);
const USAGE = kind(UsageError, "{node} rejects the request", INVALID);

/** Codes after which the same call succeeds shortly. */
const PASSING: ReadonlySet<number | string> = new Set([-32005, -32014, -32016]);
const UNAVAILABLE = 503;
const TOO_MANY = 429;

const RATE_CODES: ReadonlySet<number | string> = new Set([-32429, 429]);

/** Statuses that say more than the code in the body: providers reuse codes of nodes. */
const DECISIVE: ReadonlySet<number> = new Set([401, 402, 403, 410, 413, 429]);

/** Codes that providers use for failures of any kind. */
const GENERIC_CODES: ReadonlySet<number> = new Set([-32600, -32603]);

/** Messages of providers that do not have a method; their codes differ. */
const UNKNOWN_METHOD =
  /method .*(not (found|exist|available|supported|allowed|enabled)|unavailable|disabled|unsupported)|(unknown|unsupported|disabled) method/i;

/** Returns the code of an error: decided by the status, the code in the body, and the message, in this order. */
function codeOf({ status, code, message = "" }: NodeFailure): number | string {
  if (DECISIVE.has(status)) return status;
  if (code !== undefined && RATE_CODES.has(code)) return TOO_MANY;
  if (code === undefined) return status;
  const isSpecific = typeof code === "number" && BY_CODE[code] !== undefined && !GENERIC_CODES.has(code);
  return !isSpecific && UNKNOWN_METHOD.test(message) ? -32601 : code;
}

/** Returns the SolxError of a failed call. */
function toNodeError(failure: NodeFailure, node: string): SolxError {
  const code = codeOf(failure);
  const { status, retryAfter, method } = failure;
  const byCode = typeof code === "number" ? BY_CODE[code] : undefined;
  const known = byCode ?? (status >= 400 && status < 500 ? USAGE : SERVER);
  const lead = known.lead.replaceAll("{node}", () => node).replaceAll("{method}", () => method);
  const standard = (STATUSES as Readonly<Record<number, string>>)[status];
  const detail = failure.message || (status >= 400 ? (standard ?? `HTTP status ${status}`) : "");
  return new known.class(detail === "" ? `${lead}.` : `${lead}: ${detail}`, {
    code,
    hint: known === RATE ? rateHint(retryAfter) : known.hint,
    ...statusOf(failure, code),
    ...(known.retryable || status >= 500 ? { retryable: true } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Returns the status; for an error with status 200, the one that its code stands for. */
function statusOf({ status }: NodeFailure, code: number | string): { readonly status?: number } {
  if (status >= 400) return { status };
  if (code === TOO_MANY) return { status: TOO_MANY };
  return PASSING.has(code) ? { status: UNAVAILABLE } : {};
}

function rateHint(retryAfter: number | undefined): string {
  const wait = retryAfter ? `Try again in ${Math.ceil(retryAfter)} s` : "Wait some seconds";
  return `${wait}. If this happens often, send fewer calls (SOLX_RATE=5/1) or use a node with a higher limit: --rpc <url>`;
}

/** Attempts for a block that is not available yet: it may never be. */
const BLOCK_ATTEMPTS = 3;
const NOT_IMPLEMENTED = 501;

/** Whether a call may succeed after another attempt. */
export function mayRetry(error: SolxError, attempt: number): boolean {
  const { code, status = 0 } = error;
  if (code === -32004) return attempt < BLOCK_ATTEMPTS;
  return isTransient(error) || code === UNANSWERED || (status >= 500 && status !== NOT_IMPLEMENTED);
}

/** Returns the error for a response that is not JSON-RPC. */
function notJsonRpcError(node: string, status: number, what: string): ServerError {
  return new ServerError(`${node} does not answer with JSON-RPC (status ${status}): ${what}`, {
    code: "NOT_JSON_RPC",
    status,
    hint: "Check the node's URL: it must be the HTTP endpoint of a Solana node. A proxy may be answering instead.",
  });
}

const UNANSWERED = "UNANSWERED";

/** Returns the error for a call of a batch that the node left unanswered. */
export const unansweredError = (node: string, method: string): ServerError =>
  new ServerError(`${node} left the call of ${method} unanswered.`, { code: UNANSWERED, retryable: true, hint: LATER });

/** Whether a request or its response was too large, so that fewer calls at once may succeed. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof SolxError && (error.code === 413 || error.code === "TOO_LARGE");

/** What decoding a response depends on. */
export interface ResponseContext {
  /** The node in messages. */
  readonly node: string;
  /** Milliseconds since the epoch, for `Retry-After` dates. */
  readonly now: number;
}

/** Returns the result of a call. @throws the SolxError of everything else */
export function readResult(response: HttpResponse, method: string, context: ResponseContext): Json {
  const reply = parseResponse(response, method, context);
  if (isObject(reply) && (idOf(reply) ?? FIRST_ID) !== FIRST_ID) throw otherReplyError(context.node);
  return readReply(reply, response, method, context);
}

/**
 * Returns the replies of a batch by id.
 * @throws the SolxError of a response that is no list of replies; see {@link isBatchRefusal}
 */
export function readReplies(response: HttpResponse, context: ResponseContext): ReadonlyMap<number, JsonObject> {
  const value = parseResponse(response, BATCH, context);
  // What is left of a batch may be one call, which is sent and answered as such.
  const isReply = isObject(value) && value.result !== undefined;
  const replies = (isArray(value) ? value : isReply ? [value] : []).filter((reply) => isObject(reply));
  const identified = replies.flatMap((reply) => {
    const id = idOf(reply);
    return id === undefined ? [] : [[id, reply] as const];
  });
  const byId = new Map(identified);
  if (byId.size < identified.length) throw otherReplyError(context.node);
  if (byId.size > 0) return byId;
  // Some nodes put the one error about the batch into a list.
  const failure = { ...failureOf(response, context), ...parseErrorBody(replies[0] ?? value), method: BATCH };
  throw toNodeError(failure, context.node);
}

/**
 * Returns the id of a reply, which gateways write as a text, too; NaN for one that was never sent, undefined where there is
 * none: errors about a request that could not be read have no id.
 */
function idOf({ id }: JsonObject): number | undefined {
  if (isMissing(id)) return undefined;
  return Number(typeof id === "string" && /^\d{1,9}$/.test(id) ? id : (toNumber(id) ?? Number.NaN));
}

const BATCH = "batches of calls";

/** The identifier of a single call and of the first call of a batch. */
export const FIRST_ID = 1;

/** Returns the error of an answer to calls that were not sent, or were answered already: which one is right is unknown. */
const otherReplyError = (node: string): ServerError =>
  new ServerError(`${node} answers another call than the one that was sent.`, {
    code: "MALFORMED_ANSWER",
    hint: OTHER_NODE,
  });

/** Codes of errors that are not about the batch. */
const OTHER_ERRORS: ReadonlySet<number | string> = new Set([401, 402, 413, 429, -32005, -32603]);

/** Whether the error of a batch says that the node does not accept batches. */
export function isBatchRefusal(error: unknown): boolean {
  if (!(error instanceof SolxError) || typeof error.code !== "number") return false;
  return (error.status ?? 200) < 500 && !OTHER_ERRORS.has(error.code);
}

/** Returns the result in a reply. @throws the SolxError in it */
export function readReply(reply: Json, response: HttpResponse, method: string, context: ResponseContext): Json {
  const { status } = response;
  const isReply = isObject(reply) && (reply.result !== undefined || isFailure(reply));
  if (!isReply && status >= 200 && status < 300) throw notJsonRpcError(context.node, status, excerpt(response.body));
  if (isReply && !isFailure(reply) && status < 300) return reply.result as Json;
  throw toNodeError({ ...failureOf(response, context), ...parseErrorBody(reply), method }, context.node);
}

const isFailure = ({ error }: JsonObject) => error !== undefined && error !== null;

const failureOf = ({ status, headers }: HttpResponse, { now }: ResponseContext) => ({
  status,
  retryAfter: retryAfterSeconds(headers, now),
});

/** Parses the body. @throws for everything that is not JSON, and for replies that say something twice */
function parseResponse(response: HttpResponse, method: string, context: ResponseContext): Json {
  const text = response.body.replace(/^\uFEFF/, "").trim();
  const value = parseText(text, response, method, context);
  const name = findRepeatedMember(text, [value].flat(), ["result", "error"]);
  if (name === undefined) return value;
  throw new ServerError(`${context.node} answers with "${name}" twice.`, {
    code: "MALFORMED_ANSWER",
    hint: OTHER_NODE,
  });
}

function parseText(text: string, response: HttpResponse, method: string, context: ResponseContext): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooManyValuesError(error);
    // The parser's message is omitted, because it quotes the body.
    const { status, url } = response;
    const what = isHtml(text) ? htmlMessage(response, text) : excerpt(text);
    if (status < 200 || status > 299) {
      throw toNodeError({ ...failureOf(response, context), message: what, method }, context.node);
    }
    if (isCutJson(text)) throw truncatedError(url);
    throw notJsonRpcError(context.node, status, what === "" ? "an empty body" : what);
  }
}
