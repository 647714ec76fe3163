/** HTTP messages, as far as the client looks at them. */

/** A request on its way. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Whether the body is wanted as bytes. */
  readonly raw?: boolean | undefined;
}

/** An answer as it came, its body decompressed. */
export interface HttpResponse {
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** The body itself, decompressed, where it is wanted as bytes. */
  readonly bytes?: Uint8Array;
}

/** Sends requests: over the network, or to whatever answers in its place. */
export interface Transport {
  /** @param timeout seconds for the whole exchange, instead of the transport's own */
  send(request: HttpRequest, timeout?: number): Promise<HttpResponse>;
  /** Ends all connections; what is under way fails. */
  close(): Promise<void>;
}
