/** A scripted Solana node. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientOptions } from "../../../../src/sources/index.ts";
import { json, serve, type TestServer, testClient, type Waits } from "../../../client/servers.ts";
import type { ExactClient } from "../../../support/exact-client.ts";

/** A call as the node receives it. */
export interface ReceivedCall {
  readonly jsonrpc: string;
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the node answers to one call: a result, an error, or nothing. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown } | undefined;

/** A running node, with the calls of each request that it received. */
export interface ScriptedNode extends TestServer {
  readonly received: ReceivedCall[][];
}

/** What a script may do with a request. */
export interface NodeRequest {
  readonly calls: readonly ReceivedCall[];
  readonly isBatch: boolean;
  /** The number of the request, from 1. */
  readonly count: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers each call. */
  readonly answer: (outcomeOf: (call: ReceivedCall) => Outcome) => void;
}

/** Starts a node that a script answers for. */
export async function serveNode(script: (request: NodeRequest) => void): Promise<ScriptedNode> {
  const received: ReceivedCall[][] = [];
  const server = await serve(async (request, response, count) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const isBatch = Array.isArray(body);
    const calls: ReceivedCall[] = isBatch ? body : [body];
    received.push(calls);
    const answer: NodeRequest["answer"] = (outcomeOf) => {
      const replies = calls.flatMap((call) => {
        const outcome = outcomeOf(call);
        return outcome ? [{ jsonrpc: "2.0", id: call.id, ...outcome }] : [];
      });
      json(response, isBatch ? replies : (replies[0] ?? {}));
    };
    script({ calls, isBatch, count, request, response, answer });
  });
  return { ...server, received };
}

/** Starts a node that answers each call with the same function. */
export const serveCalls = (outcomeOf: (call: ReceivedCall) => Outcome): Promise<ScriptedNode> =>
  serveNode(({ answer }) => answer(outcomeOf));

/** A client of a node that never really waits. */
export const nodeClient = (node: { readonly url: string }, options: ClientOptions = {}): ExactClient & Waits =>
  testClient(node, { rpc: node.url, ...options });
