/** What many identifiers cost: confirmed before anything is sent where it is known, else when so much is spent. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { findPacking } from "../../client/batch/items.ts";
import { estimateRequests, maxPageSize } from "../../client/paging/estimate.ts";
import type { RunContext } from "../run/context.ts";
import { type CostGuard, createCostGuard, effectiveRate } from "./cost.ts";

/** Identifiers to ask for. */
export interface BatchSize {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  /** How many there are, where that is known. */
  readonly count: number | undefined;
  readonly requestedRows: { readonly limit?: number; readonly all?: true };
  /** Whether each is answered as a whole, and packed where there is an endpoint for that. */
  readonly isPacked: boolean;
}

/**
 * Begins to watch what a run spends, and lets what is known of it be confirmed.
 * @throws UsageError (exit 2) when nobody confirms it
 */
export async function guardBatchCost(context: RunContext, batch: BatchSize): Promise<CostGuard> {
  const { endpoint, count, requestedRows, isPacked } = batch;
  const guard = await createCostGuard(context);
  if (count === undefined) return guard;
  const size = isPacked ? (findPacking(batch)?.size ?? 1) : 1;
  const pages = isPacked ? 1 : Math.ceil((requestedRows.limit ?? 1) / maxPageSize(endpoint));
  const requests = Math.ceil(count / size) * pages;
  const rate = await effectiveRate(context);
  const { seconds } = estimateRequests(endpoint, requests, rate);
  await guard.confirm({
    what: `${endpoint.command} for ${count} identifiers${requestedRows.all ? ", at least" : ""}`,
    isEstimate: !isPacked,
    requests,
    units: count * pages * endpoint.cost.units,
    firstUnits: Math.min(count, size) * endpoint.cost.units,
    seconds: rate && seconds,
  });
  return guard;
}
