/** `solx api <path>`: sends a request to any path of any API family. */
import { isObject, NotFoundError, UsageError } from "../../base/index.ts";
import { type Family, positionalOf } from "../../catalogue/index.ts";
import type { Answer, PreparedRequest } from "../../client/index.ts";
import { displayFor, withOutputFile } from "../endpoint/answers.ts";
import { printRequests } from "../endpoint/preview.ts";
import type { ExportRequest } from "../file/open-output.ts";
import type { OutputFile } from "../file/output-file.ts";
import type { RunContext } from "../run/context.ts";

/** Options of the command as typed. */
export interface ApiOptions {
  readonly query?: readonly string[];
  readonly family?: Family;
  readonly raw?: true;
  readonly include?: true;
}

/** Sends a request and prints its answer. */
export async function api(context: RunContext, path: string, options: ApiOptions): Promise<void> {
  const { family, raw, include } = options;
  context.reporter.tracesResponses = include === true;
  const client = await context.session.client();
  const { rawRequest } = await import("../../client/index.ts");
  const request = rawRequest(path, {
    query: (options.query ?? []).map(parsePair),
    baseUrls: (await context.session.settings()).baseUrls(),
    ...(family === undefined ? {} : { family }),
  });
  if (context.globals.dryRun || context.globals.curl) return printRequests(context, [request]);
  if (context.globals.all || context.globals.limit !== undefined) return readPages(context, request);
  await withOutputFile(context, exportRequestFor(request), async (out) => {
    const answer = await client.request(request, { signal: context.io.signal, raw }).catch((error: unknown) => {
      throw error instanceof NotFoundError ? pathNotFound(request) : error;
    });
    if (!answer.bytes) return printAnswer(context, answer, out);
    await (out ? out.destination().sink.write(answer.bytes) : context.printer.printText(answer.bytes));
  });
}

/** Describes a request for the checkpoint of an output file. */
function exportRequestFor({ family, path, query }: PreparedRequest): ExportRequest {
  const params = Object.fromEntries(query.map(([name, value], at) => [`${at + 1}. ${name}`, value]));
  return { endpoint: { command: path, family, query: {} }, params };
}

function parsePair(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`invalid value "${text}" for --query: expected name=value`);
}

/** Reads a list page by page: as the catalogue says, or for other paths as the first answer shows. */
async function readPages(context: RunContext, request: PreparedRequest): Promise<void> {
  const { endpoint } = request;
  const values = parameterValues(request);
  if (endpoint && !endpoint.path.includes("{")) {
    const { runEndpoint } = await import("../endpoint/run-endpoint.ts");
    const { [positionalOf(endpoint)?.[0] ?? ""]: identifier = [], ...others } = values;
    return runEndpoint(context, endpoint, [identifier].flat(), others);
  }
  await withOutputFile(context, exportRequestFor(request), async (out) => {
    const { readDetected } = await import("./read-detected.ts");
    await readDetected(context, { request, values, out }).catch((error: unknown) => {
      throw error instanceof NotFoundError ? pathNotFound(request) : error;
    });
  });
}

/** Returns query parameters by name, without brackets. */
function parameterValues({ query }: PreparedRequest): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [key, value] of query) {
    const name = key.replace(/\[\]$/, "");
    const before = values[name];
    values[name] = key !== name || before !== undefined ? [before ?? [], value].flat() : value;
  }
  return values;
}

function pathNotFound({ family, path }: PreparedRequest): NotFoundError {
  return new NotFoundError(`${path} was not found in the ${family} family.`, {
    status: 404,
    hint: "Try another family (--family v2, legacy or public), or list all paths: solx docs",
  });
}

async function printAnswer(
  context: RunContext,
  { request, envelope, data, rows, at }: Answer,
  out: OutputFile | undefined,
): Promise<void> {
  const display = request.endpoint ? displayFor(request.endpoint) : {};
  const fullEnvelope = context.globals.envelope ? envelope : undefined;
  if (fullEnvelope || rows === undefined) {
    await context.printer.print({ kind: "object", value: fullEnvelope ?? data }, display, out?.destination());
    return;
  }
  const pages = (async function* () {
    yield rows;
  })();
  const around = at !== undefined && isObject(data) ? { envelope: { value: data, path: [at] }, beside: data } : {};
  await context.printer.print({ kind: "rows", pages, ...around }, display, out?.destination());
}
