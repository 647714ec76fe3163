/** `--dry-run` and `--curl`: prints the requests that would be sent, including pages and packed batches. */

import { splitIntoBatches } from "../../base/index.ts";
import { type Endpoint, mayContinue, type ParameterValues, returnsList } from "../../catalogue/index.ts";
import { findPacking, isLongExport, type PreparedRequest, readPages, resolveExportRange } from "../../client/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { printRequests } from "./answers.ts";
import type { RequestedRows } from "./requested-rows.ts";

/** A command with one request, or a list. */
export interface ListRequest {
  readonly params: ParameterValues;
  readonly requestedRows: RequestedRows;
}

/** A command with many identifiers. */
export interface BatchRequest extends ListRequest {
  /** The parameter of the identifiers. */
  readonly name: string;
  readonly requests: readonly (string | readonly string[])[];
}

/** Prints the request of a command; for a list, the first one. */
export async function previewRequest(
  context: RunContext,
  endpoint: Endpoint,
  { params, requestedRows }: ListRequest,
): Promise<void> {
  const client = await context.session.client();
  const request = await firstRequest(context, client, endpoint, { params, requestedRows });
  await printRequests(context, [request]);
  const isMore = requestedRows.all || (requestedRows.limit ?? 0) > readPageSize(request);
  const { facts } = sourceOf(await context.session.settings());
  if (!isMore || !mayContinue(endpoint) || !facts.chargesUnits) return;
  const following =
    request.endpoint?.returns.shape === "csv" ? "exports follow if one does not contain all rows" : "pages follow";
  await context.reporter.note(`Further ${following}, ${request.cost} compute units each.`);
}

/** Prints the requests of a command with many identifiers. */
export async function previewBatch(
  context: RunContext,
  endpoint: Endpoint,
  { name, requests, params, requestedRows }: BatchRequest,
): Promise<void> {
  const client = await context.session.client();
  const packed = returnsList(endpoint) ? undefined : packedRequests(endpoint, requests, params);
  if (packed)
    return printRequests(
      context,
      packed.map(([captured, query]) => client.prepare(captured, query)),
    );
  const prepared: PreparedRequest[] = [];
  for (const ids of requests) {
    prepared.push(await firstRequest(context, client, endpoint, { params: { ...params, [name]: ids }, requestedRows }));
  }
  await printRequests(context, prepared);
}

/** Returns the requests to the multi endpoint, if the client would pack the identifiers. */
function packedRequests(endpoint: Endpoint, ids: BatchRequest["requests"], params: ParameterValues) {
  const unique = [...new Set(ids.flat())];
  const multi = unique.length > 1 ? findPacking({ endpoint, params }) : undefined;
  return (
    multi &&
    splitIntoBatches(unique, multi.size).map((chunk) => [multi.endpoint, { ...params, [multi.name]: chunk }] as const)
  );
}

/** Returns the first request that reading a list would send. */
async function firstRequest(
  context: RunContext,
  client: ConnectedClient,
  endpoint: Endpoint,
  { params, requestedRows }: ListRequest,
): Promise<PreparedRequest> {
  const now = (await context.session.clock())();
  if (!isLongExport(endpoint, requestedRows)) return firstPageRequest(client, endpoint, { params, requestedRows, now });
  const { from, firstTo, between } = resolveExportRange(endpoint, params, now);
  return client.prepare(endpoint, between(from, firstTo));
}

/** Returns the request of a list's first page by starting to read and stopping before it is sent. */
async function firstPageRequest(
  client: ConnectedClient,
  endpoint: Endpoint,
  { params, requestedRows, now }: ListRequest & { readonly now: number },
): Promise<PreparedRequest> {
  const captured: ParameterValues[] = [];
  const fetch = async (query: ParameterValues): Promise<never> => {
    captured.push(query);
    throw new RequestCaptured();
  };
  try {
    await readPages({ endpoint, params, fetch, now }, requestedRows).next();
  } catch (error) {
    if (!(error instanceof RequestCaptured)) throw error;
  }
  return client.prepare(endpoint, captured[0] ?? params);
}

/** Stops reading before the first request is sent. */
class RequestCaptured extends Error {}

/** Returns the page size of a request; the default of the API when it sets none. */
function readPageSize({ endpoint, query }: PreparedRequest): number {
  const [name, param] = Object.entries(endpoint?.query ?? {}).find(([, { role }]) => role === "size") ?? [];
  return Number(query.find(([key]) => key === name)?.[1] ?? param?.default ?? Number.POSITIVE_INFINITY);
}
