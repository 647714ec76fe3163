/** The pipeline of a client that uses a Solana node: endpoints are answered from JSON-RPC calls. */
import { PermissionError, UsageError } from "../../../base/index.ts";
import {
  answerBody,
  type Endpoint,
  nodeSupportOf,
  QueryParams,
  requestValues,
  VALIDATION_CODE,
} from "../../../catalogue/index.ts";
import type { NodeConnection } from "../../../chain/solana/index.ts";
import { type Answer, decode, rawAnswer } from "../../../client/answer/decode.ts";
import type { ClientSettings } from "../../../client/options.ts";
import type { PreparedRequest } from "../../../client/request/prepare.ts";
import { requestUrl } from "../../../client/request/url.ts";
import type { HttpResponse } from "../../api/http/message.ts";
import {
  checkSchemaDrift,
  type NodePipeline,
  openRateLimiter,
  openTransport,
  type SendOptions,
} from "../../api/pipeline.ts";
import { type AnswerContext, createSession, findNodeAnswer, type NodeSession } from "../index.ts";
import type { NodeAddress } from "./address.ts";
import { MAX_BATCH } from "./batches.ts";
import { Channel } from "./channel.ts";
import { createConnection } from "./connection.ts";
import { type FinalResults, openFinalResults } from "./final-results.ts";
import { createPermits } from "./permits.ts";

/** The settings of a client that uses a node. */
export type NodeSettings = ClientSettings & { readonly node: NodeAddress };

interface NodeParts {
  readonly settings: NodeSettings;
  readonly node: NodeConnection;
  readonly session: NodeSession;
}

/** Creates the pipeline. */
export async function createNodePipeline(settings: NodeSettings): Promise<NodePipeline> {
  const [{ limiter, isOwned }, transport] = await Promise.all([openRateLimiter(settings), openTransport(settings)]);
  const permits = createPermits(limiter, settings.node.methodRate);
  const channel = new Channel({ settings, address: settings.node, permits, transport });
  const { node, results } = connect(settings, channel);
  const parts: NodeParts = { settings, node, session: createSession() };
  return {
    limiter,
    node,
    context: (request, options) => createContext(parts, request, options),
    send: (request, options) => send(parts, request, options),
    async close() {
      results?.close();
      await permits.close();
      if (isOwned) await limiter.close();
      await transport.close();
    },
  };
}

function connect(
  settings: NodeSettings,
  channel: Channel,
): { readonly node: NodeConnection; readonly results: FinalResults | undefined } {
  const { node: address, cache, now } = settings;
  const { name, isLocal, commitment, rate, methodRate } = address;
  // Half of a limit, so that a batch does not wait for the whole window.
  const halves = [rate, methodRate].flatMap((limit) => (limit ? [Math.floor(limit.requests / 2)] : []));
  const maxBatch = Math.max(1, Math.min(MAX_BATCH, ...halves));
  const parts = { name, isLocal, commitment, now, channel, maxBatch };
  const plain = createConnection({ ...parts, results: undefined });
  if (!cache) return { node: plain, results: undefined };
  const requestGenesis = () => plain.call("getGenesisHash");
  const results = openFinalResults({ settings: { ...settings, cache }, address, requestGenesis });
  return { node: createConnection({ ...parts, results }), results };
}

async function send(parts: NodeParts, request: PreparedRequest, options: SendOptions): Promise<Answer> {
  const { settings } = parts;
  const context = createContext(parts, request, options);
  const answer = await findNodeAnswer(context.endpoint.route);
  if (!answer) throw unsupportedError(context.endpoint);
  const result = await answer(context);
  const body = answerBody(result, context.endpoint, { bareLegacy: false });
  const type = "csv" in result ? "text/csv; charset=utf-8" : "application/json; charset=utf-8";
  const response: HttpResponse = {
    url: requestUrl(request, settings.baseUrls),
    status: 200,
    headers: { "content-type": type },
    body,
    source: settings.node.name,
  };
  if (options.raw) return rawAnswer({ ...response, bytes: Buffer.from(body) }, request);
  const decoded = await decode(response, request, settings.now());
  await checkSchemaDrift(decoded, settings);
  return decoded;
}

/**
 * Returns what an answer to a request depends on.
 * @throws UsageError for parameters that are invalid or that a node cannot apply, PermissionError for an endpoint that a
 * node cannot answer
 */
function createContext(
  { settings, node, session }: NodeParts,
  request: PreparedRequest,
  { signal, priority, timeout, maxWaitMs, fresh, beforeWalk }: SendOptions,
): AnswerContext {
  const { endpoint } = request;
  if (!endpoint) {
    throw new UsageError("A Solana node does not have this path.", {
      code: "NODE_UNSUPPORTED",
      hint: "Use the path of an endpoint, as solx api lists them, or call a method of the node.",
    });
  }
  const { values, problem } = requestValues(endpoint, request.path, request.query);
  if (problem) throw new UsageError(problem.message, { code: VALIDATION_CODE, invalid: problem.invalid });
  checkSupport(endpoint, values);
  return {
    node,
    endpoint,
    params: new QueryParams(endpoint.query, values),
    session,
    sending: { signal, priority, timeout, maxWaitMs, fresh },
    report: settings.onEvent,
    beforeWalk,
  };
}

function checkSupport(endpoint: Endpoint, values: ReadonlyMap<string, readonly string[]>): void {
  const { level, refused = [] } = nodeSupportOf(endpoint);
  if (level === "none") throw unsupportedError(endpoint);
  const parameter = refused.find((name) => values.has(name));
  if (parameter === undefined) return;
  throw new UsageError(`A Solana node cannot apply "${parameter}".`, {
    code: "NODE_UNSUPPORTED",
    hint: "Omit it, or use the API: omit --rpc.",
    invalid: { reason: "unsupported", parameter },
  });
}

function unsupportedError(endpoint: Endpoint): PermissionError {
  return new PermissionError(`A Solana node cannot answer "${endpoint.command}".`, {
    code: "NODE_UNSUPPORTED",
    hint: `Use the API (omit --rpc), or an index of your own cluster: solx index. What a node answers: solx docs nodes`,
  });
}
