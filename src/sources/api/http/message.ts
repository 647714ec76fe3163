/** What a transport sends. Apart from the code that sends it: the published types lead here, and not to undici. */
import type { HttpResponse } from "../../../client/index.ts";

/** A request to send. */
export interface HttpRequest {
  /** The method (default GET). */
  readonly method?: "GET" | "POST" | undefined;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the body is requested as bytes. */
  readonly raw?: boolean | undefined;
}

/** Sends requests over the network, or to a replacement for it. */
export interface Transport {
  /** @param timeout seconds for the complete exchange, instead of the transport's default */
  send(request: HttpRequest, timeout?: number): Promise<HttpResponse>;
  /** Closes all connections; exchanges in flight fail. */
  close(): Promise<void>;
}
