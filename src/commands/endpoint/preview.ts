/** `--dry-run` and `--curl`: prints the requests that would be sent, including pages, packed batches and calls of a node. */
import { type JsonObject, splitIntoBatches, stringifyJson } from "../../base/index.ts";
import {
  mayContinue,
  nodeSupportOf,
  type ParameterValues,
  QueryParams,
  quoteForShell,
  requestValues,
  returnsList,
} from "../../catalogue/index.ts";
import type { NodeConnection, RpcCall } from "../../chain/solana/index.ts";
import {
  curlCommand,
  findPacking,
  isLongExport,
  type PreparedRequest,
  readPages,
  resolveExportRange,
  startAtRow,
} from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { maskNode } from "../run/printed-command.ts";
import type { Query } from "./answers.ts";

/** Prints the request of a command; for a list, the first one. */
export async function previewRequest(context: RunContext, query: Query): Promise<void> {
  const { endpoint, requestedRows } = query;
  const request = await firstRequest(context, query);
  await printRequests(context, [request]);
  const isMore = requestedRows.all || (requestedRows.limit ?? 0) > readPageSize(request);
  const { facts } = sourceOf(await context.session.settings());
  if (!isMore || !mayContinue(endpoint) || !facts.chargesUnits) return;
  const following =
    request.endpoint?.returns.shape === "csv" ? "exports follow if one does not contain all rows" : "pages follow";
  await context.reporter.note(`Further ${following}, ${request.cost} compute units each.`);
}

/** Prints the requests of a command with many identifiers, which are values of the parameter `name`. */
export async function previewBatch(
  context: RunContext,
  query: Query,
  { name, requests }: { readonly name: string; readonly requests: readonly (string | readonly string[])[] },
): Promise<void> {
  const { endpoint, params } = query;
  const unique = [...new Set(requests.flat())];
  const multi = unique.length > 1 && !returnsList(endpoint) ? findPacking(query) : undefined;
  const prepared: PreparedRequest[] = [];
  if (multi) {
    const client = await context.session.client();
    for (const ids of splitIntoBatches(unique, multi.size))
      prepared.push(client.prepare(multi.endpoint, { ...params, [multi.name]: ids }));
  } else {
    for (const ids of requests)
      prepared.push(await firstRequest(context, { ...query, params: { ...params, [name]: ids } }));
  }
  await printRequests(context, prepared);
}

async function firstRequest(context: RunContext, query: Query): Promise<PreparedRequest> {
  const { endpoint } = query;
  const { params, options } = startAtRow(endpoint, query.params, query.requestedRows);
  const client = await context.session.client();
  const now = (await context.session.clock())();
  if (isLongExport(endpoint, options)) {
    const { from, firstTo, between } = resolveExportRange(endpoint, params, now);
    return client.prepare(endpoint, between(from, firstTo));
  }
  // Starts to read the list, and stops before the first request is sent.
  const captured: ParameterValues[] = [];
  const fetch = async (query: ParameterValues): Promise<never> => {
    captured.push(query);
    throw new RequestCaptured();
  };
  try {
    await readPages({ endpoint, params, fetch, now }, options).next();
  } catch (error) {
    if (!(error instanceof RequestCaptured)) throw error;
  }
  return client.prepare(endpoint, captured[0] ?? params);
}

class RequestCaptured extends Error {}

/** Returns the page size of a request; the default of the API when it sets none. */
function readPageSize({ endpoint, query }: PreparedRequest): number {
  const [name, param] = Object.entries(endpoint?.query ?? {}).find(([, { role }]) => role === "size") ?? [];
  return Number(query.find(([key]) => key === name)?.[1] ?? param?.default ?? Number.POSITIVE_INFINITY);
}

/** Prints the first calls of the requests, and notes which methods follow. */
async function previewNodeCalls(context: RunContext, requests: readonly PreparedRequest[]): Promise<void> {
  const client = await context.session.client();
  const calls: RpcCall[] = [];
  for (const request of requests) calls.push(...(await firstCalls(context, client, request)));
  const methods = new Set(requests.flatMap(({ endpoint }) => (endpoint ? nodeSupportOf(endpoint).methods : [])));
  if (calls.length > 0) await printCalls(context, calls);
  const following = [...methods].filter((name) => !calls.some(({ method }) => method === name));
  if (following.length > 0)
    await context.reporter.note(`Further calls depend on the results: ${following.join(", ")}.`);
}

/** Thrown by the connection that sends nothing. */
class NotSent extends Error {}

async function firstCalls(
  context: RunContext,
  client: ConnectedClient,
  request: PreparedRequest,
): Promise<readonly RpcCall[]> {
  const { createSession, findNodeAnswer } = await import("../../sources/node/index.ts");
  const { endpoint } = request;
  const answer = endpoint && (await findNodeAnswer(endpoint));
  // The client refuses what a node cannot answer, before it sends anything.
  if (!answer) {
    await client.request(request, { signal: context.io.signal });
    return [];
  }
  const calls: RpcCall[] = [];
  const params = new QueryParams(endpoint.query, requestValues(endpoint, request.path, request.query).values);
  try {
    await answer({ node: recordCalls(client.node(), calls), endpoint, params, session: createSession(), sending: {} });
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
  }
  return calls;
}

function recordCalls({ name, commitment, now }: NodeConnection, calls: RpcCall[]): NodeConnection {
  const record = async (...added: readonly RpcCall[]): Promise<never> => {
    calls.push(...added);
    // Calls that are sent together are all recorded.
    await new Promise(setImmediate);
    throw new NotSent();
  };
  return {
    name,
    commitment,
    now,
    call: (method, params = []) => record({ method, params }),
    callMany: (many) => record(...many),
  };
}

const HEADERS = { "content-type": "application/json" } as const;

/** Prints calls as requests, or as curl commands. A URL with a key is printed as a variable. */
export async function printCalls(context: RunContext, calls: readonly RpcCall[]): Promise<void> {
  const url = printedUrl(await context.session.settings());
  const bodies = calls.map(({ method, params }, at): JsonObject => ({ jsonrpc: "2.0", id: at + 1, method, params }));
  if (context.globals.curl) {
    const target = url.startsWith("$") ? `"${url}"` : quoteForShell(url);
    const header = quoteForShell(`content-type: ${HEADERS["content-type"]}`);
    const lines = bodies.map(
      (body) => `curl --compressed -H ${header} -d ${quoteForShell(stringifyJson(body))} ${target}`,
    );
    return context.printer.printText(`${lines.join("\n")}\n`);
  }
  const rows = bodies.map((body): JsonObject => ({ method: "POST", url, headers: { ...HEADERS }, body, cost: 0 }));
  const [only] = rows;
  await (rows.length === 1 && only ? context.printer.printObject(only) : context.printer.printRows(rows));
}

function printedUrl(settings: Settings): string {
  const url = settings.node()?.url ?? "";
  return maskNode(url) === url ? url : "$SOLX_RPC_URL";
}

/** Prints requests that are not sent, with a variable for the key. */
export async function printRequests(context: RunContext, requests: readonly PreparedRequest[]): Promise<void> {
  const settings = await context.session.settings();
  if (settings.node()) return previewNodeCalls(context, requests);
  const client = await context.session.client();
  const { facts, supports } = sourceOf(settings);
  // The client refuses what its source does not answer.
  const refused = requests.find(({ endpoint }) => endpoint && supports(endpoint).level === "none");
  if (refused) await client.request(refused, { signal: context.io.signal });
  const baseUrls = settings.baseUrls();
  const [keyHeader, keyText] = [settings.get("key-header"), settings.printedKey()];
  if (facts.isInProcess) {
    const option = facts.isSimulated ? "" : ` --index ${settings.get("index")}`;
    const text = `This address answers while the sandbox runs. To start it: solx sandbox${option}`;
    // A curl command is printed to be run.
    await (context.globals.curl ? context.reporter.note(text) : context.reporter.hint(text));
  }
  for (const { notes } of requests) for (const note of notes) await context.reporter.hint(note);
  if (context.globals.curl) {
    const lines = requests.map((request) =>
      curlCommand(request, { baseUrl: baseUrls[request.family], keyHeader, keyText }),
    );
    return context.printer.printText(`${lines.join("\n")}\n`);
  }
  const rows = requests.map(
    (request): JsonObject => ({
      method: "GET",
      url: client.url(request).href,
      headers: { [keyHeader]: keyText },
      cost: request.cost,
    }),
  );
  const [only] = rows;
  await (rows.length === 1 && only ? context.printer.printObject(only) : context.printer.printRows(rows));
}
