/** What the commands about endpoints share: how answers are shown, requests described. */
import { SolxError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Endpoint, Family } from "../../catalogue/endpoint.ts";
import { endpointByPath } from "../../catalogue/index.ts";
import type { PreparedRequest } from "../../client/index.ts";
import type { Frame, Shown } from "../run/context.ts";

/** The endpoint of a path that a command is made for. */
export function endpointAt(path: string, family: Family = "v2"): Endpoint {
  const endpoint = endpointByPath(family, path);
  if (!endpoint) throw new SolxError("unexpected", `The catalogue has no ${path}.`);
  return endpoint;
}

/** How an endpoint's answer is shown. */
export function shownAs(endpoint: Endpoint): Shown {
  return {
    entity: async () => (await import("../../catalogue/entities/index.ts"))[endpoint.returns.entity],
    columns: endpoint.columns,
  };
}

/** Prints requests that are not sent; the key is never among what is shown. */
export async function printRequests(frame: Frame, requests: readonly PreparedRequest[]): Promise<void> {
  const settings = await frame.settings();
  const client = await frame.client();
  const baseUrls = settings.baseUrls();
  const keyHeader = settings.get("key-header");
  for (const { notes } of requests) for (const note of notes) await frame.hint(note);
  if (frame.globals.curl) {
    const { curlLine } = await import("../../client/index.ts");
    const lines = requests.map((request) => curlLine(request, { baseUrl: baseUrls[request.family], keyHeader }));
    return frame.text(`${lines.join("\n")}\n`);
  }
  const rows = requests.map(
    (request): JsonObject => ({
      method: "GET",
      url: client.url(request).href,
      headers: { [keyHeader]: "$SOLX_API_KEY" },
      cost: request.cost,
    }),
  );
  const [only] = rows;
  await (rows.length === 1 && only ? frame.printObject(only) : frame.printRows(rows));
}
