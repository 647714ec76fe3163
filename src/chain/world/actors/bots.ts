/** Arbitrage bots: they move the prices of pools towards their reference prices. */
import type { Actor, WorldContext } from "../context.ts";
import { BOTS } from "../data/profiles.ts";
import type { Account } from "../economy/accounts.ts";
import { labelAccount } from "../genesis.ts";
import type { Pool } from "../markets/pools.ts";
import type { Random } from "../random.ts";
import { pickFailure, pickTip } from "./traders.ts";
import { lamports } from "./wallets.ts";

/** Shares of all calls of actors in thousandths, the most active bot first. */
const WEIGHTS = [215, 125, 75, 50, 35];

/** Share of swaps that fail because another bot was faster, and share of the others with a tip. */
const FAILURE_RATE = 0.5;
const TIP_RATE = 0.4;

/** Share of calls in which a bot watches a pool that determines the price of a popular token, and their number. */
const MAIN_POOL_RATE = 0.7;
const MAIN_POOLS = 20;

/** A bot that buys in pools below the reference price and sells in pools above it. */
class Bot {
  readonly #context: WorldContext;
  readonly #random: Random;
  readonly account: Account;
  #mainPools: readonly Pool[] | undefined;

  constructor(context: WorldContext, account: Account, random: Random) {
    this.#context = context;
    this.#random = random;
    this.account = account;
  }

  /** Receives its capital from a market maker. */
  open(): void {
    const { economy, wallets, market } = this.#context;
    wallets.fund(this.account, lamports(this.#random.between(41_000, 66_000)));
    const maker = wallets.marketMakers[0] as Account;
    const tx = economy.begin(this.account);
    tx.wrap(this.account, lamports(40_000));
    tx.commit();
    for (const { token } of market.listings.slice(0, 60)) {
      if (token === economy.wrapped) continue;
      const amount = maker.balance(token) / BigInt(this.#random.integer(90, 260));
      if (amount === 0n) continue;
      const send = economy.begin(maker, { lookup: true });
      send.transferToken(maker, this.account, token, amount);
      send.commit();
    }
  }

  /**
   * Trades in the pool with the largest price gap: out of two main pools, so that the prices of popular tokens follow
   * their references, or out of three of all pools, which is mostly one of a small token.
   */
  act(): void {
    const { market } = this.#context;
    const { pools } = market;
    // Popular tokens have theirs from the opening on.
    this.#mainPools ??= pools.filter(({ main }) => main).slice(0, MAIN_POOLS);
    const watchesMain = this.#random.chance(MAIN_POOL_RATE);
    let [best, distance, gap] = [undefined as Pool | undefined, 0, 1];
    for (let attempt = 0; attempt < (watchesMain ? 2 : 3); attempt++) {
      const pool = this.#random.pickEarly(watchesMain ? this.#mainPools : pools);
      const candidate = market.priceGap(pool);
      const deviation = candidate > 1 ? candidate - 1 : 1 / candidate - 1;
      if (deviation <= distance) continue;
      [best, distance, gap] = [pool, deviation, candidate];
    }
    if (best) this.#arbitrage(best, gap);
  }

  #arbitrage(pool: Pool, gap: number): void {
    const { market } = this.#context;
    const buys = gap > 1;
    const token = buys ? pool.quote : pool.base;
    const reserve = pool.vault(token).amount;
    let part = Math.sqrt(buys ? gap : 1 / gap) - 1;
    if (part > 0.3) part = 0.3;
    let amount = BigInt(Math.floor(Number(reserve) * part * this.#random.between(0.6, 1)));
    const balance = this.account.balance(token);
    if (amount > balance / 4n) amount = balance / 4n;
    if (amount === 0n || pool.amountOut(token, amount) === 0n) return;
    market.swap({
      trader: this.account,
      hops: [{ token, pools: [pool] }],
      amount,
      sendOptions: this.#random.chance(0.25) ? { priority: Math.floor(this.#random.heavyTailed(1000, 400_000)) } : {},
      failure: pickFailure(this.#random, FAILURE_RATE),
      tip: pickTip(this.#random, TIP_RATE),
      wrapped: true,
    });
  };
  return {
    weight,
    /** Receives its capital from a market maker. */
    open() {
      labelAccount(context, account, profile);
      wallets.fund(account, lamports(random.between(41_000, 66_000)));
      const maker = wallets.marketMakers[0] as Account;
      economy.send(account, (tx) => tx.wrap(account, lamports(40_000)));
      for (const { token } of market.listings.slice(0, 60)) {
        if (token === economy.wrapped) continue;
        const amount = maker.balance(token) / BigInt(random.integer(90, 260));
        if (amount > 0n) wallets.sendTokens(maker, account, token, amount, { lookup: true });
      }
    },
    /**
     * Trades in the pool with the largest price gap: out of two main pools, so that the prices of popular tokens follow
     * their references, or out of three of all pools, which is mostly one of a small token.
     */
    act() {
      const { pools } = market;
      // Popular tokens have theirs from the opening on.
      mainPools ??= pools.filter(({ main }) => main).slice(0, MAIN_POOLS);
      const watchesMain = random.chance(MAIN_POOL_RATE);
      let [best, distance, gap] = [undefined as Pool | undefined, 0, 1];
      for (let attempt = 0; attempt < (watchesMain ? 2 : 3); attempt++) {
        const pool = random.pickEarly(watchesMain ? mainPools : pools);
        const candidate = market.priceGap(pool);
        const deviation = candidate > 1 ? candidate - 1 : 1 / candidate - 1;
        if (deviation > distance) [best, distance, gap] = [pool, deviation, candidate];
      }
      if (best) trade(best, gap);
    },
  };
}
