/** The cost of a batch: confirmed before the first request if known, otherwise once the limit is reached. */
import type { Endpoint } from "../../catalogue/index.ts";
import { estimateRequests, findPacking, maxPageSize } from "../../client/index.ts";
import type { RunContext } from "../run/context.ts";
import { type CostGuard, createCostGuard, effectiveRate } from "./cost.ts";

/** The identifiers to request. */
export interface BatchSize {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  /** The number of identifiers, if known. */
  readonly count: number | undefined;
  readonly requestedRows: { readonly limit?: number; readonly all?: true };
  /** Whether identifiers are packed into requests to the multi endpoint where possible. */
  readonly isPacked: boolean;
}

/**
 * Starts tracking the cost of a batch and asks to confirm the known part of it.
 * @throws UsageError (exit 2) when it is not confirmed
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
    label: `${endpoint.command} for ${count} identifiers${requestedRows.all ? ", at least" : ""}`,
    isEstimate: !isPacked,
    requests,
    units: count * pages * endpoint.cost.units,
    firstUnits: Math.min(count, size) * endpoint.cost.units,
    seconds: rate && seconds,
  });
  return guard;
}
