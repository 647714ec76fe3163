/** The methods of a client, one per endpoint; their names and types are derived from the catalogue. */
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

import type { Call } from "./call.ts";
import type { SendOptions } from "./source.ts";

type Entry = (typeof catalogue)[number] | (typeof nodeCatalogue)[number];
type Of<F extends Family> = Extract<Entry, { readonly family: F }>;

/** The method of an endpoint: its parameters by the API's names, then how to send it. */
export type Method<E extends Endpoint, N extends NumberMode> = (
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
