/** HTTP messages, as far as the client looks at them. */

/** A request on its way. */
export interface Outgoing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** An answer as it came, its body decompressed. */
export interface Reply {
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
