/** Answers requests from a Solana node: endpoints are answered from JSON-RPC calls. */
import { UsageError } from "../../base/index.ts";
import {
  answerBody,
  type Endpoint,
  nodeSupportOf,
  QueryParams,
  requestValues,
  VALIDATION_CODE,
} from "../../catalogue/index.ts";
import type { NodeConnection } from "../../chain/solana/index.ts";
import {
  type Answer,
  decode,
  type HttpResponse,
  type Page,
  type PreparedRequest,
  type ReadOptions,
  rawAnswer,
  requestUrl,
  requireSupport,
  type SendOptions,
} from "../../client/index.ts";
import type { Connection } from "../api/index.ts";
import type { AnswerContext } from "./answer.ts";
import { findNodeAnswer } from "./answers.ts";
import { MAX_BATCH } from "./connection/batches.ts";
import { Channel } from "./connection/channel.ts";
import { createConnection } from "./connection/connection.ts";
import { type FinalResults, openFinalResults } from "./connection/final-results.ts";
import { createPermits } from "./connection/permits.ts";
import { createSession, type NodeSession } from "./session.ts";
import type { NodeSettings } from "./settings.ts";
import { nodeSupport } from "./support.ts";

/** A node that answers. */
export interface OpenNode {
  readonly node: NodeConnection;
  answer(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  /** Reads a list along the signatures of an account. */
  pages(request: PreparedRequest, options: SendOptions & ReadOptions): AsyncGenerator<Page, void>;
  close(): Promise<void>;
}

interface NodeParts {
  readonly settings: NodeSettings;
  readonly node: NodeConnection;
  readonly session: NodeSession;
}

/** Connects to a node over a connection, which is closed by the caller. */
export function openNode(settings: NodeSettings, { limiter, transport }: Connection): OpenNode {
  const permits = createPermits(limiter, settings.node.methodRate);
  const channel = new Channel({ settings, address: settings.node, permits, transport });
  const { node, results } = connect(settings, channel);
  const parts: NodeParts = { settings, node, session: createSession() };
  return {
    node,
    answer: (request, options) => send(parts, request, options),
    async *pages(request, options) {
      const { readWalkPages } = await import("./walk/source-pages.ts");
      const context = createContext(parts, request, { priority: "background", ...options });
      yield* readWalkPages({ request, context, settings }, options);
    },
    async close() {
      results?.close();
      await permits.close();
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
  if (!answer) throw new TypeError(`No answer for ${context.endpoint.route}.`);
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
  return decode(response, request, settings.now());
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

/** @throws UsageError for a parameter that a node cannot apply */
function checkSupport(endpoint: Endpoint, values: ReadonlyMap<string, readonly string[]>): void {
  requireSupport(nodeSupport(endpoint));
  const parameter = nodeSupportOf(endpoint).refused?.find((name) => values.has(name));
  if (parameter === undefined) return;
  throw new UsageError(`A Solana node cannot apply "${parameter}".`, {
    code: "NODE_UNSUPPORTED",
    hint: "Omit it, or use the API: omit --rpc.",
    invalid: { reason: "unsupported", parameter },
  });
}
