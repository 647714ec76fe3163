/** The methods of a client, one per endpoint, and the calls that they return. Names and types are those of the catalogue. */
import type { Json } from "../base/index.ts";
import {
  type ArgumentsOf,
  allEndpoints,
  type catalogue,
  type DataOf,
  type Endpoint,
  type Family,
  type JsonOf,
  type NumberMode,
  type nodeCatalogue,
  type RowOf,
} from "../catalogue/index.ts";
import type { Answer } from "./answer/answer.ts";
import type { Page, ReadOptions } from "./paging/page.ts";
import type { SendOptions } from "./source.ts";

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

interface CallSource {
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

type Entry = (typeof catalogue)[number] | (typeof nodeCatalogue)[number];
type Of<F extends Family> = Extract<Entry, { readonly family: F }>;

/** The method of an endpoint: its parameters by the API's names, then how to send it. */
type Method<E extends Endpoint, N extends NumberMode> = (
  ...args: Record<never, never> extends ArgumentsOf<E>
    ? [params?: ArgumentsOf<E>, options?: SendOptions]
    : [params: ArgumentsOf<E>, options?: SendOptions]
) => Call<DataOf<E, N>, RowOf<E, N>, JsonOf<N>>;

type Group<E extends Entry, G extends string, N extends NumberMode> = {
  readonly [X in Extract<E, { readonly group: G }> as X["call"]]: Method<X, N>;
};

type Groups<E extends Entry, N extends NumberMode> = {
  readonly [G in Exclude<E["group"], "">]: Group<E, G, N>;
} & Group<E, "", N>;

/** All endpoints as methods: `client.account.transfer(…)`, `client.legacy.block.detail(…)`, `client.chaininfo()`. */
export type Facade<N extends NumberMode = "exact"> = Groups<Of<"v2">, N> &
  Groups<Of<"public" | "node">, N> & { readonly legacy: Groups<Of<"legacy">, N> };

type Table = Record<string, unknown>;

/** Creates the methods. */
export function buildFacade(
  createCall: (
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    options: SendOptions,
  ) => Call<unknown, unknown>,
): Facade {
  const facade: Table = { legacy: {} };
  for (const endpoint of allEndpoints) {
    const family = endpoint.family === "legacy" ? (facade.legacy as Table) : facade;
    if (endpoint.group !== "") family[endpoint.group] ??= {};
    const group = endpoint.group === "" ? family : (family[endpoint.group] as Table);
    group[endpoint.call] = (params = {}, options: SendOptions = {}) => createCall(endpoint, params as Table, options);
  }
  return facade as unknown as Facade;
}
