/** HTTP messages, as far as the client uses them. */

/** A request to send. */
export interface HttpRequest {
  /** The method (default GET). */
  readonly method?: "GET" | "POST" | undefined;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST request. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the body is requested as bytes. */
  readonly raw?: boolean | undefined;
}

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

/** Sends requests over the network, or to a replacement for it. */
export interface Transport {
  /** @param timeout seconds for the complete exchange, instead of the transport's default */
  send(request: HttpRequest, timeout?: number): Promise<HttpResponse>;
  /** Closes all connections; exchanges in flight fail. */
  close(): Promise<void>;
}
