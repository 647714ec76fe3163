/** The latest prices of tokens, each requested once. */
import {
  type Decimal,
  isObject,
  type Json,
  multiplyDecimals,
  roundDecimal,
  splitIntoBatches,
  toDecimal,
} from "../../base/index.ts";
import { endpointByPath, positionalOf, wrapSol } from "../../catalogue/index.ts";
import type { ClientCore } from "../client.ts";

/** The prices that were requested. */
export class TokenPrices {
  readonly #client: () => Promise<Pick<ClientCore, "fetch">>;
  readonly #signal: AbortSignal | undefined;
  readonly #prices = new Map<string, Json>();

  /** @param client returns what prices are requested with, when the first one is needed */
  constructor(client: () => Promise<Pick<ClientCore, "fetch">>, signal?: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Requests the prices of tokens that are not known yet; tokens without one stay without. */
  async load(mints: Iterable<string>): Promise<void> {
    const unknown = [...new Set([...mints].map(wrapSol))].filter((mint) => !this.#prices.has(mint));
    const endpoint = endpointByPath("v2", "/token/price/latest");
    if (!endpoint || unknown.length === 0) return;
    const client = await this.#client();
    for (const batch of splitIntoBatches(unknown, positionalOf(endpoint)?.[1].maxItems ?? 1)) {
      const { rows = [] } = await client.fetch(endpoint, { address: batch }, { signal: this.#signal });
      for (const mint of batch) this.#prices.set(mint, null);
      for (const row of rows) if (isObject(row)) this.#prices.set(String(row.address), row.price ?? null);
    }
  }

  /** Returns the value of whole units of a token in US dollars; undefined where its price is not known. */
  readonly valueOf = (mint: string, amount: Decimal): Decimal | undefined =>
    valueAtPrice(this.#prices.get(wrapSol(mint)), amount);
}

/** Returns the value of whole units at a price; undefined without a price. */
export function valueAtPrice(price: Json | undefined, amount: Decimal): Decimal | undefined {
  const exact = toDecimal(price);
  return exact && roundValue(multiplyDecimals(amount, exact));
}

/** Returns a value with at most 12 digits after the point, or 12 digits in all where it is smaller: prices have no more. */
function roundValue(value: Decimal): Decimal {
  const leading = value.scale - String(value.digits).length;
  return roundDecimal(value, Math.max(12, leading + 12)).value;
}
