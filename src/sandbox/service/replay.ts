/** The service over recordings: answers what was recorded, and refuses or hands on everything else. */

import type { IncomingHttpHeaders } from "node:http";
import { errorMessage, isArray, type Json, type JsonObject, tryParseJson } from "../../base/index.ts";
import { CALL_MISSES, coverageHeader, KEY_HEADER, REFUSALS, STATUSES } from "../../catalogue/index.ts";
import { MISS_CODE, type Miss, type Recording, type Replayer } from "../../sources/recording/index.ts";
import { isLocalSite } from "./access.ts";
import { CORS, createAnswer, errorAnswer, hintHeaders, jsonAnswer, PREFLIGHT } from "./answer.ts";
import type { SentAnswer } from "./effects.ts";
import type { EncodedAnswer } from "./request.ts";
import { headerValue, RequestLog, type RequestTarget, resolveTarget, type ServiceRequest } from "./request.ts";
import type { HttpService, ServiceOptions } from "./service.ts";

/** The parts and settings of a replay. */
export interface ReplayServiceOptions extends Pick<ServiceOptions, "faults" | "usage" | "now" | "onRequest"> {
  readonly replayer: Replayer;
  /** The accepted key; every key is accepted without one. */
  readonly key?: string | undefined;
  /** Answers requests that were not recorded; undefined for those that it cannot answer. */
  readonly fallthrough?: ((request: ServiceRequest) => Promise<SentAnswer | undefined>) | undefined;
  /** Called with a message about a request that was not recorded. */
  readonly onMiss?: ((message: string) => void) | undefined;
}

interface ReplayOutcome extends SentAnswer {
  readonly message?: string;
  readonly note?: string;
}

/** Creates the service. */
export function createReplayService(options: ReplayServiceOptions): HttpService {
  const { faults, usage, now, onRequest } = options;
  const log = new RequestLog();
  const answer = async (request: ServiceRequest): Promise<SentAnswer> => {
    const began = performance.now();
    const target = resolveTarget(request.url);
    const { message, note, ...result } = await answerRequest(options, request, target);
    const entry = log.record(request, target, {
      time: now(),
      status: result.answer.status,
      units: 0,
      milliseconds: performance.now() - began,
      hasQuery: true,
      message,
      note,
    });
    onRequest?.(entry);
    return result;
  };
  return { log, faults, usage, readsBodies: true, answer, handle: async (request) => (await answer(request)).answer };
}

async function answerRequest(
  options: ReplayServiceOptions,
  request: ServiceRequest,
  target: RequestTarget,
): Promise<ReplayOutcome> {
  const { replayer, key, fallthrough, onMiss } = options;
  if (request.method === "OPTIONS") return { answer: PREFLIGHT };
  if (key !== undefined && !hasKey(request, target, key))
    return { answer: errorAnswer(401, 401, REFUSALS.invalidKey), note: "no key, or another one" };
  // Unlike those of the sandbox, these answers can be private, and --fallthrough live sends the key of the user.
  if (key === undefined && !isLocalSite(request.headers as IncomingHttpHeaders)) {
    const hint = "Web pages of other sites and other host names need a key: start the replay with --key.";
    return { answer: errorAnswer(403, 403, STATUSES[403], hintHeaders(hint)), note: "from another site" };
  }
  const isCall = request.method === "POST";
  try {
    const result = await replayer.find({
      method: request.method === "HEAD" ? "GET" : request.method,
      path: isCall ? "/" : target.path,
      query: isCall ? [] : new URLSearchParams(target.search),
      body: request.body,
    });
    if (result.recording) return { ...recordedAnswer(result.recording), note: result.file };
    const answer = await fallthrough?.(request);
    if (answer) return { ...answer, note: "not recorded" };
    const message = missMessage(result.miss);
    onMiss?.(message);
    return { answer: missAnswer(result.miss, request), message };
  } catch (error) {
    return { answer: errorAnswer(500, 500, errorMessage(error)), message: errorMessage(error) };
  }
}

/** Whether a request has the key: in the header, or, as clients of nodes send it, in the path of a call. */
const hasKey = (request: ServiceRequest, { path }: RequestTarget, key: string): boolean =>
  headerValue(request, KEY_HEADER) === key || (request.method === "POST" && path.split("/").includes(key));

/** Returns the recorded answer; a failure of the connection is one again. */
function recordedAnswer({ response, failure }: Recording): SentAnswer {
  if (response) {
    const { status, headers, body } = response;
    return { answer: { status, headers: { ...CORS, ...headers, "content-length": String(body.length) }, body } };
  }
  const kind = failure?.code === "TRUNCATED" ? "truncate" : "reset";
  return {
    answer: createAnswer(200, "application/json; charset=utf-8", '{"success":true,"data":[]}'),
    connection: { kind },
  };
}

const missMessage = ({ message, nearest }: Miss) => (nearest === undefined ? message : `${message} (${nearest})`);

/** Returns the error for a request without a recording: in the form of the API, or in that of a node. */
function missAnswer(miss: Miss, { body }: ServiceRequest): EncodedAnswer {
  const message = missMessage(miss);
  const hint = hintHeaders("This server replays recordings. For other requests: --fallthrough sandbox or live");
  // Of a list that was recorded in part, it is not proved where it ends.
  const coverage = miss.isOtherPage ? coverageHeader({ missing: [], incomplete: message }) : {};
  if (body === undefined)
    return jsonAnswer(404, { success: false, errors: { code: MISS_CODE, message } }, { ...hint, ...coverage });
  const calls = tryParseJson(body);
  const code = miss.isOtherPage ? CALL_MISSES.otherPage : CALL_MISSES.other;
  // A call that is not JSON has no id.
  const replyTo = (call: Json): JsonObject => {
    const { id = null } = (call ?? {}) as JsonObject;
    return { jsonrpc: "2.0", id, error: { code, message, data: { code: MISS_CODE } } };
  };
  return jsonAnswer(200, isArray(calls) ? calls.map(replyTo) : replyTo(calls ?? null), hint);
}
