/** Lists that a node answers by walking signatures, as pages. */
import type { Json } from "../../../base/index.ts";
import { answerBody, type Endpoint, nodeSupportOf, type ParameterValues } from "../../../catalogue/index.ts";
import { type Answer, decode } from "../../../client/answer/decode.ts";
import type { ReadOptions } from "../../../client/call.ts";
import type { ClientSettings } from "../../../client/options.ts";
import type { Page } from "../../../client/paging/page.ts";
import { type PreparedRequest, prepare } from "../../../client/request/prepare.ts";
import { requestUrl } from "../../../client/request/url.ts";
import { withoutCost } from "../../../client/sender.ts";
import type { NodePipeline, SendOptions } from "../../api/pipeline.ts";
import { loadWalks } from "../index.ts";

/** A list and the node that it is read from. */
export interface WalkCall {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly settings: ClientSettings;
  readonly openNode: () => Promise<NodePipeline>;
  /** Reports the notes of a request, and returns it. */
  readonly reportNotes: (request: PreparedRequest) => PreparedRequest;
}

/** Whether a list is read by a walk: one page of it is an answer like any other. */
export function isWalk(endpoint: Endpoint, { all, limit, resume, via }: ReadOptions): boolean {
  const { returns } = endpoint;
  const isList = returns.shape === "rows" || (returns.shape === "csv" && via !== "pages");
  const isLong = all === true || limit !== undefined || resume !== undefined;
  return isList && isLong && nodeSupportOf(endpoint).level === "walk";
}

/**
 * Reads a list along the signatures of an account. There is at least one page.
 * @throws what the node's answers throw; UsageError for a state of something else
 */
export async function* readWalkPages(
  { endpoint, params, settings, openNode, reportNotes }: WalkCall,
  { limit, all, resume, ahead: _, via: __, onEstimate: ___, ...sending }: SendOptions & ReadOptions,
): AsyncGenerator<Page, void> {
  const request = withoutCost(reportNotes(prepare(endpoint, params, { now: settings.now })));
  const [{ readWalk }, pipeline] = await Promise.all([loadWalks(), openNode()]);
  const context = pipeline.context(request, { priority: "background", ...sending });
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
  settings: ClientSettings,
  rows: readonly Json[],
  header: readonly Json[] | undefined,
): Promise<Answer> {
  const endpoint = request.endpoint as Endpoint;
  const { at, shape } = endpoint.returns;
  const columns = (endpoint.columns ?? []).map((column) => (typeof column === "string" ? column : column.path));
  const records = [header ?? columns, ...rows] as readonly (readonly (string | number)[])[];
  const result = shape === "csv" ? { csv: records } : { data: at === undefined ? rows : { [at]: rows } };
  const body = answerBody(result, endpoint, { bareLegacy: false });
  const url = requestUrl(request, settings.baseUrls);
  const type = shape === "csv" ? "text/csv" : "application/json";
  return decode({ url, status: 200, headers: { "content-type": type }, body }, request, settings.now());
}
