/** Runs one request through the client; lists with the client's paging, so that the next page is known. */

import { errorMessage, NotFoundError, SolxError } from "../../base/index.ts";
import { type ParameterValues, returnsList } from "../../catalogue/index.ts";
import type { Answer, Client, SendOptions } from "../../client/index.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";

/** An answer and, for lists, the parameters of the next page. */
export interface QueryResult {
  readonly answer: Answer;
  readonly next: ParameterValues | undefined;
  readonly more: boolean | undefined;
}

/**
 * Sends one request.
 * @throws SolxError
 */
export async function runQuery(
  client: Client,
  { endpoint, params }: EndpointRequest,
  options: SendOptions,
): Promise<QueryResult> {
  if (!returnsList(endpoint)) {
    const answer = await client.fetch(endpoint, params, options);
    // Without data a page would describe an entity without properties and activity.
    if (answer.data === null) throw new NotFoundError("The API returned no data for it.");
    return { answer, next: undefined, more: undefined };
  }
  const pages = client.pages(endpoint, params, options);
  try {
    const { value: page } = await pages.next();
    if (!page) throw new SolxError("server", "The API returned no page.");
    return { answer: page.answer, next: page.next && { ...params, ...page.next }, more: page.more };
  } finally {
    await pages.return();
  }
}

const PAGING: readonly (string | undefined)[] = ["page", "size", "offset", "cursor"];

/** Returns a request without its paging parameters. */
export function withoutPage(request: EndpointRequest): EndpointRequest {
  const { query } = request.endpoint;
  const params = Object.entries(request.params).filter(
    ([name, value]) => value !== undefined && !PAGING.includes(query[name]?.role),
  );
  return { ...request, params: Object.fromEntries(params) };
}

/** Converts an error into a SolxError; other errors are bugs. */
export function toSolxError(error: unknown): SolxError {
  if (error instanceof SolxError) return error;
  const message = errorMessage(error);
  return new SolxError("unexpected", `unexpected error: ${message}`, { cause: error });
}
