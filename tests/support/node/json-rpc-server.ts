/** A JSON-RPC 2.0 server over HTTP on the loopback interface, with faults and counters. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { RpcError } from "./errors.ts";
import { FAULTS, type FaultAnswer, FaultList, isAnswer, type RateLimit, RateLimiter } from "./faults.ts";
import { fromJson, isObjectWire, toJson, type Wire, type WireObject } from "./wire.ts";

/** Settings of a server. */
export interface ServerOptions {
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** Whether lists of requests are accepted: true by default. */
  readonly batches?: boolean;
  /** The highest number of requests in a list. */
  readonly maxBatch?: number;
  readonly rateLimit?: RateLimit;
}

/** A call that a server received. */
export interface ReceivedCall {
  readonly method: string;
  readonly params: readonly Wire[];
}

/** A running server. */
export interface JsonRpcServer {
  readonly url: string;
  readonly http: Server;
  /** How often each method was called, with those that failed. */
  calls(): Readonly<Record<string, number>>;
  /** All calls, oldest first. */
  received(): readonly ReceivedCall[];
  /** How many HTTP requests were received; a list of requests is one. */
  httpRequests(): number;
  resetCounters(): void;
  readonly faults: FaultList;
  close(): Promise<void>;
}

/** An HTTP answer. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** Starts a server that answers calls with a function. It does not prevent the process from ending. */
export async function serveJsonRpc(
  answer: (method: string, params: readonly Wire[]) => Wire | undefined | Promise<Wire | undefined>,
  options: ServerOptions = {},
): Promise<JsonRpcServer> {
  const faults = new FaultList();
  const limiter = options.rateLimit && new RateLimiter(options.rateLimit);
  let received: ReceivedCall[] = [];
  let requests = 0;

  /** Answers one call: the text of a response, or an HTTP answer that replaces all others of the request. */
  const respond = async (call: Wire): Promise<WireObject | Reply> => {
    if (!isObjectWire(call) || typeof call.method !== "string") {
      return { jsonrpc: "2.0", error: { code: -32600, message: "Invalid request" }, id: null };
    }
    const { method, id = null } = call as { method: string; id?: Wire };
    const params = Array.isArray(call.params) ? (call.params as readonly Wire[]) : [];
    received.push({ method, params });
    const wait = limiter?.wait(method, Date.now()) ?? 0;
    if (wait > 0) return faultReply(FAULTS.rateLimited(wait), id);
    const occurring = faults.occurring(method, params);
    for (const fault of occurring) {
      if (fault.latency !== undefined) await delay(fault.latency);
      if (isAnswer(fault)) return faultReply(fault, id);
    }
    try {
      const result = await answer(method, params);
      if (result === undefined) throw new RpcError(-32601, "Method not found");
      const changed = occurring.reduce((value, { change }) => (change ? change(value) : value), result);
      return { jsonrpc: "2.0", result: changed, id };
    } catch (error) {
      const { code, message, data } = error instanceof RpcError ? error : new RpcError(-32603, String(error));
      // Codes of HTTP are those of proxies, which answer with the status, too.
      if (code >= 400) return faultReply({ status: code, error: { code, message } }, id);
      return { jsonrpc: "2.0", error: { code, message, ...(data !== undefined && { data }) }, id };
    }
  };

  const reply = async (text: string): Promise<Reply> => {
    let message: Wire;
    try {
      message = fromJson(text);
    } catch {
      return jsonReply({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" }, id: null });
    }
    if (!Array.isArray(message)) {
      const response = await respond(message);
      return isReply(response) ? response : jsonReply(response);
    }
    if (options.batches === false) {
      return jsonReply({ jsonrpc: "2.0", error: { code: -32600, message: "Batches are not supported" }, id: null });
    }
    if (message.length > (options.maxBatch ?? Number.POSITIVE_INFINITY))
      return faultReply(FAULTS.tooLarge(), null) as Reply;
    const responses = await Promise.all(message.map(respond));
    return responses.find(isReply) ?? jsonReply(responses as WireObject[]);
  };

  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      if (request.method === "GET") return response.writeHead(200).end("ok");
      const { status, headers, body } = await reply(Buffer.concat(chunks).toString());
      response.writeHead(status, headers).end(body);
    });
  });
  // A connection that is idle while the machine is busy would be closed: another fault than a test is about.
  http.keepAliveTimeout = 0;
  await new Promise<void>((ready, fail) => {
    http.once("error", fail);
    http.listen(options.port ?? 0, "127.0.0.1", ready);
  });
  http.unref();
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    http,
    faults,
    calls() {
      const calls: Record<string, number> = {};
      for (const { method } of received) calls[method] = (calls[method] ?? 0) + 1;
      return calls;
    },
    received: () => received,
    httpRequests: () => requests,
    resetCounters() {
      received = [];
      requests = 0;
    },
    close: () =>
      new Promise((done) => {
        http.close(() => done());
        http.closeAllConnections();
      }),
  };
}

const jsonReply = (value: Wire): Reply => ({ status: 200, headers: JSON_TYPE, body: toJson(value) });
const isReply = (value: WireObject | Reply): value is Reply => "body" in value && "status" in value;

/** A fault of HTTP replaces the whole answer; one of JSON-RPC is the answer of its call. */
function faultReply({ error, status, headers, body }: FaultAnswer, id: Wire): WireObject | Reply {
  const response = { jsonrpc: "2.0", error: (error ?? null) as Wire, id };
  if (status === undefined && body === undefined) return response;
  return { status: status ?? 200, headers: { ...JSON_TYPE, ...headers }, body: body ?? toJson(response) };
}
