/**
 * `--dry-run` and `--curl` with a Solana node: the calls that a command starts with. They are those that the answer sends
 * to a connection that records them; further ones depend on their results.
 */
import { nodeSupportOf, QueryParams, requestValues } from "../../catalogue/index.ts";
import type { NodeConnection, RpcCall } from "../../chain/solana/index.ts";
import type { PreparedRequest } from "../../client/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import { createSession, findNodeAnswer } from "../../sources/node/index.ts";
import { printCalls } from "../rpc/print-calls.ts";
import type { RunContext } from "../run/context.ts";

/** Prints the first calls of the requests, and notes which methods follow. */
export async function previewNodeCalls(context: RunContext, requests: readonly PreparedRequest[]): Promise<void> {
  const client = await context.session.client();
  const calls: RpcCall[] = [];
  for (const request of requests) calls.push(...(await firstCalls(context, client, request)));
  const methods = new Set(requests.flatMap(({ endpoint }) => (endpoint ? nodeSupportOf(endpoint).methods : [])));
  if (calls.length > 0) await printCalls(context, calls);
  const following = [...methods].filter((name) => !calls.some(({ method }) => method === name));
  if (following.length > 0)
    await context.reporter.note(`Further calls depend on the results: ${following.join(", ")}.`);
}

/** Thrown by the connection that sends nothing. */
class NotSent extends Error {}

async function firstCalls(
  context: RunContext,
  client: ConnectedClient,
  request: PreparedRequest,
): Promise<readonly RpcCall[]> {
  const { endpoint } = request;
  const answer = endpoint && (await findNodeAnswer(endpoint.route));
  // The client refuses what a node cannot answer, before it sends anything.
  if (!answer || nodeSupportOf(endpoint).level === "none") {
    await client.request(request, { signal: context.io.signal });
    return [];
  }
  const calls: RpcCall[] = [];
  const params = new QueryParams(endpoint.query, requestValues(endpoint, request.path, request.query).values);
  try {
    await answer({ node: recordCalls(client.node(), calls), endpoint, params, session: createSession(), sending: {} });
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
  }
  return calls;
}

/** Returns a connection that adds calls to a list instead of sending them. */
function recordCalls({ name, commitment, now }: NodeConnection, calls: RpcCall[]): NodeConnection {
  const record = async (...added: readonly RpcCall[]): Promise<never> => {
    calls.push(...added);
    // Calls that are sent together are all recorded.
    await new Promise(setImmediate);
    throw new NotSent();
  };
  return {
    name,
    commitment,
    now,
    call: (method, params = []) => record({ method, params }),
    callMany: (many) => record(...many),
  };
}
