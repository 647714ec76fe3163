/** Reads a list of a path that the catalogue does not know, page by page, as its first answer shows it to be paged. */
import {
  isObject,
  type Json,
  type JsonObject,
  sha256,
  stringifyJson,
  toSentence,
  UsageError,
} from "../../base/index.ts";
import {
  endpoint as defineEndpoint,
  type Endpoint,
  findParamByRole,
  integer,
  type Param,
  type ParameterValues,
  rows,
  text,
} from "../../catalogue/index.ts";
import { type Answer, type Page, type PreparedRequest, readPages, totalRows } from "../../client/index.ts";
import { parseRequestedRows } from "../endpoint/answers.ts";
import { printList } from "../endpoint/run-endpoint.ts";
import type { OutputFile } from "../file/output-file.ts";
import type { RunContext } from "../run/context.ts";

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
  if (requestedRows.skip !== undefined)
    throw new UsageError(`--limit takes no range for ${request.path}: it is no path of a command.`);
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

/** Query parameters by name, without brackets. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>;

/** Fields of answers with the cursor of the next page. The parameter of the next request is `cursor`, or has their name. */
const CURSOR_FIELDS = ["cursor", "next_cursor", "nextCursor"];
const PAGE_SIZES = ["page_size", "pageSize", "per_page", "size"];

interface DetectedPaging {
  readonly query: Readonly<Record<string, Param>>;
  readonly cursorAt?: string;
}

/** Returns a path that the catalogue does not know as an endpoint with a list that is not paged. */
const unpagedEndpoint = (request: PreparedRequest, values: QueryValues): Endpoint =>
  createEndpoint(request, values, { query: {} });

/** Returns a path that the catalogue does not know as an endpoint that is paged as its first answer shows. */
const detectPaging = (request: PreparedRequest, answer: Answer, values: QueryValues): Endpoint =>
  createEndpoint(request, values, detect(answer, values));

function createEndpoint({ family, path }: PreparedRequest, values: QueryValues, paging: DetectedPaging): Endpoint {
  const params = Object.entries(values).map(([name, value]) => [name, unknownParam(value)] as const);
  return defineEndpoint(family, path, {
    summary: "",
    query: { ...Object.fromEntries(params), ...paging.query },
    returns: rows("Transfer", { total: "total" }),
    columns: "",
    examples: {},
    // Without fields, rows are compared as a whole.
    ...(paging.cursorAt === undefined ? {} : { cursorAt: paging.cursorAt, identity: "" }),
  });
}

function detect(answer: Answer, values: QueryValues): DetectedPaging {
  const echoes = placesBesideRows(answer);
  const cursorAt = CURSOR_FIELDS.find((field) => echoes.some((place) => Object.hasOwn(place, field)));
  if (cursorAt !== undefined) {
    const name = Object.hasOwn(values, cursorAt) ? cursorAt : "cursor";
    return {
      query: { [name]: text("", { role: "cursor" }), ...sizeParam(values, [...PAGE_SIZES, "limit"]) },
      cursorAt,
    };
  }
  const isPaged = [...PAGE_SIZES, "page"].some((name) => Object.hasOwn(values, name));
  const isByOffset =
    Object.hasOwn(values, "offset") ||
    (!isPaged && (Object.hasOwn(values, "limit") || echoes.some((place) => Object.hasOwn(place, "offset"))));
  return isByOffset
    ? { query: { offset: integer("", { min: 0, default: 0, role: "offset" }), ...sizeParam(values, ["limit"]) } }
    : { query: { page: integer("", { min: 1, default: 1, role: "page" }), ...sizeParam(values, PAGE_SIZES) } };
}

/** Returns the objects of an answer that can describe its paging. */
function placesBesideRows({ data, envelope }: Answer): readonly JsonObject[] {
  return [data, envelope?.metadata, envelope].filter(
    (place: Json | undefined) => place !== undefined && isObject(place),
  );
}

function sizeParam(values: QueryValues, names: readonly string[]): Readonly<Record<string, Param>> {
  const name = names.find((one) => Object.hasOwn(values, one));
  return name === undefined ? {} : { [name]: integer("", { min: 1, role: "size" }) };
}

const unknownParam = (value: QueryValues[string]): Param =>
  typeof value === "string" ? text("") : { ...text(""), arity: "list", wire: "brackets" };
