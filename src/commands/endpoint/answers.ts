/** Shared by commands that send requests: display of answers, and requests that are printed instead of sent. */
import { type JsonObject, SolxError } from "../../base/index.ts";
import { type Endpoint, endpointByPath, type Family } from "../../catalogue/index.ts";
import type { Answer, Client, Page, PreparedRequest, SendOptions } from "../../client/index.ts";
import { loadEntityShape } from "../../output/index.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";

/** Returns the endpoint of a path that a command is built on. */
export function endpointAt(path: string, family: Family = "v2"): Endpoint {
  const endpoint = endpointByPath(family, path);
  if (!endpoint) throw new SolxError("unexpected", `no endpoint in the catalogue: ${path}`);
  return endpoint;
}

/** Returns the endpoint that reports the compute units of a key. */
export const usageEndpoint = (): Endpoint => endpointAt("/monitor/usage");

/** Requests the usage of the key of a client. */
export const fetchUsage = (client: Client, options: SendOptions): Promise<Answer> =>
  client.fetch(usageEndpoint(), {}, options);

/** Returns how the answers of an endpoint are displayed. */
export function displayFor(endpoint: Endpoint): DisplayOptions {
  return {
    endpoint,
    entity: async () => {
      const shape = await loadEntityShape(endpoint.returns.entity);
      const [field] = shape.fields;
      // The only field of the entity describes a bare number.
      return endpoint.returns.shape === "number" && field !== undefined ? shape.field(field) : shape;
    },
    columns: endpoint.columns,
    identifier: endpoint.subject ?? endpoint.identity?.[0] ?? endpoint.echo,
  };
}

/**
 * Empties a page whose rows were written. Generators refer to the value that they yielded last while they wait for the
 * next one, so that a large page would stay in memory while another one is read.
 */
export function releasePage(page: Page): void {
  const { answer } = page;
  Object.assign(answer, { body: "", data: null, rows: undefined, envelope: undefined } satisfies Partial<Answer>);
  Object.assign(page, { rows: [] } satisfies Partial<Page>);
}

/** Prints requests that are not sent, with a variable for the key. */
export async function printRequests(context: RunContext, requests: readonly PreparedRequest[]): Promise<void> {
  const settings = await context.settings();
  if (settings.source === "rpc") return (await import("./node-preview.ts")).previewNodeCalls(context, requests);
  const client = await context.client();
  // The client refuses what only a node answers.
  const nodeOnly = requests.find(({ endpoint }) => endpoint?.nodeOnly);
  if (nodeOnly) await client.request(nodeOnly, { signal: context.io.signal });
  const baseUrls = settings.baseUrls();
  const [keyHeader, keyText] = [settings.get("key-header"), settings.printedKey()];
  if (settings.inProcess) {
    const option = settings.sandbox ? "" : ` --index ${settings.get("index")}`;
    const text = `This address answers while the sandbox runs. To start it: solx sandbox${option}`;
    // A curl command is printed to be run.
    await (context.globals.curl ? context.reporter.note(text) : context.reporter.hint(text));
  }
  for (const { notes } of requests) for (const note of notes) await context.reporter.hint(note);
  if (context.globals.curl) {
    const { curlCommand } = await import("../../client/index.ts");
    const lines = requests.map((request) =>
      curlCommand(request, { baseUrl: baseUrls[request.family], keyHeader, keyText }),
    );
    return context.printText(`${lines.join("\n")}\n`);
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
  await (rows.length === 1 && only ? context.printObject(only) : context.printRows(rows));
}
