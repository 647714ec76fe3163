/** Answers of nodes whose results a test chooses. */
import { type Json, SolxError } from "../../../src/base/index.ts";
import { allEndpoints, type Endpoint, QueryParams } from "../../../src/catalogue/index.ts";
import type { NodeConnection, RpcCall } from "../../../src/chain/solana/index.ts";
import type { AnswerContext } from "../../../src/sources/node/answer.ts";
import { createSession, findNodeAnswer } from "../../../src/sources/node/index.ts";

/** Returns the endpoint of a route. */
export const endpointOf = (route: string): Endpoint => {
  const match = allEndpoints.find((endpoint) => endpoint.route === route);
  if (!match) throw new Error(`No endpoint ${route}`);
  return match;
};

/** Creates a connection whose results a function returns. */
export function connect(answer: (method: string, params: RpcCall["params"]) => Json | Promise<Json>): NodeConnection {
  const call = async (method: string, params: RpcCall["params"] = []) => answer(method, params);
  return {
    name: "node.example",
    isLocal: true,
    commitment: "confirmed",
    now: Date.now,
    call,
    callMany: (calls) =>
      Promise.all(
        calls.map(({ method, params }) =>
          call(method, params).catch((error: unknown) => {
            if (error instanceof SolxError) return error;
            throw error;
          }),
        ),
      ),
  };
}

/** Answers a request from a connection. */
export async function answer(
  node: NodeConnection,
  route: string,
  params: Readonly<Record<string, string | readonly string[]>>,
  report?: AnswerContext["report"],
) {
  const endpoint = endpointOf(route);
  const find = await findNodeAnswer(endpoint);
  if (!find) throw new Error(`No answer to ${route}`);
  const values = new Map(Object.entries(params).map(([name, value]) => [name, [value].flat()]));
  const query = new QueryParams(endpoint.query, values);
  return find({ node, endpoint, params: query, session: createSession(), sending: {}, report });
}
