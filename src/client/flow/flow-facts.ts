/** What is known of the accounts and tokens of flows beside transfers: labels, roles and the latest prices. */
import { Buffer } from "node:buffer";
import {
  type Decimal,
  decodeBase58,
  fieldOf,
  isArray,
  type Json,
  scaleDown,
  splitIntoBatches,
  textOf,
} from "../../base/index.ts";
import { type Endpoint, endpointByPath, isExchangeWallet, isOnCurve } from "../../catalogue/index.ts";
import type { ClientCore } from "../client.ts";
import { TokenPrices } from "../tokens/token-prices.ts";
import type { Flow } from "./flow-graph.ts";

/** What a source knows beside transfers, and how it is asked. */
export interface FlowFactsOptions {
  readonly hasPrices: boolean;
  readonly supports: (endpoint: Endpoint) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What an account is: only wallets are followed, since what moves through exchanges and programs is not one owner's. */
export type FlowRole = "wallet" | "exchange" | "program";

/** Labels and prices, each requested once. */
export class FlowFacts {
  readonly #client: () => Promise<Pick<ClientCore, "fetch">>;
  readonly #options: FlowFactsOptions;
  readonly #prices: TokenPrices;
  readonly #labels = new Map<string, Json>();

  /** @param client returns what sends the requests, when the first one is needed */
  constructor(client: () => Promise<Pick<ClientCore, "fetch">>, options: FlowFactsOptions) {
    this.#client = client;
    this.#options = options;
    this.#prices = new TokenPrices(client, options.signal);
  }

  /** Requests what is not known yet of accounts. */
  async loadLabels(addresses: readonly string[]): Promise<void> {
    const endpoint = endpointByPath("v2", "/account/metadata/multi");
    const { supports, signal } = this.#options;
    const unknown = [...new Set(addresses)].filter((address) => !this.#labels.has(address));
    if (!endpoint || unknown.length === 0 || !supports(endpoint)) return;
    const client = await this.#client();
    for (const batch of splitIntoBatches(unknown, endpoint.query.address?.maxItems ?? 1)) {
      const { rows = [] } = await client.fetch(endpoint, { address: batch }, { signal });
      for (const address of batch) this.#labels.set(address, null);
      for (const row of rows) {
        const account = textOf(fieldOf(row, "account_address"));
        if (account !== undefined) this.#labels.set(account, row);
      }
    }
  }

  /** Requests the prices of tokens that are not known yet, where the source has prices. */
  async loadPrices(mints: Iterable<string>): Promise<void> {
    if (this.#options.hasPrices) await this.#prices.load(mints);
  }

  /** Returns the metadata of an account as the API sent it; undefined where it has none. */
  metadataOf(address: string): Json | undefined {
    return this.#labels.get(address) ?? undefined;
  }

  labelOf(address: string): string | undefined {
    return textOf(fieldOf(this.metadataOf(address), "account_label"));
  }

  roleOf(address: string): FlowRole {
    const tags = fieldOf(this.metadataOf(address), "account_tags");
    const isTagged = isArray(tags) && tags.some((tag) => /^exchange/.test(String(tag)));
    if (isTagged || isExchangeWallet(address)) return "exchange";
    return isOnCurve(Buffer.from(decodeBase58(address))) ? "wallet" : "program";
  }

  /** Returns the value of a flow in US dollars at the latest price; undefined where that is not known. */
  readonly valueOf = ({ token, decimals, amount }: Flow): Decimal | undefined =>
    this.#prices.valueOf(token, scaleDown(amount, decimals));
}
