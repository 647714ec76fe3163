/**
 * Prices of tokens in view, for what is shown beside them. They cost extra units: they are requested in batches after
 * the list, once an hour at most, and only within a share of an ample quota.
 */
import { createEmitter, HOUR_MS, isObject, type Json, type JsonObject, listOf, toNumber } from "../../base/index.ts";
import { type Endpoint, endpointByPath, MAX_MULTI_ITEMS, type ParameterValues } from "../../catalogue/index.ts";
import type { ClientCore } from "../../client/index.ts";
import type { QuotaView, VisiblePrices } from "../navigation/data-store.ts";
import type { Services, SwitchName } from "../navigation/services.ts";
import { toSolxError } from "./query.ts";
import { ExtraUnits } from "./quota.ts";
import type { Timers } from "./timers.ts";

const DELAY_MS = 250;
const KEPT_MS = HOUR_MS;
const RETRY_MS = 5 * 60_000;
const MAX_TOKENS = 2000;

/** Which prices are requested. */
export interface PriceSource<T> {
  readonly endpoint: Endpoint | undefined;
  readonly params: ParameterValues;
  /** The field of a row with the mint. */
  readonly mint: string;
  readonly read: (row: JsonObject) => T;
  /** What turns them off. */
  readonly switchName?: SwitchName;
}

/** The daily prices of the last days, oldest first. */
export const PRICE_TRENDS: PriceSource<readonly number[]> = {
  endpoint: endpointByPath("v2", "/token/price/multi"),
  params: { from_time: "7d" },
  mint: "token_address",
  read: ({ prices }) =>
    listOf(prices)
      .map((point) => (isObject(point) ? toNumber(point.price) : undefined))
      .filter((price) => price !== undefined),
  switchName: "trends",
};

/** The latest prices. */
export const LATEST_PRICES: PriceSource<Json> = {
  endpoint: endpointByPath("v2", "/token/price/latest"),
  params: {},
  mint: "address",
  read: ({ price = null }) => price,
};

/** What requests of prices need. */
export interface PriceServices {
  readonly services: Pick<Services, "client" | "identity" | "memory" | "now" | "supports">;
  readonly quota: () => QuotaView;
  readonly timing: Timers;
}

interface KnownPrices<T> {
  readonly prices: T | undefined;
  readonly until: number;
}

/** Requests prices of tokens in view. */
export class VisiblePriceStore<T> implements VisiblePrices<T> {
  readonly #source: PriceSource<T>;
  readonly #context: PriceServices;
  readonly #known = new Map<string, KnownPrices<T>>();
  readonly #changes = createEmitter();
  readonly #controller = new AbortController();
  /** The tokens in view, by the part of the screen. */
  readonly #visible = new Map<string, readonly string[]>();
  #version = 0;
  readonly #extra: ExtraUnits;
  #isBusy = false;
  #isRefused = false;
  #isOn: boolean | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(source: PriceSource<T>, context: PriceServices) {
    [this.#source, this.#context] = [source, context];
    this.#extra = new ExtraUnits(context.services, context.quota);
  }

  isAvailable(): boolean {
    const { endpoint } = this.#source;
    return endpoint !== undefined && !this.#isRefused && this.#context.services.supports(endpoint);
  }

  isOn(): boolean {
    const { switchName } = this.#source;
    this.#isOn ??= (switchName && this.#context.services.memory.switches()[switchName]) ?? true;
    return this.#isOn && this.isAvailable();
  }

  toggle = () => {
    this.#isOn = !this.isOn();
    const { switchName } = this.#source;
    if (switchName) void this.#context.services.memory.setSwitch(switchName, this.#isOn);
    this.#publish();
    this.#schedule();
  };

  of(mint: string): T | undefined {
    return this.#known.get(mint)?.prices;
  }

  show(part: string, mints: readonly string[]): void {
    if (mints.length > 0) this.#visible.set(part, mints);
    else this.#visible.delete(part);
    this.#schedule();
  }

  #schedule(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (!this.isOn() || this.#missing().length === 0) return;
    this.#stopTimer = this.#context.timing.after(DELAY_MS, () => void this.#request());
  }

  version = () => this.#version;

  subscribe = this.#changes.on;

  close(): void {
    this.#stopTimer?.();
    this.#controller.abort();
  }

  /** The visible tokens whose prices are unknown or old, as many as a request takes. */
  #missing(): readonly string[] {
    const now = this.#context.services.now();
    const mints = [...new Set([...this.#visible.values()].flat())];
    return mints.filter((mint) => (this.#known.get(mint)?.until ?? 0) <= now).slice(0, MAX_MULTI_ITEMS);
  }

  async #request(): Promise<void> {
    const mints = this.#missing();
    if (this.#isBusy || mints.length === 0 || !this.isOn() || this.#controller.signal.aborted) return;
    const units = (this.#source.endpoint?.cost.units ?? 0) * mints.length;
    if (!this.#extra.canSpend(units)) return;
    this.#isBusy = true;
    try {
      const client = await this.#context.services.client();
      const prices = await this.#fetch(client, mints);
      this.#extra.spend(units);
      this.#store(mints, prices);
    } catch (error) {
      this.#isRefused = toSolxError(error).exit === "permission";
      this.#postpone(mints);
    }
    this.#isBusy = false;
    this.#publish();
    await this.#request();
  }

  #publish(): void {
    this.#version += 1;
    this.#changes.emit();
  }

  async #fetch(client: ClientCore, mints: readonly string[]): Promise<ReadonlyMap<string, T>> {
    const { endpoint, params, mint, read } = this.#source;
    if (!endpoint) return new Map();
    const { signal } = this.#controller;
    const { rows = [] } = await client.fetch(
      endpoint,
      { ...params, address: mints },
      { signal, priority: "background" },
    );
    return new Map(rows.filter(isObject).map((row) => [String(row[mint] ?? ""), read(row)]));
  }

  #store(mints: readonly string[], prices: ReadonlyMap<string, T>): void {
    const until = this.#context.services.now() + KEPT_MS;
    for (const mint of mints) {
      this.#known.delete(mint);
      this.#known.set(mint, { prices: prices.get(mint), until });
    }
    for (const old of [...this.#known.keys()].slice(0, Math.max(0, this.#known.size - MAX_TOKENS)))
      this.#known.delete(old);
  }

  #postpone(mints: readonly string[]): void {
    const until = this.#context.services.now() + RETRY_MS;
    for (const mint of mints) this.#known.set(mint, { prices: this.of(mint), until });
  }
}
