/** Answers requests from a Solana node: endpoints are answered from JSON-RPC calls. */
import { UsageError } from "../../base/index.ts";
import {
  answerBody,
  type Coverage,
  coverageHeader,
  type Endpoint,
  NODE_LACKS,
  nodeSupportOf,
  QueryParams,
  type QueryResult,
  requestValues,
  VALIDATION_CODE,
} from "../../catalogue/index.ts";
import type { NodeConnection } from "../../chain/solana/index.ts";
import {
  type Answer,
  type BaseUrls,
  type CacheOptions,
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
import type { Connection, SendSettings } from "../api/index.ts";
import { type AnswerContext, createSession, type NodeSession } from "./answer.ts";
import { findNodeAnswer } from "./answers.ts";
import type { NodeAddress } from "./connection/address.ts";
import { HttpNodeConnection } from "./connection/connection.ts";
import { Channel, NodePermits } from "./connection/exchange.ts";
import { openFinalResults } from "./connection/final-results.ts";
import { AnswerSlots } from "./connection/slots.ts";
import { nodeSupport } from "./support.ts";

/** The settings of a node. */
interface NodeSettings extends SendSettings {
  readonly node: NodeAddress;
  readonly baseUrls: BaseUrls;
  /** Where results that never change are stored. */
  readonly cache: CacheOptions | undefined;
}

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
  readonly slots: AnswerSlots;
}

/** Connects to a node over a connection, which is closed by the caller. */
export function openNode(settings: NodeSettings, { limiter, transport }: Connection): OpenNode {
  const { node: address, cache } = settings;
  const permits = new NodePermits(limiter, address.methodRate);
  const channel = new Channel(address, settings, permits, transport);
  const plain = new HttpNodeConnection(channel, undefined);
  const requestGenesis = () => plain.call("getGenesisHash");
  const results = cache && openFinalResults({ settings: { ...settings, cache }, address, requestGenesis });
  const node = results ? new HttpNodeConnection(channel, results) : plain;
  const parts: NodeParts = { settings, node, session: createSession(), slots: new AnswerSlots() };
  return {
    node,
    answer: (request, options) => answerRequest(parts, request, options),
    async *pages(request, options) {
      const { readWalkPages } = await import("./walk/pages.ts");
      const context = createContext(parts, request, { priority: "background", ...options });
      yield* readWalkPages(context, (result) => respond(result, request, context, settings), options);
    },
    async close() {
      results?.close();
      await permits.close();
    },
  };
}

async function answerRequest(parts: NodeParts, request: PreparedRequest, options: SendOptions): Promise<Answer> {
  const context = createContext(parts, request, options);
  const answer = await findNodeAnswer(context.endpoint);
  if (!answer) throw new TypeError(`No answer for ${context.endpoint.route}.`);
  return respond(await answer(context), request, context, parts.settings, options.raw);
}

/** Returns a result as the answer that the API would have given. */
async function respond(
  result: QueryResult,
  request: PreparedRequest,
  { endpoint, coverage }: AnswerContext,
  { baseUrls, node, now }: NodeSettings,
  isRaw = false,
): Promise<Answer> {
  const body = answerBody(result, endpoint);
  const type = "csv" in result ? "text/csv; charset=utf-8" : "application/json; charset=utf-8";
  const headers = { "content-type": type, ...(coverage && coverageHeader(coverage)) };
  const url = requestUrl(request, baseUrls);
  const response: HttpResponse = { url, status: 200, headers, body, source: node.name, lacks: NODE_LACKS };
  return isRaw ? rawAnswer({ ...response, bytes: Buffer.from(body) }, request) : decode(response, request, now());
}

/**
 * Returns what an answer to a request depends on.
 * @throws UsageError for parameters that are invalid or that a node cannot apply, PermissionError for an endpoint that a
 * node cannot answer
 */
function createContext(
  { settings, node, session, slots }: NodeParts,
  request: PreparedRequest,
  { signal, priority, timeout, maxWaitMs, fresh, beforeWalk }: SendOptions,
): AnswerContext {
  const { endpoint } = request;
  if (!endpoint) {
    throw new UsageError("A Solana node does not have this path.", {
      code: "NODE_UNSUPPORTED",
      hint: "Use the path of an endpoint, or call a method of the node.",
    });
  }
  const { values, problem } = requestValues(endpoint, request.path, request.query);
  if (problem) throw new UsageError(problem.message, { code: VALIDATION_CODE, invalid: problem.invalid });
  checkSupport(endpoint, values);
  const { missing = [] } = nodeSupportOf(endpoint);
  const coverage: Coverage = { commitment: node.commitment, missing };
  const report = reportOnce(settings.onEvent, coverage);
  return {
    node: slots.watch(node, (text) => report?.({ type: "coverage", text })),
    endpoint,
    params: new QueryParams(endpoint.query, values),
    session,
    sending: { signal, priority, timeout, maxWaitMs, fresh },
    coverage,
    report,
    beforeWalk,
  };
}

/** Returns what records what the answer covers, and reports the rest to a listener, the same text once in an answer. */
function reportOnce(onEvent: NodeSettings["onEvent"], coverage: Coverage): AnswerContext["report"] {
  const texts = new Set<string>();
  return (report) => {
    if (report.type !== "walk" && texts.has(report.text)) return;
    if (report.type !== "walk") texts.add(report.text);
    if (report.type === "coverage") {
      const { firstSlot, text } = report;
      const incomplete = [coverage.incomplete, text].filter(Boolean).join(" ");
      Object.assign(coverage, {
        ...(firstSlot !== undefined && { firstSlot }),
        incomplete,
      } satisfies Partial<Coverage>);
    } else {
      if (report.type === "warning" && report.missing !== undefined)
        Object.assign(coverage, { missing: [...coverage.missing, report.missing] } satisfies Partial<Coverage>);
      onEvent(report);
    }
  };
}

/** @throws UsageError for a parameter that a node cannot apply */
function checkSupport(endpoint: Endpoint, values: ReadonlyMap<string, readonly string[]>): void {
  requireSupport(nodeSupport(endpoint));
  const parameter = nodeSupportOf(endpoint).refused?.find((name) => values.has(name));
  if (parameter === undefined) return;
  throw new UsageError(`A Solana node cannot apply "${parameter}".`, {
    code: "NODE_UNSUPPORTED",
    hint: {
      command: "Omit it, or use the API: omit --rpc.",
      program: "Omit it, or use the API: a client without rpc.",
      tool: "Omit it. The API can apply it: the user starts this server without --rpc.",
    },
    invalid: { reason: "unsupported", parameter },
  });
}
