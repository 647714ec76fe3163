/** A request that was described and not yet sent: awaited for its data, or read page by page. */
import type { Json } from "../base/index.ts";
import type { Answer } from "./http/decode.ts";
import type { ExportEstimate } from "./paging/estimate.ts";
import type { Page, PagingOptions } from "./paging/page.ts";

/** How a call is sent and how much of a list is wanted. */
export interface ReadOptions extends PagingOptions {
  /** For exports: `export` reads window by window (default), `pages` through the paged endpoint that has the rows too. */
  readonly via?: "export" | "pages" | undefined;
  /** For exports: told before the first row what reading takes, and waited for, when one answer does not hold it. */
  readonly onEstimate?: ((estimate: ExportEstimate) => Promise<void> | void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A call of an endpoint. Nothing is sent until it is awaited or read.
 *
 *     const transfers = await client.account.transfer({ address });
 *     for await (const row of client.account.transfer({ address }).rows({ limit: 500 })) …
 */
export interface Call<Data, Row> extends PromiseLike<Data> {
  /** The whole answer: status, headers, body, envelope. Awaiting the call later does not send it again. */
  answer(): Promise<Answer>;
  /** The pages of the list: all of them, or as many as hold `limit` rows. */
  pages(options?: ReadOptions): AsyncGenerator<Page<Row>, void>;
  /** The rows of the list: all of them, or `limit`. */
  rows(options?: ReadOptions): AsyncGenerator<Row, void>;
  catch<T = never>(onRejected?: ((reason: unknown) => T | PromiseLike<T>) | null): Promise<Data | T>;
  finally(onFinally?: (() => void) | null): Promise<Data>;
}

/** What a call needs of its client. */
export interface CallSource {
  readonly send: () => Promise<Answer>;
  readonly pages: (options: ReadOptions) => AsyncGenerator<Page, void>;
}

/** Makes a call; that its data has the type is what the catalogue says. */
export function createCall<Data, Row>({ send, pages }: CallSource): Call<Data, Row> {
  let sent: Promise<Answer> | undefined;
  const answer = () => {
    sent ??= send();
    return sent;
  };
  const data = async () => (await answer()).data as unknown as Data;
  const read = (options: ReadOptions = {}) =>
    pages({ ...options, all: options.all ?? options.limit === undefined }) as AsyncGenerator<Page<unknown>, void>;
  return {
    answer,
    // biome-ignore lint/suspicious/noThenProperty: a call is awaited for its data.
    then: (onFulfilled, onRejected) => data().then(onFulfilled, onRejected),
    catch: (onRejected) => data().catch(onRejected),
    finally: (onFinally) => data().finally(onFinally),
    pages: (options) => read(options) as AsyncGenerator<Page<Row>, void>,
    async *rows(options) {
      for await (const page of read(options)) yield* page.rows as readonly Json[] as readonly Row[];
    },
  };
}
