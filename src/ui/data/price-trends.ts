/**
 * Prices of the last days of tokens in view, for lines beside them. They cost extra units: they are requested for
 * visible tokens in batches after the list, once an hour at most, and only within a share of an ample quota.
 */
import { createEmitter, HOUR_MS, isObject, type Json, listOf, toNumber } from "../../base/index.ts";
import { endpointByPath, MAX_MULTI_ITEMS } from "../../catalogue/index.ts";
import type { ClientCore } from "../../client/index.ts";
import type { PriceTrends, QuotaView } from "../navigation/data-store.ts";
import type { Services } from "../navigation/services.ts";
import { toSolxError } from "./query.ts";
import { ExtraUnits } from "./quota.ts";
import type { Timers } from "./timers.ts";

const SERIES = endpointByPath("v2", "/token/price/multi");
const DAYS = "7d";
const DELAY_MS = 250;
const KEPT_MS = HOUR_MS;
const RETRY_MS = 5 * 60_000;
const MAX_TOKENS = 2000;

/** What requests of prices need. */
export interface TrendServices {
  readonly services: Pick<Services, "client" | "identity" | "memory" | "now" | "supports">;
  readonly quota: () => QuotaView;
  readonly timing: Timers;
}

interface Trend {
  readonly prices: readonly number[] | undefined;
  readonly until: number;
}

/** Requests the prices of the last days of tokens in view. */
export class PriceTrendStore implements PriceTrends {
  readonly #context: TrendServices;
  readonly #trends = new Map<string, Trend>();
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

  constructor(context: TrendServices) {
    this.#context = context;
    this.#extra = new ExtraUnits(context.services, context.quota);
  }

  isAvailable(): boolean {
    const { supports } = this.#context.services;
    return SERIES !== undefined && !this.#isRefused && supports(SERIES);
  }

  isOn(): boolean {
    this.#isOn ??= this.#context.services.memory.switches().trends ?? true;
    return this.#isOn && this.isAvailable();
  }

  toggle = () => {
    this.#isOn = !this.isOn();
    void this.#context.services.memory.setSwitch("trends", this.#isOn);
    this.#publish();
    this.#schedule();
  };

  of(mint: string): readonly number[] | undefined {
    return this.#trends.get(mint)?.prices;
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
    return mints.filter((mint) => (this.#trends.get(mint)?.until ?? 0) <= now).slice(0, MAX_MULTI_ITEMS);
  }

  async #request(): Promise<void> {
    const mints = this.#missing();
    if (this.#isBusy || mints.length === 0 || !this.isOn() || this.#controller.signal.aborted) return;
    const units = (SERIES?.cost.units ?? 0) * mints.length;
    if (!this.#extra.canSpend(units)) return;
    this.#isBusy = true;
    try {
      const client = await this.#context.services.client();
      const rows = await this.#fetch(client, mints);
      this.#extra.spend(units);
      this.#store(mints, new Map(rows.map((row) => readPrices(row))));
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

  async #fetch(client: ClientCore, mints: readonly string[]): Promise<readonly Json[]> {
    if (!SERIES) return [];
    const { signal } = this.#controller;
    const answer = await client.fetch(SERIES, { address: mints, from_time: DAYS }, { signal, priority: "background" });
    return answer.rows ?? [];
  }

  #store(mints: readonly string[], prices: ReadonlyMap<string, readonly number[]>): void {
    const until = this.#context.services.now() + KEPT_MS;
    for (const mint of mints) {
      this.#trends.delete(mint);
      this.#trends.set(mint, { prices: prices.get(mint), until });
    }
    for (const old of [...this.#trends.keys()].slice(0, Math.max(0, this.#trends.size - MAX_TOKENS)))
      this.#trends.delete(old);
  }

  #postpone(mints: readonly string[]): void {
    const until = this.#context.services.now() + RETRY_MS;
    for (const mint of mints) this.#trends.set(mint, { prices: this.of(mint), until });
  }
}

function readPrices(row: Json): readonly [string, readonly number[]] {
  if (!isObject(row)) return ["", []];
  const points = listOf(row.prices);
  const prices = points.map((point) => (isObject(point) ? toNumber(point.price) : undefined));
  return [String(row.token_address ?? ""), prices.filter((price) => price !== undefined)];
}
