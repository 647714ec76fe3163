/** A connection to a node without the client: one HTTP request for each call, no retries, no limits. */
import { isObject, parseJson, SolxError, stringifyJson } from "../../src/base/index.ts";
import type { Commitment, NodeConnection } from "../../src/chain/solana/index.ts";

/** Connects to a node. */
export function connectTo(url: string, commitment: Commitment = "finalized"): NodeConnection {
  const call: NodeConnection["call"] = async (method, params = [], { signal } = {}) => {
    const body = stringifyJson({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: signal ?? null,
    });
    const answer = parseJson(await response.text());
    if (!isObject(answer)) throw new SolxError("server", "not an object");
    if (isObject(answer.error)) {
      throw new SolxError("server", String(answer.error.message), { code: Number(answer.error.code) });
    }
    return answer.result ?? null;
  };
  return {
    name: new URL(url).host,
    commitment,
    now: Date.now,
    call,
    callMany: (calls, options) =>
      Promise.all(
        calls.map(({ method, params }) =>
          call(method, params, options).catch((error: unknown) => {
            if (error instanceof SolxError) return error;
            throw error;
          }),
        ),
      ),
  };
}
