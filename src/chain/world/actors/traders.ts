/** Traders: users who swap in one pool or through an aggregator, arbitrage bots, and a trader with regular purchases. */

import { DAY_SECONDS } from "../../../base/index.ts";
import { OTHER_WALLET, WHIRLPOOL } from "../../../catalogue/index.ts";
import type { Actor, Validator, WorldContext } from "../context.ts";
import { BOTS, type WalletProfile } from "../data/profiles.ts";
import type { Account, Stake, Token } from "../economy/accounts.ts";
import { labelAccount } from "../genesis.ts";
import type { Hop, Listing, SwapFailure } from "../markets/market.ts";
import type { Pool } from "../markets/pools.ts";
import type { Random } from "../random.ts";
import { createStake, payRewards } from "../staking/stakes.ts";
import { lamports } from "./wallets.ts";

/** Share of users' swaps that fail, and of those the share that runs out of compute units. */
const FAILURE_RATE = 0.15;
const OUT_OF_UNITS_RATE = 0.06;
const TIP_RATE = 0.2;

const pickFailure = (random: Random, probability: number): SwapFailure | undefined =>
  random.chance(probability) ? (random.chance(OUT_OF_UNITS_RATE) ? "units" : "slippage") : undefined;

/** Returns the lamports of a tip, with the given probability; otherwise undefined. */
export const pickTip = (random: Random, probability: number): bigint | undefined =>
  random.chance(probability) ? BigInt(Math.floor(random.heavyTailed(10_000, 5_000_000))) : undefined;

/** Swaps of users. */
export class Traders {
  readonly #context: WorldContext;
  readonly #random: Random;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("traders");
  }

  swapDirect(trader = this.#context.wallets.pickUser()): void {
    const { market } = this.#context;
    const listing = this.#pickListing();
    const pool = this.#random.pickEarly(listing.pools);
    const sold = this.#pickAmount(trader, pool);
    if (!sold) return;
    market.swap({
      trader,
      hops: [{ token: sold.token, pools: [pool] }],
      amount: sold.amount,
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
        isRouted: signature !== undefined,
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

  /** Returns what a trader sells in a pool; undefined where the swap is skipped. */
  #pickAmount(trader: Account, pool: Pool) {
    const { market, wallets, economy } = this.#context;
    const random = this.#random;
    const baseBalance = trader.balance(pool.base);
    const cheap = market.priceGap(pool) > 1;
    if (baseBalance > 0n && random.chance(cheap ? 0.3 : 0.7)) {
      const part = random.chance(0.3) ? baseBalance : (baseBalance * BigInt(random.integer(5, 95))) / 100n;
      return part > 0n ? { token: pool.base, amount: part } : undefined;
    }
    const limit = pool.depth * 0.02;
    let dollars = random.heavyTailed(3, 12_000);
    if (dollars > limit) dollars = limit;
    let amount = pool.quote.amountWorth(dollars);
    if (pool.quote === economy.wrapped) wallets.ensureFunds(trader, amount);
    else {
      const balance = trader.balance(pool.quote);
      if (balance === 0n) {
        // An exchange pays USDC, and the swap is skipped.
        const amount = market.usdc.toBaseUnits(dollars * 4 + 20);
        wallets.sendTokens(wallets.pickExchange(), trader, market.usdc, amount, { priority: 1000 });
        return undefined;
      }
      if (balance < amount) amount = balance;
    }
    return amount > 0n ? { token: pool.quote, amount } : undefined;
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

/** Shares of all calls of actors in thousandths, the most active bot first. */
const WEIGHTS = [215, 125, 75, 50, 35];

/** Share of swaps that fail because another bot was faster, and share of the others with a tip. */
const BOT_FAILURE_RATE = 0.5;
const BOT_TIP_RATE = 0.4;

/** Share of calls in which a bot watches a pool that determines the price of a popular token, and their number. */
const MAIN_POOL_RATE = 0.7;
const MAIN_POOLS = 20;

/** Creates the arbitrage bots: they buy in pools below the reference price and sell in pools above it. */
export const BOT_FACTORIES = BOTS.map(
  (profile, index) => (context: WorldContext) => createBot(context, profile, WEIGHTS[index] ?? 10, `bot ${index}`),
);

/** Creates a bot, which gets its capital from a market maker. */
function createBot(context: WorldContext, profile: WalletProfile, weight: number, stream: string): Actor[] {
  const { economy, wallets, market } = context;
  const account = economy.wallet();
  const random = context.random.fork(stream);
  labelAccount(context, account, profile);
  wallets.fund(account, lamports(random.between(41_000, 66_000)));
  const maker = wallets.marketMakers[0] as Account;
  economy.send(account, (tx) => tx.wrap(account, lamports(40_000)));
  for (const { token } of market.listings.slice(0, 60)) {
    if (token === economy.wrapped) continue;
    const amount = maker.balance(token) / BigInt(random.integer(90, 260));
    if (amount > 0n) wallets.sendTokens(maker, account, token, amount, { usesLookupTable: true });
  }
  // Popular tokens have theirs from the opening on.
  const mainPools = market.pools.filter(({ isMain }) => isMain).slice(0, MAIN_POOLS);

  const trade = (pool: Pool, gap: number): void => {
    const buys = gap > 1;
    const token = buys ? pool.quote : pool.base;
    let part = Math.sqrt(buys ? gap : 1 / gap) - 1;
    if (part > 0.3) part = 0.3;
    let amount = BigInt(Math.floor(Number(pool.vault(token).amount) * part * random.between(0.6, 1)));
    const limit = account.balance(token) / 4n;
    if (amount > limit) amount = limit;
    if (amount === 0n || pool.amountOut(token, amount) === 0n) return;
    market.swap({
      trader: account,
      hops: [{ token, pools: [pool] }],
      amount,
      sendOptions: random.chance(0.25) ? { priority: Math.floor(random.heavyTailed(1000, 400_000)) } : {},
      failure: pickFailure(random, BOT_FAILURE_RATE),
      tip: pickTip(random, BOT_TIP_RATE),
      wrapped: true,
    });
  };
  /**
   * Trades in the pool with the largest price gap: out of two main pools, so that the prices of popular tokens follow
   * their references, or out of three of all pools, which is mostly one of a small token.
   */
  const act = (): void => {
    const watchesMain = random.chance(MAIN_POOL_RATE);
    let [best, distance, gap] = [undefined as Pool | undefined, 0, 1];
    for (let attempt = 0; attempt < (watchesMain ? 2 : 3); attempt++) {
      const pool = random.pickEarly(watchesMain ? mainPools : market.pools);
      const candidate = market.priceGap(pool);
      const deviation = candidate > 1 ? candidate - 1 : 1 / candidate - 1;
      if (deviation > distance) [best, distance, gap] = [pool, deviation, candidate];
    }
    if (best) trade(best, gap);
  };
  return [{ weight, act }];
}

const SAVINGS_SYMBOLS = ["JUP", "BONK", "JitoSOL", "WIF"];
/** Days before the next token of the rotation. */
const PURCHASE_DAYS = 2;
/** Stakes with the first validators, in SOL. */
const STAKED_SOL = [120, 35.5];

/** Returns the trader, who is also the most active of the users. */
export function createRegularTrader(context: WorldContext): Actor[] {
  const { economy, market, wallets, validators } = context;
  const traders = new Traders(context);
  const account = economy.wallet(OTHER_WALLET);
  wallets.fund(account, lamports(720));
  wallets.users.unshift(account);
  const stakes = STAKED_SOL.map((amount, index): Stake => {
    const { vote: voter } = validators[index] as Validator;
    const tx = economy.begin(account);
    const stake = createStake(economy, tx, { lamports: lamports(amount), voter });
    tx.commit();
    return stake;
  });
  const buy = (): void => {
    const purchase = Math.floor(economy.position.time / DAY_SECONDS / PURCHASE_DAYS);
    const token = market.token(SAVINGS_SYMBOLS[purchase % SAVINGS_SYMBOLS.length] as string) ?? market.token("JUP");
    if (token) traders.swapRouted(account, token);
    const pool = market.pools.find(({ program, base }) => program.address === WHIRLPOOL && base === economy.wrapped);
    if (!pool) return;
    const amount = lamports(0.5);
    wallets.ensureFunds(account, amount);
    market.swap({ trader: account, hops: [{ token: economy.wrapped, pools: [pool] }], amount });
  };
  const act = () => traders.swapDirect(account);
  return [{ weight: 16, act, day: buy, epoch: () => payRewards(economy, validators, stakes) }];
}
