/** A call that is not sent until it is awaited for its data, or read page by page. */
import type { Json } from "../base/index.ts";
import type { Answer } from "./answer.ts";
import type { ExportEstimate } from "./paging/estimate.ts";
import type { Page, PagingOptions } from "./paging/page.ts";

/** How a list is read. */
export interface ReadOptions extends PagingOptions {
  /** For exports: `export` (default) reads window by window, `pages` reads the corresponding paged endpoint. */
  readonly via?: "export" | "pages" | undefined;
  /** For exports: called before the first row, and awaited, when one export does not contain all rows. */
  readonly onEstimate?: ((estimate: ExportEstimate) => Promise<void> | void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A call of an endpoint. Nothing is sent until it is awaited or read.
 *
 *     const transfers = await client.account.transfer({ address });
 *     for await (const row of client.account.transfer({ address }).rows({ limit: 500 })) …
 */
export interface Call<Data, Row, Value = Json> extends PromiseLike<Data> {
  /** Returns the whole answer: status, headers, body, envelope. Awaiting the call later does not send it again. */
  answer(): Promise<Answer<Value>>;
  /** Returns the pages of the list: all of them, or as many as hold `limit` rows. */
  pages(options?: ReadOptions): AsyncGenerator<Page<Row, Value>, void>;
  /** Returns the rows of the list: all of them, or `limit`. */
  rows(options?: ReadOptions): AsyncGenerator<Row, void>;
  catch<T = never>(onRejected?: ((reason: unknown) => T | PromiseLike<T>) | null): Promise<Data | T>;
  finally(onFinally?: (() => void) | null): Promise<Data>;
}

/** What a call needs of its client. */
export interface CallSource {
  readonly send: () => Promise<Answer>;
  readonly pages: (options: ReadOptions) => AsyncGenerator<Page, void>;
}

/** Creates a call. The catalogue determines the type of its data. */
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
