/** A transport that answers from recordings. Nothing is ever sent. */
import { type ExitName, NetworkError, ServerError, SolxError, throwIfAborted } from "../../base/index.ts";
import { FAMILY_PATHS, type Family } from "../../catalogue/index.ts";
import { type BaseUrls, decodeUtf8 } from "../../client/index.ts";
import type { HttpRequest, Transport } from "../api/index.ts";
import type { RecordedFailure } from "./recording.ts";
import { missError, Replayer } from "./replayer.ts";
import type { SentRequest } from "./request.ts";

/** What recorded requests are sent to: the servers of the API, or a node, whose path can contain a key. */
export type RecordedTarget = BaseUrls | "node";

/**
 * Returns a transport over a folder of recordings, which is read with the first request.
 * @throws UsageError when the folder cannot be used; from `send` for a request without a recording
 */
export async function createReplayTransport(folder: string, target: RecordedTarget): Promise<Transport> {
  const replayer = await Replayer.open(folder);
  return {
    async send(request) {
      throwIfAborted(request.signal);
      const result = await replayer.find(sentRequest(request, target));
      if (!result.recording) throw missError(result.miss, folder);
      const { response, failure } = result.recording;
      if (!response) throw failureError(failure as RecordedFailure);
      const { status, headers, body } = response;
      return { url: request.url, status, headers, body: decodeUtf8(body), ...(request.raw && { bytes: body }) };
    },
    close: async () => {},
  };
}

/** Returns the error that the connection failed with when it was recorded. */
function failureError({ exit, code, message, retryable }: RecordedFailure): SolxError {
  const details = { code, retryable };
  if (exit === "network") return new NetworkError(message, details);
  if (exit === "server") return new ServerError(message, details);
  return new SolxError(exit as ExitName, message, details);
}

/** Returns a request with its path as the sandbox serves it, whatever the server is. */
export function sentRequest({ method = "GET", url, body }: HttpRequest, target: RecordedTarget): SentRequest {
  if (target === "node") return { method, path: "/", query: [], body };
  return { method, path: pathOf(url, target), query: url.searchParams, body };
}

function pathOf({ origin, pathname }: URL, baseUrls: BaseUrls): string {
  const address = origin + pathname;
  const families = (Object.keys(baseUrls) as Family[]).toSorted((a, b) => baseUrls[b].length - baseUrls[a].length);
  const family = families.find((name) => address.startsWith(`${baseUrls[name]}/`));
  return family === undefined ? pathname : FAMILY_PATHS[family] + address.slice(baseUrls[family].length);
}
