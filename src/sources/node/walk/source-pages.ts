/** Lists that a node answers by walking signatures, as pages. */
import type { Json } from "../../../base/index.ts";
import { answerBody, type Endpoint } from "../../../catalogue/index.ts";
import {
  type Answer,
  decode,
  type Page,
  type PreparedRequest,
  type ReadOptions,
  requestUrl,
} from "../../../client/index.ts";
import type { AnswerContext } from "../answer.ts";
import type { NodeSettings } from "../settings.ts";
import { readWalk } from "./read-walk.ts";

/** A list and how it is read. */
export interface WalkCall {
  readonly request: PreparedRequest;
  readonly context: AnswerContext;
  readonly settings: NodeSettings;
}

/**
 * Reads a list along the signatures of an account. There is at least one page.
 * @throws what the node's answers throw; UsageError for a state of something else
 */
export async function* readWalkPages(
  { request, context, settings }: WalkCall,
  { limit, all, resume }: ReadOptions,
): AsyncGenerator<Page, void> {
  const toPage = async (records: readonly Json[], header: readonly Json[] | undefined) => {
    const answer = await toAnswer(request, settings, records, header);
    return { rows: answer.rows ?? [], answer, dropped: 0, next: undefined };
  };
  let isEmpty = true;
  for await (const { rows, header, more, cut, state } of readWalk(context, {
    limit: all ? undefined : limit,
    resume,
  })) {
    isEmpty = false;
    yield { ...(await toPage(rows, header)), more, cut, state };
  }
  // A resumed walk has had its pages.
  const state = () => resume ?? {};
  if (isEmpty && resume === undefined) yield { ...(await toPage([], undefined)), more: false, cut: false, state };
}

/** Returns rows as the answer that the API would have given. */
function toAnswer(
  request: PreparedRequest,
  { baseUrls, now }: NodeSettings,
  rows: readonly Json[],
  header: readonly Json[] | undefined,
): Promise<Answer> {
  const endpoint = request.endpoint as Endpoint;
  const { at, shape } = endpoint.returns;
  const columns = (endpoint.columns ?? []).map((column) => (typeof column === "string" ? column : column.path));
  const records = [header ?? columns, ...rows] as readonly (readonly (string | number)[])[];
  const result = shape === "csv" ? { csv: records } : { data: at === undefined ? rows : { [at]: rows } };
  const body = answerBody(result, endpoint, { bareLegacy: false });
  const url = requestUrl(request, baseUrls);
  const type = shape === "csv" ? "text/csv" : "application/json";
  return decode({ url, status: 200, headers: { "content-type": type }, body }, request, now());
}
