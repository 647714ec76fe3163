/** How far a node answers endpoints, from the table of the catalogue. */
import { type Endpoint, nodeSupportOf } from "../../catalogue/index.ts";
import type { ReadOptions, Support } from "../../client/index.ts";

/** Returns how far a node answers an endpoint. */
export function nodeSupport(endpoint: Endpoint): Support {
  const { level, missing = [] } = nodeSupportOf(endpoint);
  if (level !== "none") return { level: missing.length > 0 ? "partial" : "full", missing, isWalk: level === "walk" };
  const refusal = {
    code: "NODE_UNSUPPORTED",
    reason: `A Solana node cannot answer "${endpoint.command}".`,
    instead:
      "Use the API (omit --rpc), or an index of your own cluster: solx index. What a node answers: solx docs nodes",
    isUsage: false,
  };
  return { level, missing, isWalk: false, refusal };
}

/** Whether a list is read along the signatures of an account: one page of it is an answer like any other. */
export function isReadByWalk(endpoint: Endpoint, { all, limit, resume, via }: ReadOptions): boolean {
  const { returns } = endpoint;
  const isList = returns.shape === "rows" || (returns.shape === "csv" && via !== "pages");
  const isLong = all === true || limit !== undefined || resume !== undefined;
  return isList && isLong && nodeSupportOf(endpoint).level === "walk";
}
