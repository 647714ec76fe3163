/** `--dry-run` and `--curl`: the requests that would be sent, the pages of lists and the packing of batches included. */

import { splitIntoBatches } from "../../base/chunks.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { findPacking } from "../../client/batch/items.ts";
import { requirePagedSibling } from "../../client/export/paged-export.ts";
import { isLongExport } from "../../client/export/read-export.ts";
import { resolveExportRange } from "../../client/export/time-range.ts";
import type { Client, PreparedRequest } from "../../client/index.ts";
import { readPages } from "../../client/paging/read-pages.ts";
import type { RunContext } from "../run/context.ts";
import { printRequests } from "./answers.ts";
import { viaOf } from "./long-list.ts";
import type { Wanted } from "./run-endpoint.ts";

/** A command with one request, or the first of a list's pages. */
export interface One {
  readonly params: ParameterValues;
  readonly wanted: Wanted;
}

/** A command with many identifiers. */
export interface Many extends One {
  /** The parameter of the identifiers. */
  readonly name: string;
  readonly requests: readonly (string | readonly string[])[];
}

/** Shows the request of a command; of a list the first one. */
export async function showOne(context: RunContext, endpoint: Endpoint, { params, wanted }: One): Promise<void> {
  const client = await context.client();
  const request = await firstRequest(context, client, endpoint, { params, wanted });
  await printRequests(context, [request]);
  const isMore = wanted.all || (wanted.limit ?? 0) > sizeOf(request);
  if (!isMore) return;
  const what =
    request.endpoint?.returns.shape === "csv" ? "exports follow as far as one does not hold it all" : "pages follow";
  await context.note(`Further ${what}, ${request.cost} compute units each.`);
}

/** Shows the requests of a command with many identifiers. */
export async function showMany(
  context: RunContext,
  endpoint: Endpoint,
  { name, requests, params, wanted }: Many,
): Promise<void> {
  const client = await context.client();
  const packed = endpoint.returns.shape === "object" ? packedRequests(endpoint, requests, params) : undefined;
  if (packed)
    return printRequests(
      context,
      packed.map(([asked, given]) => client.prepare(asked, given)),
    );
  const prepared: PreparedRequest[] = [];
  for (const ids of requests) {
    prepared.push(await firstRequest(context, client, endpoint, { params: { ...params, [name]: ids }, wanted }));
  }
  await printRequests(context, prepared);
}

/** The requests to the multi endpoint, where the client would pack identifiers into it. */
function packedRequests(endpoint: Endpoint, ids: Many["requests"], params: ParameterValues) {
  const unique = [...new Set(ids.flat())];
  const multi = unique.length > 1 ? findPacking({ endpoint, params }) : undefined;
  return (
    multi &&
    splitIntoBatches(unique, multi.size).map((chunk) => [multi.endpoint, { ...params, [multi.name]: chunk }] as const)
  );
}

/** The first request that reading a list would send. */
async function firstRequest(
  context: RunContext,
  client: Client,
  endpoint: Endpoint,
  { params, wanted }: One,
): Promise<PreparedRequest> {
  const via = viaOf(context, endpoint, params);
  const now = (await context.clock())();
  if (!isLongExport(endpoint, { ...wanted, via })) return firstPage(client, endpoint, { params, wanted, now });
  if (via === "pages") return firstPage(client, requirePagedSibling(endpoint), { params, wanted, now });
  const { from, to, between } = resolveExportRange(endpoint, params, now);
  return client.prepare(endpoint, between(from, to));
}

/** The request of a list's first page: reading stops where it would be sent. */
async function firstPage(
  client: Client,
  endpoint: Endpoint,
  { params, wanted, now }: One & { readonly now: number },
): Promise<PreparedRequest> {
  const asked: ParameterValues[] = [];
  const fetch = async (given: ParameterValues): Promise<never> => {
    asked.push(given);
    throw new Planned();
  };
  try {
    await readPages({ endpoint, params, fetch, now }, wanted).next();
  } catch (error) {
    if (!(error instanceof Planned)) throw error;
  }
  return client.prepare(endpoint, asked[0] ?? params);
}

/** Ends reading before anything is sent. */
class Planned extends Error {}

/** Rows that a request asks for; the API's own default where it names none. */
function sizeOf({ endpoint, query }: PreparedRequest): number {
  const [name, param] = Object.entries(endpoint?.query ?? {}).find(([, { role }]) => role === "size") ?? [];
  return Number(query.find(([key]) => key === name)?.[1] ?? param?.default ?? Number.POSITIVE_INFINITY);
}
