/** Reads a list of a path that the catalogue does not know, page by page, as its first answer shows it to be paged. */
import { sha256, stringifyJson, toSentence, UsageError } from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import {
  type Answer,
  findParamByRole,
  type Page,
  type PreparedRequest,
  readPages,
  totalRows,
} from "../../client/index.ts";
import { parseRequestedRows } from "../endpoint/requested-rows.ts";
import { printList } from "../endpoint/run-endpoint.ts";
import type { OutputFile } from "../file/output-file.ts";
import type { RunContext } from "../run/context.ts";
import { detectPaging, type QueryValues, unpagedEndpoint } from "./detect-paging.ts";

/** A list to read. */
interface DetectedList {
  readonly request: PreparedRequest;
  readonly values: QueryValues;
  readonly out: OutputFile | undefined;
}

/**
 * Reads and prints a list.
 * @throws UsageError when the answer is not a list, or the API refuses the parameter of a further page
 */
export async function readDetected(context: RunContext, { request, values, out }: DetectedList): Promise<void> {
  const client = await context.session.client();
  const { signal, now } = context.io;
  let first: Answer | undefined = await client.fetch(unpagedEndpoint(request, values), values, { signal });
  if (first.rows === undefined) throw notPageable(request, "the answer is not a list.");
  const endpoint = detectPaging(request, first, values);
  const requestedRows = parseRequestedRows(context, endpoint);
  // A resumed reading continues after the pages of the earlier run; the answer only showed how.
  if (out?.resume) first = undefined;
  const fetch = async (params: ParameterValues, sending: { readonly signal: AbortSignal }) => {
    const next = first ?? (await fetchPage(params, sending.signal));
    first = undefined;
    return next;
  };
  const fetchPage = (params: ParameterValues, pageSignal: AbortSignal) =>
    client.fetch(endpoint, params, { signal: pageSignal }).catch((error: unknown) => {
      throw error instanceof UsageError ? notPageable(request, `the API refuses a page. ${toSentence(error)}`) : error;
    });
  const reading = readPages(
    { endpoint, params: values, fetch, now: now(), signal },
    // Pages that do not exist are charged, too: none is requested in advance.
    { ...requestedRows, resume: out?.resume, ahead: false },
  );
  const pages = untilEnd(context, endpoint, reading);
  await printList(context, endpoint, { pages, requestedRows, display: {}, out });
}

/**
 * Passes pages on until one is empty, unless rows are missing from the reported total, or equals the previous one,
 * because the server then ignores the parameter.
 */
async function* untilEnd(
  context: RunContext,
  endpoint: Endpoint,
  pages: AsyncGenerator<Page, void>,
): AsyncGenerator<Page, void> {
  let previous: string | undefined;
  for await (const page of pages) {
    const { rows = [] } = page.answer;
    const isEmpty = rows.length === 0;
    const isLast = isEmpty && totalRows(page.answer) === undefined;
    const hash = sha256(stringifyJson(rows));
    if (!isEmpty && hash === previous) return noteRepetition(context, endpoint);
    previous = hash;
    yield page;
    if (isLast) return;
  }
}

async function noteRepetition(context: RunContext, endpoint: Endpoint): Promise<void> {
  const { paging } = endpoint;
  const name = paging === "none" || paging === "limit" ? undefined : findParamByRole(endpoint, paging)?.[0];
  await context.reporter.note(`The API returned the same page again: the list has ended, or ${name} is ignored.`);
}

function notPageable({ path }: PreparedRequest, reason: string): UsageError {
  return new UsageError(`${path} cannot be read page by page: ${reason}`, {
    code: "NOT_PAGEABLE",
    hint: "Omit --all and --limit, or name the parameters of its pages: --query page=1, --query offset=0 or --query cursor=<cursor>.",
  });
}
