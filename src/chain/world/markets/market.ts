/** The market: listed tokens, their reference prices and pools, and swaps. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { TIP_ACCOUNTS } from "../../../catalogue/index.ts";
import { type Account, type Token, WRITABLE } from "../economy/accounts.ts";
import { OUT_OF_UNITS } from "../economy/budget.ts";
import type { SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { WorldRoute } from "../facts.ts";
import type { Random } from "../random.ts";
import { type Pool, settlePrice } from "./pools.ts";

/** A listed token. */
export interface Listing {
  readonly token: Token;
  readonly pools: Pool[];
  /** Dollars; a random walk that the pools follow. */
  referencePrice: number;
  /** Center of the random walk; for tokens that follow another one, the ratio of the prices. */
  readonly anchor: number;
  /** Typical daily change, as a fraction of the price. */
  readonly volatility: number;
  updatedAt: number;
  /** Listing whose price this one follows: SOL for staked SOL. */
  readonly follows: Listing | undefined;
}

/** A step of a swap: the token that is sold and the pools that share it. */
export interface Hop {
  readonly token: Token;
  readonly pools: readonly Pool[];
}

/** How a swap fails. */
export type SwapFailure = "slippage" | "units";

/** Code of the error of the Jupiter aggregator for too little output. */
const JUPITER_SLIPPAGE = 6001;

/** Options of {@link Market.swap}. */
export interface Swap {
  readonly trader: Account;
  readonly hops: readonly Hop[];
  readonly amount: bigint;
  readonly sendOptions?: SendOptions;
  /** How the swap fails: too little output, or not enough compute units. */
  readonly failure?: SwapFailure | undefined;
  /** Lamports of the tip for a Jito bundle, if the swap succeeds: bundles that would fail are not executed. */
  readonly tip?: bigint | undefined;
  /** Whether the trader uses wrapped SOL and does not unwrap it, as bots do. */
  readonly wrapped?: boolean;
}

type SwapResult = readonly [instruction: number, out: bigint];

/** All listed tokens and pools. */
export class Market {
  readonly economy: Economy;
  readonly random: Random;
  /** All listed tokens, the most popular first. */
  readonly listings: Listing[] = [];
  readonly pools: Pool[] = [];
  /** The first fungible token of each symbol. */
  readonly #symbols = new Map<string, Token>();
  readonly #listings = new Map<Token, Listing>();
  usdc: Token;

  constructor(economy: Economy, random: Random) {
    this.economy = economy;
    this.random = random;
    this.usdc = economy.sol;
  }

  /** Registers a token under its symbol, unless the symbol is in use. */
  registerSymbol(token: Token): void {
    const { symbol } = token.spec;
    if (!this.#symbols.has(symbol)) this.#symbols.set(symbol, token);
  }

  /** Returns a token by symbol (`SOL` is native SOL, `WSOL` wrapped SOL); undefined if the world does not have it. */
  token(symbol: string): Token | undefined {
    if (symbol === "SOL") return this.economy.sol;
    return symbol === "WSOL" ? this.economy.wrapped : this.#symbols.get(symbol);
  }

  /** Lists a token, which needs a pool next. */
  listToken(token: Token, price: number, volatility: number, follows?: Listing): Listing {
    const updatedAt = this.economy.position.time;
    const anchor = follows ? price / follows.referencePrice : price;
    const listing = { token, pools: [], referencePrice: price, anchor, volatility, updatedAt, follows };
    this.listings.push(listing);
    this.#listings.set(token, listing);
    return listing;
  }

  listing(token: Token): Listing | undefined {
    return this.#listings.get(token);
  }

  /** Adds a new pool. */
  addPool(pool: Pool): void {
    this.pools.push(pool);
    this.listing(pool.base)?.pools.push(pool);
  }

  /** Continues the random walk of a price up to the current block and returns the price. */
  updateReference(listing: Listing): number {
    if (listing.follows) return this.updateReference(listing.follows) * listing.anchor;
    const { time } = this.economy.position;
    const elapsed = (time - listing.updatedAt) / DAY_SECONDS;
    if (elapsed <= 0) return listing.referencePrice;
    listing.updatedAt = time;
    const step = this.random.spread() * listing.volatility * 2 * Math.sqrt(elapsed < 4 ? elapsed : 4);
    const pull = (listing.anchor / listing.referencePrice - 1) * 0.02 * (elapsed < 1 ? elapsed : 1);
    const factor = 1 + step + (pull > 0.2 ? 0.2 : pull);
    listing.referencePrice *= factor < 0.4 ? 0.4 : factor;
    return listing.referencePrice;
  }

  /** Returns the reference price divided by the price of a pool: 1.02 means that the pool is two percent too cheap. */
  priceGap(pool: Pool): number {
    const listing = this.#listings.get(pool.base);
    return listing ? this.updateReference(listing) / pool.price : 1;
  }

  /** Swaps in a separate transaction. Returns the amount received; 0 if it failed. */
  swap(swap: Swap): bigint {
    const { trader, hops, amount } = swap;
    const { wrapped } = this.economy;
    const tx = this.economy.begin(trader, { lookup: true, ...swap.sendOptions });
    const first = hops[0] as Hop;
    if (first.token === wrapped && !swap.wrapped) tx.wrap(trader, amount);
    for (const { token, pools } of hops) tx.openTokenAccount(trader, (pools[0] as Pool).otherToken(token));
    const direct = hops.length === 1 && first.pools.length === 1;
    const [instruction, out] = direct
      ? this.#swapDirect(tx, trader, first, amount)
      : this.#swapRouted(tx, trader, hops, amount);
    const last = hops.at(-1) as Hop;
    const target = (last.pools[0] as Pool).otherToken(last.token);
    if (!swap.wrapped && (first.token === wrapped || target === wrapped)) tx.unwrap(trader);
    if (swap.failure === "units") tx.fail(OUT_OF_UNITS);
    else if (swap.failure === "slippage") {
      tx.failAt(instruction, direct ? (first.pools[0] as Pool).exchange.slippageError : JUPITER_SLIPPAGE);
    }
    if (swap.failure !== undefined) return 0n;
    if (swap.tip !== undefined) this.tip(tx, trader, swap.tip);
    return tx.commit() ? out : 0n;
  }

  /** Adds the tip for a Jito bundle, the last instruction of a transaction. */
  tip(tx: Transaction, from: Account, lamports: bigint): void {
    const { jitoTips } = this.economy.programs;
    tx.transferSol(from, this.economy.programAccount("account", jitoTips, this.random.pick(TIP_ACCOUNTS)), lamports);
  }

  /** Returns the instruction of the swap and the amount received. */
  #swapDirect(tx: Transaction, trader: Account, { token, pools }: Hop, amount: bigint): SwapResult {
    const pool = pools[0] as Pool;
    const instruction = this.#callPool(tx, pool, token);
    const [route, out] = this.swapInPool(tx, trader, pool, token, amount, instruction);
    const parties = { from: trader, to: pool.account, platform: pool.program };
    const legs = { in: { token, amount }, out: { token: pool.otherToken(token), amount: out } };
    const { value } = route;
    tx.activities.addDefi({ instruction, type: "ACTIVITY_TOKEN_SWAP", ...parties, ...legs, value, routes: [route] });
    return [instruction, out];
  }

  /** Returns the instruction of the aggregator and the amount received. */
  #swapRouted(tx: Transaction, trader: Account, hops: readonly Hop[], amount: bigint): SwapResult {
    const { jupiter } = this.economy.programs;
    const instruction = tx.instruction(jupiter, "sharedAccountsRoute", "jupiter:aggregateSwap");
    const routes: WorldRoute[] = [];
    let current = { token: (hops[0] as Hop).token, amount };
    for (const hop of hops) {
      const [route, out] = this.#swapHop(tx, trader, hop, current.amount, instruction);
      routes.push(route);
      current = { token: (hop.pools[0] as Pool).otherToken(hop.token), amount: out };
    }
    const parties = { from: trader, to: jupiter, platform: jupiter };
    const legs = { in: { token: (hops[0] as Hop).token, amount }, out: current };
    const { value } = routes[0] as WorldRoute;
    tx.activities.addDefi({ instruction, type: "ACTIVITY_AGG_TOKEN_SWAP", ...parties, ...legs, value, routes });
    return [instruction, current.amount];
  }

  /** Swaps one hop; several pools become the children of one route of the aggregator. */
  #swapHop(
    tx: Transaction,
    trader: Account,
    { token, pools }: Hop,
    amount: bigint,
    top: number,
  ): readonly [WorldRoute, bigint] {
    const { jupiter } = this.economy.programs;
    const children: WorldRoute[] = [];
    let [remaining, out, value] = [amount, 0n, 0n];
    for (const [index, pool] of pools.entries()) {
      const part = index === pools.length - 1 ? remaining : (remaining * 3n) / 5n;
      remaining -= part;
      const inner = this.#callPool(tx, pool, token, top);
      const [route, received] = this.swapInPool(tx, trader, pool, token, part, inner);
      children.push(route);
      out += received;
      value += route.value;
    }
    if (children.length === 1) return [children[0] as WorldRoute, out];
    const legs = { in: { token, amount }, out: { token: (pools[0] as Pool).otherToken(token), amount: out } };
    return [
      tx.activities.createRoute({ pool: jupiter, program: jupiter, trade: false, ...legs, value, children }),
      out,
    ];
  }

  /** Adds the instruction that sells a token in a pool. */
  #callPool(tx: Transaction, { program, exchange, base }: Pool, token: Token, parent?: number): number {
    const type = exchange.swap === "sell" && token !== base ? "buy" : exchange.swap;
    return tx.instruction(program, type, `${exchange.label}:swap`, parent);
  }

  /** Adds the transfers of a swap in one pool, called by `parent`. Returns the route and the amount received. */
  swapInPool(
    tx: Transaction,
    trader: Account,
    pool: Pool,
    token: Token,
    amount: bigint,
    parent: number = TOP_LEVEL,
  ): readonly [WorldRoute, bigint] {
    const target = pool.otherToken(token);
    const out = pool.amountOut(token, amount);
    const value = token.price > 0 ? token.value(amount) : target.value(out);
    tx.key(pool.account, WRITABLE, parent);
    tx.transferToken(trader, pool.vault(token), token, amount, parent);
    tx.transferToken(pool.vault(target), trader, target, out, parent);
    const prices = settlePrice(this.economy, tx, pool);
    const input = { token, amount };
    const received = { token: target, amount: out };
    const venue = { pool: pool.account, program: pool.program, trade: true, in: input, out: received, value };
    return [tx.activities.createRoute(prices ? { ...venue, prices } : venue), out];
  }
}
