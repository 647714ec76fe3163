/** A request as a curl command: for pasting into a bug report, without the key. */
import { quoteForShell } from "../../catalogue/command-line.ts";
import type { PreparedRequest } from "./prepare.ts";
import { requestPath } from "./url.ts";

/** The curl command that sends the request; the key is read from `$SOLX_API_KEY`. */
export function curlCommand(
  request: PreparedRequest,
  { baseUrl, keyHeader }: { readonly baseUrl: string; readonly keyHeader: string },
): string {
  return `curl --compressed -H "${keyHeader}: $SOLX_API_KEY" ${quoteForShell(baseUrl + requestPath(request))}`;
}
