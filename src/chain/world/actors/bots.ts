/** Arbitrage bots: they move the prices of pools towards their reference prices. */
import type { Actor, WorldContext } from "../context.ts";
import { BOTS, type WalletProfile } from "../data/profiles.ts";
import type { Account } from "../economy/accounts.ts";
import { labelAccount } from "../genesis.ts";
import type { Pool } from "../markets/pools.ts";
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

/** Returns the arbitrage bots: they buy in pools below the reference price and sell in pools above it. */
export const createBots = (context: WorldContext): Actor[] =>
  BOTS.map((profile, index) => createBot(context, profile, WEIGHTS[index] ?? 10, `bot ${index}`));

function createBot(context: WorldContext, profile: WalletProfile, weight: number, stream: string): Actor {
  const { economy, wallets, market } = context;
  const account = economy.wallet();
  const random = context.random.fork(stream);
  let mainPools: readonly Pool[] | undefined;

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
      failure: pickFailure(random, FAILURE_RATE),
      tip: pickTip(random, TIP_RATE),
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
