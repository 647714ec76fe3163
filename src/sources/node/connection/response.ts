/** Responses of a node: JSON-RPC replies, or the typed error that a response means. */

import { isArray, isObject, type Json, type JsonObject, parseJson, SolxError } from "../../../base/index.ts";
import {
  excerpt,
  type HttpResponse,
  htmlMessage,
  isHtml,
  parseErrorBody,
  retryAfterSeconds,
  truncatedError,
} from "../../../client/index.ts";
import { notJsonRpcError, toNodeError } from "./errors.ts";

/** What decoding a response depends on. */
export interface ResponseContext {
  /** The node in messages. */
  readonly node: string;
  /** Milliseconds since the epoch, for `Retry-After` dates. */
  readonly now: number;
}

/**
 * Returns the result of a call.
 * @throws the typed error of everything else
 */
export function readResult(response: HttpResponse, method: string, context: ResponseContext): Json {
  return readReply(parseResponse(response, method, context), response, method, context);
}

/**
 * Returns the replies of a batch by id.
 * @throws the typed error of a response that is no list of replies; see {@link isBatchRefusal}
 */
export function readReplies(response: HttpResponse, context: ResponseContext): ReadonlyMap<number, JsonObject> {
  const value = parseResponse(response, BATCH, context);
  // What is left of a batch may be one call, which is sent and answered as such.
  const isReply = isObject(value) && value.result !== undefined;
  const replies = (isArray(value) ? value : isReply ? [value] : []).filter((reply) => isObject(reply));
  const byId = new Map(replies.flatMap((reply) => (typeof reply.id === "number" ? [[reply.id, reply] as const] : [])));
  if (byId.size > 0) return byId;
  // Some nodes put the one error about the batch into a list.
  const failure = { ...failureOf(response, context), ...parseErrorBody(replies[0] ?? value), method: BATCH };
  throw toNodeError(failure, context.node);
}

/** The method of a batch in messages. */
const BATCH = "batches of calls";

/** Codes of errors that are not about the batch. */
const OTHER_ERRORS: ReadonlySet<number | string> = new Set([401, 402, 413, 429, -32005, -32603]);

/** Whether the error of a batch says that the node does not accept batches. */
export function isBatchRefusal(error: unknown): boolean {
  if (!(error instanceof SolxError) || typeof error.code !== "number") return false;
  return (error.status ?? 200) < 500 && !OTHER_ERRORS.has(error.code);
}

/**
 * Returns the result in a reply.
 * @throws the typed error in it
 */
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

/** Parses the body. @throws for everything that is not JSON */
function parseResponse(response: HttpResponse, method: string, context: ResponseContext): Json {
  const text = response.body.replace(/^\uFEFF/, "").trim();
  try {
    return parseJson(text);
  } catch {
    // The parser's message is omitted, because it quotes the body.
    const { status, url } = response;
    const what = isHtml(text) ? htmlMessage(response, text) : excerpt(text);
    if (status < 200 || status > 299) {
      throw toNodeError({ ...failureOf(response, context), message: what, method }, context.node);
    }
    if (/^[{[]/.test(text)) throw truncatedError(url);
    throw notJsonRpcError(context.node, status, what === "" ? "an empty body" : what);
  }
}
