/** What a transport sends. Apart from the code that sends it: the published types lead here, and not to undici. */
import type { HttpResponse } from "../../../client/index.ts";

/** A request to send. */
export interface HttpRequest {
  /** The method (default GET). */
  readonly method?: "GET" | "POST" | undefined;
  /** Where it is sent. */
  readonly url: URL;
  /** The headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, for a request of a node. */
  readonly body?: string | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the body is requested as bytes. */
  readonly raw?: boolean | undefined;
}

/** Sends requests over the network, or to a replacement for it. */
export interface Transport {
  /**
   * Sends a request.
   * @param timeout seconds for the complete exchange, instead of the transport's default
   */
  send(request: HttpRequest, timeout?: number): Promise<HttpResponse>;
  /** Closes all connections; exchanges in flight fail. */
  close(): Promise<void>;
}
