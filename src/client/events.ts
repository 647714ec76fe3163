/** What a client reports while it works. */
import type { SolxError } from "../base/index.ts";

/** What happens while a client works, for tracing. The key is always masked. */
export type ClientEvent =
  /** A value was interpreted: relative times, links. */
  | { readonly type: "note"; readonly text: string }
  /** Something that every user of the answer should know: rows that are doubtful or missing. */
  | { readonly type: "warning"; readonly text: string }
  | {
      readonly type: "request";
      readonly method: "GET" | "POST";
      /** Of a node only scheme and host, because the rest can be a key. */
      readonly url: string;
      /** The JSON-RPC methods that are called; undefined for requests to the API. */
      readonly rpc?: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      /** Counted from 1. */
      readonly attempt: number;
    }
  | {
      readonly type: "response";
      readonly url: string;
      readonly rpc?: string | undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Characters of the body. */
      readonly size: number;
      readonly milliseconds: number;
      readonly attempt: number;
    }
  /** An attempt failed; the next one follows after the wait. */
  | { readonly type: "retry"; readonly error: SolxError; readonly attempt: number; readonly seconds: number }
  /** A request waits for its permit; `seconds` is the expected wait, where it is known. */
  | { readonly type: "wait"; readonly reason: "rate" | "export"; readonly seconds: number | undefined }
  /** An answer came from the cache; `age` is in seconds. */
  | { readonly type: "cached"; readonly url: string; readonly age: number }
  /**
   * A window of an export was read. `of` is the estimated number of windows, `rows` the number of rows so far,
   * `seconds` the estimated remaining time.
   */
  | {
      readonly type: "export";
      readonly window: number;
      readonly of: number;
      readonly rows: number;
      readonly seconds: number;
    }
  /**
   * How far a walk along the signatures of an account is: signatures known so far, whether these are all, transactions
   * that were read, calls that the remaining known transactions take, and rows so far.
   */
  | {
      readonly type: "walk";
      readonly signatures: number;
      readonly complete: boolean;
      readonly done: number;
      readonly calls: number;
      readonly rows: number;
    }
  /** An answer does not match the catalogue. */
  | { readonly type: "drift"; readonly endpoint: string; readonly problems: readonly string[] };

/** An attempt that has ended, for request metrics. */
export interface Exchange {
  /** The route in the catalogue, or `rpc:` and the method of a node; undefined for a path outside of it. */
  readonly route: string | undefined;
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Compute units that it may have cost. */
  readonly units: number;
}
