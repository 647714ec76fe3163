/** Traders: swaps in one pool or through an aggregator. */
import type { Actor, WorldContext } from "../context.ts";
import type { Account, Token } from "../economy/accounts.ts";
import type { Hop, Listing, SwapFailure } from "../markets/market.ts";
import type { Pool } from "../markets/pools.ts";
import type { Random } from "../random.ts";

/** Share of users' swaps that fail, and of those the share that runs out of compute units. */
const FAILURE_RATE = 0.15;
const OUT_OF_UNITS_RATE = 0.06;
/** Share of users' swaps with a tip. */
const TIP_RATE = 0.2;

/** Returns how a swap fails, with the given probability; otherwise undefined. */
export const pickFailure = (random: Random, probability: number): SwapFailure | undefined =>
  random.chance(probability) ? (random.chance(OUT_OF_UNITS_RATE) ? "units" : "slippage") : undefined;

/** Returns the lamports of a tip, with the given probability; otherwise undefined. */
export const pickTip = (random: Random, probability: number): bigint | undefined =>
  random.chance(probability) ? BigInt(Math.floor(random.heavyTailed(10_000, 5_000_000))) : undefined;

/** A swap that a trader intends: an amount of `token` for `target`. */
interface SwapIntent {
  readonly trader: Account;
  readonly token: Token;
  readonly amount: bigint;
  readonly target: Token;
}

/** Swaps of users. */
export class Traders {
  readonly #context: WorldContext;
  readonly #random: Random;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("traders");
  }

  /** Swaps in one pool. */
  swapDirect(trader = this.#context.wallets.pickUser()): void {
    const { market } = this.#context;
    const listing = this.#pickListing();
    const pool = this.#random.pickEarly(listing.pools);
    const wish = this.#createIntent(trader, pool);
    if (!wish) return;
    market.swap({
      trader,
      hops: [{ token: wish.token, pools: [pool] }],
      amount: wish.amount,
      sendOptions: { priority: this.#pickPriority() },
      failure: pickFailure(this.#random, FAILURE_RATE),
      tip: pickTip(this.#random, TIP_RATE),
    });
  }

  /**
   * Swaps through an aggregator: up to three hops, some of them over two pools. Returns whether the swap succeeded.
   * @param requested token to buy, with USDC or else with SOL; a popular token by default
   * @param signature signature of a swap that must not fail
   */
  swapRouted(trader = this.#context.wallets.pickUser(), requested?: Token, signature?: string): boolean {
    const { market, wallets, economy } = this.#context;
    const random = this.#random;
    const target = requested ?? this.#pickListing().token;
    const owned = requested ? undefined : this.#pickHolding(trader);
    const start = owned && random.chance(0.5) ? owned : market.usdc;
    const dollars = random.heavyTailed(4, 8000);
    let amount = start.amountWorth(dollars);
    const balance = trader.balance(start);
    const token = balance > 0n ? start : economy.wrapped;
    if (token === economy.wrapped) {
      amount = economy.sol.amountWorth(dollars);
      wallets.ensureFunds(trader, amount);
    } else if (amount > balance) amount = balance;
    const hops = this.#findPath(token, target);
    if (hops.length === 0 || amount === 0n) return false;
    const sendOptions = { priority: this.#pickPriority() };
    const failure = signature === undefined ? pickFailure(random, FAILURE_RATE) : undefined;
    return (
      market.swap({
        trader,
        hops,
        amount,
        sendOptions: signature === undefined ? sendOptions : { ...sendOptions, signature },
        failure,
        tip: signature === undefined ? pickTip(random, TIP_RATE) : undefined,
      }) > 0n
    );
  }

  #pickListing(): Listing {
    const { listings } = this.#context.market;
    const unit = this.#random.fraction();
    let index = Math.floor(unit * unit * unit * listings.length);
    while ((listings[index] as Listing).pools.length === 0) index = (index + 1) % listings.length;
    return listings[index] as Listing;
  }

  #pickPriority(): number {
    return this.#random.chance(0.45) ? 0 : Math.floor(this.#random.heavyTailed(500, 2_000_000));
  }

  #pickHolding(trader: Account): Token | undefined {
    const { market } = this.#context;
    for (const { token, open, amount } of trader.holdings.values()) {
      if (open && amount > 0n && market.listing(token) && this.#random.chance(0.6)) return token;
    }
    return undefined;
  }

  #createIntent(trader: Account, pool: Pool): SwapIntent | undefined {
    const { market, wallets, economy } = this.#context;
    const random = this.#random;
    const baseBalance = trader.balance(pool.base);
    const cheap = market.priceGap(pool) > 1;
    if (baseBalance > 0n && random.chance(cheap ? 0.3 : 0.7)) {
      const part = random.chance(0.3) ? baseBalance : (baseBalance * BigInt(random.integer(5, 95))) / 100n;
      return part > 0n ? { trader, token: pool.base, amount: part, target: pool.quote } : undefined;
    }
    const limit = pool.depth * 0.02;
    let dollars = random.heavyTailed(3, 12_000);
    if (dollars > limit) dollars = limit;
    let amount = pool.quote.amountWorth(dollars);
    if (pool.quote === economy.wrapped) wallets.ensureFunds(trader, amount);
    else {
      const balance = trader.balance(pool.quote);
      if (balance === 0n) return this.#withdrawUsdc(trader, dollars);
      if (balance < amount) amount = balance;
    }
    return amount > 0n ? { trader, token: pool.quote, amount, target: pool.base } : undefined;
  }

  /** Has an exchange pay USDC to a trader without any; the swap is skipped. */
  #withdrawUsdc(trader: Account, dollars: number): undefined {
    const { market, wallets, economy } = this.#context;
    const exchange = wallets.pickExchange();
    const tx = economy.begin(exchange, { priority: 1000 });
    tx.transferToken(exchange, trader, market.usdc, market.usdc.toBaseUnits(dollars * 4 + 20));
    tx.commit();
    return undefined;
  }

  /** Returns the hops from one token to another, over the quote tokens of their pools. */
  #findPath(from: Token, to: Token): Hop[] {
    const { market } = this.#context;
    const { wrapped } = this.#context.economy;
    if (from === to) return this.#findPath(from, from === market.usdc ? wrapped : market.usdc);
    const hops: Hop[] = [];
    let current = from;
    const source = market.listing(from);
    if (from !== wrapped && source && source.pools.length > 0) {
      const pool = this.#random.pick(source.pools);
      hops.push(this.#createHop(source, pool, from));
      current = pool.quote;
    }
    if (current === to) return hops;
    if (to === market.usdc) return current === wrapped ? [...hops, this.#usdcHop(wrapped)] : hops;
    const target = market.listing(to);
    const last = target && this.#random.pick(target.pools);
    if (!target || !last) return hops;
    if (last.quote !== current) hops.push(this.#usdcHop(current));
    hops.push(this.#createHop(target, last, last.quote));
    return hops;
  }

  /** Returns a hop between SOL and USDC. */
  #usdcHop(token: Token): Hop {
    const { market, economy } = this.#context;
    const listing = market.listing(economy.wrapped) as Listing;
    return this.#createHop(listing, this.#random.pickEarly(listing.pools), token);
  }

  /** Returns a hop through a pool, sometimes split over two pools of the same pair. */
  #createHop(listing: Listing, pool: Pool, token: Token): Hop {
    const second = listing.pools.find((other) => other !== pool && other.quote === pool.quote);
    return { token, pools: second && this.#random.chance(0.3) ? [pool, second] : [pool] };
  }
}

/** Returns users who trade. */
export function createTraders(context: WorldContext): Actor[] {
  const traders = new Traders(context);
  return [
    { weight: 138, act: () => traders.swapDirect() },
    { weight: 80, act: () => void traders.swapRouted() },
  ];
}
