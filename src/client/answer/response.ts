/** Responses of a server, before they are decoded. */
import { ServerError } from "../../base/index.ts";

/** A response with its decompressed body. */
export interface HttpResponse {
  /** What answered, in messages (default: the API). */
  readonly source?: string | undefined;
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** The body as bytes, where requested. */
  readonly bytes?: Uint8Array;
  /** Whether only the end of the connection ended the body, so that nothing shows whether it is complete. */
  readonly endsWithConnection?: boolean;
}

/** Decodes UTF-8; a byte order mark is preserved. */
export function decodeUtf8(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Returns the error for a response that ended early. */
export function truncatedError(url: URL, cause?: unknown): ServerError {
  return new ServerError(`Incomplete response: ${url.host} closed the connection before its end.`, {
    code: "TRUNCATED",
    retryable: true,
    hint: "Try again, or request less at once.",
    cause,
  });
}
