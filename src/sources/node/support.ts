/** How far a node answers endpoints, from the table of the catalogue. */
import { type Endpoint, nodeSupportOf, refusalBy } from "../../catalogue/index.ts";
import type { ReadOptions, Support } from "../../client/index.ts";

/** Returns how far a node answers an endpoint. */
export function nodeSupport(endpoint: Endpoint): Support {
  const { level, missing = [] } = nodeSupportOf(endpoint);
  if (level !== "none")
    return { level: missing.length > 0 ? "partial" : "full", missing, isWalk: level === "per-transaction" };
  const { reason, instead } = refusalBy("rpc", endpoint);
  const command = `${instead.command} What a node answers: solx docs nodes`;
  const refusal = { code: "NODE_UNSUPPORTED", reason, isUsage: false, instead: { ...instead, command } };
  return { level, missing, isWalk: false, refusal };
}

/** Whether a list is read along the signatures of an account: one page of it is an answer like any other. */
export function isReadByWalk(endpoint: Endpoint, { all, limit, resume, via }: ReadOptions): boolean {
  const { returns } = endpoint;
  const isList = returns.shape === "rows" || (returns.shape === "csv" && via !== "pages");
  const isLong = all === true || limit !== undefined || resume !== undefined;
  return isList && isLong && nodeSupportOf(endpoint).level === "per-transaction";
}
