/** `solx api <path>`: a request to any path of any family. */
import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import type { Family } from "../catalogue/endpoint.ts";
import type { Answer } from "../client/index.ts";
import { printRequests, shownAs } from "./answers.ts";
import type { Frame } from "./frame.ts";

const FAMILIES: readonly string[] = ["v2", "legacy", "public"] satisfies Family[];

/** The options of the command. */
export interface ApiOptions {
  readonly query?: readonly string[];
  readonly family?: string;
  readonly raw?: true;
  readonly include?: true;
}

/** Sends a request and prints its answer. */
export async function api(frame: Frame, path: string, options: ApiOptions): Promise<void> {
  const { family, raw, include } = options;
  if (family !== undefined && !FAMILIES.includes(family)) {
    throw new UsageError(`There is no family ${family}.`, { hint: `Families: ${FAMILIES.join(", ")}` });
  }
  const client = await frame.client();
  const { rawRequest } = await import("../client/index.ts");
  const request = rawRequest(path, {
    query: (options.query ?? []).map(pair),
    baseUrls: (await frame.settings()).baseUrls(),
    ...(family === undefined ? {} : { family: family as Family }),
  });
  if (frame.globals.dryRun || frame.globals.curl) return printRequests(frame, [request]);
  if (frame.globals.all || frame.globals.limit !== undefined) return readPages(frame, request);
  const answer = await client.request(request, { signal: frame.io.signal });
  if (include) await frame.note(head(answer));
  if (raw) return frame.text(answer.body);
  await printAnswer(frame, answer);
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`"${text}" is no query parameter.`, { hint: "Write -q name=value." });
}

/** Paging needs to know how a path is paged: the catalogue does. */
async function readPages(frame: Frame, { endpoint, path, query }: Answer["request"]): Promise<void> {
  if (!endpoint || endpoint.path.includes("{")) {
    throw new UsageError(`How ${path} is paged is not known, so --limit and --all cannot be used.`, {
      hint: "Ask for pages with -q page=2 -q page_size=100.",
    });
  }
  const values: Record<string, string | string[]> = {};
  for (const [key, value] of query) {
    const name = key.replace(/\[\]$/, "");
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  const { runEndpoint } = await import("./run-endpoint.ts");
  const { positionalOf } = await import("../catalogue/index.ts");
  const name = positionalOf(endpoint)?.[0];
  const { [name ?? ""]: identifier = [], ...others } = values;
  await runEndpoint(frame, endpoint, [identifier].flat(), others);
}

function head({ status, headers }: Answer): string {
  return [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");
}

async function printAnswer(frame: Frame, { request, envelope, data, rows, at }: Answer): Promise<void> {
  const shown = request.endpoint ? shownAs(request.endpoint) : {};
  if (frame.globals.envelope && envelope) return frame.printObject(envelope, shown);
  if (rows === undefined) return frame.printObject(data, shown);
  const pages = (async function* () {
    yield rows;
  })();
  const around = at !== undefined && isObject(data) ? { frame: { value: data, at } } : {};
  await frame.print({ kind: "rows", pages, ...around }, shown);
}
