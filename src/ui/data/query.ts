/** How one request is asked: lists by the client's rules of paging, so that what follows is known. */

import { errorMessage } from "../../base/error-message.ts";
import { NotFoundError, SolxError } from "../../base/errors.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Answer, Client, SendOptions } from "../../client/index.ts";

import type { EndpointRequest } from "./store.ts";

/** An answer, and for lists what follows it. */
export interface QueryResult {
  readonly answer: Answer;
  readonly next: ParameterValues | undefined;
  readonly more: boolean | undefined;
}

/**
 * Asks once.
 * @throws SolxError
 */
export async function runQuery(
  client: Client,
  { endpoint, params }: EndpointRequest,
  options: SendOptions,
): Promise<QueryResult> {
  if (endpoint.returns.shape === "object") {
    const answer = await client.fetch(endpoint, params, options);
    // A screen that was told nothing would describe a thing that has nothing and did nothing.
    if (answer.data === null) throw new NotFoundError("The API answered, and had nothing to say of it.");
    return { answer, next: undefined, more: undefined };
  }
  const pages = client.pages(endpoint, params, options);
  try {
    const { value: page } = await pages.next();
    if (!page) throw new SolxError("server", "The API gave no page.");
    return { answer: page.answer, next: page.next && { ...params, ...page.next }, more: page.more };
  } finally {
    await pages.return();
  }
}

/** A failure as one that can be told: what is no typed failure is a mistake of the program. */
export function toSolxError(error: unknown): SolxError {
  if (error instanceof SolxError) return error;
  const message = errorMessage(error);
  return new SolxError("unexpected", `Something unexpected happened: ${message}`, { cause: error });
}
