/** The body of a response as text. */
import { type Buffer, isUtf8 } from "node:buffer";
import { ServerError } from "../../../base/index.ts";
import type { HttpResponse } from "../../../client/index.ts";

/**
 * Returns a received body as text, and as bytes where these were requested. Text of an error response is only quoted,
 * and bytes are passed on as they are; in everything else, what is not UTF-8 would become other text.
 * @throws ServerError for bytes that are no text
 */
export function decodeBody(
  bytes: Buffer,
  { url, status }: Pick<HttpResponse, "url" | "status">,
  isRaw: boolean | undefined,
): Pick<HttpResponse, "body" | "bytes"> {
  if (!isRaw && status < 400 && !isUtf8(bytes)) throw encodingError(url, "it is not text in UTF-8");
  // Decoded at once, a long text lies outside the heap; from pieces, it would lie there twice, for longer.
  return { body: bytes.toString(), ...(isRaw && { bytes }) };
}

/** Returns the error for a body in another form than its headers say. */
export function encodingError(url: URL, reason: string, cause?: unknown): ServerError {
  return new ServerError(`The response of ${url.host} cannot be decoded: ${reason}.`, {
    code: "ENCODING",
    hint: "A proxy may have changed it.",
    cause,
  });
}
