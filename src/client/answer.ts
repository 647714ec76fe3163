/** What a source answers. */
import type { Json } from "../base/index.ts";
import type { PreparedRequest } from "./request/prepare.ts";

/** An answer of the API; its values are exact JSON, or in the number mode of a client. */
export interface Answer<Value = Json> {
  readonly request: PreparedRequest;
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. */
  readonly body: string;
  /** What answered, in messages (default: the API). */
  readonly source?: string;
  /** The body as bytes, where they were requested. */
  readonly bytes?: Uint8Array;
  /** The whole answer with `success` and `metadata`; undefined for legacy and CSV answers. */
  readonly envelope: { readonly [key: string]: Value } | undefined;
  /** The API's `data`, a bare answer as a whole, or the rows of a CSV answer with text in every cell. */
  readonly data: Value;
  /** The list in `data`, if there is one. */
  readonly rows: readonly Value[] | undefined;
  /** The field of `data` that contains the rows, where `data` is an object around them. */
  readonly at: string | undefined;
  /** Age in seconds, for an answer from the cache. */
  readonly age?: number;
}
